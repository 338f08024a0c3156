"""An exact replay tells also of an order or a number that is another."""

from dataclasses import replace

import pytest

from interviewer.call.actions import Action, Append, Microphone
from interviewer.call.inputs import Input, Tick
from interviewer.ledger.events import LedgerEvent
from interviewer.replay.exact import fold_steps
from interviewer.replay.gather import Gathered
from interviewer.replay.outcome import Difference
from tests.lab.runs import event

A, B, C, D = event(1, "question"), event(2, "generated"), event(3, "delivered"), event(4, "answered")


class Giving:
    """A core that gives these events, an input after the other."""

    def __init__(self, *given: tuple[LedgerEvent, ...]) -> None:
        self._given = list(given)

    def step(self, _: Input) -> list[Action]:
        return [Microphone(on=True), *(Append(each) for each in self._given.pop(0))]


def _told(core: Giving, *stored: tuple[LedgerEvent, ...]) -> list[Difference]:
    steps = [(Tick(number), events) for number, events in enumerate(stored)]
    return list(fold_steps(core, steps, Gathered()))  # type: ignore[arg-type]  # all of a core that it uses


def test_two_events_that_changed_places_differ() -> None:
    (found,) = _told(Giving((A, B), (C,)), (B, A), (C,))
    assert (found.stored, found.fields) == (A, (("place", 2, 1),))


def test_a_number_of_its_own_differs_and_those_after_it_do_not() -> None:
    (found,) = _told(Giving((A,), (B,), (C,)), (A,), (replace(B, seq=9),), (C,))
    assert found.fields == (("seq", 9, 2),)


@pytest.mark.parametrize("lost", [True, False])
def test_numbers_moved_by_an_event_that_is_gone_are_no_difference(lost: bool) -> None:
    # The journal either lost the line, and later numbers stand, or never had it, and they are one less.
    later = (C, D) if lost else (replace(C, seq=2), replace(D, seq=3))
    (found,) = _told(Giving((A,), (B,), (C, D)), (A,), (), later)
    assert (found.stored, found.fresh) == (None, B)


def test_a_step_without_events_does_not_put_moved_numbers_back() -> None:
    later = (replace(C, seq=2), replace(D, seq=3))
    (found,) = _told(Giving((A,), (B,), (), (C, D)), (A,), (), (), later)
    assert (found.stored, found.fresh) == (None, B)
