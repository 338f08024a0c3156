"""Where the questions of a call stood at its end, as the next call of the chain is to know it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal

from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import Ledger
from interviewer.ledger.state import QuestionState
from interviewer.matching.text import words
from interviewer.memory.earlier import Mark, Standing

_RANK: Final = {"available": 0, "held": 1, "delivered": 2}
_MARKS: Final[tuple[Literal["covered", "answered", "declined", "nothing", "claimed"], ...]] = (
    "covered",
    "answered",
    "declined",
    "nothing",
    "claimed",
)


def standings(ledger: Ledger, call: int, numbers: Mapping[str, int] | None = None) -> tuple[Standing, ...]:
    """Of every question that was planned, or that was delivered, held or marked, where it stood after call `call`.

    What was carried into the call keeps the call it is from: `numbers` has the numbers of all calls by their ids; one
    that it lacks is 0. A reply that was cut off by the end of a journal may have been heard: its question is held.
    """
    found = (_standing(question, call, numbers or {}) for question in ledger.questions.values())
    return tuple(each for each in found if each.planned or each.status != "available" or each.marks)


def joined(before: Iterable[Standing], after: Iterable[Standing]) -> tuple[Standing, ...]:
    """The standings of two calls: what was delivered stays so, then what is held; marks add up; texts are the later."""
    known = {each.id: each for each in before}
    for new in after:
        old = known.get(new.id)
        known[new.id] = new if old is None else _further(old, new)
    return tuple(known.values())


def apart(before: Iterable[Standing], after: Iterable[Standing], known: Collection[int]) -> dict[str, str]:
    """New ids for questions of a call that another call gave the same id, by the old ones; `known`: calls it knew.

    Two calls that go on from the same one, at the same time, number their new questions alike.
    """
    there = {each.id: each for each in before}
    return {
        new.id: f"{new.id}.{new.call}"
        for new in after
        if (old := there.get(new.id)) and old.call not in {0, *known} and words(old.text) != words(new.text)
    }


def open_still(found: Iterable[Standing], held_returns: int) -> tuple[Standing, ...]:
    """Planned questions that may still be asked, as `ledger.views.selectable` has it; held ones last."""
    left = [each for each in found if each.planned and _is_open(each, held_returns)]
    return tuple(sorted(left, key=lambda each: each.status == "held"))


def _is_open(question: Standing, held_returns: int) -> bool:
    closed = {mark.kind for mark in question.marks} & {"covered", "declined", "nothing", "claimed"}
    answered = any(m.kind == "answered" and (not m.volunteered or question.status == "held") for m in question.marks)
    return question.status != "delivered" and not closed and not answered and question.holds <= held_returns


def _standing(question: QuestionState, call: int, numbers: Mapping[str, int]) -> Standing:
    cut = question.status == "pending" and question.attempts[-1].started
    status = "held" if cut else "available" if question.status == "pending" else question.status
    last = question.attempts[-1].reason if question.attempts else ""
    here = cut or any(attempt.outcome == status for attempt in question.attempts)
    carried = question.carried if question.carried and not here else None
    if carried and not last:
        last = str(carried.evidence.get("reason") or "")
    return Standing(
        id=question.id,
        text=question.text or question.id,
        priority=min(3, max(1, question.priority)),
        planned=question.planned,
        source=question.source,
        role="follow_up" if question.role == "follow_up" else "backbone",
        section_id=question.section_id,
        status=status,
        call=_from(carried, call, numbers) if status != "available" else call,
        reason="cut" if cut else last if status == "held" else "",
        holds=question.holds + cut,
        marks=tuple(_marks(question, call, numbers)),
    )


def _from(event: LedgerEvent | None, call: int, numbers: Mapping[str, int]) -> int:
    """The call that a fact is from: the one it was carried from, else `call`, whose ledger has it."""
    origin = str(event.evidence.get("call") or "") if event else ""
    carried = event is not None and "call" in event.evidence
    return numbers.get(origin, 0) if carried else call


def _marks(question: QuestionState, call: int, numbers: Mapping[str, int]) -> Sequence[Mark]:
    events = ((kind, getattr(question, kind)) for kind in _MARKS)
    return [
        Mark(
            kind=kind,
            call=_from(event, call, numbers),
            turn=str(event.evidence.get("turn") or ""),
            volunteered=bool(event.evidence.get("volunteered")),
        )
        for kind, event in events
        if event is not None
    ]


def _further(old: Standing, new: Standing) -> Standing:
    keep = _RANK[old.status] > _RANK[new.status]
    stood = {"status": old.status, "call": old.call, "reason": old.reason} if keep else {}
    if old.status == new.status != "available":
        stood = {"call": old.call}  # it was settled then
    marks = {mark.kind: mark for mark in (*new.marks, *old.marks)}
    return new.model_copy(
        update={
            **stood,
            "planned": old.planned or new.planned,
            "section_id": new.section_id or old.section_id,
            "holds": max(old.holds, new.holds),
            "marks": tuple(marks.values()),
        }
    )
