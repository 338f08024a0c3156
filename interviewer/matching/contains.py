"""Does an utterance contain the planned question? Yes, no, or unconfirmed where words alone cannot tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from heapq import nlargest
from pathlib import Path
from typing import Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from interviewer.errors import MatchError
from interviewer.matching.contains_clash import clash
from interviewer.matching.contains_features import HEADS, NAMES, Planned, Window, candidates, measured, planned, shared
from interviewer.matching.contains_length import LONGEST, MOST_PLACES, within
from interviewer.matching.logistic import Logistic
from interviewer.matching.scorer import Scores
from interviewer.matching.text import sentences
from interviewer.matching.thresholds import load
from interviewer.matching.tokens import FUNCTION_WORDS, tokens
from interviewer.settings import MatchSettings

COEFFICIENTS = Path(__file__).parent / "data" / "contains.json"
BAND = "contains"
"""The name of the stored threshold: yes above `value`, no below `low`."""

Verdict = Literal["yes", "unconfirmed", "no"]
Ranked = tuple[float, Window, tuple[float, ...]]
"""A score, where in the utterance, and the features it is made of."""

_LONG = f"the planned text is longer than {LONGEST} words: only its last question was compared"
_HARDLY = 0.35
_NEAR = 0.5
_FEW = 4
_ENGLISH = frozenset(FUNCTION_WORDS) | frozenset("what how why when where who which not about tell me".split())
_ENGLISH_SHARE = 0.15
_SCRIPT_SHARE = 0.25
_LATIN = 0x024F  # the last letter of Latin Extended-B
_AT = {name: place for place, name in enumerate(NAMES)}


class Coefficients(BaseModel):
    """The two regressions, and what they were fitted to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    fitted: str
    corpus: str
    prevalence: float = Field(gt=0, lt=1)
    asked: Logistic
    same: Logistic

    @classmethod
    def load(cls, path: Path = COEFFICIENTS) -> Self:
        """From a JSON file. Raises MatchError naming it if it cannot be read."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            raise MatchError(f"{path} holds no coefficients of contains: {error}") from None

    def save(self, path: Path = COEFFICIENTS) -> None:
        """To a JSON file."""
        path.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found. `score`: 0 to 1, NaN where there is nothing to compare.

    `reason`: of a verdict that is not yes, or what was left out of the comparison.
    `sentence`: which sentence of the utterance, counted from 0, asks it if any does; -1 if there is none.
    """

    score: float
    verdict: Verdict
    reason: str = ""
    sentence: int = -1


class Contains:
    """Two logistic regressions of named features (see `contains_features`); their product is the score.

    The first says whether the utterance asks something like the planned question: what of it is there, with synonyms
    from a table, how much else, whether it asks at all. The second whether it is that question or one that only
    looks so: another time, person, polarity, question word. Needs no model; English.
    What no score shows, a verdict of yes is kept from by a named clash (see `contains_clash`).
    """

    name = "contains"

    def __init__(self, coefficients: Coefficients | None = None) -> None:
        given = coefficients or _coefficients()
        self.version = given.version
        self._heads = tuple(_weights(head, part) for head, part in (("asked", given.asked), ("same", given.same)))

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Scores:
        """Scores of planned questions `rows` in utterances `columns`, by row; NaN without words."""
        scores = [[self.best(row, split(column)) for column in columns] for row in rows]
        return np.array(scores, dtype=np.float64).reshape(len(rows), len(columns))

    def best(self, text: str, spoken: tuple[str, ...]) -> float:
        """The highest score of a planned question over the sentences `spoken`; NaN if nothing can be compared."""
        return max((score for score, _, _ in self.ranked(text, spoken)), default=math.nan)

    def ranked(self, text: str, spoken: tuple[str, ...]) -> list[Ranked]:
        """The score, place and features of each place in the sentences `spoken`, best first; none if unreadable."""
        if _unreadable(text, "") or _unreadable(" ".join(spoken), ""):
            return []
        wanted = planned(text)
        places = list(enumerate(candidates(wanted, spoken)))
        if len(places) > MOST_PLACES:
            places = nlargest(MOST_PLACES, places, key=lambda one: shared(wanted, one[1]))
        found = [(self.probability(values := measured(text, spoken, at)), one, values) for at, one in places]
        return sorted(found, key=lambda one: -one[0])

    def scan(self, text: str, spoken: tuple[str, ...], least: float = 0.0) -> dict[int, float]:
        """The score of each sentence that asks, by its place; none of those that hold no more of it than `least`."""
        wanted = planned(text)
        found: dict[int, float] = {}
        for at, window in enumerate(candidates(wanted, spoken)):
            if shared(wanted, window) > least:
                score = self.probability(measured(text, spoken, at))
                found[window.last] = max(score, found.get(window.last, 0.0))
        return found

    def probability(self, values: Sequence[float]) -> float:
        """The score of features in the order of NAMES."""
        score = 1.0
        for intercept, parts in self._heads:
            score /= 1.0 + math.exp(-(intercept + math.fsum(weight * values[at] for at, weight in parts)))
        return score


