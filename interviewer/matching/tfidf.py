"""Cosine of words and their character n-grams, each weighed by how rare the word is."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from interviewer.matching import sparse
from interviewer.matching.sparse import Floats, Ids
from interviewer.matching.tokens import tokens

TABLE = Path(__file__).parent / "data" / "idf.json"
_GRAM = 3


class Rarity:
    """How rare words are: log of texts over texts with the word (Sparck Jones 1972), both counted plus one.

    `counts`: in how many of `texts` texts each word occurs. A word that is not there counts as the rarest that is.
    """

    def __init__(self, counts: Mapping[str, int], texts: int) -> None:
        self._idf = {word: math.log((1 + texts) / (1 + count)) for word, count in counts.items()}
        self.highest = max(self._idf.values(), default=1.0)

    def of(self, word: str) -> float:
        """Idf of a token in natural logarithms, from 0 (in every text) upwards."""
        return self._idf.get(word, self.highest)

    def each(self, words: Iterable[str]) -> list[float]:
        """That of every one of some tokens, in their order."""
        known, highest = self._idf.get, self.highest
        return [known(word, highest) for word in words]

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> "Rarity":
        """Counted in `texts`."""
        held = [set(tokens(text)) for text in texts]
        return cls(Counter(word for words in held for word in words), len(held))


@cache
def rarity() -> Rarity:
    """Counted in the sentences of the interviews that the committed table names."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    return Rarity(table["counts"], table["texts"])


class Tfidf:
    """Words and their 3-grams (with word ends), weighed by (1 + log count) * idf of the word; cosine.

    Each word's n-grams together weigh as much as the word, so that "transferring" meets "transferred" half way. The
    idf comes from the committed table of interview speech, or is counted in `study`: scores of two studies are then
    not comparable. A text without words is unknown: NaN.
    """

    name = "tfidf"

    def __init__(self, study: Iterable[str] | None = None) -> None:
        rare = rarity() if study is None else Rarity.from_texts(study)
        self.version = "1" if study is None else "1/study"
        bag = lru_cache(maxsize=65_536)(lambda text: _bag(text, rare))
        self._both = sparse.kept(lambda texts: sparse.bags(texts, bag))

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Scores in [0, 1], shape (len(rows), len(columns)); NaN where a text has no word that weighs anything."""
        first, second = self._both(rows, columns)
        scores = np.clip(sparse.dot(first, second), 0.0, 1.0)
        scores[first.sizes == 0] = np.nan
        scores[:, second.sizes == 0] = np.nan
        return scores


def _bag(text: str, rare: Rarity) -> tuple[Ids, Floats]:
    weights: dict[str, float] = {}
    for word, count in Counter(tokens(text)).items():
        weight = (1 + math.log(count)) * rare.of(word)
        grams = _grams(word)
        length = math.sqrt(sum(times * times for times in grams.values()))
        weights[word] = weights.get(word, 0.0) + weight
        for gram, times in grams.items():
            weights[gram] = weights.get(gram, 0.0) + weight * times / length
    norm = math.sqrt(sum(weight * weight for weight in weights.values()))
    if not norm:
        return np.zeros(0, np.int64), np.zeros(0)
    numbers = np.array([sparse.feature_id(name) for name in weights], np.int64)
    order = np.argsort(numbers)  # one order whatever the text's: sums then agree to the last bit
    return numbers[order], (np.array(list(weights.values())) / norm)[order]


def _grams(word: str) -> Counter[str]:
    """The n-grams of `<word>`; the space before each keeps them apart from words."""
    marked = f"<{word}>"
    return (
        Counter(f" {marked[at : at + _GRAM]}" for at in range(len(marked) - _GRAM + 1)) if len(word) > 1 else Counter()
    )
