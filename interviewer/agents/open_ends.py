"""What a conversation left open, each with questions that would take it up: the material of a follow-up."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from interviewer.agents.cues import Kind
from interviewer.agents.orchestrator_rules import CLOSINGS
from interviewer.agents.phrases import stands
from interviewer.agents.quotes import locate
from interviewer.agents.signals import WEIGHT, Signal, signals
from interviewer.agents.small_talk import idle
from interviewer.agents.topics import is_person
from interviewer.agents.topics import topic as fitted
from interviewer.agents.views import QuestionView
from interviewer.agents.wording import one_line
from interviewer.matching.text import STOP_WORDS, content_words, words
from interviewer.model.notes import Coverage, Notes
from interviewer.model.turn import Said


class OpenEnd(NamedTuple):
    """Something to return to; `family` says where it is from, `questions` holds the best first.

    `own`: how many of them can be asked first; those after speak of "that", and need one before them.
    """

    family: str
    rank: float
    title: str
    why: str
    questions: tuple[str, ...]
    own: int = 1


_TITLE_WORDS = 9
_WAYS_IN = 2  # first questions a thing said in passing comes with, for one of them may have been asked before
_ALL_THIS = "all this"
_LONGEST_TOPIC = 160
_LEFT: dict[Kind, tuple[str, ...]] = {
    "unfinished": (
        "You said “{it}” and left it there. How does that story go?",
        "What happened before it, and who else was part of it?",
        "Where did that end, and what did you take from it?",
    ),
    "withheld": (
        "You said “{it}”. Which of the reasons mattered most?",
        "What would somebody need to have seen to understand that?",
        "What can you say about it today that you could not say then?",
    ),
    "vague": (
        "You said “{it}”. What exactly went on there?",
        "If you take one case of that, how did it go from beginning to end?",
        "Which of those troubles would you want to be warned about?",
    ),
    "loaded": (
        "You said “{it}”. What made it so?",
        "When did you first come up against that, and what did you do?",
        "How would you explain that to somebody who has never been near it?",
    ),
    "workaround": (
        "You said “{it}”. How did that work in practice?",
        "What was the proper way to do it, and why was it no good to you?",
        "Who knew that you did it that way?",
    ),
    "distrust": (
        "You said “{it}”. What happened that made you careful?",
        "What would have to change before you saw that differently?",
        "Whom do you turn to instead?",
    ),
    "objection": (
        "You said “{it}”. What was the strongest form of that argument?",
        "Who turned out to be right in that dispute?",
        "What would you answer them now?",
    ),
    "decision": (
        "You said “{it}”. What else was on the table?",
        "How close did you come to doing the opposite?",
        "What did that choice cost you?",
    ),
}
_TAKEN_UP: tuple[str, ...] = (
    "You said “{it}”. What led up to that?",
    "You said “{it}”. What stands behind that?",
    "You said “{it}”. What would I have seen there?",
    "You said “{it}”. What was going on around you then?",
    "You said “{it}”. What came of it?",
)
_ANYHOW: tuple[str, ...] = (
    "What did that change for you, from then on?",
    "Which detail of that have you not told anybody yet?",
    "Who was there, and how do they tell it?",
    "How would it have gone if you had done nothing?",
    "What did you not see at the time?",
    "Where do you still meet the traces of it?",
)
_ALSO: tuple[str, ...] = (
    "Which moment comes to mind first when you think of that?",
    "What did you expect there, and what came instead?",
    "Who saw it differently at the time?",
    "What would you tell somebody who is just about to begin with it?",
    "How do you notice that it goes well?",
    "What is the part of it that nobody sees?",
)
_QUESTION_START = re.compile(
    r"^(?:(?:and|so),? )?(?:(?:what|how|why|when|where|which|who)(?:['’]s)?\b"
    r"(?: (?:is|are|was|were|do|does|did|has|have|would|could|can|should))?(?: (?:you|your))?|"
    r"(?:could|can|would) you (?:tell me about|describe|explain)|tell me about|describe|walk me through) ",
    re.IGNORECASE,
)
# A thing by itself: an article or a possessive first, and no mark or joining word that begins another clause.
_THING = re.compile(
    r"(?:the|an?|your|his|her|its|their|our)\b(?!.*(?:[,;:?]|\b(?:and|or|but|when|if|because)\b))", re.I
)
_SAID = re.compile(r"^You said [“\"]([^“”\"]+)[”\"]")
_MILD: frozenset[Kind] = frozenset(["feeling", "turning_point", "insight", "story", "contrast", "figure"])


def open_ends(turns: Sequence[Said], notes: Notes, questions: Sequence[QuestionView], topic: str) -> list[OpenEnd]:
    """Everything left open, the most pressing first, general questions about the topic last."""
    closed = set(notes.resolved)
    found = [*_gaps(notes, closed), *_contradictions(notes, closed, turns)]
    found += [*_unasked(questions, notes.coverage), *_left(turns)]
    found.sort(key=lambda end: -end.rank)
    # The topic's own words would make all of these look alike to whoever compares words, and the guest knows it.
    return [*found, *_general(_ALL_THIS if turns else topic)]


def unasked(questions: Iterable[QuestionView]) -> list[QuestionView]:
    """Questions that were neither delivered nor settled otherwise, by priority, else in the order of the plan.

    A last word for the guest that was not asked is none, nor is one that may not be asked, such as one declined.
    """
    left = [q for q in questions if _is_open(q) and not q.answered and q.text not in CLOSINGS]
    return sorted(left, key=lambda q: (q.status == "held", q.priority))


def _is_open(question: QuestionView) -> bool:
    return question.status == "held" or (question.status == "available" and question.selectable)


def short(text: str, most: int = _TITLE_WORDS) -> str:
    """The first `most` words of `text`, with an ellipsis if there were more, and a capital first."""
    parts = one_line(text).rstrip(" ?.!").split()
    cut = " ".join(parts[:most]).rstrip(",;:-") + ("…" if len(parts) > most else "")
    return cut[:1].upper() + cut[1:]


def _gaps(notes: Notes, closed: set[str]) -> Iterator[OpenEnd]:
    for gap in notes.gaps:
        if gap.id not in closed:
            it = short(gap.quote, 14).rstrip("…") or short(gap.text, 14)
            more = (
                f"You said “{it}”. Can you take me to one moment of it?",
                "What do people usually miss about that?",
            )
            why = f"Begun and not told: “{it}”" if gap.quote else one_line(gap.text)
            yield OpenEnd("gap", 3.0, short(gap.quote or gap.text), why, (gap.question, *more), own=2)


def _contradictions(notes: Notes, closed: set[str], turns: Sequence[Said]) -> Iterator[OpenEnd]:
    for pair in notes.contradictions:
        if pair.id in closed or not (locate(pair.first_quote, turns) and locate(pair.second_quote, turns)):
            continue
        first, second = short(pair.first_quote, 14), short(pair.second_quote, 14)
        more = (
            "When is the first of the two truer, and when the second?",
            f"You said “{first}” and also “{second}”. Did you change your mind in between?",
        )
        title = f"{short(pair.first_quote, 5)} / {short(pair.second_quote, 5)}"
        why = f"Two things that do not sit together: “{first}” and “{second}”"
        yield OpenEnd("contradiction", 2.9, title, why, (pair.question, *more))


def _unasked(questions: Sequence[QuestionView], coverage: Sequence[Coverage]) -> Iterator[OpenEnd]:
    """One end for every section that has unasked questions; a question without a section stands by itself.

    A further question of an earlier topic can only come after another.
    """
    depth = {c.section_id: c.depth for c in coverage}
    groups: dict[str, list[QuestionView]] = {}
    for question in unasked(questions):
        groups.setdefault(question.section_id or f"\n{question.id}", []).append(question)
    for n, (section, group) in enumerate(groups.items()):
        alone = [question for question in group if question.text not in _further()]
        if not alone:
            continue
        first = alone[0]
        thin = depth.get(section, "none") in ("none", "thin")
        rank = {1: 3.2, 2: 2.4}.get(first.priority, 1.6) + 0.3 * thin - 0.8 * (first.status == "held")
        about = _titled(first.text)
        why = (
            f"Planned and not asked: {one_line(first.text)}"
            if first.status == "available"
            else (f"Asked, perhaps not heard: {one_line(first.text)}")
        )
        more = _rotated(_ALSO, n)
        asked = (*alone, *(question for question in group if question not in alone))
        yield OpenEnd("unasked", rank, about, why, (*(q.text for q in asked), *more), own=len(alone))


def _titled(question: str) -> str:
    """What a question is about: words of the guest's that it quotes, a thing it names at its end, else all of it."""
    if said := _SAID.match(question):
        return short(said[1])
    about = _QUESTION_START.sub("", question).rstrip(" ?")
    named = _THING.match(about) is not None and len(words(about)) <= _TITLE_WORDS
    return short(about) if named else one_line(question)


