"""Repeated measurements and what is reported of them."""

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Figure(NamedTuple):
    """A measured quantity beside its limit. `ratio`: median over limit; below 1 keeps a limit that is a maximum."""

    name: str
    unit: str
    n: int
    low: float
    median: float
    high: float
    limit: float
    at_most: bool
    ratio: float
    kept: bool


def figure(name: str, unit: str, values: Sequence[float], limit: float, *, at_most: bool) -> Figure:
    """The figure of some measured values."""
    median = statistics.median(values)
    kept = median <= limit if at_most else median >= limit
    return Figure(
        name,
        unit,
        len(values),
        round(min(values), 4),
        round(median, 4),
        round(max(values), 4),
        limit,
        at_most,
        round(median / limit, 4),
        kept,
    )


def timed(work: Callable[[], object], times: int, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """Seconds of some runs by `clock`, wall time if not said otherwise, after one that does not count."""
    work()
    seconds = []
    for _ in range(times):
        began = clock()
        work()
        seconds.append(clock() - began)
    return seconds


def command(*arguments: str, home: Path) -> Callable[[], object]:
    """A whole process of this Python, to be timed."""

    def run() -> object:
        environment = {**os.environ, "INTERVIEWER_HOME": str(home)}
        return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)

    return run


def machine() -> dict[str, str | int | None]:
    """Where it was measured."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
    }


def load() -> float | None:
    """Processes that want to run, the last minute's mean; with more of them than cores waiting is measured."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """`n`, `p50`, `p95` and `max` of some values; the quantiles are values that were there."""
    ordered = sorted(values)
    p50, p95 = (round(ordered[int(share * (len(ordered) - 1))], 2) for share in (0.5, 0.95))
    return {"n": len(ordered), "p50": p50, "p95": p95, "max": round(ordered[-1], 2)}
