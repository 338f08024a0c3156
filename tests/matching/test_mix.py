import math
from pathlib import Path

import numpy as np
import pytest

from interviewer.errors import MatchError, ModelMissing
from interviewer.matching.deictic import asking, deictic
from interviewer.matching.either import Either
from interviewer.matching.features import CONTEXT, NAMES, TEXT, Features
from interviewer.matching.form import form, names, refers_back
from interviewer.matching.jaccard2 import Jaccard2
from interviewer.matching.logistic import Logistic, fit
from interviewer.matching.mix import Coefficients, Mix
from interviewer.matching.pairs import Context, Pair, aligned, context, score_pairs
from interviewer.matching.weights import weights

WORK = "How does that work?"


@pytest.mark.parametrize(
    "question", ["Tell me about that.", "Why is that?", WORK, "Why?", "What else?", "Could you give me an example?"]
)
def test_a_question_that_only_points_names_no_subject(question: str) -> None:
    assert deictic(question)


@pytest.mark.parametrize(
    "question",
    ["How does the cache work?", "What do you do?", "That bridge, why?", "Who is it that you work for?", "😀"],
)
def test_a_question_with_a_subject_does_not_only_point(question: str) -> None:
    assert not deictic(question)


def test_what_a_text_points_at_itself_belongs_to_its_question() -> None:
    assert asking("I lost my card. What can I do about it?") == ("I lost my card. What can I do about it?",)
    assert asking("Nice. Who built the bridge? When?") == ("Who built the bridge?", "Who built the bridge? When?")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many people work there?", "amount"),
        ("Can you give me an example?", "example"),
        ("What made you leave?", "why"),
        ("When did it break?", "when"),
        ("Walk me through that day.", "how"),
        ("Tell me about the team.", "what"),
        ("Is it done?", "closed"),
    ],
)
def test_kinds_of_questions(question: str, kind: str) -> None:
    assert form(question) == kind


def test_names_and_numbers() -> None:
    assert names("When did Maria leave IBM in 2019, and what did I do?") == {"maria", "ibm", "2019"}
    assert names("What broke?") == frozenset()


def test_references_back() -> None:
    assert refers_back("You mentioned a cache. Who built it?")
    assert not refers_back("Who built the cache?")


TURNS = [
    ("interviewer", "Welcome. We met at the bridge. What broke first?"),
    ("interviewee", "The cable."),
    ("interviewer", "I see."),
    ("interviewee", "And then the deck, on the same night."),
    ("interviewer", "Which part failed first?"),
]


def test_a_context_is_read_from_the_turns() -> None:
    found = context(TURNS, 0, "What broke first?", 4, "Which part failed first?")
    assert found.distance == 4
    assert found.before1 == "Welcome. We met at the bridge."
    assert found.before2 == "And then the deck, on the same night."
    assert found.answer == "The cable."
    assert found.guest == "The cable. And then the deck, on the same night."


@pytest.mark.parametrize(("at1", "at2"), [(3, 1), (0, 5), (-1, 2)])
def test_turns_that_are_not_there_or_run_backwards_are_refused(at1: int, at2: int) -> None:
    with pytest.raises(MatchError, match="turns"):
        context(TURNS, at1, "a", at2, "b")


def test_pairs_are_scored_like_the_matrix() -> None:
    texts = [f"question {at} about the {word}" for at in range(40) for word in ("bridge", "team", "")]
    other = texts[::-1]
    whole = Jaccard2().matrix(texts, other)
    np.testing.assert_array_equal(aligned(Jaccard2(), texts * 5, other * 5), np.tile(np.diag(whole), 5))
    assert score_pairs(Jaccard2(), [Pair("What broke?", "What broke?", Context(2))]).tolist() == [1.0]


