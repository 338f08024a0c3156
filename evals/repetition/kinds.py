"""The second step: which pairs that ask for the same are unwanted repeats (R), which deliberate (D)."""

from collections.abc import Iterator

import numpy as np

from evals.repetition.measure import ap, auc, with_interval
from evals.repetition.scored import SCORERS, Everything, Scored
from evals.repetition.tables import REAL, Row
from interviewer.matching.logistic import Floats, fit
from interviewer.matching.split import folds

FEATURES = ("asked", "told", "taken_up", "puzzled", "narrows", "back", "closed")
NAME = "what lies between"
_FOLDS = 5
_RIDGE = 5.0


def kinds_table(of: Everything) -> Iterator[Row]:
    """How well R is told from D, on real and on injected repeats apart: AUC and AP with 95 % intervals."""
    for name, scored in _repeats(of).items():
        kinds = scored.labelled
        for scorer in (*SCORERS, NAME):
            weights = np.ones(len(kinds))
            yield {
                "set": name,
                "scorer": scorer,
                "unwanted": int(kinds.same.sum()),
                "deliberate": int((~kinds.same).sum()),
                "prevalence": float(kinds.same.mean()),
                **dict(zip(("auc", "auc_low", "auc_high"), with_interval(auc, scored, scorer, weights), strict=True)),
                **dict(zip(("ap", "ap_low", "ap_high"), with_interval(ap, scored, scorer, weights), strict=True)),
            }


def _repeats(of: Everything) -> dict[str, Scored]:
    """The pairs that ask for the same; what counts as positive here is R."""
    between = _between(of)
    count = len(of.real.labelled)
    parts = {REAL: (of.real, between[:count]), "injected": (of.placed, between[count:])}
    found = {}
    for name, (scored, scores) in parts.items():
        same = Scored(scored.labelled, scored.scores | {NAME: scores}).where(name, scored.labelled.same)
        unwanted = np.array([kind == "R" for kind in same.labelled.kinds])
        found[name] = Scored(same.labelled.relabelled(unwanted), same.scores)
    return found


def _between(of: Everything) -> Floats:
    """Log odds of R by what lies between and how it is asked, fitted to the other folds of both sets."""
    table, groups = of.material.table, of.material.groups
    same = of.material.same
    kinds = np.array([*of.real.labelled.kinds, *of.placed.labelled.kinds]) == "R"
    values = np.column_stack([table.values[:, [table.names.index(n) for n in FEATURES]], of.material.injected])
    rows = np.flatnonzero(same)
    fold = folds([groups[at] for at in rows], kinds[rows], _FOLDS)
    names = (*FEATURES, "injected")
    scores = np.full(len(same), np.nan)
    for number in range(_FOLDS):
        fitted_on, left_out = rows[fold != number], rows[fold == number]
        model = fit(names, values[fitted_on], kinds[fitted_on], ridge=_RIDGE)
        scores[left_out] = model.probability(names, values[left_out])
    return scores
