import math
from dataclasses import replace

import numpy as np
import pytest

from evals.repetition.fitting import Material, across, left_out, model, outer
from evals.repetition.measure import ap, ap_at_a_sixth, auc, mcnemar, with_interval
from evals.repetition.scored import Scored
from evals.repetition.sets import Labelled, asked, in_interview, injected, interviews, public
from interviewer.errors import MatchError
from interviewer.matching.course import COURSE, course
from interviewer.matching.features import NAMES, Table
from interviewer.matching.pairs import Context, Pair, context
from interviewer.matching.split import folds, linked, resamples
from interviewer.matching.tuning import tune

ONES = np.ones(4)
SCORES = np.array([0.9, 0.8, 0.7, np.nan])
SAME = np.array([True, False, True, True])


def test_average_precision_by_hand() -> None:
    # Found first and third of three positives: (1/1 + 2/3) / 3; the one without a score is missed.
    assert ap(SCORES, SAME, ONES) == pytest.approx((1 + 2 / 3) / 3)
    # Weighing 2, the negative makes the third rank 2 of 4.
    assert ap(SCORES, SAME, np.array([1.0, 2, 1, 1])) == pytest.approx((1 + 2 / 4) / 3)


def test_at_one_in_six_the_share_of_positives_does_not_matter() -> None:
    scores, same = np.array([3.0, 2, 1]), np.array([True, False, True])
    # Each positive weighs 1/12, the negative 5/6: half the recall at 1, half at (1/6) / 1.
    assert ap_at_a_sixth(scores, same, np.ones(3)) == pytest.approx((1 + 1 / 6) / 2)
    assert ap_at_a_sixth(scores, same, np.array([7.0, 3, 7])) == pytest.approx((1 + 1 / 6) / 2)


def test_auc_counts_ties_half_and_leaves_the_unknown_out() -> None:
    scores = np.array([2.0, 1, 1, np.nan])
    assert auc(scores, np.array([True, True, False, False]), ONES) == pytest.approx((1 + 0.5) / 2)


def test_mcnemar_by_hand() -> None:
    same = np.ones(6, np.bool_)
    first, second = np.array([True] * 5 + [False]), np.array([False] * 5 + [True])
    # Five against one: 2 (1 + 6) / 2 ** 6.
    better, worse, p = mcnemar(first, second, same)
    assert (better, worse) == (5, 1)
    assert p == pytest.approx(14 / 64)
    assert mcnemar(first, first, same) == (0, 0, 1.0)


def test_a_split_never_parts_an_interview_and_spreads_positives() -> None:
    real = in_interview()
    fold = folds(real.groups, real.same, 5)
    assert all(len(set(fold[np.array(real.groups) == name])) == 1 for name in set(real.groups))
    assert np.ptp(np.bincount(fold, weights=real.same)) <= 2


def test_a_split_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(MatchError, match="2 groups, 1 of them with positives"):
        folds(["a", "a", "b"], [True, False, False], 2)


def test_texts_linked_by_pairs_that_are_the_same_stay_together() -> None:
    pairs = [Pair("d", "c"), Pair("c", "b"), Pair("b", "a"), Pair("d", "e"), Pair("e", "a")]
    assert linked(pairs, [True, True, True, False, False]) == ("a", "a", "a", "a", "e")


def test_resamples_draw_whole_interviews() -> None:
    for times in resamples(["a", "a", "b", "c"], 20):
        assert times[0] == times[1]
        assert times[0] + times[2] + times[3] == 3


