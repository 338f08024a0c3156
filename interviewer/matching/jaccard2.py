"""The word-set Jaccard without the faults of the baseline."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from interviewer.matching import sparse
from interviewer.matching.tokens import content


class Jaccard2:
    """Shared tokens over all tokens of two texts, after `tokens.content`.

    Question words, negations and short words count; contractions, plurals, -ing and -ed do not part words; scripts
    without spaces are compared by pairs of characters. A text of which nothing is left (emoji, punctuation, "and
    you?") is unknown with every other: NaN. Of long turns it sees the words of the whole turn: compare sentences.
    """

    name = "jaccard2"
    version = "1"

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Scores in [0, 1], shape (len(rows), len(columns)); NaN where a text has no token."""
        first = sparse.sets(rows, _ids)
        second = first if columns is rows else sparse.sets(columns, _ids)
        scores = sparse.jaccard(first, second)
        scores[first.sizes == 0] = np.nan
        scores[:, second.sizes == 0] = np.nan
        return scores


@lru_cache(maxsize=65_536)
def _ids(text: str) -> NDArray[np.int64]:
    return sparse.ids(content(text))
