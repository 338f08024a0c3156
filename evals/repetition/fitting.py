"""The fit of `mix`: which features, which pairs, which weights, and what it gives pairs it was not fitted on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.repetition.sets import Labelled
from interviewer.matching.either import Either
from interviewer.matching.features import Table
from interviewer.matching.logistic import Floats, Logistic, fit
from interviewer.matching.mix import Case, Coefficients
from interviewer.matching.split import folds

VERSION = "4"
PREVALENCE = 0.04
"""Share of a live call's questions that ask again: 3 to 5 % inside real sessions."""
COUNT = 10

_COURSE = ("asked", "told", "taken_up", "aside", "puzzled")
RETURNED: dict[Case, tuple[str, ...]] = {
    "context": ("centred", "tfidf", "names", "closed", "narrows", "closing", *_COURSE),
    "study": ("centred", "tfidf", "closing"),
    "context by words": ("tfidf", "names", "closed", "narrows", "closing", *_COURSE),
}
REPEATED: dict[Case, tuple[str, ...]] = {"context": ("centred", "minilm"), "study": ("centred", "minilm")}
LESS: dict[Case, tuple[str, ...]] = {"context": RETURNED["study"], "context by words": ("tfidf", "closing")}
"""What the model reads that has a share in one that reads the context."""
ALONE: dict[Case, tuple[str, ...]] = {"text": ("minilm",), "text by words": ("tfidf",)}

# Chosen on the outer folds themselves, of the few values tried: the stated figures are that much too good.
_RIDGE = 5.0
_DRAWN = 0.75
_INJECTED = 0.1
_REPEATS = 0.02
_LESS = 0.25
_SET = "injected"


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Pairs with context to fit to, and their features: with the mean question of their study, and of other studies.

    `injected`: which were written and placed; `weights`: how much each counts in the fit; both of shape (pairs,).
    """

    labelled: Labelled
    injected: NDArray[np.bool_]
    weights: Floats
    table: Table
    running: Table

    @property
    def same(self) -> NDArray[np.bool_]:
        """Which ask for the same."""
        return self.labelled.same

    @property
    def repeats(self) -> NDArray[np.bool_]:
        """Unwanted repeats that were injected, and pairs that ask for something else, injected or drawn by strata."""
        kinds, strata = np.array(self.labelled.kinds), np.array(self.labelled.strata)
        return np.asarray(
            (self.injected & (kinds != "D")) | (~self.injected & ~self.same & (strata != "found")), dtype=np.bool_
        )

    def folds(self) -> NDArray[np.int64]:
        """The outer folds, by interview."""
        return folds(self.labelled.groups, self.same, COUNT)


def material(real: Labelled, placed: Labelled, tables: Sequence[Table], running: Sequence[Table]) -> Material:
    """Both sets as one, real pairs first, weighted for the fit.

    Positives weigh 1: reading found nearly all there are. Negatives weigh their sampling weight to the power of .75,
    between a population of pairs nobody would confuse and the look-alikes that were drawn. Injected pairs weigh .1.
    """
    drawn = np.where(real.same, 1.0, real.weights**_DRAWN)
    return Material(
        real.joined("material", placed),
        np.hstack([np.zeros(len(real), np.bool_), np.ones(len(placed), np.bool_)]),
        np.hstack([drawn, np.full(len(placed), _INJECTED)]),
        _stacked(tables),
        _stacked(running),
    )


def model(of: Material, case: Case, kept: NDArray[np.bool_]) -> Either:
    """Fitted to the pairs `kept`, not yet calibrated."""
    reasons = {"repeated": _repeated(of, REPEATED[case], kept)} if case in REPEATED else {}
    whole = Either(reasons={"returned": _returned(of, RETURNED[case], kept)} | reasons)
    if case not in LESS:
        return whole
    less = Either(reasons={"returned": _returned(of, LESS[case], kept)} | reasons)
    return whole.model_copy(update={"other": less, "share": _LESS})


def _returned(of: Material, names: Sequence[str], kept: NDArray[np.bool_]) -> Logistic:
    """For real pairs: how much more often injected ones are positive has a term of its own, which is dropped."""
    values = np.column_stack([_columns(of.table, names), of.injected])[kept]
    fitted = fit((*names, _SET), values, of.same[kept], of.weights[kept], _RIDGE)
    part = fitted.features[_SET]
    rest = {name: one for name, one in fitted.features.items() if name != _SET}
    return Logistic(intercept=fitted.intercept - part.weight * part.mean / part.scale, features=rest)


def _repeated(of: Material, names: Sequence[str], kept: NDArray[np.bool_]) -> Logistic:
    """By meaning alone: where an injected repeat stands was its writer's choice."""
    rows = of.repeats & kept
    same = of.same[rows]
    return fit(names, _columns(of.table, names)[rows], same, _at(_REPEATS, same))


