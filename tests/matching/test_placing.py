import pytest

from interviewer.matching.interview_file import Interview
from interviewer.matching.pairs import Pair
from interviewer.matching.placing import Place, place, whole_number

TALK = Interview(
    "i1",
    "study",
    [
        ("interviewer", "Welcome. Who built the bridge?"),
        ("interviewee", "My uncle. Who built the bridge? Good question."),
        ("interviewer", "What broke first?"),
        ("interviewee", "The cable."),
        ("interviewer", "Sorry, what broke first?"),
    ],
)
BUILT, BROKE = "Who built the bridge?", "what broke first?"


def placed(*at: tuple[int | None, int | None], interview: Interview | None = TALK) -> list[tuple[Pair, list[str]]]:
    return place([Place(Pair(BUILT, BROKE), interview, "i1", *turns) for turns in at])[0]


def distance(pair: Pair) -> int | None:
    return None if pair.context is None else pair.context.distance


def test_turns_are_counted_from_0() -> None:
    ((pair, said),) = placed((0, 4))
    assert (distance(pair), said) == (4, [])


def test_turns_counted_from_1_are_noticed_over_the_whole_file() -> None:
    found, said = place([Place(Pair(BUILT, BROKE), TALK, "i1", 1, turn) for turn in (3, 5)])
    assert [distance(pair) for pair, _ in found] == [2, 4]
    assert "counted from 1" in said


def test_a_question_in_another_turn_is_found_there() -> None:
    (near, _), (pair, said) = placed((0, 1), (0, 3))
    assert distance(near) == 2
    assert distance(pair) == 2  # turns 2 and 4 are as near: the earlier is taken
    assert "turn 3 does not hold 'what broke first?'" in said[0]
    assert "turn 2 does" in said[0]


@pytest.mark.parametrize(
    ("turns", "interview", "what"),
    [
        ((0, None), TALK, "no whole number"),
        ((0, 4), None, "no interview 'i1'"),
    ],
)
def test_what_cannot_be_placed_is_compared_by_words(
    turns: tuple[int | None, int | None], interview: Interview | None, what: str
) -> None:
    ((pair, said),) = placed(turns, interview=interview)
    assert pair == Pair(BUILT, BROKE)
    assert what in said[0]
    assert "words alone count" in said[0]


@pytest.mark.parametrize(("cell", "number"), [("7", 7), ("7.0", 7), ("7.5", None), ("", None), ("nan", None)])
def test_whole_numbers_as_spreadsheets_write_them(cell: str, number: int | None) -> None:
    assert whole_number(cell) == number
