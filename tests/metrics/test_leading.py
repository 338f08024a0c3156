"""How leading questions are: a judge's ratings, and people's to put them right."""

import pytest
from pydantic import BaseModel

from interviewer.agents.leading import LEADING, LeadingInput
from interviewer.errors import MetricError
from interviewer.lab.leading import rate_leading
from interviewer.llm.backend import Ran, Task
from interviewer.llm.rules import Rules
from interviewer.metrics.leading import Calibration, leading
from interviewer.settings import AgentSettings
from tests.metrics.talk import call

TALK = call("You loved it, didn't you?", "I did.", "How was it?", "Long.", "Why <b>so</b>?", "The road.")


class Scripted:
    """Rates by what it is shown."""

    def __init__(self) -> None:
        self.seen: list[LeadingInput] = []

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        assert isinstance(data, LeadingInput)
        self.seen.append(data)
        if "Why" in data.question:
            return Ran(None, "BackendBusy: overloaded")
        return Ran({"rating": 5 if "didn't you" in data.question else 1})


def test_each_question_is_rated_with_the_answer_before_it() -> None:
    judge, told = Scripted(), list[tuple[int, int]]()
    assert rate_leading([TALK], judge, lambda done, total: told.append((done, total))) == [[5, 1, None]]
    assert [data.before for data in judge.seen] == ["", "I did.", "Long."]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert "didn't you" in LEADING.prompt(judge.seen[0])


def test_without_a_model_nobody_can_tell() -> None:
    found = leading(rate_leading([TALK], Rules(AgentSettings(), 0)))
    assert (found.value, found.enough) == (None, False)
    assert "no model" in found.why


def test_a_rating_nobody_was_held_against_is_marked() -> None:
    found = leading([[5, 1, None], [3, 3]], least=1)
    assert (found.value, found.n, found.calls) == (3, 4, 2)
    assert "1 question not rated" in found.why
    assert "uncalibrated" in found.why


def test_ratings_are_put_right_by_those_of_people() -> None:
    # The judge's 1 is people's 1, its 2 and 3 fall (3, then 2) and are pooled: 2.5. 4 it never gave; its 5 is 4.5.
    judged = [1] * 10 + [2] * 10 + [3] * 10 + [5] * 10
    people = [1.0] * 10 + [3.0] * 10 + [2.0] * 10 + [4.5] * 10
    right = Calibration.of(judged, people)
    assert right.means == (1.0, 2.5, 2.5, 3.5, 4.5)
    found = leading([[2, 3], [5, 5]], right, least=1)
    assert found.value == pytest.approx((2.5 + 2.5 + 4.5 + 4.5) / 4)
    assert "uncalibrated" not in found.why


def test_a_calibration_of_too_few_or_of_nonsense_is_refused() -> None:
    with pytest.raises(MetricError, match="12 questions"):
        Calibration.of([1] * 12, [1.0] * 12)
    with pytest.raises(MetricError, match="within 1 to 5"):
        Calibration.of([1] * 40, [7.0] * 40)
    with pytest.raises(MetricError, match="one length"):
        Calibration.of([1] * 40, [1.0] * 39)
