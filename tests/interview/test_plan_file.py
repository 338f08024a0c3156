"""A plan can be written to a file, changed by hand and read again."""

from pathlib import Path

import pytest

from interviewer.errors import PlanError
from interviewer.interview.plan_file import load_plan, save_plan
from interviewer.model.plan import Plan, Question, Section

PLAN = Plan(
    topic="Bees – on roofs",
    goal="Why some hives last",
    sections=(Section(id="s1", title="Start", seconds=60, questions=(Question(id="q1", text="Why roofs?"),)),),
)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    save_plan(PLAN, tmp_path / "plan.yaml")
    assert load_plan(tmp_path / "plan.yaml") == PLAN


def test_a_question_added_by_hand_is_in_the_plan(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'topic = "Bees"\ngoal = "Why"\n[[sections]]\nid = "s1"\ntitle = "Start"\n'
        '[[sections.questions]]\nid = "q1"\ntext = "Why roofs?"\npriority = 1\n'
        '[[sections.questions]]\nid = "q2"\ntext = "Who helped?"\nrole = "follow_up"\n',
        encoding="utf-8",
    )
    assert [(q.id, q.priority, q.role) for q in load_plan(path).questions] == [
        ("q1", 1, "backbone"),
        ("q2", 2, "follow_up"),
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("topic: Bees\ngoal: Why\nsections: []\n", "sections"),
        ("topic: Bees\n", "goal"),
        ("topic: [\n", "is not a plan"),
        ("- a\n", "plan"),
        (
            "topic: Bees\ngoal: Why\nsections:\n- {id: s1, title: A, questions: [{id: q1, text: x, priority: 9}]}\n",
            "sections.0.questions.0.priority",
        ),
        ("topic: Bees\ngoal: Why\nsections:\n- {id: s1, title: A, questions: [{id: s1, text: x}]}\n", "more than once"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused_by_file_and_field(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlanError) as refused:
        load_plan(path)
    assert "mine.yaml" in str(refused.value)
    assert named in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"gone\.yaml"):
        load_plan(tmp_path / "gone.yaml")
