"""A calibrated combination of named features: how probable it is that two questions ask for the same."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from interviewer.errors import MatchError
from interviewer.matching.either import Either
from interviewer.matching.features import Features, Table
from interviewer.matching.pairs import Pair
from interviewer.matching.scorer import Scores

COEFFICIENTS = Path(__file__).parent / "data" / "mix.json"

Case = Literal["text", "study", "context", "text by words", "context by words"]
CASES: tuple[Case, ...] = get_args(Case)
_BY_TFIDF = frozenset({"tfidf"})
_BY_WORDS: dict[Case, Case] = {"text": "text by words", "study": "text by words", "context": "context by words"}


class Coefficients(BaseModel):
    """What a mix was fitted to, by what is known of a pair.

    text: two texts from anywhere; study: from one study, whose mean question is known; context: with what surrounds
    them. The cases "by words" serve where there is no vector: without the model, or for a text it cannot read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    fitted: str
    corpus: str
    prevalence: float
    model: str
    cases: dict[Case, Either]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if missing := [case for case in CASES if case not in self.cases]:
            raise ValueError(f"no coefficients for {', '.join(missing)}")
        return self

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

    Sentence by sentence, with the context of a pair where it has one; see `features.Features` for the parts. Two
    reasons are enough, each alone: the first question is *returned* to (soon, not or hardly answered, of like words),
    or it is *repeated* (wherever, and very alike in meaning). A model of the words alone has a share of a quarter in
    one that reads the context. Questions that only point at something ("why is
    that?") are unknown, NaN, unless what they point at agrees.

    `study`: questions of the study, for centring; without it `observe` moves the mean along. Without the extra
    `minilm` it goes by words alone: its version ends in "/words", and `missing` says why.
    """

    name = "mix"

    def __init__(
        self, study: Iterable[str] | None = None, coefficients: Coefficients | None = None, folder: Path | None = None
    ) -> None:
        self._coefficients = coefficients or Coefficients.load()
        self._folder = folder
        self._placed = study is not None
        self.features = Features(study, folder)
        centred = self.features.centred
        self.version = f"{self._coefficients.version}/{centred.version if centred else 'words'}"

    @classmethod
    def load(cls, path: Path = COEFFICIENTS, study: Iterable[str] | None = None) -> Self:
        """With the coefficients of a file. Raises MatchError naming the file."""
        return cls(study, Coefficients.load(path))

    @property
    def missing(self) -> str:
        """Why it goes by words alone; "" if it does not."""
        return self.features.missing

    def of_study(self, questions: Sequence[str]) -> "Mix":
        """The same for pairs of the study that asks these questions; itself if they are too few."""
        centred = self.features.centred
        if centred is None or centred.of_study(questions) is centred:
            return self
        return Mix(questions, self._coefficients, self._folder)

    def observe(self, *texts: str) -> None:
        """These questions were asked, so pairs are of one interview from now on: see `Centred.observe`."""
        self._placed = True
        if self.features.centred is not None:
            self.features.centred.observe(*texts)

    def pairs(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities, shape (len(pairs),); NaN where it cannot tell."""
        alone: Case = "study" if self._placed else "text"
        cases = np.array(["context" if pair.context is not None else alone for pair in pairs], dtype=np.object_)
        table = self.features(pairs, self._wanted(set(cases)))
        read = ~np.isnan(table.column("minilm"))
        scores = np.full(len(pairs), np.nan)
        for case in set(cases):
            here = cases == case
            self._fill(scores, table, here & read, case)
            self._fill(scores, table, here & ~read, _BY_WORDS[case])
        return np.where(table.known, scores, np.nan)

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities by the words alone, rows being the earlier questions; shape (len(rows), len(columns))."""
        scores = np.full((len(rows), len(columns)), np.nan)
        left = np.ones(scores.shape, dtype=np.bool_)
        words = self._coefficients.cases["text by words"]
        if self.missing and words.features == _BY_TFIDF:  # at once: a call compares each question with all earlier ones
            likeness, whole = self.features.by_words(rows, columns)
            known = whole & ~np.isnan(likeness)
            scores[known] = words.probability(tuple(_BY_TFIDF), likeness[known][:, None])
            left = ~whole
        if left.any():
            scores[left] = self.pairs([Pair(rows[row], columns[column]) for row, column in np.argwhere(left)])
        return scores

    def _wanted(self, cases: set[Case]) -> frozenset[str]:
        models = [self._coefficients.cases[each] for case in cases for each in (case, _BY_WORDS[case])]
        return frozenset(name for model in models for name in model.features)

    def _fill(self, scores: Scores, table: Table, here: NDArray[np.bool_], case: Case) -> None:
        if here.any():
            scores[here] = self._coefficients.cases[case].probability(table.names, table.values[here])
