"""Precision and recall at every threshold, and the threshold that costs least."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interviewer.errors import MatchError

Floats = NDArray[np.float64]
Keys = NDArray[np.int64]

_POSITIVE = np.int64(0x7FFF_FFFF_FFFF_FFFF)


@dataclass(frozen=True, eq=False)
class Curve:
    """What the rule `score >= threshold` finds, for every threshold, ascending.

    A pair without a score (NaN) is unknown: no threshold finds it, so its positives count as missed in `recall`;
    `unknown` and `unknown_positive` are their weights. Two scores that differ in the last bit only share one
    threshold, the lower. All arrays have one entry for each threshold.
    """

    thresholds: Floats
    precision: Floats
    recall: Floats
    flagged: Floats
    """Weight of all pairs at or above the threshold."""
    positive: float
    total: float
    unknown: float
    unknown_positive: float

    @property
    def prevalence(self) -> float:
        """Share of positives, by weight, unknown ones too; NaN without pairs."""
        return self.positive / self.total if self.total else float("nan")

    @cached_property
    def fall_out(self) -> Floats:
        """Share of the negatives that the rule flags; NaN without negatives."""
        negative = self.total - self.positive
        return (self.flagged - self.recall * self.positive) / (negative if negative else np.nan)


@dataclass(frozen=True, slots=True)
class Choice:
    """A threshold and what it does at a given prevalence. `cost`: for each pair, in units of one false flag."""

    threshold: float
    cost: float
    precision: float
    recall: float
    flagged: float


def curve(scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> Curve:
    """The curve of scored pairs; `labels` are true for positives, `weights` positive or 0.

    All of one dimension and of equal length. Raises MatchError naming what does not fit.
    """
    values, positives = np.asarray(scores, dtype=np.float64), _truth(labels)
    shares = None if weights is None else np.asarray(weights, dtype=np.float64)
    _check(values, positives, shares)
    unknown = np.isnan(values)
    total = float(len(values) if shares is None else shares.sum())
    positive = float(_weight(positives, shares))
    lost = float(_weight(unknown, shares))
    lost_positive = float(_weight(unknown & positives, shares))
    if lost or unknown.any():
        values, positives = values[~unknown], positives[~unknown]
        shares = None if shares is None else shares[~unknown]
    thresholds, precision, found, flagged = _table(values, positives, shares)
    with np.errstate(invalid="ignore"):  # 0 / 0: pairs of no weight
        np.divide(found, flagged, out=precision)
    recall = np.divide(found, positive if positive else np.nan, out=found)
    return Curve(thresholds, precision, recall, flagged, positive, total, lost, lost_positive)


def average_precision(of: Curve) -> float:
    """Sum over thresholds of precision times the recall gained there; ties are taken together.

    No interpolation (Manning, Raghavan and Schuetze 2008, 8.4). NaN without positives. Depends on the prevalence:
    report both.
    """
    if not of.positive:
        return float("nan")
    gained = of.recall - np.append(of.recall[1:], 0.0)
    return float(np.nansum(gained * of.precision))


def at_cost(of: Curve, prevalence: float, cost_ratio: float) -> Choice:
    """The threshold of least expected cost where `prevalence` of the pairs are positive.

    A false flag costs 1, a miss `cost_ratio`. The threshold lies half way between the scores it parts, so `>` and
    `>=` agree; never to flag anything is among the choices. Of equal costs the highest threshold is taken.
    Raises MatchError if the labels hold one class only or a figure is out of bounds.
    """
    if not 0 < prevalence < 1 or not 0 < cost_ratio < np.inf:
        raise MatchError(
            f"prevalence must lie between 0 and 1, cost_ratio above 0 and be finite: {prevalence}, {cost_ratio}"
        )
    if not of.positive or of.positive == of.total or not len(of.thresholds):
        raise MatchError("a threshold needs scored pairs, positive and negative ones")
    hits = np.append(of.recall, 0.0)
    alarms = np.append(of.fall_out, 0.0)
    costs = prevalence * (1 - hits) * cost_ratio + (1 - prevalence) * alarms
    place = len(costs) - 1 - int(costs[::-1].argmin())
    flagged = prevalence * hits[place] + (1 - prevalence) * alarms[place]
    precision = prevalence * hits[place] / flagged if flagged else float("nan")
    return Choice(_between(of.thresholds, place), *(float(v) for v in (costs[place], precision, hits[place], flagged)))


def _between(thresholds: Floats, place: int) -> float:
    if place == len(thresholds):
        return float(np.nextafter(np.nextafter(thresholds[-1], np.inf), np.inf))
    if place == 0:
        return float(np.nextafter(thresholds[0], -np.inf))
    return float(thresholds[place - 1] + (thresholds[place] - thresholds[place - 1]) / 2)


def _truth(labels: ArrayLike) -> NDArray[np.bool_]:
    given = np.asarray(labels)
    if given.dtype == np.bool_:
        return given
    positives = np.asarray(given == 1)
    if not (positives | (given == 0)).all():
        raise MatchError("labels: each must be 0 or 1, true or false")
    return positives


def _check(values: Floats, positives: NDArray[np.bool_], shares: Floats | None) -> None:
    if values.ndim != 1 or values.shape != positives.shape or (shares is not None and shares.shape != values.shape):
        sizes = [values.shape, positives.shape, *([] if shares is None else [shares.shape])]
        raise MatchError(f"scores, labels and weights must be lists of one length; they are {sizes}")
    if np.isinf(values).any():
        raise MatchError("scores: infinite values cannot be thresholds")
    if shares is not None and not (np.isfinite(shares) & (shares >= 0)).all():
        raise MatchError("weights: each must be a number of 0 or more")


def _weight(chosen: NDArray[np.bool_], shares: Floats | None) -> float:
    return float(np.count_nonzero(chosen) if shares is None else shares[chosen].sum())


def _table(values: Floats, positives: NDArray[np.bool_], shares: Floats | None) -> Floats:
    """Rows: thresholds, room for the precision, weight of positives at or above each, weight of all.

    One block of memory, filled in place: fresh memory for each step would double the time of a curve.
    """
    table = np.empty((4, len(values)))
    keys = _keys(values, out=table[0])
    if shares is None:
        _count(keys, positives, *table[2:])
    else:
        _weigh(keys, positives, shares, *table[2:])
    starts = keys[1:] != keys[:-1]
    _undo(keys)
    return table if starts.all() else table[:, np.flatnonzero(np.append(True, starts))]


def _keys(values: Floats, out: Floats) -> Keys:
    """Integers in the order of the values, the last bit free: one sort then carries scores and labels."""
    bits = np.add(values, 0.0, out=out).view(np.int64)  # adding makes -0.0 and 0.0 the same
    _undo(bits)
    bits &= np.int64(-2)
    return bits


def _undo(bits: Keys) -> None:
    """From float bits to keys and back, in place: below zero the order of the bits is the other way round."""
    if len(bits) and bits.min() < 0:
        bits ^= (bits >> np.int64(63)) & _POSITIVE


def _count(keys: Keys, positives: NDArray[np.bool_], found: Floats, flagged: Floats) -> None:
    keys |= positives
    keys.sort()
    labels = (keys & np.int64(1)).astype(np.int8)
    keys &= np.int64(-2)
    before = np.cumsum(labels, dtype=np.int32)  # 2 ** 31 pairs do not fit into memory
    before -= labels
    np.subtract(np.count_nonzero(labels), before, out=found)
    flagged[:] = np.arange(len(keys), 0, -1)


def _weigh(keys: Keys, positives: NDArray[np.bool_], shares: Floats, found: Floats, flagged: Floats) -> None:
    order = np.argsort(keys)
    keys[:], shares = keys[order], shares[order]
    found[:] = np.cumsum(np.where(positives[order], shares, 0.0)[::-1])[::-1]
    flagged[:] = np.cumsum(shares[::-1])[::-1]
