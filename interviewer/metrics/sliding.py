"""A threshold under a slider: what it refuses and lets slip, per call, as fast as a hand moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interviewer.errors import MetricError
from interviewer.metrics.statistics import FEW_CALLS, LEVEL, Estimate
from interviewer.metrics.student import t_quantile

Floats = NDArray[np.float64]

_SHARES = (0.0, 0.25, 0.5, 0.7, 0.8, 0.87, 0.92, 0.95, 0.97, 0.98, 0.987, 0.992, 0.995, 0.998)
"""Where the bands of the score begin, as shares of all: narrow at the top, where a threshold is looked for."""
_RESAMPLES = 500
_PRIOR = 0.5  # of a share, before anything is known (Jeffreys; Brown, Cai and DasGupta 2001)
_SEED = 1
ONE_TELLS_NOTHING = "one call tells nothing of others"
_THREE = 3  # nothing among n: at most 3 / n with 95 % confidence (Hanley and Lippman-Hand 1983)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a threshold does, as far as labels tell.

    `refused`: questions above it, of all calls. `slipped`: repeats in a call that it lets pass; `good`: other questions
    in a call that it refuses. `cost_ratio`: what a repeat must cost, in good questions refused, for this threshold to
    be the best; None where that cannot be told, and `why` says so.
    """

    threshold: float
    refused: int
    slipped: Estimate
    good: Estimate
    cost_ratio: float | None
    why: str = ""


