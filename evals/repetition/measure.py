"""Figures of scored pairs, with intervals by resampling interviews."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evals.repetition.scored import Scored
from interviewer.matching.curve import average_precision, curve
from interviewer.matching.logistic import Floats
from interviewer.matching.split import resamples
from interviewer.matching.tuning import tune

TIMES = 500
BASE = "minilm"
BASELINE, BASELINE_AT = "jaccard", 0.35
SIXTH = 1 / 6

Bools = NDArray[np.bool_]
Statistic = Callable[[Floats, Bools, Floats], float]


def ap(scores: Floats, same: Bools, weights: Floats) -> float:
    """Average precision, unknown positives counting as missed."""
    return average_precision(curve(scores, same, weights))


def ap_at_a_sixth(scores: Floats, same: Bools, weights: Floats) -> float:
    """The same with the pairs weighed so that one in six is positive."""
    positive, total = float(weights[same].sum()), float(weights.sum())
    if not 0 < positive < total:
        return math.nan
    return ap(scores, same, weights * np.where(same, SIXTH / positive, (1 - SIXTH) / (total - positive)))


def auc(scores: Floats, same: Bools, weights: Floats) -> float:
    """Chance that a positive scores higher than a negative; unknown pairs left out."""
    known = ~np.isnan(scores) & (weights > 0)
    values, positive, held = scores[known], same[known], weights[known]
    if positive.all() or not positive.any():
        return math.nan
    _, rank = np.unique(values, return_inverse=True)
    below = np.bincount(rank, weights=np.where(positive, 0.0, held))
    before = np.cumsum(below) - below / 2
    return float((held[positive] * before[rank[positive]]).sum() / (held[positive].sum() * below.sum()))


def with_interval(
    statistic: Statistic, of: Scored, name: str, weights: Floats, less: str | None = None, level: float = 0.95
) -> tuple[float, float, float]:
    """A statistic of a scorer, or by how much it exceeds that of the scorer `less`, with its interval."""

    def value(held: Floats) -> float:
        kept = held > 0
        same, shares = of.labelled.same[kept], held[kept]
        found = statistic(of.scores[name][kept], same, shares)
        return found if less is None else found - statistic(of.scores[less][kept], same, shares)

    drawn = [value(times * weights) for times in resamples(of.labelled.groups, TIMES)]
    low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return value(weights), float(low), float(high)


def baseline_matches(of: Scored) -> Bools:
    """What the essays' rule calls a repeat."""
    return of.scores[BASELINE] > BASELINE_AT


def own_matches(of: Scored, name: str) -> Bools:
    """What a scorer calls the same at the threshold of fewest errors, chosen on the other folds."""
    same = of.labelled.same
    tuned = tune(of.scores[name], same, of.labelled.groups, prevalence=float(same.mean()), cost_ratio=1.0)
    return of.scores[name] > np.array(tuned.choices)[tuned.folds]


def precision_recall(matches: Bools, same: Bools) -> tuple[float, float]:
    """Of decisions; precision is NaN if nothing matched."""
    hits = int((matches & same).sum())
    return hits / int(matches.sum()) if matches.any() else math.nan, hits / int(same.sum())


def mcnemar(first: Bools, second: Bools, same: Bools) -> tuple[int, int, float]:
    """Pairs that only the first, only the second decides right, and the two-sided p (exact; McNemar 1947)."""
    right, other = first == same, second == same
    only_first, only_second = int((right & ~other).sum()), int((other & ~right).sum())
    differing = only_first + only_second
    if not differing:
        return 0, 0, 1.0
    tail = sum(math.comb(differing, k) for k in range(min(only_first, only_second) + 1))
    return only_first, only_second, min(1.0, float(2 * tail / 2**differing))
