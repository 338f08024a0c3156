"""A sensible plan for any topic, drawn up without a model."""

from collections.abc import Sequence
from dataclasses import replace

from interviewer.agents import question_bank as bank
from interviewer.agents.context import worth_asking
from interviewer.agents.guard import TOO_ALIKE
from interviewer.agents.question_bank import Draft, Shelf
from interviewer.agents.repeats import overlap
from interviewer.agents.topics import Topic, topic
from interviewer.agents.wording import choose, one_line
from interviewer.errors import PlanError
from interviewer.matching.text import words
from interviewer.model.language import is_english
from interviewer.model.plan import Importance, Plan, Question, Section
from interviewer.settings import CallSettings

SECONDS_A_QUESTION = 43  # asked and answered; chosen here, gives 20 for fourteen minutes
FEWEST = 3
_SECTIONS_BY_QUESTIONS = ((4, 3), (8, 4), (14, 5))
_WEIGHT: dict[Importance, int] = {"high": 3, "medium": 2, "low": 1}
_IN_CALL_ORDER = ("beginnings", "context", "close_up", "craft", "choices", "doubts", "passing_on")
_GOAL_TOPIC = 160  # characters


def question_count(target_ms: int) -> int:
    """How many questions a call of this length, in milliseconds, wants: about one every 43 s, at least three."""
    return max(FEWEST, round(target_ms / 1000 / SECONDS_A_QUESTION))


def section_seconds(target_ms: int) -> int:
    """Seconds for all sections together: the target less opening and closing."""
    call = CallSettings()
    return round(target_ms / 1000 * (call.wrap_up_from - call.opening_until))


def draw_up(given: str, context: str, language: str, target_ms: int) -> Plan:
    """A plan about `given`. Raises PlanError if there is no topic."""
    if not words(given):
        raise PlanError(
            "topic: there is nothing to talk about yet; give a few words, such as 'leaving our old database'"
        )
    subject = topic(given)
    found = worth_asking(one_line(context), given)
    shelves = _shelves(subject, found, question_count(target_ms))
    chosen = _without_lookalikes(_shared_out(shelves, question_count(target_ms)))
    return Plan(
        topic=one_line(given),
        goal=_goal(one_line(given)),
        angle=_angle(found),
        sections=_sections(chosen, section_seconds(target_ms)),
        notes=_notes(language),
        language=language,
    )


def _shelves(subject: Topic, found: tuple[list[str], list[str]], count: int) -> list[Shelf]:
    """The sections this plan gets, most needed first."""
    origin = choose(bank.ORIGINS[subject.form], subject.text).replace("{topic}", subject.text)
    first = replace(bank.BEGINNINGS, drafts=(Draft("origin", origin), *bank.BEGINNINGS.drafts))
    number = next((sections for below, sections in _SECTIONS_BY_QUESTIONS if count < below), 6)
    asked = _about_context(*found)
    if not asked:
        return [first, bank.CHOICES, bank.PASSING_ON, bank.CLOSE_UP, bank.DOUBTS, bank.CRAFT][:number]
    own = Shelf("context", "Where you come from", "medium", asked)
    return [first, bank.CHOICES, own, bank.PASSING_ON, bank.CLOSE_UP, bank.DOUBTS][:number]


def _about_context(named: Sequence[str], said: Sequence[str]) -> tuple[Draft, ...]:
    """A question for each phrase, a name and a clause by turns."""
    about_names = [(0, i, d, p) for i, (d, p) in enumerate(zip(bank.ABOUT_NAMES, named, strict=False))]
    about_clauses = [(1, i, d, p) for i, (d, p) in enumerate(zip(bank.ABOUT_CLAUSES, said, strict=False))]
    by_turns = sorted(about_names + about_clauses, key=lambda entry: (entry[1], entry[0]))
    return tuple(replace(draft, text=draft.text.replace("{phrase}", phrase)) for _, _, draft, phrase in by_turns)


def _shared_out(shelves: Sequence[Shelf], count: int) -> list[Shelf]:
    """The shelves cut so that about `count` questions remain, more for what matters more, at least one each."""
    taken = dict.fromkeys((shelf.key for shelf in shelves), 0)
    for _ in range(count):
        free = [shelf for shelf in shelves if taken[shelf.key] < len(shelf.drafts)]
        if free:
            neediest = min(free, key=lambda s: (taken[s.key] > 0, (taken[s.key] + 1) / _WEIGHT[s.importance]))
            taken[neediest.key] += 1
    cut = [replace(shelf, drafts=shelf.drafts[: taken[shelf.key]]) for shelf in shelves]
    return sorted(cut, key=lambda shelf: _IN_CALL_ORDER.index(shelf.key))


def _without_lookalikes(shelves: Sequence[Shelf]) -> list[Shelf]:
    kept: list[str] = []
    left: list[Shelf] = []
    for shelf in shelves:
        drafts = []
        for draft in shelf.drafts:
            if not kept or max(overlap(draft.text, kept)) < TOO_ALIKE:
                kept.append(draft.text)
                drafts.append(draft)
        left.append(replace(shelf, drafts=tuple(drafts)))
    return [shelf for shelf in left if shelf.drafts]


def _sections(shelves: Sequence[Shelf], seconds: int) -> tuple[Section, ...]:
    """Sections with ids, priorities by thirds (a section's first questions rank highest) and their time."""
    places = [(row, s) for s, shelf in enumerate(shelves) for row in range(len(shelf.drafts))]
    # The first question opens the call, whatever its section is worth.
    ranked = sorted(places, key=lambda p: (p[0], p != (0, 0), -_WEIGHT[shelves[p[1]].importance], p[1]))
    priority = {place: 1 + 3 * rank // len(ranked) for rank, place in enumerate(ranked)}
    ends = [0]
    for shelf in shelves:
        ends.append(ends[-1] + len(shelf.drafts))
    return tuple(
        Section(
            id=f"s{s + 1}",
            title=shelf.title,
            importance=shelf.importance,
            seconds=round(seconds * ends[s + 1] / ends[-1]) - round(seconds * ends[s] / ends[-1]),
            questions=tuple(
                _question(draft, ends[s] + row + 1, priority[row, s]) for row, draft in enumerate(shelf.drafts)
            ),
        )
        for s, shelf in enumerate(shelves)
    )


def _question(draft: Draft, number: int, priority: int) -> Question:
    return Question.model_validate(
        {
            "id": f"q{number}",
            "text": draft.text,
            "role": "follow_up" if priority == 3 else "backbone",
            "priority": priority,
            "notes": draft.after,
        }
    )


def _goal(given: str) -> str:
    short = given if len(given) <= _GOAL_TOPIC else given[:_GOAL_TOPIC].rsplit(" ", 1)[0] + " …"
    return f"Bring out what the guest knows about this from experience and no longer thinks to mention: {short}"


def _angle(found: tuple[list[str], list[str]]) -> str:
    start = "Concrete cases before opinions: the odd choice, the detour, the doubt with an experience behind it."
    ways_in = [*found[0], *(f'"{said}"' for said in found[1])][:2]
    return f"{start} A way in: {', '.join(ways_in)}." if ways_in else start


def _notes(language: str) -> str:
    if is_english(language):
        return "The questions are purposes, not a script."
    return f"The questions are purposes, not a script; they are written in English and to be asked in {language}."
