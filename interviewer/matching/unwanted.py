"""The second step: of two questions that ask for the same, was the second an unwanted repeat or a deliberate return."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from interviewer.errors import MatchError
from interviewer.matching.course import COURSE, course
from interviewer.matching.form import closing, form, narrows, refers_back
from interviewer.matching.logistic import Logistic
from interviewer.matching.pairs import Pair
from interviewer.matching.scorer import Scores

COEFFICIENTS = Path(__file__).parent / "data" / "unwanted.json"
FEATURES = ("asked", "told", "taken_up", "puzzled", "narrows", "back", "closed")

STANDING = 0.01
"""Of a question that closes a talk, asked where another one was: by its nature a standing one, not a repeat."""


class Coefficients(BaseModel):
    """What the step was fitted to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    fitted: str
    corpus: str
    model: Logistic

    @classmethod
    def load(cls, path: Path = COEFFICIENTS) -> Self:
        """From a JSON file. Raises MatchError naming it if it cannot be read."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            raise MatchError(f"{path} holds no coefficients of the step unwanted: {error}") from None

    def save(self, path: Path = COEFFICIENTS) -> None:
        """To a JSON file."""
        path.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")


class Unwanted:
    """Probability that a question which asks for the same again is unwanted, by what lies between.

    Say first, by another scorer, whether two questions ask for the same: this one takes it as given. Unwanted are those
    that come after other questions and a full answer; deliberate those that narrow, refer back, turn an open question
    into a closed one or take up the answer, and standing closing questions ("anything else?"). Without context it
    cannot tell: NaN. The probability is that of real interviews, where 9 of 139 were unwanted.
    """

    name = "unwanted"

    def __init__(self, coefficients: Coefficients | None = None) -> None:
        self._coefficients = coefficients or Coefficients.load()
        self.version = self._coefficients.version

    def pairs(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities, shape (len(pairs),); NaN where a pair has no context or no words."""
        values = features(pairs)
        scores = self._coefficients.model.probability(FEATURES, values)
        standing = np.array([closing(pair.q1) and closing(pair.q2) for pair in pairs], dtype=np.bool_)
        return np.where(np.isnan(values).any(axis=1), np.nan, np.where(standing, STANDING, scores))

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """NaN everywhere, shape (len(rows), len(columns)): words alone do not tell."""
        return np.full((len(rows), len(columns)), np.nan)


def features(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """The columns FEATURES, shape (pairs, 7); NaN for a pair without context or words. See `features.Features`."""
    values = np.full((len(pairs), len(FEATURES)), np.nan)
    for at, pair in enumerate(pairs):
        if pair.context is not None and pair.q1.strip() and pair.q2.strip():
            around = pair.context
            between = dict(zip(COURSE, course(pair, around), strict=True))
            led = around.before2 if around.distance else ""
            between["narrows"] = float(narrows(pair.q2))
            between["back"] = float(refers_back(f"{led} {pair.q2}"))
            between["closed"] = float((form(pair.q1) == "closed") != (form(pair.q2) == "closed"))
            values[at] = [between[name] for name in FEATURES]
    return values
