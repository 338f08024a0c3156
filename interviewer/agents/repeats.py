"""How much of a question was asked before in the same words, sentence by sentence."""

import math
from collections.abc import Iterable, Sequence

from interviewer.matching.jaccard import Jaccard
from interviewer.matching.text import sentences, words

_JACCARD = Jaccard()

WORDS = f"{Jaccard.name}/{Jaccard.version}"
"""Name and version of the scorer that `closest` goes by."""


def overlap(text: str, earlier: Sequence[str]) -> list[float]:
    """Word-set Jaccard of `text` with each earlier text, 0 to 1; 1 or 0 by equality where neither has content words."""
    scores = _JACCARD.matrix([text], earlier)[0].tolist()
    return [
        score if not math.isnan(score) else float(words(text) == words(other))
        for score, other in zip(scores, earlier, strict=True)
    ]


def pieces(texts: Iterable[str]) -> list[str]:
    """All sentences of `texts`, each once, in order."""
    return list(dict.fromkeys(span.text for text in texts for span in sentences(text)))


def closest(text: str, earlier: Sequence[str]) -> float:
    """The highest overlap of any sentence of `text` with any of the sentences `earlier`; 0 if there are none."""
    return max((score for part in pieces([text]) for score in overlap(part, earlier)), default=0.0)
