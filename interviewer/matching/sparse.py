"""Bags of weighted features for many texts, and the products of all pairs of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

_BLOCK = 512
_FEW, _MANY, _LATELY = 4, 64, 8
# A feature in so many pairs that a dense product is cheaper than listing the pairs; measured.
_OFTEN = 1 / 32


@lru_cache(maxsize=262_144)
def feature_id(feature: str) -> int:
    """A number for a feature that is the same in every process: 64 bits of BLAKE2b."""
    digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def ids(features: Iterable[str]) -> Ids:
    """The numbers of some features, ascending."""
    return np.array(sorted(map(feature_id, features)), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Bags:
    """Texts as bags: entry k says that text `owners[k]` holds feature `ids[k]` with `weights[k]`; by text, then id."""

    ids: Ids
    owners: Ids
    weights: Floats
    count: int

    @property
    def sizes(self) -> Ids:
        """Features of each text, shape (count,)."""
        return np.bincount(self.owners, minlength=self.count)

    @cached_property
    def by_id(self) -> tuple[Ids, Ids, Ids, Ids]:
        """The entries in the order of their ids; the ids there are, where each begins in it, how often it is there."""
        order = np.argsort(self.ids, kind="stable")
        return order, *np.unique(self.ids[order], return_index=True, return_counts=True)

    def block(self, start: int, stop: int) -> "Bags":
        """The texts from `start` up to `stop`."""
        inside = slice(*np.searchsorted(self.owners, [start, stop]))
        return Bags(self.ids[inside], self.owners[inside] - start, self.weights[inside], stop - start)


def sets(texts: Sequence[str], ids_of: Callable[[str], Ids]) -> Bags:
    """The feature sets of `texts`: every weight is 1."""
    return _joined([ids_of(text) for text in texts], None)


def bags(texts: Sequence[str], bag_of: Callable[[str], tuple[Ids, Floats]]) -> Bags:
    """The weighted bags of `texts`; `bag_of` gives each feature once."""
    pairs = [bag_of(text) for text in texts]
    return _joined([found for found, _ in pairs], [weights for _, weights in pairs])


def kept(make: Callable[[tuple[str, ...]], Bags]) -> Callable[[Sequence[str], Sequence[str]], tuple[Bags, Bags]]:
    """The bags of rows and of columns, by `make`. A long list beside a few texts is kept, sorted, for the next few.

    So a new question is compared with all earlier ones in a fraction of the time that it takes to put these together.
    """
    lately = lru_cache(maxsize=_LATELY)(make)

    def both(rows: Sequence[str], columns: Sequence[str]) -> tuple[Bags, Bags]:
        return one(rows, beside=columns), one(columns, beside=rows)

    def one(texts: Sequence[str], beside: Sequence[str]) -> Bags:
        if len(texts) < _MANY or len(beside) > _FEW:
            return make(tuple(texts))
        known = lately(tuple(texts))
        known.by_id  # noqa: B018  sorted once, so that `dot` need not sort it again
        return known

    return both


def _joined(found: list[Ids], weights: list[Floats] | None) -> Bags:
    if not found:
        return Bags(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), 0)
    joined = np.concatenate(found)
    owners = np.repeat(np.arange(len(found)), [len(part) for part in found])
    return Bags(joined, owners, np.ones(len(joined)) if weights is None else np.concatenate(weights), len(found))


def jaccard(rows: Bags, columns: Bags) -> Floats:
    """Shared features over all features of every pair of sets; NaN where both are empty."""
    scores = np.empty((rows.count, columns.count))
    for start in range(0, rows.count, _BLOCK):
        block = rows.block(start, min(start + _BLOCK, rows.count))
        shared = dot(block, columns)
        union = np.add.outer(block.sizes.astype(np.float64), columns.sizes)
        union -= shared
        with np.errstate(invalid="ignore"):  # 0 / 0: neither has a feature
            np.divide(shared, union, out=scores[start : start + block.count])
    return scores


def dot(rows: Bags, columns: Bags) -> Floats:
    """Sum over features of weight times weight, shape (rows.count, columns.count)."""
    sorted_rows, sorted_columns = ("by_id" in side.__dict__ for side in (rows, columns))
    if not sorted_columns and (sorted_rows or len(rows.ids) < len(columns.ids)):
        return dot(columns, rows).T  # only the smaller side has to be sorted
    if rows.count > _BLOCK:
        starts = range(0, rows.count, _BLOCK)
        return np.vstack([_dot(rows.block(at, min(at + _BLOCK, rows.count)), columns) for at in starts])
    return _dot(rows, columns)


def _dot(rows: Bags, columns: Bags) -> Floats:
    order, known, first, spread = columns.by_id
    place = np.searchsorted(known, rows.ids)
    hit = np.flatnonzero(place < len(known))
    hit = hit[known[place[hit]] == rows.ids[hit]]
    place = place[hit]
    pairs = np.bincount(place, minlength=len(known)) * spread
    often = pairs > max(1.0, rows.count * columns.count * _OFTEN)
    common = often[place]
    rest = place[~common]
    product = _listed(rows, columns, hit[~common], order, first[rest], spread[rest])
    if often.any():
        known_at = np.repeat(np.arange(len(known)), spread)
        entries = np.flatnonzero(often[known_at])
        left = _dense(rows, hit[common], place[common], often)
        product += left @ _dense(columns, order[entries], known_at[entries], often).T
    return product


def _listed(rows: Bags, columns: Bags, entries: Ids, order: Ids, first: Ids, spread: Ids) -> Floats:
    """Products of features that few pairs share: every pair is written out, then summed."""
    ends = spread.cumsum()
    steps = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - spread, spread)
    other = order[np.repeat(first, spread) + steps]
    mine = np.repeat(entries, spread)
    cells = rows.owners[mine] * columns.count + columns.owners[other]
    products = rows.weights[mine] * columns.weights[other]
    sums = np.bincount(cells, weights=products, minlength=rows.count * columns.count)
    # Of nothing, numpy counts in integers whatever the weights are.
    return sums.astype(np.float64, copy=False).reshape(rows.count, columns.count)


def _dense(texts: Bags, entries: Ids, place: Ids, often: NDArray[np.bool_]) -> Floats:
    column = np.cumsum(often) - 1
    table = np.zeros((texts.count, int(often.sum())))
    table[texts.owners[entries], column[place]] = texts.weights[entries]
    return table
