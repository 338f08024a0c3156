"""A plan whose ids a model mixed up is numbered anew; one whose ids can be told apart is left alone."""

from typing import Any

import pytest

from interviewer.agents.planner import PLANNER
from interviewer.agents.reverse_planner import REVERSE_PLANNER
from interviewer.errors import AgentError


def a_plan(*ids: str) -> dict[str, Any]:
    """A plan of two sections with two questions each; ids in the order section, question, question, ..."""
    first, one, two, second, three, four = ids
    return {
        "topic": "Bread",
        "goal": "",
        "sections": [
            {"id": first, "title": "A", "questions": [{"id": one, "text": "1?"}, {"id": two, "text": "2?"}]},
            {"id": second, "title": "B", "questions": [{"id": three, "text": "3?"}, {"id": four, "text": "4?"}]},
        ],
    }


def ids_of(plan: Any) -> list[str]:
    return [part.id for section in plan.sections for part in (section, *section.questions)]


def test_ids_of_ones_own_stay() -> None:
    own = ("begin", "b1", "b2", "end", "e1", "e2")
    assert ids_of(PLANNER.parse(a_plan(*own))) == list(own)


@pytest.mark.parametrize("ids", [("1", "1", "2", "2", "1", "2"), ("s1", "q1", "q2", "s2", "q1", "q2"), ("", *"abcde")])
def test_ids_used_twice_or_left_blank_are_numbered_anew_in_order(ids: tuple[str, ...]) -> None:
    plan = PLANNER.parse(a_plan(*ids))
    assert ids_of(plan) == ["s1", "q1", "q2", "s2", "q3", "q4"]
    assert [question.text for question in plan.questions] == ["1?", "2?", "3?", "4?"]


def test_the_places_of_a_reverse_plan_follow_their_questions() -> None:
    asked = [{"question_id": "q1", "turn": f"t{n}", "text": f"{n}?"} for n in (1, 2, 3, 4)]
    found = REVERSE_PLANNER.parse({"plan": a_plan("s", "q1", "q1", "t", "q1", "q1"), "asked": asked})
    assert [(place.question_id, place.text) for place in found.asked] == [(f"q{n}", f"{n}?") for n in (1, 2, 3, 4)]
    fewer = REVERSE_PLANNER.parse({"plan": a_plan("s", "q1", "q1", "t", "q1", "q1"), "asked": asked[:1]})
    assert [place.question_id for place in fewer.asked] == ["q1"]


@pytest.mark.parametrize("sections", [None, "many", [1], [{"id": "s1"}], [{"id": "s1", "questions": [5]}]])
def test_what_is_no_plan_is_refused_as_before(sections: Any) -> None:
    with pytest.raises(AgentError, match="planner returned something that does not fit"):
        PLANNER.parse({"topic": "x", "goal": "", "sections": sections})
    with pytest.raises(AgentError, match="reverse_planner returned"):
        REVERSE_PLANNER.parse({"plan": {"topic": "x", "goal": "", "sections": sections}, "asked": []})
