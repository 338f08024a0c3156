"""The fit of `contains`: which pairs, which weights, the grey band, and what it gives pairs it was not fitted on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.contains.sets import ADVERSARIAL, Labelled
from interviewer.matching.contains import Coefficients, Contains, split
from interviewer.matching.contains_clash import clash
from interviewer.matching.contains_features import HEADS, NAMES, candidates, features, planned
from interviewer.matching.logistic import Floats, fit
from interviewer.matching.split import folds

VERSION = "1"
COUNT = 5
MOST_FALSE = 0.04
"""Highest share of false yes, of any adversarial kind, at which the band's upper end is chosen (target: under .05)."""
LEAST_PRECISION = 0.9
MOST_LOST = 0.005
"""Share of the true questions in near words that may fall below the band's lower end."""

# Of a head, how much a pair counts: by its kind, else by where it comes from. Pairs that only look alike are few in
# any talk, but they are what the second regression is for.
_ASKED = {"near_other": 0.0, "one_part": 0.3, "paraphrase_none": 0.3, "half": 1.5}
_ASKED_SOURCE = {"hand": 1.0, "simulated": 0.5, "guide": 0.5, "podcast": 0.5}
_SAME = {"near_other": 3.0, "one_part": 2.0, "verbatim": 0.7}
_SAME_SOURCE = {"hand": 1.0, "simulated": 0.25, "guide": 0.25, "podcast": 0.5}
_RIDGE = {"asked": 2.0, "same": 1.0}
_ROUNDS = 3
_NEAR = 0.5
_AT = {name: place for place, name in enumerate(NAMES)}


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Labelled pairs and, for each, the features of its windows, shape (windows, len(NAMES)), and which clash."""

    rows: tuple[Labelled, ...]
    tables: tuple[Floats, ...]
    clashes: tuple[NDArray[np.bool_], ...]

    def part(self, kept: NDArray[np.bool_]) -> "Material":
        """Some of the pairs."""
        at = np.flatnonzero(kept)
        return Material(
            tuple(self.rows[k] for k in at), tuple(self.tables[k] for k in at), tuple(self.clashes[k] for k in at)
        )

    @property
    def yes(self) -> NDArray[np.bool_]:
        """Which are true questions."""
        return np.array([row.yes for row in self.rows])

    @property
    def groups(self) -> list[str]:
        """The planned question of each."""
        return [row.group for row in self.rows]


def material(rows: Sequence[Labelled]) -> Material:
    """The features of labelled pairs."""
    return Material(tuple(rows), tuple(map(_table, rows)), tuple(map(_clashes, rows)))


def _table(row: Labelled) -> Floats:
    wanted = planned(row.planned)
    found = [features(wanted, window) for window in candidates(wanted, split(row.utterance))]
    return np.array(found or [(0.0,) * len(NAMES)], dtype=np.float64)


def _clashes(row: Labelled) -> NDArray[np.bool_]:
    wanted, spoken = planned(row.planned), split(row.utterance)
    return np.array([bool(clash(wanted, window, spoken)) for window in candidates(wanted, spoken)] or [False])


def fitted(given: Material, day: str = "2026-11-30") -> Coefficients:
    """Both regressions, each pair standing for its most probable window; choice and fit settle in three rounds."""
    chosen = np.array([table[_first_choice(table)] for table in given.tables])
    found = _fit(given, chosen, day)
    for _ in range(_ROUNDS - 1):
        scorer = Contains(found)
        chosen = np.array([table[int(np.argmax([scorer.probability(v) for v in table]))] for table in given.tables])
        found = _fit(given, chosen, day)
    return found


def _first_choice(table: Floats) -> int:
    rank = table[:, _AT["whole"]] + table[:, _AT["core"]] - 0.3 * table[:, _AT["extra"]] - table[:, _AT["statement"]]
    return int(rank.argmax())


def _fit(given: Material, chosen: Floats, day: str) -> Coefficients:
    near = (chosen[:, _AT["whole"]] >= _NEAR) & (chosen[:, _AT["statement"]] == 0) & (chosen[:, _AT["cut"]] == 0)
    heads = {}
    for head, kinds, sources in (("asked", _ASKED, _ASKED_SOURCE), ("same", _SAME, _SAME_SOURCE)):
        weights = np.array([kinds.get(row.kind, sources[row.source]) for row in given.rows])
        weights = np.where(near, weights, 0.0) if head == "same" else weights
        kept = weights > 0
        values = chosen[kept][:, [_AT[name] for name in HEADS[head]]]
        heads[head] = fit(HEADS[head], values, given.yes[kept], weights[kept], ridge=_RIDGE[head])
    return Coefficients(
        version=VERSION,
        fitted=day,
        corpus="labelled pairs of data/labels/contains: by hand, simulated speech, guides and podcasts",
        prevalence=round(float(given.yes.mean()), 4),
        asked=heads["asked"],
        same=heads["same"],
    )


def scores(given: Material, coefficients: Coefficients) -> Floats:
    """The score of each pair."""
    scorer = Contains(coefficients)
    return np.array([max(scorer.probability(values) for values in table) for table in given.tables])


def unclashed(given: Material, coefficients: Coefficients) -> Floats:
    """The score of each pair over the windows in which nothing clashes; 0 if there is none."""
    scorer = Contains(coefficients)
    return np.array(
        [
            max((scorer.probability(v) for v, bad in zip(table, clashes, strict=True) if not bad), default=0.0)
            for table, clashes in zip(given.tables, given.clashes, strict=True)
        ]
    )


@dataclass(frozen=True, slots=True)
class Band:
    """The grey band: yes above `high`, perhaps no below `low`."""

    low: float
    high: float


def band(given: Material, found: Floats) -> Band:
    """The band for these pairs and scores.

    Its upper end is the lowest that keeps false yes rare; hardly a true question in near words lies below the lower.
    """
    yes = given.yes
    kinds = np.array([row.kind for row in given.rows])
    grid = np.round(np.arange(0.30, 0.98, 0.01), 2)
    high = next((float(t) for t in grid if _allowed(yes, kinds, found > t)), float(grid[-1]))
    plain = yes & (kinds != "paraphrase_none") & np.array([t[:, _AT["literal"]].max() >= _NEAR for t in given.tables])
    low = float(np.round(np.quantile(found[plain], MOST_LOST), 3))
    return Band(min(low, high), high)


def _allowed(yes: NDArray[np.bool_], kinds: NDArray[np.str_], said: NDArray[np.bool_]) -> bool:
    if not said.any() or yes[said].mean() < LEAST_PRECISION:
        return False
    false = [said[(kinds == kind) & ~yes].mean() for kind in ADVERSARIAL if ((kinds == kind) & ~yes).any()]
    return bool(max(false) <= MOST_FALSE)


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """What pairs get from a fit and a band that have not seen their group: `folds`, `scores`, shape (pairs,); bands.

    `unclashed`: the scores where nothing clashes.
    """

    folds: NDArray[np.int64]
    scores: Floats
    unclashed: Floats
    bands: tuple[Band, ...]

    @property
    def yes(self) -> NDArray[np.bool_]:
        """Which get a yes from the band of their fold."""
        return self.unclashed > np.array([one.high for one in self.bands])[self.folds]


def outside(given: Material, count: int = COUNT) -> Outside:
    """Nested: the band of a fold is chosen on inner held-out scores of the other folds, the fit on all of those."""
    fold = folds(given.groups, given.yes, count)
    found, clear = np.zeros(len(given.rows)), np.zeros(len(given.rows))
    bands = []
    for left in range(count):
        rest, here = given.part(fold != left), given.part(fold == left)
        bands.append(band(rest, held_out(rest, count)))
        coefficients = fitted(rest)
        found[fold == left], clear[fold == left] = scores(here, coefficients), unclashed(here, coefficients)
    return Outside(fold, found, clear, tuple(bands))


def held_out(given: Material, count: int = COUNT) -> Floats:
    """Scores of each pair by a fit on the other folds."""
    fold = folds(given.groups, given.yes, count)
    found = np.zeros(len(given.rows))
    for left in range(count):
        found[fold == left] = scores(given.part(fold == left), fitted(given.part(fold != left)))
    return found


def without_kind(given: Material, kind: str) -> Floats:
    """Scores of the pairs of one kind by a fit that has seen none of it (but maybe their planned questions)."""
    chosen = np.array([row.kind == kind for row in given.rows])
    return scores(given.part(chosen), fitted(given.part(~chosen)))
