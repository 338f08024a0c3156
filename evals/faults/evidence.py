"""The record of a call as the checks read it: from the journal's lines alone, not from what the core says of them."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from interviewer.call.inputs import Input, decode
from interviewer.ledger.events import LedgerEvent


class Line(NamedTuple):
    """A line of the journal: its place in it, its time, and what it holds."""

    at: int
    t_ms: int
    data: dict[str, Any]


class Arrived(NamedTuple):
    """A frame that came over a connection that stood, with the number of that connection."""

    at: int
    t_ms: int
    epoch: int
    frame: dict[str, Any]

    @property
    def type(self) -> str:
        """Its type; empty if it has none that could be one."""
        return str(self.frame.get("type") or "")

    @property
    def response(self) -> dict[str, Any]:
        """The response object it carries, empty if none."""
        found = self.frame.get("response")
        return found if isinstance(found, dict) else {}

    @property
    def response_id(self) -> Any:
        """The response it is of."""
        return self.response.get("id") or self.frame.get("response_id")


@dataclass
class Log:
    """The journal of a call, each line through JSON and back. Read it once the call is over."""

    lines: list[tuple[str, int, dict[str, Any]]] = field(default_factory=list)

    def write(self, kind: str, t_ms: int, data: dict[str, Any]) -> None:
        """Keep a line as the journal would."""
        self.lines.append((kind, t_ms, json.loads(json.dumps(data))))

    def inputs(self) -> Iterator[Input]:
        """The inputs, in order."""
        return (decode(line.data) for line in self.of("in"))

    def events(self) -> Iterator[LedgerEvent]:
        """The ledger's events, in order."""
        return (LedgerEvent.from_dict(line.data) for line in self.of("ev"))

    def of(self, kind: str, named: str | None = None) -> list[Line]:
        """The lines of a kind (in, out, ev, rec), or those of them of one type."""
        found = self._by_kind[kind]
        return found if named is None else [line for line in found if line.data["type"] == named]

    def recorded(self, kind: str) -> list[Line]:
        """The records of a kind, each with what it says."""
        return [Line(at, t, data["data"]) for at, t, data in self.of("rec") if data["kind"] == kind]

    @cached_property
    def _by_kind(self) -> dict[str, list[Line]]:
        found: dict[str, list[Line]] = defaultdict(list)
        for at, (kind, t_ms, data) in enumerate(self.lines):
            found[kind].append(Line(at, t_ms, data))
        return found

    @cached_property
    def frames(self) -> list[Arrived]:
        """All that came over the newest connection while it stood."""
        return [found for found in self._sorted if isinstance(found, Arrived)]

    @cached_property
    def stale(self) -> list[Line]:
        """Frames that came when their connection was gone."""
        return [found for found in self._sorted if isinstance(found, Line)]

    @cached_property
    def _sorted(self) -> list[Arrived | Line]:
        gone: set[int] = set()
        newest = 0
        found: list[Arrived | Line] = []
        for line in self.of("in"):
            if line.data["type"] == "disconnected":
                gone.add(line.data["epoch"])
            elif line.data["type"] == "frame":
                epoch = line.data["epoch"]
                if epoch in gone or epoch < newest:
                    found.append(line)
                    continue
                newest = epoch
                found.append(Arrived(line.at, line.t_ms, epoch, line.data["frame"]))
        return found

    def playback(self, response_id: Any) -> list[Line]:
        """The player's reports on a response."""
        return [line for line in self.of("in", "playback") if line.data["response_id"] == response_id]

    @cached_property
    def over_at(self) -> int:
        """The line from which nobody is listened to: the goodbye, or the closing."""
        marks = [line.at for line in self.recorded("goodbye")]
        marks += [line.at for line in self.recorded("status") if line.data.get("status") in ("closing", "after")]
        return min(marks, default=len(self.lines))

    @cached_property
    def after_at(self) -> int:
        """The line at which the agents after the call begin."""
        marks = [line.at for line in self.recorded("status") if line.data.get("status") == "after"]
        return min(marks, default=len(self.lines))
