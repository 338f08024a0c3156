"""Figures in the course of calls."""

import pytest

from interviewer.metrics.course import over_time
from tests.metrics.talk import ANY, call

TALK = call(
    "How did you come to keep bees?",
    "My uncle kept three hives behind the barn.",
    "What does a winter cost you?",
    "Nerves, and half of the honey.",
    "How did you come to keep bees?",
    "As I said before, my uncle.",
)


def test_what_was_asked_in_an_earlier_stretch_was_heard_before() -> None:
    found = over_time([TALK], ANY, parts=3)
    assert [each.value for each in found["max_similarity"]] == pytest.approx([None, 0.0, 1.0])


def test_a_question_belongs_to_the_stretch_of_its_turn() -> None:
    found = over_time([TALK, TALK], ANY, parts=3)["question_words"]
    assert [each.value for each in found] == [7, 6, 7]
    assert [each.n for each in found] == [2, 2, 2]
    assert over_time([TALK], ANY, parts=6)["open_share"][1].why == "no question was heard"
