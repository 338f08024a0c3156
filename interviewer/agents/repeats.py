"""The repeat guard of the agents: how much of a question was asked before, sentence by sentence."""

from collections.abc import Iterable, Sequence

import numpy as np

from interviewer.matching.jaccard import Jaccard
from interviewer.matching.text import sentences

_JACCARD = Jaccard()


def overlap(text: str, earlier: Sequence[str]) -> list[float]:
    """Word-set Jaccard of `text` with each earlier text, 0 to 1; 0 where there is no content word to compare."""
    scores: list[float] = np.nan_to_num(_JACCARD.matrix([text], earlier)[0]).tolist()
    return scores


def pieces(texts: Iterable[str]) -> list[str]:
    """All sentences of `texts`, each once, in order."""
    return list(dict.fromkeys(span.text for text in texts for span in sentences(text)))


def closest(text: str, earlier: Sequence[str]) -> float:
    """The highest overlap of any sentence of `text` with any of the sentences `earlier`; 0 if there are none."""
    return max((score for part in pieces([text]) for score in overlap(part, earlier)), default=0.0)
