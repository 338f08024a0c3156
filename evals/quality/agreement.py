"""Agreement with people's labels, with intervals by resampling conversations."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interviewer.matching.split import resamples

TIMES = 1_000
Indices = NDArray[np.int64]


def ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Ranks from 1; equal values share their mean rank."""
    _, places, counts = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places])


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Spearman's rank correlation (1904): Pearson's of the ranks; NaN where all values of a side are equal."""
    one, other = ranks(first), ranks(second)
    return float(np.corrcoef(one, other)[0, 1]) if np.ptp(one) and np.ptp(other) else float("nan")


def with_interval(of: Callable[[Indices], float], groups: Sequence[str]) -> dict[str, Any]:
    """`of` all rows, and the 2.5th and 97.5th percentile of `of` rows of resampled groups; three decimals."""
    rows = np.arange(len(groups))
    drawn = [of(np.repeat(rows, times.astype(np.int64))) for times in resamples(groups, TIMES)]
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    figures = {"value": of(rows), "low": float(low), "high": float(high)}
    return {"n": len(groups), "groups": len(set(groups)), **{name: round(each, 3) for name, each in figures.items()}}
