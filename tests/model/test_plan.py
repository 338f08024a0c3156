from typing import Any

import pytest
from pydantic import ValidationError

from interviewer.model.plan import Plan, Question, Section


def section(name: str, *questions: str, **fields: Any) -> Section:
    asked = tuple(Question(id=q, text=f"What about {q}?") for q in questions)
    return Section(id=name, title=name.upper(), questions=asked, **fields)


def plan(*sections: Section) -> Plan:
    return Plan(topic="Bridges", goal="Learn why they last", sections=sections)


def test_questions_come_in_the_order_of_the_plan() -> None:
    made = plan(section("s1", "q2", "q1"), section("s2"), section("s3", "q3"))
    assert [q.id for q in made.questions] == ["q2", "q1", "q3"]


def test_a_question_and_its_section_are_found_by_id() -> None:
    made = plan(section("s1", "q1"), section("s2", "q2"))
    question, home = made.question("q2"), made.section_of("q2")
    assert question is not None
    assert home is not None
    assert (question.text, home.id) == ("What about q2?", "s2")
    assert made.question("s2") is None
    assert made.section_of("q9") is None


@pytest.mark.parametrize(
    "sections",
    [
        (section("s1", "q1", "q1"),),
        (section("s1", "q1"), section("s2", "q1")),
        (section("s1", "q1"), section("s1", "q2")),
        (section("s1", "s1"),),
    ],
)
def test_an_id_used_twice_is_named(sections: tuple[Section, ...]) -> None:
    with pytest.raises(ValidationError, match=r"ids used more than once: [qs]1"):
        plan(*sections)


def test_a_plan_asks_something() -> None:
    with pytest.raises(ValidationError, match="no question"):
        plan(section("s1"), section("s2"))
    with pytest.raises(ValidationError, match="sections"):
        plan()


@pytest.mark.parametrize(
    ("field", "value"),
    [("id", ""), ("id", "q" * 41), ("text", ""), ("text", "w" * 601), ("priority", 0), ("priority", 4), ("role", "x")],
)
def test_a_question_s_bad_field_is_named(field: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=field):
        Question.model_validate({"id": "q1", "text": "Why?", field: value})


def test_a_section_of_no_said_length_is_fine_and_of_negative_length_is_not() -> None:
    assert section("s1", "q1").seconds == 0
    with pytest.raises(ValidationError, match="seconds"):
        section("s1", "q1", seconds=-1)


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(ValidationError, match="answer"):
        Question.model_validate({"id": "q1", "text": "Why?", "answer": "Because."})


def test_a_plan_survives_json() -> None:
    made = plan(section("s1", "q1", seconds=120, importance="high"), section("s2", "q2"))
    assert Plan.model_validate_json(made.model_dump_json()) == made
