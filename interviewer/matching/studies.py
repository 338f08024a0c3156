"""Scores of pairs from several studies, each compared with what its own study asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interviewer.matching.pairs import Pair, score_pairs
from interviewer.matching.scorer import Scorer, Scores, StudyScorer, WordScorer

_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class StudyScores:
    """`scores` of shape (pairs,), NaN where they cannot be told, and the `versions` of the scorer that gave them."""

    scores: Scores
    versions: tuple[str, ...]


def score_by_study(
    scorer: Scorer, pairs: Sequence[Pair], studies: Sequence[str], asked: Mapping[str, Sequence[str]]
) -> StudyScores:
    """A score for each pair. `studies`: the study of each pair, `asked`: what a study asks; both may be unknown.

    A scorer that is no StudyScorer scores all pairs alike.
    """
    scores = np.full(len(pairs), np.nan)
    versions = set()
    names = np.array(studies, dtype=np.str_)
    for study in dict.fromkeys(studies):
        own = scorer.of_study(asked[study]) if isinstance(scorer, StudyScorer) and study in asked else scorer
        versions.add(own.version)
        rows = np.flatnonzero(names == study)
        for start in range(0, len(rows), _AT_ONCE):
            here = rows[start : start + _AT_ONCE]
            scores[here] = score_pairs(own, [pairs[row] for row in here])
    return StudyScores(scores, tuple(sorted(versions)))


def unread(scorer: Scorer, pairs: Sequence[Pair]) -> NDArray[np.bool_]:
    """Pairs with a question of which nothing is left: no score tells anything of them, whatever the scorer gives."""
    reads = scorer.reads if isinstance(scorer, WordScorer) else str.strip
    return np.array([not (reads(pair.q1) and reads(pair.q2)) for pair in pairs], dtype=np.bool_)
