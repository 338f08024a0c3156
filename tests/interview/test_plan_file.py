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
ONE = (
    "topic: Bees\ngoal: Why\nsections:\n"
    "- {{id: s, title: {title}, seconds: {seconds}, questions: [{{id: q, text: {text}}}]}}\n"
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
            "section 1, question 1: priority must be 1, 2 or 3",
        ),
        ("topic: Bees\ngoal: Why\nsections:\n- {id: s1, title: A, questions: [{id: s1, text: x}]}\n", "more than once"),
        ("topic: !!timestamp abc\n", "line 1, column 8: this is no timestamp"),
        ("goal: 1\ntopic: 2026-13-01\n", "line 2, column 8: this is no timestamp (month must be in 1..12"),
        ("topic: Bees\ngoal: Why\ntopic: Wasps\n", "line 3, column 1: 'topic' stands here a second time"),
        (ONE.format(title="A", seconds=12.5, text="x"), "section 1: seconds must be a whole number"),
        (ONE.format(title="A", seconds=1_000_000_000, text="x"), "section 1: seconds must be at most 3600"),
        (ONE.format(title="A", seconds=60, text="' \u200b '"), "section 1, question 1: text is empty"),
        (ONE.format(title="' '", seconds=60, text="x"), "section 1: title is empty"),
        ("topic: ' '\ngoal: Why\nsections: [{id: a, title: A, questions: [{id: q, text: x}]}]\n", "topic is empty"),
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


def test_a_file_that_is_no_plan_is_not_written_over(tmp_path: Path) -> None:
    notebook = tmp_path / "k5.ipynb"
    notebook.write_text('{"cells": [], "nbformat": 4}', encoding="utf-8")
    with pytest.raises(PlanError, match=r"k5\.ipynb is there and is not a plan: nothing was written"):
        save_plan(PLAN, notebook)
    assert notebook.read_text(encoding="utf-8") == '{"cells": [], "nbformat": 4}'
    with pytest.raises(PlanError, match=r"such as plan\.yaml"):
        save_plan(PLAN, tmp_path / "plan.toml")


def test_an_older_plan_is_written_over_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / "plan.yaml")
    save_plan(PLAN, link)
    newer = PLAN.model_copy(update={"goal": "How long hives last"})
    save_plan(newer, link)
    assert link.is_symlink()
    assert load_plan(tmp_path / "plan.yaml") == newer

    def dies(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", dies)
    with pytest.raises(PlanError, match="No space left"):
        save_plan(PLAN, link)
    assert load_plan(link) == newer


def test_a_call_that_was_held_with_a_blank_question_can_still_be_read() -> None:
    blank = PLAN.model_dump(mode="json")
    blank["sections"][0]["questions"][0]["text"] = " "
    assert Plan.model_validate(blank).questions[0].text == " "
