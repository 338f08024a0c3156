"""The guard's evaluation: what it words anew is what calls ask, and a call with repeats is held against the truth."""

from evals.guard.interviews import REWORDED, reworded, written
from evals.guard.one import run_one
from evals.repetition.sets import interview_rows
from interviewer.agents import question_bank as bank
from interviewer.matching.text import words


def test_every_question_that_is_worded_anew_is_asked_in_interviews_or_by_rules() -> None:
    shelves = (bank.BEGINNINGS, bank.CLOSE_UP, bank.CHOICES, bank.DOUBTS, bank.PASSING_ON, bank.CRAFT)
    asked = {draft.text for shelf in shelves for draft in shelf.drafts} | {row["q1"] for row in written()}
    rows = [row for path in sorted(REWORDED.glob("*.csv")) for row in interview_rows(path)]
    assert {row["q1"] for row in rows} <= asked
    assert len({row["id"] for row in rows}) == len(rows) == sum(map(len, reworded().values())) == 373
    assert not [row for row in rows if words(row["q1"]) == words(row["q2"])]


def test_a_lower_threshold_refuses_more_of_what_was_worded_anew() -> None:
    def refused(threshold: float) -> float:
        call = run_one("model", "on", 3, 5, 0.5, "centred", threshold)
        assert not call.broken
        assert call.planted > 0
        return call.stopped / call.planted

    assert refused(2.0) == 0
    assert refused(0.3) > 0.5
