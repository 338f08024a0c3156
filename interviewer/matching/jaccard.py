"""The word-set Jaccard of the essays: the named baseline."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from interviewer.matching.text import content_words


class Jaccard:
    """Shared content words over all content words of two texts (Jaccard 1901; essay: The question ledger).

    Lower case, punctuation and stop words off, word order and counts ignored. Known faults, kept because this is
    the baseline: paraphrases that share no word score 0, and two questions about the same noun score high
    whatever they ask of it. Two texts without any content word cannot be told apart: NaN.
    """

    name = "jaccard"
    version = "1"

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Scores in [0, 1], shape (len(rows), len(columns)); NaN where neither text has a content word."""
        sets = [content_words(text) for text in columns]
        scores = [[_jaccard(content_words(text), other) for other in sets] for text in rows]
        return np.array(scores, dtype=np.float64).reshape(len(rows), len(columns))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    union = len(a | b)
    return len(a & b) / union if union else float("nan")
