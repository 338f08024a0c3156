"""The Follow-Up agent: three things to return to, with questions that were not asked yet."""

from collections import Counter
from collections.abc import Iterable, Sequence

from interviewer.agents.base import WHOLE, Agent, AgentInput
from interviewer.agents.open_ends import OpenEnd, open_ends, short, unasked
from interviewer.agents.prompts import Piece
from interviewer.agents.signals import stems
from interviewer.agents.views import QuestionView
from interviewer.agents.wording import DATA_RULE, bullets, line, notes, one_line, person, questions, transcript
from interviewer.matching.text import content_words, words
from interviewer.matching.text import questions as asked_in
from interviewer.model.notes import Notes
from interviewer.model.outcome import FollowUp, FollowUpTopic
from interviewer.model.plan import tells
from interviewer.model.turn import Said

INSTRUCTIONS = f"""
You read a finished interview and choose what a short follow-up call should return to.

Return a summary of what was covered, exactly three topics that were not explored, gaps, and areas to strengthen. Take
the topics from what the guest began and left, what the notes list as open, sections that stayed thin, and planned
questions that were not asked; prefer what the guest seemed to want to tell. The three differ from each other. Each has
a title in plain words, why it is worth it, and two or three questions that can be asked as they stand.

No question asks again what was asked in the transcript, in any words, or what the guest has already answered. Invent
nothing about the guest. Write in the language of the conversation.

{DATA_RULE}
"""

_TOPICS = 3
_MOST_QUESTIONS = 3
_LEAST_QUESTIONS = 2
_SAME = 0.5
_MOST_LINES = 6


class FollowUpInput(AgentInput):
    """The goal, the whole conversation, the notes and what became of the questions.

    `titles`: id and title of the sections, those of the calls before included.
    """

    goal: str
    turns: tuple[Said, ...]
    notes: Notes
    questions: tuple[QuestionView, ...]
    titles: tuple[tuple[str, str], ...] = ()

    def title(self, section_id: str) -> str:
        """What a person calls a section; empty if nothing tells what it is about."""
        title = one_line(dict(self.titles).get(section_id, ""))
        return title if tells(section_id, title) else ""


def follow_up(data: FollowUpInput) -> FollowUp:
    """Three topics by rule, whatever the transcript holds."""
    ends = open_ends(data.turns, data.notes, data.questions, data.topic)
    return FollowUp(
        summary=_summary(data),
        topics=_topics(ends, _heard(data)),
        gaps=_gaps(data),
        strengthen=_strengthen(data),
    )


def _heard(data: FollowUpInput) -> list[frozenset[str]]:
    """What was asked already, as sets of word stems."""
    spoken = [span.text for turn in data.turns if turn.speaker == "interviewer" for span in asked_in(turn.text)]
    told = [q.text for q in data.questions if q.status in ("delivered", "pending") or q.answered]
    return [stems(text) for text in (*spoken, *told)]


def _topics(ends: Sequence[OpenEnd], heard: Sequence[frozenset[str]]) -> tuple[FollowUpTopic, ...]:
    """Three ends that differ and have two new questions each: at most two of a kind where others will do.

    The first question of each can be asked first: what a further one speaks of is not left without it. General ones
    fill up; if even they were all asked, they are offered as they are.
    """
    special = [end for end in ends if end.family != "general"]
    general = [end for end in ends if end.family == "general"]
    taken: list[FollowUpTopic] = []
    used = list(heard)
    kinds: Counter[str] = Counter()
    for offered, most in ((special, 2), (special, _TOPICS), (general, _TOPICS)):
        for end in offered:
            fresh = _fresh(_led(end, used), used)
            if len(taken) == _TOPICS or kinds[end.family] >= most or _like(end.title, taken):
                continue
            if len(fresh) >= _LEAST_QUESTIONS and fresh[0] in map(one_line, end.questions[: end.own]):
                taken.append(FollowUpTopic(title=end.title, why=end.why, questions=fresh))
                used += [stems(question) for question in fresh]
                kinds[end.family] += 1
    left = [end for end in general if end.title not in {topic.title for topic in taken}]
    again = [FollowUpTopic(title=end.title, why=end.why, questions=end.questions[:_MOST_QUESTIONS]) for end in left]
    return (*taken, *again)[:_TOPICS]


