"""The threshold: the lowest that refuses at most so many of the questions that were really asked."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.guard.interviews import Moment, moments
from interviewer.matching.comparable import comparable, of_one_kind
from interviewer.matching.curve import at_cost, curve
from interviewer.matching.scorer import Scorer, scorer
from interviewer.matching.split import folds, resamples
from interviewer.matching.thresholds import PACKAGED, Threshold, save
from interviewer.metrics.statistics import share

REFUSED = 0.02
ALLOWED = (0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2)
CURVES = (
    ("M", "interviews"),
    ("M", "plans"),
    ("R", "words"),
    ("R", "topic"),
    ("R", "none"),
    ("N", "words"),
    ("planned", ""),
)
PREVALENCE = 0.04
_FOLDS, _RESAMPLES = 5, 200
_RATIOS = np.round(np.geomspace(0.5, 200, 400), 3)


def highest(of: Scorer, found: Sequence[Moment]) -> NDArray[np.float64]:
    """For each moment the score of its question with the likest of those before it; -1 where none can be compared."""
    scores = np.full(len(found), -1.0)
    for place, moment in enumerate(found):
        columns = comparable(moment.text)
        scored = of.matrix(moment.before, columns) if moment.before else np.full((0, len(columns)), np.nan)
        alike = [
            scored[row, column]
            for row, before in enumerate(moment.before)
            for column, text in enumerate(columns)
            if of_one_kind(before, text) and not np.isnan(scored[row, column])
        ]
        scores[place] = max(alike, default=-1.0)
    return scores


def at_most(scores: NDArray[np.float64], real: NDArray[np.bool_], refused: float = REFUSED) -> float:
    """The threshold above which `refused` of the real questions score."""
    return float(np.quantile(scores[real], 1 - refused))


def fit(name: str) -> tuple[Threshold, list[dict[str, Any]], list[dict[str, Any]]]:
    """The threshold of a scorer; what it does where it was not chosen, a row for each kind; and its curve."""
    found, of = moments(), scorer(name)
    scores, real = highest(of, found), np.array([m.kind == "real" for m in found])
    groups = [m.interview for m in found]
    fold = folds(groups, ~real, _FOLDS)
    choices = [at_most(scores[fold != k], real[fold != k]) for k in range(_FOLDS)]
    value = at_most(scores, real)
    times = [often.astype(int) for often in resamples(groups, _RESAMPLES)]
    drawn = [at_most(np.repeat(scores, often), np.repeat(real, often)) for often in times]
    threshold = Threshold(
        name=f"guard-{name}",
        scorer=of.name,
        version=of.version,
        value=round(value, 6),
        low=round(min(value, float(np.quantile(drawn, 0.05))), 6),
        high=round(max(value, float(np.quantile(drawn, 0.95))), 6),
        corpus=f"questions of real interviews against all asked before them; at most {REFUSED:.0%} of them refused",
        prevalence=PREVALENCE,
        cost_ratio=_ratio_for(value, scores, found),
        fold_spread=round(max(choices) - min(choices), 6),
        created=date.today(),
    )
    above = scores > np.array(choices)[fold]
    rows = [_row(name, kind, style, above, found) for kind, style in _kinds(found)]
    return threshold, rows, _curve(name, scores, found)


def _curve(name: str, scores: NDArray[np.float64], found: Sequence[Moment]) -> list[dict[str, Any]]:
    """For each share of real questions refused what share of each kind is, and the threshold that does so."""
    real = np.array([m.kind == "real" for m in found])
    rows = []
    for refused in ALLOWED:
        threshold = at_most(scores, real, refused)
        row: dict[str, Any] = {"scorer": name, "real_refused": refused, "threshold": round(threshold, 4)}
        for kind, style in CURVES:
            here = np.array([(m.kind, m.style) == (kind, style) for m in found])
            row[f"{kind} {style}".strip()] = round(float((scores[here] > threshold).mean()), 4)
        rows.append(row)
    return rows


def keep(threshold: Threshold) -> None:
    """Store it with the package."""
    save(threshold, PACKAGED.parent)


def _kinds(found: Sequence[Moment]) -> list[tuple[str, str]]:
    kinds = sorted({m.kind for m in found})
    styles = sorted({(m.kind, m.style) for m in found if m.style})
    return [*((kind, "") for kind in kinds), *styles]


def _row(name: str, kind: str, style: str, above: NDArray[np.bool_], found: Sequence[Moment]) -> dict[str, Any]:
    hits: dict[str, int] = {}
    trials: dict[str, int] = {}
    for moment, flagged in zip(found, above, strict=True):
        if moment.kind == kind and style in ("", moment.style):
            hits[moment.interview] = hits.get(moment.interview, 0) + int(flagged)
            trials[moment.interview] = trials.get(moment.interview, 0) + 1
    told = share(list(hits.values()), list(trials.values()))
    figures = {key: round(value, 4) if isinstance(value, float) else value for key, value in told.to_dict().items()}
    return {"scorer": name, "kind": kind, "style": style, "refused": figures.pop("value"), **figures}


def _ratio_for(value: float, scores: NDArray[np.float64], found: Sequence[Moment]) -> float:
    """What a miss must cost, in false refusals, for a threshold nearest to this one to be the cheapest."""
    kept = np.array([m.kind in ("real", "R") for m in found])
    of = curve(scores[kept], np.array([m.kind == "R" for m in found])[kept])
    return float(min(_RATIOS, key=lambda ratio: abs(at_cost(of, PREVALENCE, float(ratio)).threshold - value)))
