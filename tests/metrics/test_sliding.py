"""What a threshold refuses and lets slip, by the labels of some questions."""

import numpy as np
import pytest

from interviewer.errors import MetricError
from interviewer.metrics.sliding import Sliding

TWELVE = [f"c{n}" for n in range(12)]


def alike() -> Sliding:
    """Twelve calls of three questions each, scores .1, .5 and .9; only those at .9 repeat one."""
    made = Sliding([0.1, 0.5, 0.9] * 12, [call for call in TWELVE for _ in range(3)])
    made.label({place: place % 3 == 2 for place in range(36)})
    return made


def test_what_slips_and_what_is_refused_is_counted_per_call() -> None:
    lab = alike()
    between, above, low = lab.at(0.7), lab.at(0.95), lab.at(0.3)
    assert (between.refused, between.slipped.value, between.good.value) == (12, 0.0, 0.0)
    # All calls are alike, so resampling them changes nothing.
    assert (above.refused, above.slipped.value, above.slipped.low, above.slipped.high) == (0, 1.0, 1.0, 1.0)
    assert (low.refused, low.good.value, low.good.low, low.good.high) == (24, 1.0, 1.0, 1.0)


def test_none_among_n_is_not_never() -> None:
    # None of the 24 labelled at or below .5 repeats: at most 3 / 24 of 2 questions a call, with 95 % confidence.
    assert alike().at(0.7).slipped.high == pytest.approx(3 / 24 * 2)


def test_a_few_labels_stand_for_all_of_their_band() -> None:
    lab = Sliding([0.5] * 100 + [0.9] * 100, [f"c{n}" for n in range(100)] * 2)
    lab.label({**{n: n < 4 for n in range(10)}, 150: True})
    effect = lab.at(0.6)
    assert effect.slipped.value == pytest.approx(0.4)  # 4 of 10 labelled, one question a call
    assert effect.slipped.low is not None
    assert effect.slipped.high is not None
    assert effect.slipped.low < 0.4 < effect.slipped.high
    assert lab.prevalence == pytest.approx((0.4 * 100 + 100) / 200)
    assert lab.at(0.45).cost_ratio == pytest.approx(1.5)  # 6 good questions for 4 repeats


def test_an_interval_holds_the_truth_about_as_often_as_it_says_with_few_labels() -> None:
    # Of three at .5 one in 20 repeats, and of one at .9 half: by the rates that are drawn from .65 slip in a call.
    held = 0
    for seed in range(80):
        drawn = np.random.default_rng(seed)
        repeats = drawn.random(160) < np.repeat([1 / 20, 0.5], (120, 40))
        lab = Sliding([0.5] * 120 + [0.9] * 40, [f"c{n}" for n in range(40)] * 4)
        labelled = [*drawn.permutation(120)[:8], *range(120, 160)]
        lab.label({int(place): bool(repeats[place]) for place in labelled})
        found = lab.at(0.95).slipped
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.65 <= found.high
    assert held >= 0.92 * 80


def test_without_any_label_there_is_no_figure() -> None:
    lab = Sliding([0.1, 0.5, 0.9] * 12, [call for call in TWELVE for _ in range(3)])
    for threshold in (0.0, 0.7, 1.0):
        effect = lab.at(threshold)
        assert [effect.slipped.enough, effect.good.enough] == [False, False]
        assert effect.slipped.why == "no question is labelled"


def test_a_band_without_a_label_is_named_instead_of_a_number() -> None:
    lab = Sliding([0.1, 0.5, 0.9] * 12, [call for call in TWELVE for _ in range(3)])
    lab.label({2: True})
    effect = lab.at(0.7)
    assert (effect.slipped.value, effect.slipped.enough) == (None, False)
    assert effect.slipped.why == "no label between 0.10 and 0.50"
    assert effect.good.enough
    assert (lab.at(0.4).cost_ratio, lab.at(0.4).why) == (None, "no label near this score")


def test_one_call_tells_nothing_of_others() -> None:
    lab = Sliding([0.1, 0.9], ["c", "c"])
    lab.label({0: False, 1: True})
    assert not lab.at(0.5).slipped.enough


def test_the_best_threshold_lies_as_far_apart_as_labels_leave_possible() -> None:
    # At .5 every second question repeats and at .9 each: where a repeat costs one good question, refuse those at .5.
    lab = Sliding([0.1, 0.5, 0.9] * 20, [f"c{n}" for n in range(20) for _ in range(3)])
    lab.label({n: n % 3 == 2 or (n % 3 == 1 and n % 2 == 0) for n in range(60)})
    # In about half of the resamples fewer than half of those at .5 repeat, and only those at .9 are worth refusing.
    assert lab.best_between(0.4) == (0.1, 0.9)
    # Where all calls are alike, anything between what never and what always repeats is as good, whoever is asked.
    assert alike().best_between(0.7) == (0.5, 0.9)
    one = Sliding([0.1, 0.9], ["c", "c"])
    one.label({0: False, 1: True})
    with pytest.raises(MetricError, match="one call tells nothing"):
        one.best_between(0.95)


def test_few_calls_have_a_wider_interval_than_many() -> None:
    def spread(calls: int) -> float:
        lab = Sliding([0.9] * calls + [0.1] * calls, [f"c{n}" for n in range(calls)] * 2)
        lab.label({n: n % 2 == 0 for n in range(2 * calls)})
        found = lab.at(0.95).slipped
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    assert spread(4) > spread(40) > 0


def test_what_two_thresholds_decide_differently_and_what_lies_around_one() -> None:
    lab = Sliding([0.3, 0.8, 0.5, 0.6], ["a", "a", "b", "b"])
    assert lab.between(0.7, 0.4).tolist() == [2, 3]
    assert lab.between(0.5, 0.5).tolist() == []
    below, above = lab.around(0.5, 1)
    assert (below.tolist(), above.tolist()) == ([2], [3])  # at the threshold is not above it


def test_rates_that_fall_are_pooled_so_that_a_higher_score_is_never_less_a_repeat() -> None:
    lab = Sliding([0.2] * 10 + [0.8] * 10, [f"c{n}" for n in range(20)])
    lab.label({**{n: n < 6 for n in range(10)}, **{n: n < 12 for n in range(10, 20)}})  # 6 of 10, then 2 of 10
    assert lab.at(0.1).cost_ratio == lab.at(0.5).cost_ratio == pytest.approx(12 / 8)


@pytest.mark.parametrize(("scores", "calls"), [([], []), ([0.1], ["a", "b"]), ([np.nan], ["a"])])
def test_nothing_to_look_at_is_said(scores: list[float], calls: list[str]) -> None:
    with pytest.raises(MetricError, match="each with a finite score"):
        Sliding(scores, calls)


def test_where_nothing_is_labelled_nobody_says_what_a_threshold_is_best_at() -> None:
    """Sixty scores of six calls; only the lower half is labelled, every third a repeat."""
    lab = Sliding([n / 60 for n in range(60)], [f"c{n % 6}" for n in range(60)])
    lab.label({n: n % 3 == 0 for n in range(30)})
    assert lab.at(0.3).cost_ratio is not None
    assert (lab.at(0.9).cost_ratio, lab.at(0.9).why) == (None, "no label near this score")
    with pytest.raises(MetricError, match="no label near"):
        lab.best_between(0.9)
