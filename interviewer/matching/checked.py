"""What a scorer gives, checked: scorers come from other packages too."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from interviewer.errors import InterviewerError, MatchError

if TYPE_CHECKING:
    from interviewer.matching.scorer import Scorer, Scores


def matrix(scorer: "Scorer", rows: Sequence[str], columns: Sequence[str]) -> "Scores":
    """The scores of every row with every column. Raises MatchError naming a scorer that fails or gives none."""
    return scores(scorer, lambda: scorer.matrix(rows, columns), (len(rows), len(columns)))


def scores(scorer: "Scorer", give: Callable[[], object], shape: tuple[int, ...]) -> "Scores":
    """What `give` gives: numbers of this shape, none of them infinite. Raises MatchError naming the scorer."""
    try:
        given = give()
    except InterviewerError:
        raise
    except Exception as error:  # another package's code may raise anything
        raise MatchError(f"the scorer {scorer.name} failed: {type(error).__name__}: {error}") from error
    if not isinstance(given, np.ndarray) or given.dtype.kind not in "fiub" or given.shape != shape:
        what = f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else type(given).__name__
        raise MatchError(f"the scorer {scorer.name} gave {what}; it must give an array of numbers of shape {shape}")
    if np.isinf(given).any():
        raise MatchError(f"the scorer {scorer.name} gave an infinite score; what it cannot tell must be NaN")
    return given.astype(np.float64, copy=False)
