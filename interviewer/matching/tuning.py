"""A threshold chosen by cost at the live prevalence, and what it is worth on pairs it was not chosen on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interviewer.errors import MatchError
from interviewer.matching.curve import Curve, at_cost, curve
from interviewer.matching.split import folds, resamples

FOLDS = 5
RESAMPLES = 200


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """`value` with its 90 % interval `low` to `high`, by resampling groups.

    `choices`: what was chosen without each fold; `folds`: the fold of each pair, shape (pairs,).
    precision, recall, flagged (share of pairs) and cost (for each pair, in false flags) are those on the folds left
    out, at the given prevalence; precision is NaN if nothing is flagged.
    """

    value: float
    low: float
    high: float
    choices: tuple[float, ...]
    folds: NDArray[np.int64]
    precision: float
    recall: float
    flagged: float
    cost: float

    @property
    def fold_spread(self) -> float:
        """Highest less lowest choice of the folds."""
        return max(self.choices) - min(self.choices)


def tune(
    scores: ArrayLike,
    labels: ArrayLike,
    groups: Sequence[str],
    *,
    prevalence: float,
    cost_ratio: float,
    weights: ArrayLike | None = None,
    count: int = FOLDS,
    times: int = RESAMPLES,
) -> Tuned:
    """The threshold of least cost, a miss costing `cost_ratio` false flags; scores above it match.

    Chosen on all pairs; its worth is measured by choosing on all folds but one and scoring that one (nested
    cross-validation, Varma and Simon 2006). Unknown scores (NaN) never match. `times`: resamples for
    the interval. Raises MatchError for what cannot be
    split or weighed.
    """
    values, positive = np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=np.bool_)
    shares = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    fold = folds(groups, positive, count)

    def choose(held: NDArray[np.float64]) -> float:
        kept = held > 0
        return at_cost(curve(values[kept], positive[kept], held[kept]), prevalence, cost_ratio).threshold

    choices = tuple(choose(np.where(fold == left_out, 0.0, shares)) for left_out in range(count))
    matched = values > np.array(choices)[fold]
    hits, alarms = _share(matched, positive, shares), _share(matched, ~positive, shares)
    flagged = prevalence * hits + (1 - prevalence) * alarms
    value = choose(shares)
    low, high = _interval(value, [_or_none(choose, held * shares) for held in resamples(groups, times)])
    return Tuned(
        value,
        low,
        high,
        choices,
        fold,
        prevalence * hits / flagged if flagged else float("nan"),
        hits,
        flagged,
        prevalence * (1 - hits) * cost_ratio + (1 - prevalence) * alarms,
    )


def at(of: Curve, threshold: float) -> tuple[float, float, float]:
    """Precision, recall and share flagged of the rule `score > threshold`; precision is NaN if nothing is flagged."""
    place = int(np.searchsorted(of.thresholds, threshold, side="right"))
    if place == len(of.thresholds):
        return float("nan"), 0.0 if of.positive else float("nan"), 0.0
    return float(of.precision[place]), float(of.recall[place]), float(of.flagged[place] / of.total)


def _or_none(choose: Callable[[NDArray[np.float64]], float], held: NDArray[np.float64]) -> float | None:
    try:
        return choose(held)
    except MatchError:  # a resample without positives
        return None


def _interval(value: float, found: list[float | None]) -> tuple[float, float]:
    known = [one for one in found if one is not None]
    low, high = np.quantile([*known, value], [0.05, 0.95])
    return min(float(low), value), max(float(high), value)


def _share(matched: NDArray[np.bool_], of: NDArray[np.bool_], shares: NDArray[np.float64]) -> float:
    return float(shares[matched & of].sum() / shares[of].sum())