def test_a_gain_is_paired() -> None:
    pairs = tuple(Pair(str(n), str(n)) for n in range(40))
    same = np.array([n % 4 == 0 for n in range(40)])
    groups = tuple(str(n // 4) for n in range(40))
    labelled = Labelled("set", pairs, same, ("",) * 40, ("",) * 40, groups, ("",) * 40, np.ones(40))
    noise = np.random.default_rng(1).random(40)
    scored = Scored(labelled, {"minilm": noise, "same": noise * 2, "mix": same + noise})
    assert with_interval(ap, scored, "same", np.ones(40), "minilm") == (0, 0, 0)
    gain, low, high = with_interval(ap, scored, "mix", np.ones(40), "minilm", 0.9)
    assert 0 < low < gain < high
    assert gain == pytest.approx(1 - ap(noise, same, np.ones(40)))


def test_a_threshold_is_chosen_outside_the_fold_it_is_measured_on() -> None:
    # In group c the negative scores higher than all positives: chosen without it, the threshold flags it.
    groups = [name for name in "abc" for _ in range(2)]
    scores = [0.9, 0.1, 0.8, 0.2, 0.7, 0.95]
    labels = [True, False] * 3
    found = tune(scores, labels, groups, prevalence=0.5, cost_ratio=1.0, count=3)
    left_out = {group: found.choices[fold] for group, fold in zip(groups, found.folds, strict=True)}
    assert left_out["c"] == pytest.approx((0.2 + 0.8) / 2)
    assert found.low <= found.value <= found.high
    assert found.recall <= 1
    assert found.cost > 0


def test_the_shortened_interviews_hold_what_the_labels_point_at() -> None:
    assert len(interviews()) == 121
    real, placed = in_interview(), injected()
    assert (len(real), int(real.same.sum()), len(placed)) == (1097, 139, 470)
    assert set(real.sources) == set(asked())
    assert all(len(questions) > 100 for questions in asked().values())
    for pair in (*real.pairs, *placed.pairs):
        assert pair.context is not None
        assert pair.context.distance > 0
        assert pair.context.between


def test_public_pairs_of_one_intent_are_in_one_group() -> None:
    found = public("banking77")
    group = dict(zip((pair.q1 for pair in found.pairs), found.groups, strict=True))
    alike = [pair for pair, same in zip(found.pairs, found.same, strict=True) if same]
    assert all(group.get(pair.q2, group[pair.q1]) == group[pair.q1] for pair in alike)
    assert max(found.groups.count(name) for name in set(found.groups)) < 100


TURNS = [
    ("interviewer", "How did the flood start?"),
    ("interviewee", "Sorry, what do you mean?"),
    ("interviewer", "Who called the dam keeper?"),
    ("interviewee", "My sister, from the ferry."),
    ("interviewer", "What exactly was on the ferry?"),
]


def test_what_lies_between_by_hand() -> None:
    def named(at: int, question: str) -> dict[str, float]:
        pair = Pair(TURNS[0][1], question, context(TURNS, 0, TURNS[0][1], at, question))
        return dict(zip(COURSE, course(pair, pair.context or Context(0)), strict=True))

    near, far = named(2, "Who called the dam keeper?"), named(4, "What exactly was on the ferry?")
    assert near["asked"] == 0
    assert far["asked"] == pytest.approx(math.log(2))
    assert near["told"] == far["told"] == pytest.approx(math.log(6))
    assert near["puzzled"] == 1
    assert near["aside"] == 0
    assert 0 < far["aside"] < 1  # "ferry" came up in the last answer, "what" and "exactly" did not


@pytest.fixture(scope="module")
def made_up() -> Material:
    """Near pairs are the same, far ones are not, but in one interview it is the other way round."""
    random = np.random.default_rng(3)
    values = np.full((120, len(NAMES)), 0.5)
    same = np.arange(120) % 2 == 0
    groups = tuple(f"i{n // 6}" for n in range(120))
    odd = np.array([name == "i0" for name in groups])
    values[:, NAMES.index("asked")] = np.where(same ^ odd, 0.0, 1.0) + random.normal(0, 0.4, 120)
    sources = tuple("anthropic" if n < 60 else "changelog" for n in range(120))
    kinds = tuple("R" if one else "N" for one in same)
    pairs = tuple(Pair(str(n), str(n)) for n in range(120))
    labelled = Labelled("made up", pairs, same, kinds, ("v70",) * 120, groups, sources, np.ones(120))
    table = Table(NAMES, values, np.arange(120) != 7)
    # Two injected repeats of every interview are needed for the reason "repeated".
    return Material(labelled, np.arange(120) % 6 < 2, np.ones(120), table, table)


def test_scores_of_an_interview_do_not_depend_on_its_labels(made_up: Material) -> None:
    groups = np.array(made_up.labelled.groups)
    turned = replace(made_up, labelled=made_up.labelled.relabelled(made_up.same ^ (groups == "i1")))
    assert model(turned, "context", groups != "i1") == model(made_up, "context", groups != "i1")
    others = (groups != "i0") & ~made_up.injected
    odds = left_out(made_up, "context", made_up.table)
    assert ap(odds[others], made_up.same[others], np.ones(others.sum())) > 0.9


def test_scores_are_probabilities_and_unknown_stays_unknown(made_up: Material) -> None:
    scores = outer(made_up, "context", made_up.table)
    assert np.flatnonzero(np.isnan(scores)).tolist() == [7]
    assert np.nanmin(scores) > 0
    assert np.nanmax(scores) < 1


def test_a_model_of_one_source_serves_the_other(made_up: Material) -> None:
    scores = across(made_up, np.array(made_up.labelled.sources) == "anthropic")[60:]
    assert ap(scores, made_up.same[60:], np.ones(60)) > 0.9
