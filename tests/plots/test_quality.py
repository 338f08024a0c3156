"""Figures of the quality of questions: what they show is what the metrics say."""

from dataclasses import replace
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.text import Text

from interviewer.metrics.every import METRICS
from interviewer.plots.quality import course, coverage, funnel, side_by_side
from tests.metrics.talk import ANY, Story, call
from tests.plots.test_figures import _nothing_is_cut_off

TALK = (
    "How did you begin?",
    "With three hives behind the barn of my uncle.",
    "Did the hives survive?",
    "Two of them did.",
)
GROUPS = {
    "people $x$ <b>": [call(*TALK * 3, name=f"p{k}") for k in range(3)],
    "ours": [call(*TALK, name="o")],
    "none": [call("Hello.", "Hello.")],
}


def texts(figure: Figure) -> list[str]:
    return [found.get_text() for found in figure.findobj(Text) if isinstance(found, Text)]


def test_each_group_has_its_figure_or_says_that_there_is_not_enough(tmp_path: Path) -> None:
    figure = side_by_side(GROUPS, ["open_share", "talk_share", "question_words", "uptake"], ANY)
    shown = texts(figure)
    assert "people $x$ <b> (3)" in shown
    assert f"50  (n {METRICS['open_share'](GROUPS['people $x$ <b>'], ANY).n})" in shown
    assert shown.count("not enough") == 3  # of "none": no question, so no form, length or uptake
    _nothing_is_cut_off(figure)
    figure.savefig(tmp_path / "side.png")


def test_the_funnel_counts_attempts_by_how_far_they_came() -> None:
    told = Story()
    for question in ("q1", "q2"):
        told.plan(question, 1)
    told.attempt("q1", "a1", 5)
    told.attempt("q2", "a2", 2)
    shown = texts(funnel([replace(call(*TALK), ledger=told.ledger)]))
    assert "2" in shown
    assert any(text.startswith("1   50 %") for text in shown)  # of two acknowledged one started
    assert "2   100 % of the stage before" in shown


def test_without_a_ledger_there_is_no_coverage_and_nobody_fails() -> None:
    assert texts(coverage({"a": GROUPS["ours"]}, ANY)).count("not enough") == 3
    assert texts(funnel([]))
    assert texts(side_by_side({"a": []}, ["open_share"]))


def test_the_course_has_a_curve_for_each_group() -> None:
    figure = course({"people": GROUPS["people $x$ <b>"], "ours": GROUPS["ours"]}, ANY)
    labels = [line.get_label() for line in figure.axes[0].get_lines()]
    assert labels == ["people (3)", "ours (1)"]
