import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.errors import SettingsError
from interviewer.matching import sparse
from interviewer.matching.jaccard import Jaccard
from interviewer.matching.jaccard2 import Jaccard2
from interviewer.matching.scorer import Scorer, known, scorer
from interviewer.matching.text import content_words
from interviewer.matching.tfidf import Rarity, Tfidf
from interviewer.matching.tokens import tokens

WORDS = "bridge broke first night team built what why the of and AI 字数 字 naïve 😀 don't".split()
QUESTIONS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=20)


@given(QUESTIONS, QUESTIONS)
def test_the_fast_matrix_has_the_numbers_of_the_sets(rows: list[str], columns: list[str]) -> None:
    def share(a: frozenset[str], b: frozenset[str]) -> float:
        return len(a & b) / len(a | b) if a | b else math.nan

    by_sets = [[share(content_words(row), content_words(column)) for column in columns] for row in rows]
    # 300 columns more, so that pairs are many enough for the fast way however few were drawn.
    fast = Jaccard().matrix(rows, [*columns, *["the bridge"] * 300])[:, : len(columns)]
    np.testing.assert_array_equal(fast, np.array(by_sets, dtype=float).reshape(len(rows), len(columns)))


@pytest.mark.parametrize("name", ["jaccard", "jaccard2", "tfidf"])
@given(texts=QUESTIONS, seed=st.integers(0, 99))
def test_scores_do_not_hang_on_order_or_side(name: str, texts: list[str], seed: int) -> None:
    chosen = scorer(name)
    matrix = chosen.matrix(texts, texts)
    assert matrix.shape == (len(texts), len(texts))
    assert ((matrix >= 0) & (matrix <= 1) | np.isnan(matrix)).all()
    np.testing.assert_allclose(matrix, matrix.T, rtol=0, atol=1e-12)
    order = np.random.default_rng(seed).permutation(len(texts))
    shuffled = chosen.matrix([texts[at] for at in order], [texts[at] for at in order])
    np.testing.assert_allclose(shuffled, matrix[np.ix_(order, order)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["jaccard2", "tfidf"])
@given(texts=QUESTIONS)
def test_a_text_is_like_itself_unless_nothing_is_left_of_it(name: str, texts: list[str]) -> None:
    own = np.diag(scorer(name).matrix(texts, texts))
    assert all(math.isnan(score) or score == pytest.approx(1) for score in own)
    assert not any(math.isnan(score) for score, text in zip(own, texts, strict=True) if "bridge" in text)


def test_one_question_against_many_has_the_scores_of_many_against_many() -> None:
    many = [f"Who built the {word} bridge of {other}?" for word in WORDS for other in WORDS][:120]
    scored = Tfidf()
    whole = scored.matrix(many, many)
    for at in (0, 7, 0):  # the second time the columns are ready
        np.testing.assert_allclose(scored.matrix([many[at]], many)[0], whole[at], atol=1e-12)
    np.testing.assert_allclose(scored.matrix([many[3]], many[::-1])[0], whole[3, ::-1], atol=1e-12)


def test_products_of_frequent_and_rare_features_add_up() -> None:
    generator = np.random.default_rng(1)
    table = np.where(generator.random((600, 40)) < np.linspace(0.001, 0.9, 40), generator.random((600, 40)), 0.0)

    def bags(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> sparse.Bags:
        parts = [(np.flatnonzero(row), row[row > 0]) for row in rows]
        return sparse.bags([str(at) for at in range(len(rows))], lambda name: parts[int(name)])

    for one, other in ((table, table[:7]), (table[:7], table), (table[:300], table[300:])):
        np.testing.assert_allclose(sparse.dot(bags(one), bags(other)), one @ other.T, atol=1e-12)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # {what, brok, first} and {what, broke -> brok, last}: 2 / 4
        ("What broke first?", "What broke last?", 1 / 2),
        # {why, not} and {why}: 1 / 2; the baseline has no word left
        ("Why didn't you?", "Why did you?", 1 / 2),
        # {what, plan} and {what, plan}
        ("What's the plan?", "What are the plans?", 1.0),
        # pairs 今日 日は は何 and 今日 日も も何: 1 / 5
        ("今日は何", "今日も何", 1 / 5),
    ],
)
def test_jaccard2_by_hand(one: str, other: str, expected: float) -> None:
    assert Jaccard2().matrix([one], [other])[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("nothing", ["", "😀", "...", "And you?"])
def test_nothing_left_is_unknown_and_not_different(nothing: str) -> None:
    assert np.isnan(Jaccard2().matrix([nothing], ["What broke?", nothing])).all()
    assert np.isnan(Jaccard2().matrix(["What broke?"], [nothing])).all()


def test_a_turn_of_ten_thousand_words_is_scored() -> None:
    turn = "we built the bridge " * 2_500
    for name in ("jaccard", "jaccard2", "tfidf"):
        assert scorer(name).matrix([turn], ["Who built the bridge?"])[0, 0] > 0.3


def test_rarity_by_hand() -> None:
    rare = Rarity.from_texts(["the bridge", "the team", "the night"])
    assert rare.of("the") == pytest.approx(math.log(4 / 4))
    assert rare.of("team") == pytest.approx(math.log(4 / 2))
    assert rare.of("never seen") == rare.of("team")


def test_tfidf_by_hand() -> None:
    # "the" weighs nothing. Words of two letters have no n-gram but "<ox" and "ox>" (3) and "<ox>" is all of it.
    tfidf = Tfidf(study=["the ox", "the ax", "the en"])
    # Each word: 1 for itself, 1 for its two n-grams together; length sqrt(2) of one word, 2 of two.
    assert tfidf.matrix(["the ox"], ["the ox ax"])[0, 0] == pytest.approx(2 / (math.sqrt(2) * 2))
    # ox and ax share the n-gram "x>"? No: it has two characters. Nothing is shared.
    assert tfidf.matrix(["ox"], ["ax"])[0, 0] == 0
    assert math.isnan(tfidf.matrix(["the"], ["ox"])[0, 0])


def test_a_rare_word_in_common_counts_more_than_a_frequent_one() -> None:
    other = ["Kubernetes, was it hard?", "Tell me, was it hard?"]
    rare, frequent = Tfidf().matrix(["Tell me about Kubernetes"], other)[0]
    assert rare > frequent


def test_every_scorer_of_the_package_is_known() -> None:
    assert set(known()) >= {"jaccard", "jaccard2", "tfidf", "minilm", "centred", "mix"}


def test_another_package_can_offer_a_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint, EntryPoints

    point = EntryPoint("theirs", "interviewer.matching.jaccard2:Jaccard2", "interviewer.scorers")

    def installed(group: str, name: str = "theirs") -> EntryPoints:
        return EntryPoints([point]).select(group=group, name=name)

    monkeypatch.setattr("interviewer.matching.scorer.entry_points", installed)
    theirs: Scorer = scorer("theirs")
    assert isinstance(theirs, Jaccard2)
    with pytest.raises(SettingsError, match=r"jaccard2.*theirs"):
        scorer("nobody's")


def test_tokens_of_half_a_character_do_no_harm() -> None:
    assert tokens("\ud83d bridge") == ("bridg",)
    assert Jaccard2().matrix(["\ud83d bridge"], ["bridge"])[0, 0] == 1