def split(utterance: str) -> tuple[str, ...]:
    """The sentences of an utterance."""
    return tuple(span.text for span in sentences(utterance))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A scorer with its grey band. `yes`: a score above it contains the question; `no`: one below it may not."""

    scorer: Contains
    yes: float
    no: float

    @classmethod
    def stored(cls, name: str = BAND, folder: Path | None = None) -> Self:
        """By the name of a stored threshold. Raises SettingsError if there is none, or it is another scorer's."""
        scorer, band = contains(), load(name, folder)
        return cls(scorer, band.for_(scorer), band.low)

    @classmethod
    def of(cls, given: MatchSettings, folder: Path | None = None) -> Self:
        """By the numbers that a call's settings hold, else by the stored threshold they name. Raises SettingsError."""
        if given.grey_band is None:
            return cls.stored(str(given.contains), folder)
        return cls(contains(), given.grey_band[1], given.grey_band[0])

    def find(self, text: str, utterance: str) -> Finding:
        """Whether `utterance` contains the planned question `text`."""
        return self.find_in(text, split(utterance))

    def find_in(self, text: str, spoken: tuple[str, ...]) -> Finding:
        """The same of an utterance that is cut into sentences already."""
        found = self._find(text, spoken)
        if within(text) == text:
            return found
        return replace(found, reason="; ".join(filter(None, (found.reason, _LONG))))

    def _find(self, text: str, spoken: tuple[str, ...]) -> Finding:
        if trouble := _unreadable(text, "the planned question") or _unreadable(" ".join(spoken), "the utterance"):
            return Finding(math.nan, "unconfirmed", trouble)
        found = self.scorer.ranked(text, spoken)
        if not found:
            return Finding(math.nan, "unconfirmed", "nothing to compare")
        score, window, values = found[0]
        at = window.last
        if score > self.yes:
            return self._near(planned(text), found, spoken)
        foreign = _foreign(text, "the planned question") or _foreign(" ".join(spoken), "the utterance")
        if values[_AT["statement"]] and not foreign:
            return Finding(score, "no", "it asks nothing", at)
        if foreign or score >= self.no:
            return Finding(score, "unconfirmed", foreign or _between(values), at)
        if values[_AT["cut"]]:
            return Finding(score, "unconfirmed", "it breaks off", at)
        if values[_AT["whole"]] < _HARDLY or values[_AT["literal"]] < _NEAR:
            return Finding(score, "unconfirmed", "hardly the same words: it may be a paraphrase", at)
        return Finding(score, "no", "the wording is near, but it asks for something else", at)

    def _near(self, wanted: Planned, found: list[Ranked], spoken: tuple[str, ...]) -> Finding:
        """Yes at the best place where nothing clashes; else unconfirmed, with what clashes at the best of all."""
        reasons = []
        for score, window, _ in found:
            if score <= self.yes:
                break
            reasons.append(clash(wanted, window, spoken))
            if not reasons[-1]:
                return Finding(score, "yes", "", window.last)
        return Finding(found[0][0], "unconfirmed", reasons[0], found[0][1].last)


@cache
def contains() -> Contains:
    """The one scorer with the committed coefficients."""
    return Contains()


@cache
def _coefficients() -> Coefficients:
    return Coefficients.load()


def _weights(head: str, part: Logistic) -> tuple[float, tuple[tuple[int, float], ...]]:
    """A regression as an intercept and weights of plain values: quicker than by arrays for one pair."""
    missing = set(part.features) - set(HEADS[head])
    if missing:
        raise MatchError(f"the coefficients of {head} need features that are not there: {', '.join(sorted(missing))}")
    parts = tuple((_AT[name], one.weight / one.scale) for name, one in part.features.items())
    shift = math.fsum(one.weight * one.mean / one.scale for one in part.features.values())
    return part.intercept - shift, parts


def _unreadable(text: str, what: str) -> str:
    found = tokens(text)
    if not text.strip():
        return f"{what} is empty"
    if not found:
        return f"{what} holds no words"
    return f"{what} is one word" if len(found) == 1 else ""


@lru_cache(maxsize=4_096)
def _foreign(text: str, what: str) -> str:
    """Why the tables of English words cannot tell, or ""."""
    found = tokens(text)
    if sum(any(ord(letter) > _LATIN for letter in word) for word in found) > _SCRIPT_SHARE * len(found):
        return f"{what} is wholly or partly in another script"
    known = sum(word in _ENGLISH for word in found)
    return f"{what} seems not to be English" if len(found) >= _FEW and known < _ENGLISH_SHARE * len(found) else ""


def _between(values: tuple[float, ...]) -> str:
    if values[_AT["cut"]]:
        return "it breaks off"
    if values[_AT["joints"]]:
        return "a part of the planned question may be missing"
    return "near, but not sure"
