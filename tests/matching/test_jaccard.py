import numpy as np
import pytest

from interviewer.errors import SettingsError
from interviewer.matching.jaccard import Jaccard
from interviewer.matching.scorer import register, scorer


def score(one: str, other: str) -> float:
    return float(Jaccard().matrix([one], [other])[0, 0])


# Content words by hand: shared over all.
BY_HAND = [
    # {bridge, broke} and {bridge, broke}: 2 / 2
    ("What broke on the bridge?", "The bridge: what broke?", 1.0),
    # {bridge, broke} and {bridge, built}: 1 / 3
    ("What broke on the bridge?", "Who built the bridge?", 1 / 3),
    # {first, bridge} and {first, bridge, fail, night}: 2 / 4
    ("Your first bridge?", "Did the first bridge fail at night?", 1 / 2),
    # {bridge, broke} and {team, sang}: 0 / 4
    ("What broke on the bridge?", "Who sang in the team?", 0.0),
    # {bridge} and {}: 0 / 1
    ("The bridge?", "And why so?", 0.0),
]


@pytest.mark.parametrize(("one", "other", "expected"), BY_HAND)
def test_a_score_is_the_share_of_content_words_in_common(one: str, other: str, expected: float) -> None:
    assert score(one, other) == pytest.approx(expected)
    assert score(other, one) == pytest.approx(expected)


def test_counts_and_order_of_words_do_not_matter() -> None:
    assert score("bridge bridge team", "Team! Bridge.") == 1.0


def test_trap_17_short_words_count() -> None:
    # {ai} and {ux}: nothing shared; {ai, design} and {ai, testing}: 1 / 3
    assert score("What does AI do?", "What does UX do?") == 0.0
    assert score("AI in design?", "AI in testing?") == pytest.approx(1 / 3)


def test_trap_5_a_word_inside_another_word_is_not_in_common() -> None:
    assert score("following", "win") == 0.0


def test_two_texts_without_content_cannot_be_told_apart() -> None:
    assert np.isnan(score("Why so?", "And how?"))


def test_a_matrix_has_a_row_for_each_and_a_column_for_each() -> None:
    matrix = Jaccard().matrix(["the bridge", "the team", "bridge team"], ["bridge", "team"])
    assert matrix.tolist() == [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    assert matrix.dtype == np.float64


@pytest.mark.parametrize(("rows", "columns"), [([], ["a bridge"]), (["a bridge"], []), ([], [])])
def test_an_empty_side_gives_an_empty_matrix(rows: list[str], columns: list[str]) -> None:
    assert Jaccard().matrix(rows, columns).shape == (len(rows), len(columns))


def test_scorers_are_found_by_name() -> None:
    assert scorer("jaccard").name == "jaccard"


def test_an_unknown_scorer_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(SettingsError, match=r"match\.scorer.*'psychic'.*jaccard"):
        scorer("psychic")


def test_a_scorer_of_one_s_own_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.matching.scorer._SCORERS", {})

    class Same(Jaccard):
        name = "same"

    register("same", Same)
    assert scorer("same").name == "same"
