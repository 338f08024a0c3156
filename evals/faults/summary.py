"""The campaign's figures: the rate, what was broken, and the table of faults by stage."""

import platform
from collections import Counter
from collections.abc import Sequence
from typing import Any

from evals.faults.one import FaultyCall, as_row

_OUTCOMES = ("delivered", "held", "released", "none")


def summarise(calls: Sequence[FaultyCall], *, minutes: float, seconds: float, jobs: int) -> dict[str, Any]:
    """Totals over the calls. `seconds` is the wall's time of the campaign; rates are calls per minute."""
    cpu_s = sum(call.cpu_s for call in calls)
    over = sorted(call.over_ms for call in calls)
    return {
        "calls": len(calls),
        "minutes_a_call": minutes,
        "python": platform.python_version(),
        "calls_with_violation": sum(bool(call.broken) for call in calls),
        "strikes": sum(len(call.strikes) for call in calls),
        "calls_per_minute_per_core": round(60 * len(calls) / cpu_s, 1) if cpu_s else None,
        "calls_per_minute": round(60 * len(calls) / seconds, 1),
        "jobs": jobs,
        "ended_by": dict(sorted(Counter(call.ended_by for call in calls).items())),
        "sessions_per_call": round(sum(call.epochs for call in calls) / len(calls), 3) if calls else None,
        "attempts": sum(call.attempts for call in calls),
        "delivered": sum(call.delivered for call in calls),
        "false_releases": sum(call.false_releases for call in calls),
        "over_target_ms": {"median": over[len(over) // 2], "p99": over[len(over) * 99 // 100], "max": over[-1]}
        if over
        else None,
        "violations": [as_row(call) for call in calls if call.broken],
    }


def by_stage(calls: Sequence[FaultyCall]) -> list[dict[str, Any]]:
    """One row a fault and stage: how often it struck, in how many calls, what became of the attempt then open."""
    outcomes: dict[tuple[str, str], Counter[str]] = {}
    struck: Counter[tuple[str, str]] = Counter()
    for call in calls:
        for strike in call.strikes:
            outcomes.setdefault((strike.name, strike.stage), Counter())[strike.outcome] += 1
        struck.update({(strike.name, strike.stage) for strike in call.strikes})
    return [
        {
            "fault": name,
            "stage": stage or "before the first",
            "fired": sum(found.values()),
            "calls": struck[name, stage],
            **{outcome: found[outcome] for outcome in _OUTCOMES},
        }
        for (name, stage), found in sorted(outcomes.items())
    ]
