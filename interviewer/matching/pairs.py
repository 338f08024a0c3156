"""Pairs of questions, with what surrounds them in their interview."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import MatchError
from interviewer.matching import checked
from interviewer.matching.scorer import Scorer, Scores
from interviewer.matching.text import sentences

INTERVIEWER = "interviewer"
_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds the two questions of a pair.

    `distance`: turns from the first question's to the second's, 0 if one turn asks both. `before1`, `before2`: what
    leads to each question in its own turn, else the turn before. `between`: (role, text) of the turns in between.
    """

    distance: int
    before1: str = ""
    before2: str = ""
    between: tuple[tuple[str, str], ...] = ()

    @property
    def answer(self) -> str:
        """What the guest said after the first question, up to the interviewer's next turn."""
        spoken = takewhile(lambda turn: turn[0] != INTERVIEWER, self.between)
        return " ".join(text for _, text in spoken)

    @property
    def guest(self) -> str:
        """All that the guest said in between."""
        return " ".join(text for role, text in self.between if role != INTERVIEWER)


@dataclass(frozen=True, slots=True)
class Pair:
    """An earlier question and a later one; without `context` they are compared by their words alone."""

    q1: str
    q2: str
    context: Context | None = None


@runtime_checkable
class PairScorer(Protocol):
    """A scorer that reads the context of a pair."""

    def pairs(self, pairs: Sequence[Pair]) -> Scores:
        """Scores, shape (len(pairs),); NaN where it cannot tell."""


def score_pairs(scorer: Scorer, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """A score for each pair, shape (len(pairs),); NaN where the scorer cannot tell. Context counts if it reads it."""
    if isinstance(scorer, PairScorer):
        return checked.scores(scorer, lambda: scorer.pairs(pairs), (len(pairs),))
    return aligned(scorer, [pair.q1 for pair in pairs], [pair.q2 for pair in pairs])


def aligned(scorer: Scorer, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float64]:
    """The scores of first[k] with second[k], shape (len(first),)."""
    scores = np.full(len(first), np.nan)
    for start in range(0, len(first), _AT_ONCE):
        here = slice(start, start + _AT_ONCE)
        rows, columns = _places(first[here]), _places(second[here])
        matrix = checked.matrix(scorer, list(rows), list(columns))
        at = [rows[text] for text in first[here]], [columns[text] for text in second[here]]
        scores[here] = matrix[at]
    return scores


def _places(texts: Sequence[str]) -> dict[str, int]:
    return {text: at for at, text in enumerate(dict.fromkeys(texts))}


def context(turns: Sequence[tuple[str, str]], at1: int, q1: str, at2: int, q2: str) -> Context:
    """The context of question `q1` of turn `at1` and `q2` of turn `at2`, counted from 0.

    `turns`: (role, text) of the interview in order; the role "interviewer" asks. A question that is not in its turn
    word for word has the turn before it. Raises MatchError if a turn is not there or they are in the wrong order.
    """
    if not 0 <= at1 <= at2 < len(turns):
        raise MatchError(f"turns {at1} and {at2}: the first must not come after the second, and there are {len(turns)}")
    return Context(
        distance=at2 - at1,
        before1=_before(turns, at1, q1),
        before2=_before(turns, at2, q2),
        between=tuple(turns[at1 + 1 : at2]),
    )


def _before(turns: Sequence[tuple[str, str]], at: int, question: str) -> str:
    text = turns[at][1]
    lead = text[: text.find(question)].strip() if question in text else ""
    return lead if sentences(lead) else (turns[at - 1][1] if at else "")
