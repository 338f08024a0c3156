"""The campaign's figures."""

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from evals.crashes.campaign import Outcome
from evals.crashes.point import MODES


def summarise(outcomes: Sequence[Outcome], *, seconds: float) -> dict[str, Any]:
    """Totals over the points; `seconds` is the wall's time of the campaign."""
    return {
        "points": len(outcomes),
        "killed": sum(outcome.killed for outcome in outcomes),
        "points_with_violation": sum(bool(outcome.broken) for outcome in outcomes),
        "lines_known_to_be_written": sum(outcome.told for outcome in outcomes),
        "points_per_second": round(len(outcomes) / seconds, 2),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "violations": [{**asdict(outcome.point), "broken": outcome.broken} for outcome in outcomes if outcome.broken],
    }


def by_mode(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """One row a kind of point: how many, killed, lines known to be written, closed, resumed, violations."""
    rows = []
    for mode in (*MODES, "live"):
        of = [outcome for outcome in outcomes if outcome.point.mode == mode]
        if of:
            then = [outcome.point.then for outcome in of]
            rows.append(
                {
                    "mode": mode,
                    "points": len(of),
                    "killed": sum(outcome.killed for outcome in of),
                    "lines": sum(outcome.told for outcome in of),
                    "to_close": then.count("close"),
                    "to_resume": then.count("resume"),
                    "violations": sum(bool(outcome.broken) for outcome in of),
                }
            )
    return rows
