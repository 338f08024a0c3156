"""The clock that a call showed, from its journal: what was said is told at the time that was seen then."""

from collections.abc import Iterator, Sequence
from typing import Any

from interviewer.model.stopwatch import Stopwatch
from interviewer.store.lines import Line

_DOES = {"pause": Stopwatch.hold, "resume": Stopwatch.go_on}


def call_clock(lines: Sequence[Line]) -> Stopwatch:
    """What the call's clock showed at each moment of its record: neither connecting nor pauses count.

    What was recorded elsewhere, without such a clock, has none of both.
    """
    watch = Stopwatch()
    watch.start(next((t_ms for t_ms, _ in _records(lines, "phase")), 0))
    too_late = {(t_ms, data.get("name")) for t_ms, data in _records(lines, "ignored")}
    for line in lines:
        if line.kind != "in":
            continue
        name = str(line.data.get("name"))
        if line.data.get("type") == "resumed":  # a pause does not outlive the program
            watch.go_on(line.t_ms)
        elif line.data.get("type") == "command" and name in _DOES and (line.t_ms, name) not in too_late:
            _DOES[name](watch, line.t_ms)
    return watch


def ended_ms(lines: Sequence[Line]) -> int | None:
    """When, in ms of the record, nobody spoke any more; None if the call did not come so far."""
    first: dict[str, int] = {}
    for t_ms, data in _records(lines, "status"):
        first.setdefault(str(data.get("status")), t_ms)
    return first["closing"] if {"live", "closing"} <= first.keys() else None


def _records(lines: Sequence[Line], kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line in lines:
        if line.kind == "rec" and line.data.get("kind") == kind and isinstance(line.data.get("data"), dict):
            yield line.t_ms, line.data["data"]