def left_out(of: Material, case: Case, table: Table) -> Floats:
    """Log odds of each pair by a model that saw no pair of its interview, not yet calibrated; shape (pairs,)."""
    fold = of.folds()
    odds = np.zeros(len(fold))
    for number in range(COUNT):
        fitted = model(of, case, fold != number)
        odds[fold == number] = fitted.log_odds(table.names, table.values)[fold == number]
    return odds


def outer(of: Material, case: Case, table: Table) -> Floats:
    """Probabilities from `left_out`, calibrated on the other folds; NaN where it cannot be told."""
    fold, odds = of.folds(), left_out(of, case, of.table)
    used = odds if table is of.table else left_out(of, case, table)
    scores = np.zeros(len(fold))
    for number in range(COUNT):
        line = _calibration(odds, of, fold != number)
        scores[fold == number] = line.probability(("odds",), used[fold == number, None])
    return np.where(table.known, scores, np.nan)


def across(of: Material, fitted_on: NDArray[np.bool_]) -> Floats:
    """Log odds of each pair by a model fitted to these pairs only; NaN where it cannot be told."""
    fitted = model(of, "context", fitted_on)
    return np.where(of.table.known, fitted.log_odds(of.table.names, of.table.values), np.nan)


def final(of: Material, texts: Sequence[tuple[Labelled, Table]], fitted: str, encoder: str) -> Coefficients:
    """Fitted to all pairs and calibrated by `left_out`. `texts`: pairs without context; `encoder`: its version."""
    everything = np.ones(len(of.same), np.bool_)
    cases: dict[Case, Either] = {case: _alone(texts, names) for case, names in ALONE.items()}
    for case in RETURNED:
        line = _calibration(left_out(of, case, of.table), of, everything)
        cases[case] = _calibrated(model(of, case, everything), line)
    return Coefficients(
        version=VERSION,
        fitted=fitted,
        corpus="text: BANKING77 and CLINC150 pairs; else: labelled pairs in interviews, and injected ones",
        prevalence=PREVALENCE,
        model=encoder,
        cases=cases,
    )


def _alone(texts: Sequence[tuple[Labelled, Table]], names: Sequence[str]) -> Either:
    values = np.vstack([_columns(table, names) for _, table in texts])
    same = np.hstack([labelled.same for labelled, _ in texts])
    return Either(reasons={"same": fit(names, values, same, _at(PREVALENCE, same), 0.0)})


def _calibration(odds: Floats, of: Material, kept: NDArray[np.bool_]) -> Logistic:
    """A line through the log odds of the real pairs, at the live prevalence (Platt 2000)."""
    real = kept & ~of.injected & of.table.known
    return fit(("odds",), odds[real, None], of.same[real], _at(PREVALENCE, of.same[real]), 0.0)


def _calibrated(one: Either, line: Logistic) -> Either:
    part = line.features["odds"]
    slope = part.weight / part.scale
    return one.model_copy(update={"slope": _short(slope), "intercept": _short(line.intercept - slope * part.mean)})


def _at(prevalence: float, same: NDArray[np.bool_]) -> Floats:
    """Weights that make this share of the pairs positive, as many in all as there are."""
    share = float(same.mean())
    return np.where(same, prevalence / share, (1 - prevalence) / (1 - share))


def _stacked(tables: Sequence[Table]) -> Table:
    return Table(tables[0].names, np.vstack([one.values for one in tables]), np.hstack([one.known for one in tables]))


def _columns(table: Table, names: Sequence[str]) -> Floats:
    return np.column_stack([table.column(name) for name in names])


def _short(value: float) -> float:
    return float(f"{value:.6g}")