class Sliding:
    """Scores of questions with the likest heard before each, sorted once; some of them labelled.

    The labelled ones of a band of scores stand for all of it (post-stratification: Cochran 1977, 5A.9), so which
    bands are labelled more does not matter, as long as those of one band are labelled by chance. Intervals
    resample calls, and draw the share of repeats among what a band has unlabelled from Beta(repeats + .5, others + .5);
    below 12 calls they are t with calls - 1.
    """

    def __init__(self, scores: ArrayLike, calls: Sequence[str], seed: int = 0) -> None:
        """One score and one call for each question, none NaN. Raises MetricError if there are none, or not as many."""
        values = np.asarray(scores, dtype=np.float64)
        if values.ndim != 1 or len(values) != len(calls) or not len(values) or not np.isfinite(values).all():
            raise MetricError("a lab needs questions, each with a finite score and its call")
        self.order = np.argsort(values, kind="stable")
        self.sorted = values[self.order]
        names, self._call = np.unique(np.asarray(calls, dtype=np.str_), return_inverse=True)
        self.calls = len(names)
        starts = np.unique(np.quantile(self.sorted, _SHARES))
        self._starts = np.searchsorted(self.sorted, starts)
        self._band_of = np.searchsorted(starts, values, side="right") - 1
        drawn = np.random.default_rng(seed).integers(self.calls, size=(_RESAMPLES, self.calls))
        self._times = np.stack([np.bincount(row, minlength=self.calls) for row in drawn]).astype(np.float64)
        self._times = np.vstack([np.ones(self.calls), self._times])  # the first row is the calls as they are
        self._held = self._times @ self._table(np.arange(len(values)))
        self.label({})

    @property
    def bands(self) -> int:
        """How many bands of scores there are."""
        return len(self._starts)

    def band(self, place: int) -> int:
        """The band of a question, by its place in what was given."""
        return int(self._band_of[place])

    def seen(self, band: int) -> int:
        """How many of a band are labelled."""
        return int(self._seen[band])

    def band_at(self, threshold: float) -> int:
        """The band that a threshold lies in."""
        at = int(np.searchsorted(self.sorted, threshold, side="right"))
        return max(0, int(np.searchsorted(self._starts, at, side="right")) - 1)

    def label(self, repeats: Mapping[int, bool]) -> None:
        """Take all labels there are: by place, whether a question repeats the likest heard before it."""
        self.labelled = len(repeats)
        places = np.fromiter(repeats, dtype=np.int64, count=len(repeats))
        said = np.fromiter(repeats.values(), dtype=np.bool_, count=len(repeats))
        self._seen = self._table(places).sum(axis=0)
        seen, found = self._times @ self._table(places), self._times @ self._table(places[said])
        whole = np.divide(found[0], seen[0], out=np.zeros(self.bands), where=seen[0] > 0)
        # A resample without a label in a band knows what all calls know of it.
        none = seen == 0
        hits, misses = np.where(none, found[0], found), np.where(none, seen[0] - found[0], seen - found)
        # What is not labelled has a rate that labels tell only roughly: one that they leave possible, each time.
        rest = np.maximum(0.0, self._held - seen)
        self._ends = tuple(
            np.divide(found + rest * drawn, self._held, out=drawn, where=self._held > 0)
            for drawn in (_drawn(hits, misses + _PRIOR), _drawn(hits + _PRIOR, misses))
        )
        self._whole = whole
        self._rising = _rising(whole, seen[0])

    def count(self, threshold: float) -> int:
        """How many questions lie above a threshold."""
        return len(self.sorted) - int(np.searchsorted(self.sorted, threshold, side="right"))

    def between(self, one: float, other: float) -> NDArray[np.int64]:
        """The questions that two thresholds decide differently, by place, the lowest score first."""
        low, high = np.searchsorted(self.sorted, sorted((one, other)), side="right")
        return np.asarray(self.order[low:high], dtype=np.int64)

    def around(self, threshold: float, each: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The nearest `each` questions not above a threshold, and those above it, nearest first."""
        at = int(np.searchsorted(self.sorted, threshold, side="right"))
        return self.order[max(0, at - each) : at][::-1], self.order[at : at + each]

    def at(self, threshold: float) -> Effect:
        """What this threshold does, as far as the labels tell."""
        below = self._below(threshold)
        share = np.divide(below, self._counts, out=np.zeros(self.bands), where=self._counts > 0)
        fewest, most = self._ends
        slipped = self._estimate((self._whole * share, fewest * share, most * share), below)
        over = 1 - share
        good = self._estimate(((1 - self._whole) * over, (1 - most) * over, (1 - fewest) * over), self._counts - below)
        rate = self._rate(threshold)
        unseen = self._seen[self.band_at(threshold)] == 0
        why = "no label near this score" if unseen else "" if rate > 0 else "no repeat is labelled at or below it"
        return Effect(threshold, self.count(threshold), slipped, good, (1 - rate) / rate if rate > 0 else None, why)

    def _rate(self, threshold: float) -> float:
        """The share of repeats where a threshold lies, made to rise with the score; 0 where nothing is labelled."""
        band = self.band_at(threshold)
        return float(self._rising[band]) if self._seen[band] else 0.0

    def best_between(self, threshold: float) -> tuple[float, float]:
        """The two scores between which, at the cost ratio of `threshold`, the best one lies in 90 % of resamples.

        A band is refused where its share of repeats, made to rise with the score, reaches that at `threshold`; between
        the last score below such a band and its first, all thresholds are as good. Raises MetricError where the labels
        do not say what `threshold` is best at, or for one call.
        """
        rate = self._rate(threshold)
        if self.calls < 2 or rate <= 0:
            raise MetricError(ONE_TELLS_NOTHING if self.calls < 2 else self.at(threshold).why)
        rates = (self._ends[0][1:] + self._ends[1][1:]) / 2
        reached = np.array([_rising(each, self._seen) for each in rates]) >= rate
        first = np.where(reached.any(axis=1), self._starts[reached.argmax(axis=1)], len(self.sorted))
        below, above = self.sorted[np.maximum(first - 1, 0)], self.sorted[np.minimum(first, len(self.sorted) - 1)]
        low, high = np.quantile(below, 0.05, method="lower"), np.quantile(above, 0.95, method="higher")
        return min(float(low), threshold), max(float(high), threshold)

    @property
    def prevalence(self) -> float:
        """The share of questions that repeat one, as far as the labels tell."""
        return float((self._whole * self._counts).sum() / len(self.sorted))

    @property
    def _counts(self) -> Floats:
        return np.asarray(self._held[0])

    def _below(self, threshold: float) -> Floats:
        """How many of each band are not above a threshold."""
        at = int(np.searchsorted(self.sorted, threshold, side="right"))
        ends = np.append(self._starts[1:], len(self.sorted))
        return np.asarray(np.clip(at - self._starts, 0, ends - self._starts), dtype=np.float64)

    def _estimate(self, rates: tuple[Floats, Floats, Floats], concerned: Floats) -> Estimate:
        """A sum over bands in a call; `rates`: of each band, then in each resample at least and at most.

        `concerned`: how many of each band it is about.
        """
        dark = [band for band in range(self.bands) if concerned[band] and not self._seen[band]]
        n = int(self._seen[concerned > 0].sum())
        if not self.labelled:
            return Estimate(None, 0, self.calls, None, None, False, "no question is labelled")
        if dark:
            low, high = self.sorted[self._starts[dark[0]]], self.sorted[min(len(self.sorted), self._end(dark[-1])) - 1]
            return Estimate(None, n, self.calls, None, None, False, f"no label between {low:.2f} and {high:.2f}")
        value = float((self._counts * rates[0]).sum()) / self.calls
        least, most = ((self._held * each).sum(axis=1)[1:] / self.calls for each in rates[1:])
        if self.calls < 2:
            return Estimate(value, n, self.calls, None, None, False, ONE_TELLS_NOTHING)
        if self.calls < FEW_CALLS:
            reach = t_quantile(LEVEL, self.calls - 1)
            low, high = max(0.0, value - reach * float(least.std(ddof=1))), value + reach * float(most.std(ddof=1))
        else:
            # Percentiles alone are too near for some dozen calls: further out, as t is (Hesterberg 2015, 4.3.2).
            outer = NormalDist().cdf(-t_quantile(LEVEL, self.calls - 1) * sqrt(self.calls / (self.calls - 1)))
            low, high = float(np.quantile(least, outer)), float(np.quantile(most, 1 - outer))
        if value == 0 and n:
            high = max(high, _THREE / n * float(concerned.sum()) / self.calls)
        return Estimate(value, n, self.calls, min(low, value), max(high, value), True)

    def _end(self, band: int) -> int:
        return int(self._starts[band + 1]) if band + 1 < self.bands else len(self.sorted)

    def _table(self, places: NDArray[np.int64]) -> Floats:
        """How many of these each call has in each band, shape (calls, bands)."""
        cells = self._call[places] * self.bands + self._band_of[places]
        return np.bincount(cells, minlength=self.calls * self.bands).reshape(self.calls, self.bands).astype(np.float64)


def _drawn(hits: Floats, misses: Floats) -> Floats:
    """A share of each band that labels leave possible; exactly 0 without a hit, 1 without a miss."""
    some = (hits > 0) & (misses > 0)
    drawn = np.random.default_rng(_SEED).beta(np.where(some, hits, 1.0), np.where(some, misses, 1.0))
    return np.where(some, drawn, (hits > 0).astype(np.float64))


def _rising(rates: Floats, weights: Floats) -> Floats:
    """The rates made to rise with the score (pool adjacent violators: Ayer et al. 1955); 0 before the first label."""
    pools: list[tuple[float, float, int]] = []  # rate, weight, bands
    for rate, weight in zip(rates, weights, strict=True):
        pools.append((float(rate) if weight else (pools[-1][0] if pools else 0.0), float(weight), 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (r1, w1, n1), (r2, w2, n2) = pools[-2], pools[-1]
            both = w1 + w2
            pools[-2:] = [((r1 * w1 + r2 * w2) / both if both else r1, both, n1 + n2)]
    return np.repeat([rate for rate, _, _ in pools], [bands for _, _, bands in pools])
