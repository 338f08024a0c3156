"""The thresholds that hold for a call: those its settings name, for the scorer they name."""

import logging
from pathlib import Path

from interviewer.errors import MatchError, SettingsError
from interviewer.matching import thresholds
from interviewer.matching.contains import Judgement
from interviewer.matching.scorer import scorer
from interviewer.settings import GuardSettings, MatchSettings, Settings

_log = logging.getLogger(__name__)

BASELINE = "jaccard"
"""The scorer that the default of `match.recovery` was chosen for."""


def all_in_force(settings: Settings, folder: Path | None = None) -> Settings:
    """Settings in which the names of thresholds, of `match` and of `guard`, have become what they mean.

    Raises SettingsError as `in_force` and `guard_in_force` do.
    """
    match, guard = in_force(settings.match, folder), guard_in_force(settings.guard, folder)
    return settings.model_copy(update={"match": match, "guard": guard})


def guard_in_force(guard: GuardSettings, folder: Path | None = None) -> GuardSettings:
    """The settings with `value` and `version` of the stored threshold, or with why shared words decide: `missing`.

    A scorer whose weights are missing does not stop a call. Raises SettingsError naming both if the threshold was
    chosen for another scorer or version, or if there is none of that name.
    """
    if guard.mode == "off":
        return guard
    stored = thresholds.load(guard.threshold, folder)
    if stored.scorer != guard.scorer:
        raise SettingsError(
            f"guard.threshold: {guard.threshold!r} was chosen for the scorer {stored.scorer}, not for {guard.scorer}: "
            f"name one of {guard.scorer} (`tune --list`), or set guard.scorer"
        )
    try:
        chosen = scorer(guard.scorer)
    except MatchError as error:
        _log.warning("the repeat guard goes by shared words: %s", error)
        return guard.model_copy(update={"value": None, "version": "", "missing": str(error)})
    return guard.model_copy(update={"value": stored.for_(chosen), "version": chosen.version, "missing": ""})


def in_force(match: MatchSettings, folder: Path | None = None) -> MatchSettings:
    """The settings with what stored thresholds mean: `recovery` that of `match.threshold`, `grey_band` of `contains`.

    So a call's journal holds the numbers, whatever becomes of the names. `folder`: a home's. Raises SettingsError
    naming both if a threshold was chosen for another scorer or version, if there is none of that name, or if another
    scorer than the baseline is set and no threshold for it.
    """
    match = _with_band(match, folder)
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


def _with_band(match: MatchSettings, folder: Path | None) -> MatchSettings:
    if not isinstance(match.contains, str) or match.grey_band is not None:
        return match
    found = Judgement.of(match, folder)
    # A band of one's own may be tuned to an end without any pair beyond it.
    return match.model_copy(update={"grey_band": tuple(min(1.0, max(0.0, end)) for end in (found.no, found.yes))})
