"""Cosine of sentence vectors, and the same without what all questions of a study have in common."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import MatchError
from interviewer.matching.encoder import Vectors, encoder

MEAN = Path(__file__).parent / "data" / "mean.json"

# So many observed questions weigh as much as the mean question of other studies.
_PRIOR = 20
# With fewer questions a study's own mean says less than that of other studies.
_LEAST = 20


class MiniLM:
    """Cosine of all-MiniLM-L6-v2 vectors (Wang et al. 2020; sentence-transformers): the extra `minilm`.

    Finds the topic rather than the question. `folder`: other files, see `weights`. Raises ModelMissing or
    ModelChanged when made.
    """

    name = "minilm"

    def __init__(self, folder: Path | None = None) -> None:
        self._encoder = encoder(folder)
        self.version = f"1/{self._encoder.version}"

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Scores in [-1, 1], shape (len(rows), len(columns)); NaN where the model cannot read a text."""
        return _cosines(self._encoder.vectors(rows), self._encoder.vectors(columns))


class Centred:
    """MiniLM minus the mean vector of a study's questions: what is left is what a question asks for itself.

    With `study`, texts of questions, the mean is theirs and stays. Without, it is that of the committed table, and
    `observe` moves it towards the questions of this interview as they come: never a later one (causal). The two
    kinds of scores have versions of their own.
    """

    name = "centred"

    def __init__(self, study: Iterable[str] | None = None, folder: Path | None = None) -> None:
        self._encoder = encoder(folder)
        self._folder = folder
        self._fixed = study is not None
        self.version = f"1/{'study' if self._fixed else 'running'}/{self._encoder.version}"
        self._sum, self._count = (self._prior(), _PRIOR) if study is None else self._total(list(study))

    def of_study(self, questions: Sequence[str]) -> "Centred":
        """One with the mean of these questions; itself if the model can read fewer than 20 of them."""
        readable = ~np.isnan(self._encoder.vectors(questions)).any(axis=1)
        return self if readable.sum() < _LEAST else Centred(questions, self._folder)

    def observe(self, *texts: str) -> None:
        """These questions were asked; from now on they count towards the mean. What cannot be read does not."""
        if self._fixed:
            raise MatchError("the mean of a given study is fixed: make Centred() without one to let it run")
        total, count = self._total(texts, least=0)
        self._sum, self._count = self._sum + total, self._count + count

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Scores in [-1, 1], shape (len(rows), len(columns)); NaN where the model cannot read a text."""
        mean = self._sum / self._count
        return _cosines(_unit(self._encoder.vectors(rows) - mean), _unit(self._encoder.vectors(columns) - mean))

    def _total(self, texts: Sequence[str], least: int = 2) -> tuple[Vectors, int]:
        vectors = self._encoder.vectors(texts)
        vectors = vectors[~np.isnan(vectors).any(axis=1)]
        if len(vectors) < least:
            raise MatchError(f"a study's mean needs {least} or more questions the model can read, got {len(vectors)}")
        return vectors.sum(axis=0), len(vectors)

    def _prior(self) -> Vectors:
        mean, version = _mean()
        if version != self._encoder.version:
            raise MatchError(
                f"the committed mean was made with the model {version}, not {self._encoder.version}; "
                "give Centred the questions of your study"
            )
        return mean * _PRIOR


@cache
def _mean() -> tuple[Vectors, str]:
    table = json.loads(MEAN.read_text(encoding="utf-8"))
    return np.array(table["mean"], dtype=np.float64), str(table["model"])


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # 0 / 0: a text that is the mean itself
        return vectors / np.where(lengths > 1e-9, lengths, 0.0)


def _cosines(first: Vectors, second: Vectors) -> NDArray[np.float64]:
    cosines: NDArray[np.float64] = np.clip(first @ second.T, -1.0, 1.0)
    return cosines
