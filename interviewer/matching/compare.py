"""Scores of some texts with others by a scorer that may not be there: for whoever runs a call."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from interviewer.errors import InterviewerError
from interviewer.matching import checked
from interviewer.matching.scorer import Scorer, scorer

DIGITS = 6
"""Scores are kept to so many decimals."""

Rows = tuple[tuple[float | None, ...], ...]


def compare(name: str, rows: Sequence[str], columns: Sequence[str]) -> tuple[str, Rows, str]:
    """Name and version of the scorer, its scores (a row for each of `rows`, None where it cannot tell), and no problem.

    If it is missing or fails: "", no scores, and why.
    """
    try:
        chosen = _made(name)
        scores = checked.matrix(chosen, rows, columns)
    except InterviewerError as error:
        return "", (), str(error)
    told = tuple(tuple(None if np.isnan(one) else round(float(one), DIGITS) for one in row) for row in scores)
    return f"{chosen.name}/{chosen.version}", told, ""


@cache
def _made(name: str) -> Scorer:
    return scorer(name)
