"""The clock that a call showed, from its record: what was said is told at the time that was seen then."""

from interviewer.call.stopwatch import Stopwatch
from interviewer.interview.reading import CallLog

_DOES = {"pause": Stopwatch.hold, "resume": Stopwatch.go_on}


def call_clock(log: CallLog) -> Stopwatch:
    """What the call's clock showed at each moment of its record: neither connecting nor pauses count.

    What was recorded elsewhere, without such a clock, has none of both.
    """
    watch = Stopwatch()
    began = log.records("phase")
    watch.start(began[0][0] if began else 0)
    too_late = {(t_ms, data.get("name")) for t_ms, data in log.records("ignored")}
    for line in log.contents.lines:
        if line.kind != "in":
            continue
        name = str(line.data.get("name"))
        if line.data.get("type") == "resumed":  # a pause does not outlive the program
            watch.go_on(line.t_ms)
        elif line.data.get("type") == "command" and name in _DOES and (line.t_ms, name) not in too_late:
            _DOES[name](watch, line.t_ms)
    return watch


def elapsed_ms(log: CallLog) -> int | None:
    """What the clock showed when nobody spoke any more; None if the call did not come so far."""
    first: dict[str, int] = {}
    for t_ms, status in log.statuses:
        first.setdefault(status, t_ms)
    return call_clock(log).at(first["closing"]) if {"live", "closing"} <= first.keys() else None
