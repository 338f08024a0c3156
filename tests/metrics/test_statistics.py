"""Estimates with intervals by resampling calls, paired differences, several tests at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.errors import MetricError
from interviewer.metrics.comparing import unpaired
from interviewer.metrics.statistics import Estimate, holm, mean, paired, ratio, share
from interviewer.metrics.student import t_probability, t_quantile


# Two-sided 5 % points of Student's t, from printed tables.
@pytest.mark.parametrize(("df", "point"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228)])
def test_t_is_that_of_the_tables(df: int, point: float) -> None:
    assert t_quantile(0.95, df) == pytest.approx(point, abs=5e-4)
    assert t_probability(point, df) == pytest.approx(0.95, abs=1e-4)


def test_a_share_of_few_calls_has_the_interval_of_t() -> None:
    # 3 of 30; linear form: (0, -1, 1) / 10, standard error sqrt(.02 / 2 / 3) = .057735, of the log odds over .1 * .9
    # .641500; times 4.30265 is 2.76016. Log odds ln(.1 / .9) = -2.19722, less and more of it -4.95738 and .56294.
    found = share([1, 0, 2], [10, 10, 10])
    assert [found.value, found.low, found.high] == pytest.approx([0.1, 0.00698, 0.63713], abs=1e-5)
    assert (found.n, found.calls, found.enough, found.why) == (30, 3, True, "")


def test_the_share_is_of_all_questions_and_not_the_mean_of_calls() -> None:
    assert share([1, 0], [2, 8]).value == pytest.approx(0.1)


def test_no_event_in_a_hundred_calls_is_at_most_three_in_a_hundred() -> None:
    none = share([0] * 100, [20] * 100)
    assert (none.value, none.low, none.high, none.n) == (0.0, 0.0, 0.03, 2_000)
    every = share([20] * 100, [20] * 100)
    assert (every.value, every.low, every.high) == (1.0, 0.97, 1.0)
    assert mean([0] * 30, events=True).high == pytest.approx(0.1)


def test_what_is_not_enough_has_no_figure_and_says_why() -> None:
    assert share([], []) == Estimate(None, 0, 0, None, None, False, "nothing to count")
    assert share([0, 0], [0, 0]).why == "nothing to count"
    few = share([1], [3], least=5)
    assert (few.value, few.enough, few.why) == (None, False, "only 3 of at least 5")
    one = share([3], [12], least=5)
    assert (one.value, one.low, one.high, one.why) == (0.25, None, None, "one call: no interval")


def test_a_call_with_nothing_to_count_changes_nothing() -> None:
    assert ratio([3, 0, 5], [4, 0, 9]) == ratio([3, 5], [4, 9])
    assert mean([1.0, float("nan"), 3.0]).calls == 2


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(MetricError, match="hits must lie between 0 and trials"):
        share([3], [2])
    with pytest.raises(MetricError, match="shapes"):
        share([1, 2], [3])
    with pytest.raises(MetricError, match="infinite"):
        mean([float("inf")])
    with pytest.raises(MetricError, match="no number"):
        ratio([float("nan")], [1])
    with pytest.raises(MetricError, match="unpaired"):
        unpaired([1], [1, 2], [1], [1])


@pytest.mark.parametrize("calls", [6, 11, 12, 40])
def test_the_interval_holds_the_truth_nineteen_times_in_twenty(calls: int) -> None:
    """Questions of a call are alike: with binomial intervals, questions as units, about a third miss."""
    random = np.random.default_rng(calls)
    held = naive = 0
    for _ in range(400):
        rates = random.beta(2, 6, calls)  # mean .25, spread between calls
        hits = random.binomial(20, rates)
        found = share(hits, [20] * calls)
        assert found.low is not None
        assert found.high is not None
        assert found.value is not None
        held += found.low <= 0.25 <= found.high
        naive += abs(found.value - 0.25) <= 1.96 * np.sqrt(0.25 * 0.75 / (20 * calls))
    assert 0.905 <= held / 400 <= 0.985
    assert naive / 400 < 0.8


def test_a_paired_difference_by_hand() -> None:
    # Of the 64 patterns of signs only all + and all - reach a sum of 21: p 2/64.
    # t(5) 2.5706 * 1.8708 / sqrt(6) = 1.9633
    found = paired([3, 4, 5, 6, 7, 8], [2, 2, 2, 2, 2, 2])
    assert found.value == pytest.approx(3.5)
    assert found.p == pytest.approx(2 / 64)
    assert [found.low, found.high] == pytest.approx([1.5367, 5.4633], abs=1e-4)
    assert paired([2] * 6, [3, 4, 5, 6, 7, 8]).value == pytest.approx(-3.5)


def test_five_pairs_cannot_tell() -> None:
    found = paired([1, 2, 3, 4, 5], [0] * 5)
    assert (found.value, found.p, found.enough) == (None, None, False)
    assert "6 pairs" in found.why
    assert not paired([1.0, float("nan")] * 5, [0.0] * 10).enough


@pytest.mark.parametrize("calls", [9, 25])
def test_p_of_no_difference_is_uniform(calls: int) -> None:
    random = np.random.default_rng(calls)
    ps = np.array([paired(random.normal(2, 1, calls), random.normal(2, 3, calls)).p for _ in range(300)], dtype=float)
    for level in (0.05, 0.25, 0.5, 0.75):
        assert (ps <= level).mean() == pytest.approx(level, abs=0.07)


def test_calls_that_are_all_alike_say_nothing_of_how_calls_vary() -> None:
    alike = ratio([5, 5, 5], [6, 6, 6])
    assert alike.value == pytest.approx(5 / 6)
    assert (alike.low, alike.high) == (None, None)
    assert alike.why == "all calls are alike: no interval"
    assert (paired([2.0] * 7, [1.0] * 7).low, paired([2.0] * 7, [1.0] * 7).value) == (None, 1)
    assert unpaired([1] * 8, [4] * 8, [2] * 8, [4] * 8).low is None
    assert unpaired([1] * 20, [4] * 20, [1, 2] * 10, [4] * 20).low is not None


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30))
def test_a_share_has_an_interval_between_nothing_and_all(hits: list[int]) -> None:
    found = share(hits, [5] * len(hits))
    assert found.value is not None
    if found.low is not None and found.high is not None:
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_what_cannot_fall_below_nothing_has_no_interval_that_does() -> None:
    assert ratio([1, 0, 9], [1, 1, 1]).low == 0
    assert ratio([1, 0, -9], [1, 1, 1]).low is not None
    assert (ratio([1, 0, -9], [1, 1, 1]).low or 0) < -9


def test_equal_calls_are_no_difference() -> None:
    assert paired([1.0] * 8, [1.0] * 8).p == 1
    assert paired([1.0] * 40, [1.0] * 40).p == 1
    assert unpaired([1] * 8, [4] * 8, [1] * 8, [4] * 8).p == 1


def test_two_groups_by_hand() -> None:
    # .25 against .675; apart as far as can be: of the 70 splits this one and its mirror, p 2/70.
    found = unpaired([1, 2, 3, 4], [10] * 4, [5, 6, 7, 9], [10] * 4)
    assert found.value == pytest.approx(-0.425)
    assert found.p == pytest.approx(2 / 70)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -0.425 < found.high < 0


def test_the_interval_of_two_large_groups_lies_about_their_difference() -> None:
    # 5 +- 1 against 2 +- 1, twenty of each: standard error sqrt(2 / 19), so the ends are near 3 - .64 and 3 + .64.
    found = unpaired([4, 6] * 10, [1] * 20, [1, 3] * 10, [1] * 20)
    assert found.value == pytest.approx(3)
    assert [found.low, found.high] == pytest.approx([2.36, 3.64], abs=0.12)


def test_groups_too_small_are_named() -> None:
    found = unpaired([1, 2, 3], [10] * 3, [5, 6, 7], [10] * 3)
    assert (found.value, found.enough) == (None, False)
    assert found.why.startswith("3 against 3 calls")
    assert not unpaired([1] * 40, [2] * 40, [1], [2]).enough
    assert not unpaired([1] * 40, [2] * 40, [1] * 40, [0] * 40).enough


@pytest.mark.parametrize(("first", "second"), [(8, 6), (16, 10)])
def test_p_of_two_groups_alike_is_uniform_though_they_spread_otherwise(first: int, second: int) -> None:
    random = np.random.default_rng(first)
    ps = np.array(
        [
            unpaired(random.normal(2, 1, first), [1] * first, random.normal(2, 2, second), [1] * second).p
            for _ in range(120)
        ],
        dtype=float,
    )
    for level in (0.1, 0.5, 0.75):
        assert (ps <= level).mean() == pytest.approx(level, abs=0.1)


def test_holm_by_hand() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})
    assert holm({}) == {}


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_only_raises(ps: dict[str, float]) -> None:
    found = holm(ps)
    assert found.keys() == ps.keys()
    assert all(ps[name] <= p <= 1 for name, p in found.items())
    order = sorted(ps, key=lambda name: ps[name])
    assert [found[name] for name in order] == sorted(found.values())
    if ps:
        assert found[order[0]] == pytest.approx(min(1.0, len(ps) * ps[order[0]]))


_CALLS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20)


@settings(deadline=None)
@given(_CALLS)
def test_a_share_lies_in_its_interval_whatever_the_calls_and_their_order(calls: list[tuple[int, int]]) -> None:
    hits, misses = np.array(calls).T
    found = share(hits, hits + misses)
    assert found.enough == bool((hits + misses).any())
    if found.low is not None and found.high is not None and found.value is not None:
        assert 0 <= found.low <= found.value + 1e-12
        assert found.value <= found.high + 1e-12
        assert found.high <= 1
    again = share(hits[::-1], (hits + misses)[::-1])
    assert again.value == (pytest.approx(found.value) if found.value is not None else None)


def test_a_paired_difference_may_be_of_either_sign_and_turned_round_it_is_the_same() -> None:
    # Mean 5/6, standard error 5/6 too; times 2.5706 on both sides.
    one, other = paired([0, 0, 0, 0, 0, 5], [0] * 6), paired([0] * 6, [0, 0, 0, 0, 0, 5])
    assert [one.low, one.high] == pytest.approx([-1.3088, 2.9755], abs=1e-4)
    assert [other.low, other.high] == pytest.approx([-2.9755, 1.3088], abs=1e-4)
