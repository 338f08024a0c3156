"""The campaign's figures, from one row a point."""

import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any

from evals.crashes.campaign import Outcome
from evals.crashes.point import APART, MODES

Row = Mapping[str, Any]


def row_of(outcome: Outcome, seconds: float) -> dict[str, Any]:
    """A point as a row; `seconds` is what it took on the wall."""
    at = outcome.point
    return {
        "number": at.number,
        "mode": at.mode,
        "then": at.then,
        "lines": outcome.told,
        "killed": int(outcome.killed),
        "seconds": round(seconds, 3),
        "broken": "; ".join(outcome.broken),
    }


def key_of(row: Row) -> tuple[int, str]:
    """As `Point.key`."""
    return int(row["number"]), str(row["mode"])


def distinct(rows: Sequence[Row]) -> list[Row]:
    """One row a point, by number; of a point that was run twice the one with a violation, else the first."""
    kept: dict[tuple[int, str], Row] = {}
    for row in sorted(rows, key=lambda row: not row["broken"]):
        kept.setdefault(key_of(row), row)
    return [kept[key] for key in sorted(kept, key=lambda key: (key[1] in APART, key))]


def summarise(rows: Sequence[Row], seed: int) -> dict[str, Any]:
    """Totals over the points."""
    seconds = sum(float(row["seconds"]) for row in rows)
    return {
        "points": len(rows),
        "seed": seed,
        "killed": sum(int(row["killed"]) for row in rows),
        "points_with_violation": sum(bool(row["broken"]) for row in rows),
        "lines_known_to_be_written": sum(int(row["lines"]) for row in rows),
        "points_per_second": round(len(rows) / seconds, 2) if seconds else None,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "violations": [dict(row) for row in rows if row["broken"]],
    }


def by_mode(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One row a kind of point: how many, killed, lines known to be written, closed, resumed, violations."""
    found = []
    for mode in (*MODES, *APART):
        of = [row for row in rows if row["mode"] == mode]
        then = [row["then"] for row in of]
        if of:
            found.append(
                {
                    "mode": mode,
                    "points": len(of),
                    "killed": sum(int(row["killed"]) for row in of),
                    "lines": sum(int(row["lines"]) for row in of),
                    "to_close": then.count("close"),
                    "to_resume": then.count("resume"),
                    "violations": sum(bool(row["broken"]) for row in of),
                }
            )
    return found