def test_features_by_hand() -> None:
    around = context(TURNS, 0, "What broke first?", 4, "Which part failed first?")
    table = Features()([Pair("What broke first?", "Which part failed first?", around), Pair("Who?", "Is it done now?")])
    assert table.names == NAMES == TEXT + CONTEXT
    row = dict(zip(NAMES, table.values[0], strict=True))
    assert (row["form"], row["closed"], row["names"], row["pointed"]) == (0, 0, 0, 0)
    # {what, broke, first} and {which, part, fail, first}: 1 / 6
    assert row["jaccard2"] == pytest.approx(1 / 6)
    assert row["length"] == pytest.approx(math.log(4 / 3))
    assert row["distance"] == pytest.approx(math.log(5))
    assert row["answered"] == pytest.approx(math.log(3))
    assert row["spoken"] == pytest.approx(math.log(11))
    assert (row["asked_back"], row["uptake"], row["back"]) == (0, 0, 0)
    assert np.isnan(table.values[1, len(TEXT) :]).all()


@pytest.fixture(scope="module")
def mix() -> Mix:
    return Mix()


def test_a_mix_gives_probabilities_higher_for_a_paraphrase(mix: Mix) -> None:
    same, other = mix.matrix(["What broke first?"], ["Which part failed first?", "How tall is the tower?"])[0]
    assert 1 > same > other > 0


def test_what_only_points_is_unknown_unless_it_points_at_the_same(mix: Mix) -> None:
    cache = "We built a cache for the pages."
    pairs = [
        Pair(WORK, WORK),
        Pair(WORK, WORK, Context(4, cache, "Then the cache was slow.")),
        Pair(WORK, WORK, Context(4, cache, "We hired a lawyer.")),
        Pair(WORK, "How does the cache work?", Context(4, cache, "")),
        Pair(WORK, "Who is your lawyer?", Context(4, cache, "")),
    ]
    assert np.isnan(mix.pairs(pairs)).tolist() == [True, False, True, False, True]


@pytest.mark.parametrize("text", ["", "😀", "Why is that?"])
def test_what_cannot_be_compared_is_unknown(mix: Mix, text: str) -> None:
    assert np.isnan(mix.pairs([Pair(text, "What broke?"), Pair("What broke?", text)])).all()


BUILT, BROKE = "誰がこの橋を建てましたか", "昨夜何が壊れましたか"


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [(BUILT, BUILT, BROKE), ("who built the bridge " * 2_500, "Who built the bridge?", BROKE)],
)
def test_what_the_model_cannot_read_is_compared_by_words(mix: Mix, text: str, same: str, other: str) -> None:
    alike, unlike = mix.matrix([text], [same, other])[0]
    assert 1 > alike > unlike > 0


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Mix:
    """As it is where the extra is not installed."""
    monkeypatch.delenv("INTERVIEWER_MINILM", raising=False)
    monkeypatch.setattr("interviewer.matching.weights.find_spec", lambda name: None)
    weights.cache_clear()
    made = Mix()
    weights.cache_clear()
    return made


def test_without_the_model_it_goes_by_words_and_says_so(without: Mix) -> None:
    assert "interviewer[minilm]" in without.missing
    assert without.version.endswith("/words")
    around = Context(2, "", "", (("interviewee", "The cable broke."),))
    pairs = [Pair("Who built the bridge?", "The bridge, who built it?"), Pair("What broke?", "Who sang?", around)]
    assert (without.pairs(pairs) > 0).all()
    assert without.of_study(["What broke?"] * 30) is without
    without.observe("What broke?")


def test_without_the_model_many_at_once_have_the_scores_of_pair_by_pair(without: Mix) -> None:
    earlier = [f"Who built the {word} bridge?" for word in ("old", "new", "red", "long")] * 20
    earlier += ["Why is that?", "", f"Who built the bridge? {'The wall is high. ' * 60}"]
    later = "Hello there. Which of the old bridges was built first?"
    for question in (later, "😀"):
        by_pair = without.pairs([Pair(one, question) for one in earlier])
        np.testing.assert_allclose(without.matrix(earlier, [question])[:, 0], by_pair, rtol=0, atol=1e-12)
        np.testing.assert_allclose(without.matrix([question], earlier)[0], by_pair, rtol=0, atol=1e-12)
    assert np.isnan(without.matrix(["Why is that?"], earlier)).all()


def test_a_model_that_was_asked_for_and_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"model\.onnx"):
        Mix(folder=tmp_path)


