"""Splits and resamples that keep together what belongs together: interviews, not pairs."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interviewer.errors import MatchError
from interviewer.matching.pairs import Pair
from interviewer.model.counting import counted


def folds(groups: Sequence[str], labels: ArrayLike, count: int) -> NDArray[np.int64]:
    """A fold, 0 to count - 1, for each row; rows of one group share theirs, positives are spread evenly.

    Groups with the most positives are placed first, each where the fewest positives and rows are. Raises MatchError
    if there are fewer groups than folds, or all positives or all negatives lie in one group.
    """
    positive = np.asarray(labels, dtype=np.bool_)
    names, rows = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    held = np.bincount(rows, weights=positive, minlength=len(names))
    sizes = np.bincount(rows, minlength=len(names))
    if len(names) < count or (held > 0).sum() < 2 or (held < sizes).sum() < 2:
        raise MatchError(
            f"{counted(len(names), 'group')}, {int((held > 0).sum())} of them with positives and "
            f"{int((held < sizes).sum())} with negatives: a split into {count} needs "
            f"{count} groups and both kinds in two or more"
        )
    load = np.zeros((count, 2))
    fold_of = np.zeros(len(names), dtype=np.int64)
    for group in np.lexsort((np.arange(len(names)), -sizes, -held)):
        fold_of[group] = min(range(count), key=lambda fold: (*load[fold], fold))
        load[fold_of[group]] += held[group], sizes[group]
    return np.asarray(fold_of[rows], dtype=np.int64)


def resamples(groups: Sequence[str], times: int, seed: int = 0) -> Iterator[NDArray[np.float64]]:
    """How often each row is in a resample of groups with replacement; `times` arrays of shape (rows,)."""
    names, rows = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    random = np.random.default_rng(seed)
    for _ in range(times):
        drawn = np.bincount(random.integers(len(names), size=len(names)), minlength=len(names))
        yield drawn[rows].astype(np.float64)


def linked(pairs: Sequence[Pair], same: ArrayLike) -> tuple[str, ...]:
    """A group for each pair: that of its first text, texts being of one group if pairs that are `same` link them.

    For pairs that come from no interview. A pair that differs may have its second text in another group; to follow
    those links too would make nearly all pairs of a set one group.
    """
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while parent.setdefault(text, text) != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    for pair, alike in zip(pairs, np.asarray(same, dtype=np.bool_), strict=True):
        if alike:
            first, second = sorted((root(pair.q1), root(pair.q2)))
            parent[second] = first
    return tuple(root(pair.q1) for pair in pairs)
