import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.errors import MatchError
from interviewer.matching.curve import at_cost, average_precision, curve

NAN = math.nan
VALUES = st.sampled_from([-1.5, -0.25, 0.0, 0.1, 0.5, 0.75, NAN])
SCORED = st.lists(st.tuples(VALUES, st.booleans(), st.sampled_from([0.5, 1.0, 3.0])), max_size=30)


def test_a_curve_by_hand() -> None:
    found = curve([0.9, 0.8, 0.7, 0.6], [1, 0, 1, 0])
    assert found.thresholds == pytest.approx([0.6, 0.7, 0.8, 0.9])
    assert found.precision == pytest.approx([2 / 4, 2 / 3, 1 / 2, 1 / 1])
    assert found.recall == pytest.approx([1, 1, 1 / 2, 1 / 2])
    # 1/1 at the first positive, 2/3 at the second
    assert average_precision(found) == pytest.approx((1 + 2 / 3) / 2)
    assert found.prevalence == 0.5


def test_ties_are_taken_together() -> None:
    found = curve([0.5, 0.5, 0.5, 0.1], [1, 0, 0, 1])
    # both orders inside a tie would give 1 or 1/3; together they give 1/3
    assert average_precision(found) == pytest.approx(1 / 3 / 2 + 2 / 4 / 2)
    assert len(found.thresholds) == 2


def test_weights_count_as_copies() -> None:
    weighted = curve([0.9, 0.5, 0.1], [0, 1, 1], [1, 3, 2])
    copies = curve([0.9, 0.5, 0.5, 0.5, 0.1, 0.1], [0, 1, 1, 1, 1, 1])
    assert weighted.precision == pytest.approx(copies.precision)
    assert weighted.recall == pytest.approx(copies.recall)
    assert average_precision(weighted) == pytest.approx(average_precision(copies))


def test_the_unknown_are_counted_and_their_positives_missed() -> None:
    found = curve([0.9, NAN, NAN, 0.1], [1, 1, 0, 0])
    assert (found.unknown, found.unknown_positive) == (2, 1)
    assert found.recall.max() == 0.5
    assert average_precision(found) == 0.5
    assert found.prevalence == 0.5


@given(SCORED)
def test_the_rule_finds_what_the_curve_says(rows: list[tuple[float, bool, float]]) -> None:
    scores, labels, weights = (np.array([row[at] for row in rows], dtype=float) for at in range(3))
    for shares in (None, weights):
        found = curve(scores, labels, shares)
        held = np.ones(len(rows)) if shares is None else weights
        for threshold, precision, recall in zip(found.thresholds, found.precision, found.recall, strict=True):
            flagged = scores >= threshold
            hit = (held * labels)[flagged].sum()
            assert precision == pytest.approx(hit / held[flagged].sum())
            positive = (held * labels).sum()
            assert math.isnan(recall) if positive == 0 else recall == pytest.approx(hit / positive)
        assert found.thresholds == pytest.approx(np.unique(scores[~np.isnan(scores)]), rel=1e-15)


@given(SCORED, st.integers(0, 9))
def test_the_order_of_the_pairs_does_not_matter(rows: list[tuple[float, bool, float]], seed: int) -> None:
    shuffled = [rows[at] for at in np.random.default_rng(seed).permutation(len(rows))]
    one, other = (curve(*([row[at] for row in some] for at in range(3))) for some in (rows, shuffled))
    assert average_precision(one) == pytest.approx(average_precision(other), nan_ok=True)


def test_scores_next_to_each_other_share_the_lower_threshold() -> None:
    high = 0.7
    low = float(np.nextafter(high, 0))
    found = curve([high, low], [1, 0])
    assert all(threshold <= low for threshold in found.thresholds[:1])
    for threshold, flagged in zip(found.thresholds, found.flagged, strict=True):
        assert flagged == sum(score >= threshold for score in (high, low))


def test_the_threshold_of_least_cost_moves_with_the_cost_of_a_miss() -> None:
    # positives .9 .6; negatives .7 .3 .2 .1
    found = curve([0.9, 0.6, 0.7, 0.3, 0.2, 0.1], [1, 1, 0, 0, 0, 0])
    # at prevalence .1: never .1*r; over .8: .05*r; over .45: .9/4
    cheap = at_cost(found, 0.1, 1)
    assert cheap.threshold == pytest.approx((0.7 + 0.9) / 2)
    assert (cheap.cost, cheap.precision, cheap.recall) == pytest.approx((0.05, 1.0, 0.5))
    dear = at_cost(found, 0.1, 10)
    assert dear.threshold == pytest.approx((0.3 + 0.6) / 2)
    assert dear.cost == pytest.approx(0.9 / 4)
    assert dear.precision == pytest.approx(0.1 / (0.1 + 0.9 / 4))


def test_never_to_flag_is_a_choice() -> None:
    found = curve([0.9, 0.1], [0, 1])
    choice = at_cost(found, 0.01, 0.5)
    assert choice.threshold > 0.9
    assert (choice.flagged, choice.recall) == (0, 0)
    assert math.isnan(choice.precision)


@pytest.mark.parametrize(
    ("scores", "labels", "weights", "named"),
    [
        ([0.1, 0.2], [1], None, "one length"),
        ([0.1, 0.2], [1, 2], None, "labels"),
        ([0.1, math.inf], [1, 0], None, "infinite"),
        ([0.1, 0.2], [1, 0], [1, -1], "weights"),
        ([0.1, 0.2], [1, 0], [1, NAN], "weights"),
    ],
)
def test_what_does_not_fit_is_named(scores: list[float], labels: list[int], weights: list[float], named: str) -> None:
    with pytest.raises(MatchError, match=named):
        curve(scores, labels, weights)


def test_a_threshold_needs_both_classes() -> None:
    with pytest.raises(MatchError, match="positive and negative"):
        at_cost(curve([0.1, 0.2], [1, 1]), 0.04, 1)
    assert math.isnan(average_precision(curve([0.1], [0])))
    assert math.isnan(average_precision(curve([], [])))