def _left(turns: Sequence[Said]) -> Iterator[OpenEnd]:
    """Things begun and left: telling clauses of the guest that no later turn of theirs comes back to."""
    guest = [turn for turn in turns if turn.speaker == "guest"]
    for n, turn in enumerate(guest):
        later = frozenset(word for after in guest[n + 1 :] for word in content_words(after.text))
        for signal in signals(turn.text):
            if (signal.kind in _LEFT or signal.kind in _MILD) and _worth_asking(signal):
                yield _begun(signal, n, later)


def _worth_asking(signal: Signal) -> bool:
    clause = signal.clause.text
    return (
        not idle(signal.sentence.text)
        and 3 <= len(words(clause)) <= _TITLE_WORDS
        and len(content_words(clause)) > 1
        and stands(clause)
    )


def _begun(signal: Signal, n: int, later: frozenset[str]) -> OpenEnd:
    it = one_line(signal.clause.text)
    held = content_words(it)
    dropped = len(held - later) / len(held)
    rank = (0.4 if signal.kind in _LEFT else 0.2) * WEIGHT[signal.kind] + 0.8 * dropped
    anyhow = (*_rotated(_TAKEN_UP, n)[:_WAYS_IN], *_rotated(_ANYHOW, n))
    asked = tuple(question.replace("{it}", it) for question in _LEFT.get(signal.kind, anyhow))
    own = 1 if signal.kind in _LEFT else _WAYS_IN
    return OpenEnd("begun", rank, short(it), f"Said in passing and left: “{it}”", asked, own)


