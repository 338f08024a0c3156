"""Logistic regression of few named features: fitted here, kept as JSON."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import BaseModel, ConfigDict

from interviewer.errors import MatchError

Floats = NDArray[np.float64]

_STEPS = 50
_CLOSE = 1e-10


class Coefficient(BaseModel):
    """A feature's part: `weight` for each standard deviation `scale` from `mean`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    weight: float
    mean: float
    scale: float


class Logistic(BaseModel):
    """Probability = 1 / (1 + exp(-(intercept + sum of weight * (value - mean) / scale)))."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intercept: float
    features: dict[str, Coefficient]

    def probability(self, names: Sequence[str], values: Floats) -> Floats:
        """Of rows of `values` with columns `names`, shape (rows,); an unknown value (NaN) counts as the mean.

        Raises MatchError naming a feature that is not among `names`.
        """
        return sigmoid(self.log_odds(names, values))

    def log_odds(self, names: Sequence[str], values: Floats) -> Floats:
        """What `probability` is the logistic function of."""
        total = np.full(len(values), self.intercept)
        for name, part in self.features.items():
            if name not in names:
                raise MatchError(f"the coefficients need the feature {name!r}; there are {', '.join(names)}")
            total += np.nan_to_num((values[:, list(names).index(name)] - part.mean) / part.scale) * part.weight
        return total


def fit(
    names: Sequence[str], values: Floats, labels: ArrayLike, weights: ArrayLike | None = None, ridge: float = 1.0
) -> Logistic:
    """The coefficients of greatest penalised likelihood, by Newton's method (Hastie et al. 2009, 4.4.1).

    `values`: shape (rows, len(names)), NaN where unknown (counts as the mean). `ridge`: penalty on squared
    standardised weights, in rows. A feature that never varies gets weight 0. Raises MatchError if labels hold one
    class only or shapes differ.
    """
    wanted = np.asarray(labels, dtype=np.float64)
    shares = np.ones(len(wanted)) if weights is None else np.asarray(weights, dtype=np.float64)
    if values.shape != (len(wanted), len(names)) or shares.shape != wanted.shape:
        raise MatchError(f"values {values.shape}, labels {wanted.shape} and weights {shares.shape} do not fit")
    if not 0 < shares @ wanted < shares.sum():
        raise MatchError("labels: a fit needs positives and negatives")
    mean, scale = _moments(values, shares)
    rows = np.column_stack([np.ones(len(values)), np.nan_to_num((values - mean) / scale)])
    beta = _newton(rows, wanted, shares, ridge)
    parts = zip(names, beta[1:], mean, scale, strict=True)
    features = {name: Coefficient(weight=_short(w), mean=_short(m), scale=_short(s)) for name, w, m, s in parts}
    return Logistic(intercept=_short(beta[0]), features=features)


def _moments(values: Floats, shares: Floats) -> tuple[Floats, Floats]:
    known = ~np.isnan(values)
    held = np.where(known, shares[:, None], 0.0)
    total = held.sum(axis=0)
    total[total == 0] = 1.0
    filled = np.where(known, values, 0.0)
    mean = (held * filled).sum(axis=0) / total
    scale = np.sqrt((held * (filled - mean) ** 2).sum(axis=0) / total)
    return mean, np.where(scale > 0, scale, 1.0)


def _newton(rows: Floats, wanted: Floats, shares: Floats, ridge: float) -> Floats:
    beta = np.zeros(rows.shape[1])
    penalty = np.full(len(beta), ridge)
    penalty[0] = 0.0
    for _ in range(_STEPS):
        expected = sigmoid(rows @ beta)
        slope = rows.T @ (shares * (wanted - expected)) - penalty * beta
        bend = (rows * (shares * expected * (1 - expected))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(beta)), slope)
        beta = beta + step
        if np.abs(step).max() < _CLOSE:
            return beta
    raise MatchError("the fit does not settle: give it a ridge above 0")


def sigmoid(values: Floats) -> Floats:
    """The logistic function 1 / (1 + exp(-x)), without overflow."""
    result: Floats = 0.5 * (1 + np.tanh(values / 2))
    return result


def _short(value: float) -> float:
    return float(f"{value:.6g}")
