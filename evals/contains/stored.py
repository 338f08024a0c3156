"""The grey band, kept among the package's thresholds with what it was chosen by."""

from datetime import date

from evals.contains.fitting import LEAST_PRECISION, Band, Outside
from interviewer.matching import thresholds
from interviewer.matching.contains import BAND, Coefficients


def store(given: Band, outside: Outside, coefficients: Coefficients, day: date) -> None:
    """Write the band; a false yes costs as many misses as the least precision allows for each."""
    ends = [one.high for one in outside.bands]
    found = thresholds.Threshold(
        name=BAND,
        scorer="contains",
        version=coefficients.version,
        value=given.high,
        low=given.low,
        high=given.high,
        corpus=f"{coefficients.corpus}, split by planned question; false yes of any adversarial kind at most .04",
        prevalence=coefficients.prevalence,
        cost_ratio=round((1 - LEAST_PRECISION) / LEAST_PRECISION, 4),
        fold_spread=round(max(ends) - min(ends), 4),
        created=day,
    )
    thresholds.save(found, thresholds.PACKAGED.parent)
