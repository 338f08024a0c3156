"""How much of a question was asked before in the same words, sentence by sentence."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from interviewer.matching.jaccard import Jaccard
from interviewer.matching.text import content_words, sentences, words

WORDS = f"{Jaccard.name}/{Jaccard.version}"
"""Name and version of the scorer that `closest` goes by."""


def overlap(text: str, earlier: Sequence[str]) -> list[float]:
    """Word-set Jaccard of `text` with each earlier text, 0 to 1; 1 or 0 by equality where neither has content words."""
    own = content_words(text)
    found: list[float] = []
    for other in earlier:
        its = content_words(other)
        if own.isdisjoint(its):  # as most are
            found.append(0.0 if own or its else float(words(text) == words(other)))
        else:
            shared = len(own & its)
            found.append(shared / (len(own) + len(its) - shared))
    return found


def pieces(texts: Iterable[str]) -> list[str]:
    """All sentences of `texts`, each once, in order."""
    return list(dict.fromkeys(span.text for text in texts for span in sentences(text)))


def closest(text: str, earlier: Sequence[str]) -> float:
    """The highest overlap of any sentence of `text` with any of the sentences `earlier`; 0 if there are none."""
    return max(nearness(text, earlier), default=0.0)


def nearness(text: str, earlier: Sequence[str]) -> list[float]:
    """For each of the sentences `earlier`, the highest overlap with any sentence of `text`; 0 if that has none."""
    parts = [overlap(part, earlier) for part in _pieces(text)]
    if len(parts) == 1:
        return parts[0]
    return [max(scores) for scores in zip(*parts, strict=True)] if parts else [0.0] * len(earlier)


@lru_cache(maxsize=16_384)
def _pieces(text: str) -> tuple[str, ...]:
    """The sentences of one text: each is compared with everything that was heard."""
    return tuple(pieces([text]))
