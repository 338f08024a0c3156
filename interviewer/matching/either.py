"""Several reasons of which any is enough, as one calibrated probability."""

from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from interviewer.matching.logistic import Floats, Logistic, sigmoid


class Either(BaseModel):
    """1 less the product of (1 - p) over `reasons` ("noisy or", Pearl 1988, 4.3.2), its log odds then put right.

    The log odds are multiplied by `slope` and `intercept` is added (Platt 2000).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reasons: dict[str, Logistic]
    slope: float = 1.0
    intercept: float = 0.0

    @property
    def features(self) -> frozenset[str]:
        """The features it reads."""
        return frozenset(name for reason in self.reasons.values() for name in reason.features)

    def log_odds(self, names: Sequence[str], values: Floats) -> Floats:
        """Before calibration, of rows of `values` with columns `names`, shape (rows,); NaN counts as the mean."""
        none = np.zeros(len(values))
        for reason in self.reasons.values():
            odds = reason.log_odds(names, values)
            none -= np.logaddexp(0.0, odds)  # log(1 - p), exact for p near 1 too
        return np.asarray(np.log(-np.expm1(none)) - none)

    def probability(self, names: Sequence[str], values: Floats) -> Floats:
        """Calibrated, shape (rows,). Raises MatchError naming a feature that is not among `names`."""
        return sigmoid(self.intercept + self.slope * self.log_odds(names, values))
