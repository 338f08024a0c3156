"""The second step: which pairs that ask for the same are unwanted repeats (R), which deliberate (D)."""

from collections.abc import Iterator

import numpy as np

from evals.repetition.measure import ap, auc, with_interval
from evals.repetition.scored import SCORERS, Everything, Scored
from evals.repetition.tables import REAL, Row
from interviewer.matching.logistic import Floats, Logistic, fit
from interviewer.matching.split import folds
from interviewer.matching.unwanted import FEATURES, Coefficients, features

NAME = "unwanted"
VERSION = "1"
_FOLDS = 5
_RIDGE = 5.0
_SET = "injected"


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


def final(of: Everything, fitted: str) -> Coefficients:
    """Fitted to all pairs that ask for the same; real pairs set the level."""
    material = of.material
    real, placed = (int(material.same[material.injected == here].sum()) for here in (False, True))
    return Coefficients(
        version=VERSION,
        fitted=fitted,
        corpus=f"pairs that ask for the same: {real} in interviews, {placed} injected",
        model=_model(of, features(material.labelled.pairs), np.flatnonzero(material.same)),
    )


def _repeats(of: Everything) -> dict[str, Scored]:
    """The pairs that ask for the same; what counts as positive here is R."""
    scores, count = _left_out(of), len(of.real.labelled)
    found = {}
    for name, scored, own in ((REAL, of.real, scores[:count]), ("injected", of.placed, scores[count:])):
        same = Scored(scored.labelled, scored.scores | {NAME: own}).where(name, scored.labelled.same)
        unwanted = np.array([kind == "R" for kind in same.labelled.kinds])
        found[name] = Scored(same.labelled.relabelled(unwanted), same.scores)
    return found


def _left_out(of: Everything) -> Floats:
    """Probability of R by a model that saw no pair of the interview, shape (pairs,); NaN for pairs that differ."""
    labelled = of.material.labelled
    values, rows = features(labelled.pairs), np.flatnonzero(of.material.same)
    fold = folds([labelled.groups[at] for at in rows], [labelled.kinds[at] == "R" for at in rows], _FOLDS)
    scores = np.full(len(values), np.nan)
    for number in range(_FOLDS):
        model = _model(of, values, rows[fold != number])
        scores[rows[fold == number]] = model.probability(FEATURES, values[rows[fold == number]])
    return scores


def _model(of: Everything, values: Floats, rows: np.ndarray) -> Logistic:
    """How much more often injected ones are R has a term of its own, which is dropped."""
    unwanted = np.array(of.material.labelled.kinds)[rows] == "R"
    table = np.column_stack([values, of.material.injected])[rows]
    fitted = fit((*FEATURES, _SET), table, unwanted, ridge=_RIDGE)
    part = fitted.features[_SET]
    rest = {name: one for name, one in fitted.features.items() if name != _SET}
    return Logistic(intercept=fitted.intercept - part.weight * part.mean / part.scale, features=rest)
