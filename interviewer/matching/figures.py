"""What a file of scored and labelled pairs says of a scorer, as plain figures."""

import math
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from interviewer.errors import MatchError
from interviewer.matching.curve import Curve, average_precision, curve
from interviewer.matching.pair_file import PairFile
from interviewer.matching.studies import StudyScores
from interviewer.matching.thresholds import Threshold
from interviewer.matching.tuning import at

ESSAYS = 0.35
"""The essays' threshold for the baseline `jaccard`."""
_POINTS = 200


def figures(of: PairFile, scored: StudyScores, scorer: str, stored: Iterable[Threshold]) -> dict[str, Any]:
    """Average precision with its prevalence, precision and recall at the thresholds of this scorer, and the curve.

    Unlabelled pairs are left out; weights count; positives without a score count as missed. A figure that labels and
    scores do not give is None. Of the curve at most 200 points.
    """
    labelled = np.array([label is not None for label in of.labels], dtype=np.bool_)
    same = np.array([bool(label) for label in of.labels], dtype=np.bool_)[labelled]
    weights = np.array(of.weights)[labelled]
    found: dict[str, Any] = {
        "labelled": int(labelled.sum()),
        "positive": int(same.sum()),
        "weighted": of.weighted,
        "prevalence": None,
        "ap": None,
        "thresholds": [],
        "curve": None,
    }
    if not labelled.any():
        return found
    if not weights.any():
        raise MatchError("every labelled pair has the weight 0: there are no figures of them")
    drawn = curve(scored.scores[labelled], same, weights)
    found["prevalence"] = _known(drawn.prevalence)
    if not len(drawn.thresholds):  # not one pair was scored: no figure, rather than 0
        return found
    found["ap"] = _known(average_precision(drawn))
    found["thresholds"] = [
        _at(drawn, name, value) for name, value in _thresholds(drawn, scorer, scored.versions, stored)
    ]
    found["curve"] = _points(drawn)
    return found


def _thresholds(
    drawn: Curve, scorer: str, versions: Collection[str], stored: Iterable[Threshold]
) -> list[tuple[str, float]]:
    found = [
        (one.name, one.value)
        for one in sorted(stored, key=lambda one: one.name)
        if one.scorer == scorer and {one.version} == set(versions)
    ]
    if scorer == "jaccard":
        found.insert(0, ("the essays'", ESSAYS))
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = 2 / (1 / drawn.precision + 1 / drawn.recall)
    if len(f1) and not np.isnan(f1).all():
        below = float(np.nextafter(drawn.thresholds[int(np.nanargmax(f1))], -np.inf))
        found.append(("best F1 on this very file", below))
    return found


def _at(drawn: Curve, name: str, threshold: float) -> dict[str, Any]:
    precision, recall, flagged = at(drawn, threshold)
    shown = {"precision": _known(precision), "recall": _known(recall), "flagged": _known(flagged)}
    return {"name": name, "threshold": threshold} | shown


def _points(drawn: Curve) -> dict[str, list[float | None]]:
    count = len(drawn.thresholds)
    places = np.unique(np.linspace(0, count - 1, _POINTS).astype(np.int64)) if count else np.zeros(0, np.int64)
    arrays = {"threshold": drawn.thresholds, "precision": drawn.precision, "recall": drawn.recall}
    return {name: [_known(float(values[place])) for place in places] for name, values in arrays.items()}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