def _led(end: OpenEnd, used: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """Its questions with one first question alone, if it has several: one that asks in words that are new."""
    if end.family != "begun" or end.own == 1:
        return end.questions
    ways = end.questions[: end.own]
    first = next((way for way in ways if not any(_asking(way) <= other for other in used)), ways[0])
    return (first, *end.questions[end.own :])


def _asking(question: str) -> frozenset[str]:
    """The stems of the sentence that asks, without words that are quoted before it."""
    return stems([span.text for span in asked_in(question)][-1])


def _fresh(offered: Iterable[str], used: Sequence[frozenset[str]]) -> tuple[str, ...]:
    fresh: list[str] = []
    seen = list(used)
    for question in offered:
        text, held = one_line(question), stems(question)
        if len(fresh) < _MOST_QUESTIONS and text and held and not any(_alike(held, other) for other in seen):
            fresh.append(text)
            seen.append(held)
    return tuple(fresh)


def _alike(held: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two questions share half of their words, or the shorter one stands in the longer."""
    shared = len(held & other)
    return shared > _SAME * len(held | other) or (shared >= 3 and shared >= 0.8 * min(len(held), len(other)))


def _like(title: str, taken: Iterable[FollowUpTopic]) -> bool:
    held = content_words(title)
    return any(title == topic.title or 2 * len(held & content_words(topic.title)) > len(held) for topic in taken)


def _summary(data: FollowUpInput) -> str:
    said = [turn for turn in data.turns if turn.speaker == "guest" and words(turn.text)]
    if not said:
        return "Nothing of the guest's was written down; everything planned is still open."
    told = sum(len(words(turn.text)) for turn in said)
    left = len(unasked(data.questions))
    told_of = (data.title(c.section_id) for c in data.notes.coverage if c.depth in ("some", "deep"))
    reached = [f"“{title}”" for title in dict.fromkeys(told_of) if title]
    parts = [f"The guest said {told} words in {len(said)} turn{'s' if len(said) > 1 else ''}"]
    if reached:
        parts.append(f"sections reached: {', '.join(reached)}")
    parts.append(f"planned questions neither asked nor answered: {left}")
    return "; ".join(parts) + "."


def _gaps(data: FollowUpInput) -> tuple[str, ...]:
    closed = set(data.notes.resolved)
    noted = [one_line(gap.text) for gap in data.notes.gaps if gap.id not in closed]
    planned = [f"Not asked: {one_line(q.text)}" for q in unasked(data.questions)]
    return tuple(dict.fromkeys([*noted, *planned]))[:_MOST_LINES]


def _strengthen(data: FollowUpInput) -> tuple[str, ...]:
    """Sections that stayed thin and claims that nothing was offered for."""
    told = {"none": "Not reached", "thin": "Hardly told"}
    named = ((c.depth, data.title(c.section_id)) for c in data.notes.coverage if c.depth in told)
    thin = [f"{told[depth]}: {title}" for depth, title in named if title]
    weak = [f"Little stands behind: {short(c.text, 20)}" for c in data.notes.claims if c.confidence == "low"]
    return tuple(dict.fromkeys([*thin, *weak]))[:_MOST_LINES]


def _data(data: FollowUpInput) -> Sequence[Piece]:
    asked = questions(data.questions)
    named = bullets("sections", (f"[{key}] {title}" for key, title in data.titles))
    return (*person(data), line("goal", data.goal), named, notes(data.notes), asked, transcript(data.turns))


FOLLOW_UP = Agent(
    name="follow_up",
    input=FollowUpInput,
    output=FollowUp,
    instructions=INSTRUCTIONS,
    data=_data,
    rules=follow_up,
    budget=WHOLE,
)