def test_what_a_study_keeps_asking_says_less_in_it(mix: Mix) -> None:
    study = [
        f"How does AI change the way you {word} at work?" for word in "write plan read meet draw sing test".split()
    ]
    pair = [Pair(study[0], "How does AI change the way you hire at work?")]
    known = mix.of_study(study * 4)
    assert known.pairs(pair) < mix.pairs(pair)
    assert known.version != mix.version
    assert mix.of_study(study) is mix  # 7 questions are too few
    asked = Mix()
    asked.observe(*study * 4)
    assert asked.pairs(pair) < mix.pairs(pair)


def test_no_pairs_no_scores(mix: Mix) -> None:
    assert mix.pairs([]).shape == (0,)
    assert mix.matrix([], ["What broke?"]).shape == (0, 1)


def test_scores_of_pairs_do_not_hang_on_their_company(mix: Mix) -> None:
    pairs = [Pair("What broke first?", "Which part failed first?"), Pair("Who paid for it?", "Why did you leave?")]
    alone = [mix.pairs([pair])[0] for pair in pairs]
    assert mix.pairs([*pairs[::-1], *pairs])[2:] == pytest.approx(alone)


def test_one_binary_feature_is_fitted_as_by_hand() -> None:
    # 3 of 4 positive where the feature is 1, 1 of 4 where it is 0: log odds +-log 3
    values = np.array([[1.0]] * 4 + [[0.0]] * 4)
    labels = [1, 1, 1, 0, 1, 0, 0, 0]
    fitted = fit(["f"], values, labels, ridge=0)
    assert fitted.probability(["f"], np.array([[1.0], [0.0], [math.nan]])) == pytest.approx([0.75, 0.25, 0.5], abs=1e-5)


def test_weights_of_a_fit_count_as_copies() -> None:
    values = np.array([[0.1], [0.4], [0.5], [0.9]])
    weighted = fit(["f"], values, [0, 1, 0, 1], [1, 2, 1, 3])
    copies = fit(["f"], values[[0, 1, 1, 2, 3, 3, 3]], [0, 1, 1, 0, 1, 1, 1])
    assert weighted.intercept == pytest.approx(copies.intercept, rel=1e-4)
    assert weighted.features["f"].weight == pytest.approx(copies.features["f"].weight, rel=1e-4)


def test_a_fit_says_what_is_wrong() -> None:
    with pytest.raises(MatchError, match="positives and negatives"):
        fit(["f"], np.zeros((2, 1)), [1, 1])
    with pytest.raises(MatchError, match="do not fit"):
        fit(["f"], np.zeros((2, 1)), [1])
    with pytest.raises(MatchError, match="'f'"):
        fit(["f"], np.array([[0.0], [1.0]]), [0, 1]).probability(["g"], np.zeros((1, 1)))


def test_coefficients_are_kept_and_change_the_version(tmp_path: Path) -> None:
    path = tmp_path / "mix.json"
    packaged = Coefficients.load()
    even = Either(reasons={"none": Logistic(intercept=0, features={})})
    flat = packaged.model_copy(update={"version": "flat", "cases": dict.fromkeys(packaged.cases, even)})
    flat.save(path)
    loaded = Mix.load(path)
    assert loaded.version.startswith("flat/")
    assert loaded.matrix(["What broke?"], ["Who sang?"]).tolist() == [[0.5]]
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(MatchError, match=r"mix\.json"):
        Mix.load(path)


def test_either_of_two_reasons_by_hand() -> None:
    odd = Logistic(intercept=math.log(1 / 3), features={})  # 1/4
    even = Logistic(intercept=0, features={})  # 1/2
    # 1 - 3/4 * 1/2 = 5/8; log odds doubled: (5/3)^2 to 1
    nothing = np.zeros((1, 0))
    assert Either(reasons={"a": odd, "b": even}).probability((), nothing) == pytest.approx([5 / 8])
    assert Either(reasons={"a": odd, "b": even}, slope=2).probability((), nothing) == pytest.approx([25 / 34])
    mixed = Either(reasons={"a": odd}, other=Either(reasons={"b": even}), share=0.25)
    assert mixed.log_odds((), nothing) == pytest.approx([0.75 * math.log(1 / 3)])
    sure = Logistic(intercept=60.0, features={})
    assert Either(reasons={"a": sure, "b": sure}).log_odds((), nothing)[0] == pytest.approx(120, rel=1e-6)