def _rotated(asked: tuple[str, ...], n: int) -> tuple[str, ...]:
    """`asked` from its `n`-th question on, so that neighbouring topics begin with different ones."""
    return asked[n % len(asked) :] + asked[: n % len(asked)]


def _general(topic: str) -> Iterator[OpenEnd]:
    about = _inside(one_line(topic).rstrip(" ?.!")[:_LONGEST_TOPIC]) or "this"
    for title, asked in _GENERAL:
        filled = tuple(question.replace("{it}", about) for question in asked)
        yield OpenEnd("general", 0.0, title, "The conversation did not come to it", filled)


@cache
def _further() -> frozenset[str]:
    """The questions of the tables that speak of what the one before them asked."""
    after = (asked[1:] for asked in (*_LEFT.values(), *(asked for _, asked in _GENERAL)))
    return frozenset((*_ANYHOW, *_ALSO, *(question for asked in after for question in asked)))


def begin_with(about: str) -> tuple[str, ...]:
    """Questions about what a person named in their own words, each of which can be asked first."""
    named = fitted(about)
    if is_person(named.text):
        return tuple(question.replace("{it}", named.text) for question in _OF_A_PERSON)
    it = named.text if named.form in ("name", "activity") else about
    return tuple(question for end in _general(it) for question in end.questions[: end.own])


def _inside(topic: str) -> str:
    """`topic` as it stands inside a sentence: a first word that is no name loses its capital."""
    first = topic.split(" ", 1)[0].lower()
    common = first in STOP_WORDS or (first.endswith("ing") and len(first) > 5)
    return topic[:1].lower() + topic[1:] if common else topic


_OF_A_PERSON: tuple[str, ...] = (
    "Which moment with {it} comes to mind first?",
    "What do you have from {it} that you would not give away?",
    "When did {it} surprise you?",
    "What would {it} say about all this?",
    "What did you never get round to asking {it}?",
)
_GENERAL: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "The hardest moment",
        (
            "Which moment in {it} came closest to making you stop?",
            "What did you do the day after?",
            "Who noticed how hard that was?",
        ),
    ),
    (
        "What outsiders get wrong",
        (
            "What do people believe about {it} that you know to be wrong?",
            "Where does that belief come from?",
            "What do you say when you hear it?",
        ),
    ),
    (
        "What you would do differently",
        (
            "If you began with {it} again tomorrow, what would you leave out?",
            "Which advice did you ignore, and were you right to?",
            "What took you longest to learn?",
        ),
    ),
    (
        "The people in it",
        (
            "Who shaped the way you think about {it}?",
            "Whose work do you look at with envy?",
            "Whom would you call first if it all broke down?",
        ),
    ),
    (
        "What comes next",
        (
            "What will be different about {it} in five years?",
            "Which sign would tell you that the change has begun?",
            "What do you hope never changes?",
        ),
    ),
    (
        "An ordinary day",
        (
            "What does an ordinary day with {it} look like, hour by hour?",
            "Which part of the day would you never give away?",
            "What do you do that looks like waste to others?",
        ),
    ),
    (
        "What it costs",
        (
            "What did {it} cost you, apart from money?",
            "When did you last wonder whether it was worth that?",
            "Who else pays a part of the price?",
        ),
    ),
    (
        "Rules of thumb",
        (
            "Which rule of thumb about {it} do you trust most?",
            "How did you come by that rule?",
            "When did you break it, and what followed?",
        ),
    ),
)
