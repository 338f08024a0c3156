"""Uptake against experts' ratings of exchanges in lessons (Demszky et al. 2021)."""

import csv
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.quality.agreement import Indices, ranks, spearman, with_interval
from interviewer.errors import ModelMissing
from interviewer.matching.jaccard import Jaccard
from interviewer.matching.minilm import MiniLM
from interviewer.matching.pairs import aligned
from interviewer.matching.tokens import tokens
from interviewer.metrics.uptake import shared, uptake

FILE = "uptake_data.csv"


def read(path: Path) -> list[dict[str, str]]:
    """The exchanges that were rated: those without a rating were off task."""
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["uptake_zscore"]]


def measure(path: Path) -> dict[str, Any]:
    """Spearman of each measure with the mean rating, z-scored by rater; intervals by resampling lessons."""
    rows = read(path)
    said, replies = ([row[f"{side}_text"] for row in rows] for side in ("student", "teacher"))
    rated = np.array([float(row["uptake_zscore"]) for row in rows])
    found = {
        "uptake": np.array([uptake(a, b) or 0.0 for a, b in zip(said, replies, strict=True)]),
        "shared words (Jaccard)": np.nan_to_num(aligned(Jaccard(), said, replies)),
    }
    try:
        cosine = np.nan_to_num(aligned(MiniLM(), said, replies))
        reused = [
            len({*tokens(a)} & {*tokens(b)}) / max(1, len({*tokens(a)})) for a, b in zip(said, replies, strict=True)
        ]
        found["cosine of sentence vectors"] = cosine
        found["cosine and share of words"] = ranks(cosine) + ranks(reused)
    except ModelMissing:
        pass
    lessons = [row["obs_id"] for row in rows]
    return {name: with_interval(partial(_agreement, values, rated), lessons) for name, values in found.items()}


def _agreement(values: NDArray[np.float64], rated: NDArray[np.float64], rows: Indices) -> float:
    return spearman(values[rows], rated[rows])


def table(path: Path) -> dict[str, list[float]]:
    """The quantiles 0, .01, ..., 1 of both measures: what metrics/data/uptake.json holds."""
    values = np.array([shared(row["student_text"], row["teacher_text"]) for row in read(path)])
    steps = np.linspace(0, 1, 101)
    found = {}
    for place, name in enumerate(("weight", "share")):
        found[name] = [float(f"{each:.6g}") for each in np.quantile(values[:, place], steps, method="inverted_cdf")]
    return found
