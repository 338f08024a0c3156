"""Where two questions stand in their interview, however their turns were counted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interviewer.errors import MatchError
from interviewer.matching.interview_file import Interview, no_asker
from interviewer.matching.pairs import Pair, context


@dataclass(frozen=True, slots=True)
class Place:
    """A pair and where it is said to stand: the interview, if it is there, its name, and the two turns."""

    pair: Pair
    interview: Interview | None
    name: str
    turn_a: int | None
    turn_b: int | None


def whole_number(cell: str) -> int | None:
    """A whole number as a cell holds it ("7", or "7.0" after a spreadsheet), else None."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return int(value) if value.is_integer() else None


def place(places: Sequence[Place]) -> tuple[list[tuple[Pair, list[str]]], str]:
    """Each pair with what surrounds it, and what was wrong; then how turns are counted if not from 0.

    A pair that cannot be placed comes back as it was. A question that another turn of the interviewer holds word for
    word is taken to stand there. The earlier question comes first.
    """
    shift = -1 if _found(places, -1) > _found(places, 0) else 0
    said = "turns are counted from 1: more questions are found so than from 0" if shift else ""
    return [_placed(one, shift) for one in places], said


def _found(places: Iterable[Place], shift: int) -> int:
    """How many questions their turns hold, counted so."""
    return sum(
        one.interview.holds(turn + shift, question)
        for one in places
        if one.interview
        for turn, question in ((one.turn_a, one.pair.q1), (one.turn_b, one.pair.q2))
        if turn is not None and question
    )


def _placed(one: Place, shift: int) -> tuple[Pair, list[str]]:
    if one.interview is None:
        return one.pair, [f"no interview {one.name[:60]!r} in the study: words alone count"]
    if one.turn_a is None or one.turn_b is None:
        return one.pair, ["turn_a or turn_b is no whole number: words alone count"]
    said: list[str] = []
    if not one.interview.asks:
        said.append(f"nobody asks in the interview {one.name[:60]!r}; {no_asker([one.interview])}")
    first = one.pair.q1, _turn(one.interview, one.turn_a + shift, one.pair.q1, said)
    second = one.pair.q2, _turn(one.interview, one.turn_b + shift, one.pair.q2, said)
    if first[1] > second[1]:
        first, second = second, first
        said.append("turn_a comes after turn_b: the pair is read the other way round")
    try:
        around = context(one.interview.turns, first[1], first[0], second[1], second[0])
    except MatchError as error:
        return one.pair, [*said, f"{error}: words alone count"]
    return Pair(first[0], second[0], around), said


def _turn(interview: Interview, at: int, question: str, said: list[str]) -> int:
    if not 0 <= at < len(interview.turns) or interview.holds(at, question):
        return at
    other = interview.nearest(at, question) if question else None
    what = "" if other is None else f", but turn {other} does: it is read as that"
    said.append(f"turn {at} does not hold {question[:60]!r} word for word{what}")
    return at if other is None else other
