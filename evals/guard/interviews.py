"""Real interviews: all their questions in order, and plans out of those that somebody wrote repeats of."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from evals.repetition.sets import DATA, INJECTED, SOURCES, in_interview, injected_rows, interview_rows, interviews
from interviewer.matching.comparable import comparable
from interviewer.matching.interview_file import Turns
from interviewer.matching.pairs import INTERVIEWER
from interviewer.matching.text import questions, words
from interviewer.model.plan import Plan, Question, Section

REWORDED = DATA / "labels" / "reworded"

_SHORTEST = 3  # words of a question that can be compared
_FEWEST_BEFORE = 5
_PLANNED = 12


@dataclass(frozen=True, slots=True)
class Moment:
    """A question at its place, and all that was asked before it.

    `kind`: "real" for one that was really asked there and is not labelled a repeat; R (repeat) or N (resembles one and
    asks for something else) for one that was written and put there; M for one that a model worded anew; "planned" for
    one of this package's rules for plans among others of them. `style`: how many words R or N share with it; of M
    whether it is of interviews or of rules for plans.
    """

    interview: str
    kind: str
    style: str
    text: str
    before: tuple[str, ...]


def moments() -> list[Moment]:
    """All of them, interview by interview."""
    again = _not_different()
    found = [
        Moment(name, "real", "", text, before)
        for name, interview in interviews().items()
        for text, before in _in_order(interview.turns)
        if text not in again[name] and len(before) >= _FEWEST_BEFORE
    ]
    for row in written():
        turns = interviews()[row["interview"]].turns[: row["turn_b"] + 1]
        before = tuple(dict.fromkeys((*_asked(turns), row["q1"])))
        if comparable(row["q2"]) and row["label"] in ("R", "N"):
            found.append(Moment(row["interview"], row["label"], row["style"], row["q2"], before))
    return [*found, *_worded_anew(found)]


def _worded_anew(found: list[Moment]) -> Iterator[Moment]:
    """Other wordings of questions of interviews, where the repeats of these were put; and of rules for plans."""
    places = {row["q1"]: row for row in reversed(written()) if row["label"] == "R"}
    before = {(m.interview, m.text): m.before for m in found if m.kind == "R"}
    own = [text for text in reworded() if text not in places]
    for at, (text, others) in enumerate(reworded().items()):
        if place := places.get(text):
            asked = (place["interview"], before[place["interview"], place["q2"]])
        else:
            among = random.Random(at).sample([one for one in own if one != text], _PLANNED)
            asked = (f"plan {at}", (*among, text))
            yield Moment(asked[0], "planned", "", text, tuple(among))
        style = "interviews" if place else "plans"
        yield from (Moment(asked[0], "M", style, other, asked[1]) for other in others if comparable(other))


@cache
def written() -> tuple[dict[str, Any], ...]:
    """The questions that were written for real interviews, see data/labels."""
    return tuple(row for source in SOURCES for row in injected_rows(INJECTED / f"injected_{source}.jsonl"))


@cache
def reworded() -> dict[str, list[str]]:
    """By question, of interviews and of the rules for plans, the same in other words; see data/labels/reworded."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(REWORDED.glob("*.csv")):
        for row in interview_rows(path):
            found[row["q1"]].append(row["q2"])
    return dict(found)


def plans() -> list[tuple[Plan, dict[str, list[str]], dict[str, list[str]]]]:
    """Plans of real questions of one source, with the repeats and the look-alikes written for each by its text."""
    by_source: dict[str, dict[str, dict[str, list[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in written():
        if row["label"] in ("R", "N") and comparable(row["q1"]):
            by_source[row["source"]][row["q1"]][row["label"]].append(row["q2"])
    made = []
    for source, rows in sorted(by_source.items()):
        texts = list(rows)
        for start in range(0, len(texts) - _PLANNED + 1, _PLANNED):
            chosen = texts[start : start + _PLANNED]
            repeats = {text: rows[text]["R"] for text in chosen}
            others = {text: rows[text]["N"] for text in chosen}
            made.append((_plan(source, chosen), repeats, others))
    return made


def _plan(source: str, texts: list[str]) -> Plan:
    asked = tuple(Question(id=f"q{n}", text=text, priority=1 + n % 3) for n, text in enumerate(texts, 1))
    return Plan(
        topic=source.replace("_", " "), goal="", sections=(Section(id="s1", title="Questions", questions=asked),)
    )


def _in_order(turns: Turns) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each question that can be compared, with those of the turns before it."""
    for at, (role, text) in enumerate(turns):
        before = _asked(turns[:at])
        if role == INTERVIEWER:
            for span in questions(text):
                if len(words(span.text)) >= _SHORTEST and comparable(span.text):
                    yield span.text, before


def _asked(turns: Turns) -> tuple[str, ...]:
    texts = (span.text for role, text in turns if role == INTERVIEWER for span in questions(text))
    return tuple(dict.fromkeys(part for text in texts for part in comparable(text) if len(words(part)) >= _SHORTEST))


def _not_different() -> dict[str, set[str]]:
    """By interview, the questions of a labelled pair that ask for the same."""
    labelled = in_interview()
    found: dict[str, set[str]] = defaultdict(set)
    for pair, same, name in zip(labelled.pairs, labelled.same, labelled.groups, strict=True):
        if same:
            found[name] |= {pair.q1, pair.q2}
    return found
