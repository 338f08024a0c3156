"""What of the core's actions a journal holds, and in which form."""

from typing import Any

from interviewer.call.actions import Action, Append, End, Record, Send

Line = tuple[str, int, dict[str, Any]]
"""Kind, time in ms since the call was begun, and data."""


def line_of(action: Action, now_ms: int) -> Line | None:
    """The journal's line for an action of a step at `now_ms`; None if it has none."""
    match action:
        case Send(event):
            return "out", now_ms, dict(event)
        case Append(event):
            return "ev", event.t_ms, event.to_dict()
        case Record(t_ms, kind, data):
            return "rec", t_ms, {"kind": kind, "data": dict(data)}
        case End(reason):
            return "end", now_ms, {"reason": reason}
        case _:
            return None
