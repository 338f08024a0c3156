"""Figures one can believe: estimates with intervals by resampling calls, paired differences, several tests at once.

The unit is the call, not the question: questions of one call are alike. A naive bootstrap of questions claims a
difference in far more than 5 % of cases where there is none. Everything here is seeded and gives the same again.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interviewer.errors import MetricError
from interviewer.metrics.student import t_quantile
from interviewer.model.counting import counted

Floats = NDArray[np.float64]
Kind = Literal["share", "events", "ratio"]

LEVEL = 0.95
ONE_CALL = "one call: no interval"
FEW_CALLS = 12
"""Below so many calls a bootstrap is too narrow, and t with calls - 1 stands in (Cameron, Gelbach and Miller 2008)."""
RESAMPLES = 2_000
FLIPS = 5_000
_EXACT_PAIRS = 14
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval.

    `n`: observations (questions, replies, words) behind it, `calls`: calls that hold at least one. `value` is None
    unless there is `enough`; `low` and `high` are None where an interval cannot be given. `why` says what is lacking.
    """

    value: float | None
    n: int
    calls: int
    low: float | None
    high: float | None
    enough: bool
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the first is than the second, with its 95 % interval and a two-sided p.

    `first` and `second`: calls of each group; if `paired`, the same calls in both. `value`, `low`, `high` and `p` are
    None unless there is `enough`: if no outcome whatever could reach p of .05, no figure is given.
    """

    value: float | None
    first: int
    second: int
    low: float | None
    high: float | None
    p: float | None
    enough: bool
    paired: bool
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)


def lacking(why: str, n: int = 0, calls: int = 0) -> Estimate:
    """No figure, and why."""
    return Estimate(None, n, calls, None, None, False, why)


def share(hits: ArrayLike, trials: ArrayLike, *, least: int = 1) -> Estimate:
    """Hits over trials, both summed over calls; each argument has one entry a call. Between 0 and 1.

    If none or all are hits, the rule of three (Hanley and Lippman-Hand 1983) gives the open end of the interval: 3 over
    the number of calls. Calls and not trials, since nothing is known of how trials of one call hang together.
    `least`: trials that are enough. Raises MetricError naming what does not fit.
    """
    tops, bottoms = _aligned(hits, trials)
    if (tops > bottoms).any() or (tops < 0).any():
        raise MetricError("share: hits must lie between 0 and trials in every call")
    return ratio(tops, bottoms, kind="share", least=least)


def mean(values: ArrayLike, *, events: bool = False, least: int = 1) -> Estimate:
    """The mean of one value a call; NaN: the call has none. `events`: counts, to which the rule of three applies."""
    tops = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(tops)
    return ratio(tops[known], np.ones(int(known.sum())), kind="events" if events else "ratio", least=least)


def ratio(
    tops: ArrayLike, bottoms: ArrayLike, *, counts: ArrayLike | None = None, kind: Kind = "ratio", least: int = 1
) -> Estimate:
    """Sum of `tops` over sum of `bottoms`, each with one entry a call; `counts`: observations, else the bottoms.

    The interval is a percentile bootstrap over calls; below 12 calls t with calls - 1 and the standard error of the
    ratio's linear form (Cochran 1977, 6.3), of a share on the scale of log odds, so that its ends lie between 0 and 1
    (Korn and Graubard 1998; Stata's svy: proportion). Calls whose bottom is 0 have nothing to say. Raises MetricError.
    """
    top, bottom = _aligned(tops, bottoms)
    seen = bottom if counts is None else _aligned(counts, bottoms)[0]
    if np.isnan(top).any() or np.isnan(bottom).any() or (bottom < 0).any():
        raise MetricError("ratio: a top is no number, or a bottom is none or below 0")
    held = bottom > 0
    top, bottom, n, calls = top[held], bottom[held], round(float(seen[held].sum())), int(held.sum())
    if not calls:
        return lacking("nothing to count")
    if n < least:
        return lacking(f"only {n} of at least {least}", n, calls)
    value = float(top.sum() / bottom.sum())
    low, high = _interval(top, bottom, kind)
    why = "" if low is not None else ONE_CALL if calls == 1 else "all calls are alike: no interval"
    return Estimate(value, n, calls, low, high, True, why)


def paired(first: ArrayLike, second: ArrayLike) -> Difference:
    """The mean of first - second, one entry each of the same call; pairs with a NaN are left out.

    The interval resamples calls, below 12 it is t with calls - 1. p is of the sign-flip permutation (Fisher 1935):
    every pattern of signs up to 14 calls, else 5,000 random ones, the observed one counted in (Phipson and Smyth
    2010). Raises MetricError naming what does not fit.
    """
    one, other = _aligned(first, second)
    gaps = one - other
    gaps = gaps[~np.isnan(gaps)]
    count = len(gaps)
    least_p = 2.0 ** (1 - count) if count else 1.0
    if least_p > 1 - LEVEL:
        why = f"{counted(count, 'pair')} of calls: p cannot fall below {least_p:.2g}, 6 pairs are the fewest"
        return Difference(None, count, count, None, None, None, False, True, why)
    low, high = _spread(gaps, np.ones(count))
    why = "" if low is not None else "all differences are alike: no interval"
    return Difference(float(gaps.mean()), count, count, low, high, _flipped(gaps), True, True, why)


def holm(ps: Mapping[str, float]) -> dict[str, float]:
    """Each p, put right for there being several (Holm 1979): their order is kept, none falls, none exceeds 1."""
    found: dict[str, float] = {}
    reached = 0.0
    for rank, name in enumerate(sorted(ps, key=lambda name: (ps[name], name))):
        reached = max(reached, min(1.0, (len(ps) - rank) * ps[name]))
        found[name] = reached
    return {name: found[name] for name in ps}


def standard_error(tops: Floats, bottoms: Floats) -> float:
    """The standard error of sum(tops) / sum(bottoms) over calls; NaN for fewer than two calls."""
    count = len(tops)
    if count < 2:
        return float("nan")
    residuals = (tops - bottoms * (tops.sum() / bottoms.sum())) / bottoms.mean()
    return float(np.sqrt((residuals**2).sum() / (count - 1) / count))


def resampled(tops: Floats, bottoms: Floats, seed: int = 0) -> Floats:
    """The ratio in each of 2,000 resamples of calls, shape (2000,)."""
    times = _times(len(tops), seed)
    return np.asarray((times @ tops) / (times @ bottoms))


def _interval(tops: Floats, bottoms: Floats, kind: Kind) -> tuple[float | None, float | None]:
    """The 95 % interval of sum(tops) / sum(bottoms) over calls; (None, None) for one call, or if nothing varies."""
    calls = len(tops)
    if calls < 2:
        return None, None
    value = float(tops.sum() / bottoms.sum())
    if kind != "ratio" and value == 0:
        return 0.0, 3 / calls if kind == "events" else min(1.0, 3 / calls)
    if kind == "share" and value == 1:
        return max(0.0, 1 - 3 / calls), 1.0
    if kind == "share" and calls < FEW_CALLS and 0 < value < 1:
        return _spread_of_odds(tops, bottoms)
    low, high = _spread(tops, bottoms)
    # What cannot fall below 0 has no interval that does.
    return max(0.0, low) if low is not None and (tops >= 0).all() else low, high


def _spread_of_odds(tops: Floats, bottoms: Floats) -> tuple[float | None, float | None]:
    """The interval of a share strictly between 0 and 1 by few calls; (None, None) if nothing varies."""
    value, error = float(tops.sum() / bottoms.sum()), standard_error(tops, bottoms)
    if error <= _SAME * value:
        return None, None
    odds = math.log(value / (1 - value))
    reach = t_quantile(LEVEL, len(tops) - 1) * error / (value * (1 - value))
    low, high = 1 / (1 + np.exp(-(odds - reach))), 1 / (1 + np.exp(-(odds + reach)))
    return float(low), float(high)


def _spread(tops: Floats, bottoms: Floats) -> tuple[float | None, float | None]:
    """The interval with no bound but what calls say; (None, None) if nothing varies."""
    calls, value, error = len(tops), float(tops.sum() / bottoms.sum()), standard_error(tops, bottoms)
    if error <= _SAME * abs(value):
        return None, None
    if calls < FEW_CALLS:
        reach = t_quantile(LEVEL, calls - 1) * error
        return value - reach, value + reach
    ends = np.percentile(resampled(tops, bottoms), [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    return float(ends[0]), float(ends[1])


@lru_cache(maxsize=8)
def _times(calls: int, seed: int) -> Floats:
    """How often each call is in each resample, shape (RESAMPLES, calls)."""
    drawn = np.random.default_rng(seed).integers(calls, size=(RESAMPLES, calls))
    drawn += np.arange(RESAMPLES)[:, None] * calls
    return np.bincount(drawn.ravel(), minlength=RESAMPLES * calls).reshape(RESAMPLES, calls).astype(np.float64)


def _flipped(gaps: Floats) -> float:
    count = len(gaps)
    seen = abs(gaps.sum()) - _SAME * np.abs(gaps).sum()
    if count <= _EXACT_PAIRS:
        bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
        return float((np.abs((1 - 2 * bits) @ gaps) >= seen).mean())
    signs = np.random.default_rng(0).integers(2, size=(FLIPS, count)) * 2 - 1
    return float((1 + (np.abs(signs @ gaps) >= seen).sum()) / (1 + FLIPS))


def _aligned(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape:
        raise MetricError(f"one entry a call in both lists: they have the shapes {one.shape} and {other.shape}")
    if np.isinf(one).any() or np.isinf(other).any():
        raise MetricError("an entry is infinite")
    return one, other
