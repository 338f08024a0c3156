"""The record of a call as the checks read it: from the journal's lines alone, not from what the core says of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from interviewer.call.inputs import Input, decode
from interviewer.ledger.events import LedgerEvent


@dataclass(slots=True)
class Log:
    """The journal of a call, each line through JSON and back."""

    lines: list[tuple[str, int, dict[str, Any]]] = field(default_factory=list)

    def write(self, kind: str, t_ms: int, data: dict[str, Any]) -> None:
        """Keep a line as the journal would."""
        self.lines.append((kind, t_ms, json.loads(json.dumps(data))))

    def inputs(self) -> Iterator[Input]:
        """The inputs, in order."""
        return (decode(data) for kind, _, data in self.lines if kind == "in")

    def events(self) -> Iterator[LedgerEvent]:
        """The ledger's events, in order."""
        return (LedgerEvent.from_dict(data) for kind, _, data in self.lines if kind == "ev")

    def frames(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """(time, epoch, frame) of all that came over a connection that stood."""
        gone: set[int] = set()
        newest = 0
        for kind, t_ms, data in self.lines:
            if kind != "in":
                continue
            if data["type"] == "disconnected":
                gone.add(data["epoch"])
            elif data["type"] == "frame" and data["epoch"] not in gone and data["epoch"] >= newest:
                newest = data["epoch"]
                yield t_ms, newest, data["frame"]

    def sent(self, kind: str) -> list[tuple[int, dict[str, Any]]]:
        """(time, event) of the client events of a type."""
        return [(t_ms, data) for what, t_ms, data in self.lines if what == "out" and data["type"] == kind]

    def recorded(self, kind: str) -> list[tuple[int, dict[str, Any]]]:
        """(time, data) of the records of a kind."""
        return [(t, data["data"]) for what, t, data in self.lines if what == "rec" and data["kind"] == kind]

    def played(self) -> dict[str, int]:
        """How much of each response was played, in ms, by the player's own reports."""
        found: dict[str, int] = {}
        for kind, _, data in self.lines:
            if kind == "in" and data["type"] == "playback":
                found[data["response_id"]] = max(found.get(data["response_id"], 0), data["played_ms"])
        return found
