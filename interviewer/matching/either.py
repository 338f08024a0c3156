"""Several reasons of which any is enough, as one calibrated probability."""

from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from interviewer.matching.logistic import Floats, Logistic, sigmoid


class Either(BaseModel):
    """1 less the product of (1 - p) over `reasons` ("noisy or", Pearl 1988, 4.3.2), its log odds then put right.

    `other`, a model that reads less, has the share `share` in the log odds, so that no feature decides alone. They are
    then multiplied by `slope`, and `intercept` is added (Platt 2000).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reasons: dict[str, Logistic]
    other: "Either | None" = None
    share: float = Field(0.0, ge=0, le=1)
    slope: float = 1.0
    intercept: float = 0.0

    @property
    def features(self) -> frozenset[str]:
        """The features it reads."""
        own = frozenset(name for reason in self.reasons.values() for name in reason.features)
        return own | self.other.features if self.other else own

    def log_odds(self, names: Sequence[str], values: Floats) -> Floats:
        """Before calibration, of rows of `values` with columns `names`, shape (rows,); NaN counts as the mean."""
        none = np.zeros(len(values))
        for reason in self.reasons.values():
            odds = reason.log_odds(names, values)
            none -= np.logaddexp(0.0, odds)  # log(1 - p), exact for p near 1 too
        own = np.asarray(np.log(-np.expm1(none)) - none)
        return (1 - self.share) * own + self.share * self.other.log_odds(names, values) if self.other else own

    def probability(self, names: Sequence[str], values: Floats) -> Floats:
        """Calibrated, shape (rows,). Raises MatchError naming a feature that is not among `names`."""
        return sigmoid(self.intercept + self.slope * self.log_odds(names, values))
