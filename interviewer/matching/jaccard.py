"""The word-set Jaccard of the essays: the named baseline."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from interviewer.matching import sparse
from interviewer.matching.text import content_words

# Below so many pairs the sets themselves are quicker than arrays; measured, the scores are the same.
_FEW = 128


class Jaccard:
    """Shared content words over all content words of two texts (Jaccard 1901; essay: The question ledger).

    The rule: lower case, punctuation and stop words (`text.STOP_WORDS`) off, then the Jaccard index of the two sets of
    words; at .35 and above it recovers a question's id. Word order, counts and length do not matter: words of one or
    two letters ("AI", "UX") count as any other. The first code for the rule dropped them, a fault that is not kept.

    Known faults, kept because this is
    the baseline: paraphrases that share no word score 0, and two questions about the same noun score high
    whatever they ask of it; so does a text without any content word against one that has some. Languages written
    without spaces are one long word, and vowel signs cut words in two. Two texts without any content word cannot
    be told apart: NaN. Who scores questions leaves those out that it does not read: see `reads`.
    """

    name = "jaccard"
    version = "1"

    def reads(self, text: str) -> bool:
        """Whether a content word is left; of "Why?" none is, so its 0 against another text says nothing."""
        return bool(content_words(text))

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Scores in [0, 1], shape (len(rows), len(columns)); NaN where neither text has a content word."""
        if len(rows) * len(columns) > _FEW:
            return sparse.jaccard(sparse.sets(rows, _ids), sparse.sets(columns, _ids))
        others = [content_words(text) for text in columns]
        scores = [[_jaccard(content_words(text), other) for other in others] for text in rows]
        return np.array(scores, dtype=np.float64).reshape(len(rows), len(columns))


@lru_cache(maxsize=65_536)
def _ids(text: str) -> NDArray[np.int64]:
    return sparse.ids(content_words(text))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    union = len(a | b)
    return len(a & b) / union if union else float("nan")
