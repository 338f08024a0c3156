"""The campaign's figures: off, warn and on side by side, with intervals by resampling calls."""

from collections.abc import Sequence
from typing import Any

from evals.guard.one import GuardFigures
from interviewer.metrics.statistics import Difference, Estimate, mean, paired, ratio, share

_RATES = {
    "planted_refused": ("stopped", "planted"),
    "good_refused": ("good_refused", "good"),
    "look_alikes_refused": ("hard_refused", "hard"),
    "found_after_speech": ("found", "again"),
}
_MEANS = ("spoken", "heard", "heard_repeats", "plan_delivered", "details_asked", "false_finds")


def summarise(calls: Sequence[GuardFigures]) -> dict[str, Any]:
    """For each wording: every mode's rates and means, and what the guard cuts against the same calls without it."""
    found: dict[str, Any] = {}
    for wording in dict.fromkeys(call.wording for call in calls):
        by_mode = {
            mode: [call for call in calls if (call.wording, call.mode) == (wording, mode)]
            for mode in dict.fromkeys(call.mode for call in calls)
        }
        found[wording] = {mode: _of(mine) for mode, mine in by_mode.items()}
        if by_mode.get("off") and by_mode.get("on"):
            found[wording]["cut"] = cut(by_mode["off"], by_mode["on"])
    found["broken_promises"] = [f"{c.wording} {c.mode} seed {c.seed}: {c.broken}" for c in calls if c.broken]
    return found


def cut(off: Sequence[GuardFigures], on: Sequence[GuardFigures]) -> dict[str, Any]:
    """Spoken repeats and what else changes, by paired calls. `share_cut`: of the repeats spoken without the guard.

    A call may have more repeats with the guard than without, as it goes another way from the first refusal on: the
    share is of sums.
    """
    told: dict[str, Any] = {}
    for name in ("spoken", "plan_delivered", "details_asked", "heard", "heard_repeats"):
        told[name] = rounded(paired([getattr(c, name) for c in on], [getattr(c, name) for c in off]))
    if any(c.spoken for c in off):
        gone = [before.spoken - after.spoken for before, after in zip(off, on, strict=True)]
        told["share_cut"] = rounded(ratio(gone, [c.spoken for c in off]))
    return told


def _of(calls: Sequence[GuardFigures]) -> dict[str, Any]:
    rates = {
        name: rounded(share([getattr(c, top) for c in calls], [getattr(c, bottom) for c in calls]))
        for name, (top, bottom) in _RATES.items()
        if any(getattr(c, bottom) for c in calls)
    }
    means = {f"{name}_per_call": rounded(mean([getattr(c, name) for c in calls])) for name in _MEANS}
    return {"calls": len(calls), **rates, **means}


def rounded(told: Estimate | Difference) -> dict[str, Any]:
    """The figure as plain values, to four decimals."""
    return {key: round(one, 4) if isinstance(one, float) else one for key, one in told.to_dict().items()}
