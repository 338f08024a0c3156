from typing import Any

import pytest

from interviewer.errors import LedgerError
from interviewer.ledger.events import LedgerEvent

GOOD: dict[str, Any] = {
    "seq": 3,
    "t_ms": 12_000,
    "kind": "generated",
    "question_id": "q1",
    "attempt_id": "a1",
    "known": "matched",
    "world": "simulated",
    "basis": "inferred",
    "evidence": {"response_id": "r1", "score": 0.5, "end_ms": 3_000, "displayed": False, "given": None},
}


def changed(**fields: Any) -> dict[str, Any]:
    return {**GOOD, **fields}


def test_an_event_comes_back_as_it_was_written() -> None:
    assert LedgerEvent.from_dict(GOOD).to_dict() == GOOD


def test_what_is_not_said_has_its_default() -> None:
    event = LedgerEvent.from_dict({"seq": 1, "t_ms": 0, "kind": "unrecovered", "question_id": None})
    assert (event.attempt_id, event.known, event.world, event.basis) == (None, "live", "real", "protocol")
    assert event.evidence == {}


@pytest.mark.parametrize("name", ["seq", "t_ms", "kind", "question_id"])
def test_a_missing_field_is_named(name: str) -> None:
    with pytest.raises(LedgerError, match=f"without '{name}'"):
        LedgerEvent.from_dict({key: value for key, value in GOOD.items() if key != name})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "revived"),
        ("kind", None),
        ("known", "guessed"),
        ("world", "dreamt"),
        ("basis", "hoped"),
        ("seq", 0),
        ("seq", -1),
        ("seq", "3"),
        ("seq", 1.5),
        ("seq", None),
        ("t_ms", "soon"),
        ("t_ms", None),
        ("question_id", 7),
        ("attempt_id", ["a1"]),
        ("evidence", None),
        ("evidence", "all of it"),
        ("evidence", {"items": ["i1"]}),
    ],
)
def test_a_field_that_does_not_fit_is_named(name: str, value: Any) -> None:
    with pytest.raises(LedgerError, match=name):
        LedgerEvent.from_dict(changed(**{name: value}))
