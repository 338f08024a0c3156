"""Two groups of different calls: the difference of a ratio, with the calls as units."""

import math
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from interviewer.errors import MetricError
from interviewer.metrics.statistics import FEW_CALLS, FLIPS, LEVEL, Difference, Floats, resampled, standard_error
from interviewer.metrics.student import t_quantile
from interviewer.model.counting import counted

_EXACT_SPLITS = 20_000
_SAME = 1e-9


def unpaired(
    first_tops: ArrayLike, first_bottoms: ArrayLike, second_tops: ArrayLike, second_bottoms: ArrayLike
) -> Difference:
    """Sum of tops over sum of bottoms of the first group less that of the second; one entry a call in each list.

    The interval resamples calls within each group; if one has fewer than 12, it is t with the calls of the smaller
    group - 1. p is of the permutation of calls between the groups, of the difference over its standard error, so that
    it holds although the groups may spread differently (Chung and Romano 2013): all splits up to 20,000, else 5,000
    random ones, the observed one counted in. Calls whose bottom is 0 have nothing to say. Raises MetricError.
    """
    groups = [_held(first_tops, first_bottoms), _held(second_tops, second_bottoms)]
    sizes = [len(tops) for tops, _ in groups]
    splits = math.comb(sum(sizes), sizes[0])
    # With groups of one size each split and its mirror are equally far apart.
    least_p = min(1.0, (2 if sizes[0] == sizes[1] else 1) / splits)
    if min(sizes) < 2 or least_p > 1 - LEVEL:
        apart = f"{sizes[0]} against {counted(sizes[1], 'call')}"
        why = f"{apart}: too few for p to fall below {1 - LEVEL:.2g}; 4 and 4 are enough"
        return Difference(None, sizes[0], sizes[1], None, None, None, False, False, why)
    value = float(np.subtract(*(tops.sum() / bottoms.sum() for tops, bottoms in groups)))
    low, high = _interval(groups, value)
    tops, bottoms = (np.concatenate([group[at] for group in groups]) for at in (0, 1))
    why = "" if low is not None else "all calls of a group are alike: no interval"
    return Difference(value, sizes[0], sizes[1], low, high, _p(tops, bottoms, sizes[0], splits), True, False, why)


def _held(tops: ArrayLike, bottoms: ArrayLike) -> tuple[Floats, Floats]:
    top, bottom = np.asarray(tops, dtype=np.float64), np.asarray(bottoms, dtype=np.float64)
    if top.ndim != 1 or top.shape != bottom.shape or not np.isfinite(top).all() or not (bottom >= 0).all():
        raise MetricError("unpaired: each group needs one finite top and one bottom of 0 or more for every call")
    return top[bottom > 0], bottom[bottom > 0]


def _interval(groups: list[tuple[Floats, Floats]], value: float) -> tuple[float | None, float | None]:
    fewest = min(len(tops) for tops, _ in groups)
    error = math.hypot(*(standard_error(*group) for group in groups))
    if error <= _SAME * sum(abs(float(tops.sum() / bottoms.sum())) for tops, bottoms in groups):
        return None, None
    if fewest < FEW_CALLS:
        reach = t_quantile(LEVEL, fewest - 1) * error
        return value - reach, value + reach
    drawn = resampled(*groups[0]) - resampled(*groups[1], seed=1)
    low, high = np.percentile(drawn, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    return float(low), float(high)


def _p(tops: Floats, bottoms: Floats, size: int, splits: int) -> float:
    if splits <= _EXACT_SPLITS:
        chosen = np.array(list(combinations(range(len(tops)), size)))
    else:
        drawn = np.random.default_rng(0).random((FLIPS, len(tops)))
        chosen = np.argpartition(drawn, size, axis=1)[:, :size]
    first = np.zeros((len(chosen) + 1, len(tops)))
    first[0, :size] = 1
    first[np.arange(1, len(first))[:, None], chosen] = 1
    apart = _apart(first, tops, bottoms)
    beyond = apart[1:] >= apart[0] * (1 - _SAME)
    return float(beyond.mean()) if splits <= _EXACT_SPLITS else float((1 + beyond.sum()) / (1 + FLIPS))


def _apart(first: Floats, tops: Floats, bottoms: Floats) -> Floats:
    """The difference over its standard error for each split, a row of 1 (first group) and 0; shape (rows,)."""
    each = np.column_stack([np.ones_like(tops), tops, bottoms, tops**2, tops * bottoms, bottoms**2])
    sums = first @ each
    values, variances = [], []
    for count, top, bottom, tops2, cross, bottoms2 in (sums.T, (each.sum(axis=0) - sums).T):
        rate = top / bottom
        squares = np.maximum(0.0, tops2 - 2 * rate * cross + rate**2 * bottoms2) / (bottom / count) ** 2
        values.append(rate)
        variances.append(squares / (count - 1) / count)
    gap, error = np.abs(values[0] - values[1]), np.sqrt(variances[0] + variances[1])
    spread = error > _SAME * (np.abs(values[0]) + np.abs(values[1]))
    # Groups without any spread: apart or not, nothing in between.
    return np.where(spread, gap / np.where(spread, error, 1.0), np.where(gap > _SAME, np.inf, 0.0))
