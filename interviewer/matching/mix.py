"""A calibrated combination of named features: how probable it is that two questions ask for the same."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from interviewer.errors import MatchError
from interviewer.matching.features import Features
from interviewer.matching.logistic import Logistic
from interviewer.matching.pairs import Pair
from interviewer.matching.scorer import Scores

COEFFICIENTS = Path(__file__).parent / "data" / "mix.json"


class Coefficients(BaseModel):
    """What a mix was fitted to. `text` serves pairs without context, `context`, if there, those with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    fitted: str
    corpus: str
    prevalence: float
    model: str
    text: Logistic
    context: Logistic | None = None

    @classmethod
    def load(cls, path: Path = COEFFICIENTS) -> Self:
        """From a JSON file. Raises MatchError naming it if it cannot be read."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            raise MatchError(f"{path} holds no coefficients of a mix: {error}") from None

    def save(self, path: Path = COEFFICIENTS) -> None:
        """To a JSON file."""
        path.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")


class Mix:
    """Probability that two questions ask for the same information, at the prevalence it was fitted at.

    Sentence by sentence, with the context of a pair where it has one; see `features.Features` for the parts.
    Questions that only point at something ("why is that?") are unknown, NaN, unless what they point at agrees.
    `study`: questions of the study, for centring; without it `observe` moves the mean along.
    """

    name = "mix"

    def __init__(
        self, study: Iterable[str] | None = None, coefficients: Coefficients | None = None, folder: Path | None = None
    ) -> None:
        self._coefficients = coefficients or Coefficients.load()
        self.features = Features(study, folder)
        self.version = f"{self._coefficients.version}/{self.features.centred.version}"

    @classmethod
    def load(cls, path: Path = COEFFICIENTS, study: Iterable[str] | None = None) -> Self:
        """With the coefficients of a file. Raises MatchError naming the file."""
        return cls(study, Coefficients.load(path))

    def observe(self, *texts: str) -> None:
        """These questions were asked: see `Centred.observe`."""
        self.features.centred.observe(*texts)

    def pairs(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities, shape (len(pairs),); NaN where it cannot tell."""
        table = self.features(pairs)
        scores = self._coefficients.text.probability(table.names, table.values)
        if (with_context := self._coefficients.context) is not None:
            has = np.array([pair.context is not None for pair in pairs], dtype=np.bool_)
            scores[has] = with_context.probability(table.names, table.values[has])
        return np.where(table.known, scores, np.nan)

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities by the words alone, rows being the earlier questions; shape (len(rows), len(columns))."""
        scores = self.pairs([Pair(row, column) for row in rows for column in columns])
        return scores.reshape(len(rows), len(columns))
