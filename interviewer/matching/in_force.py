"""The thresholds that hold for a call: those its settings name, for the scorer they name."""

from pathlib import Path

from interviewer.errors import SettingsError
from interviewer.matching import thresholds
from interviewer.matching.scorer import scorer
from interviewer.settings import MatchSettings

BASELINE = "jaccard"
"""The scorer that the default of `match.recovery` was chosen for."""


def in_force(match: MatchSettings, folder: Path | None = None) -> MatchSettings:
    """The settings with `recovery` as the stored threshold `match.threshold` has it; `folder`: a home's.

    Raises SettingsError naming both if the threshold was chosen for another scorer or version, if there is none of
    that name, or if another scorer than the baseline is set and no threshold for it.
    """
    chosen = scorer(match.scorer)
    if match.threshold:
        value = thresholds.value(match.threshold, chosen, folder)
        return match.model_copy(update={"recovery": min(1.0, max(0.0, value))})
    if chosen.name != BASELINE and "recovery" not in match.model_fields_set:
        raise SettingsError(
            f"match.recovery: {match.recovery} was chosen for the scorer {BASELINE}, not for "
            f"{chosen.name}/{chosen.version}: name a stored threshold of it in match.threshold (`tune --list`), or "
            "set match.recovery"
        )
    return match
