"""A call read back from its journal."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from interviewer.call.inputs import Input, decode
from interviewer.call.setup import CallSetup
from interviewer.errors import JournalError
from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import Ledger, fold
from interviewer.model.stopwatch import Stopwatch
from interviewer.store import journal
from interviewer.store.call_clock import call_clock, ended_ms
from interviewer.store.journal import JournalContents
from interviewer.store.lines import Line


@dataclass(frozen=True)
class CallLog:
    """What a journal holds, as the values it was written from. Times are ms since the call was begun.

    That is where they are in the sound that was kept; `clock` tells what the call's own clock showed then.
    """

    path: Path
    contents: JournalContents

    @classmethod
    def read(cls, path: Path, parts: frozenset[str] = frozenset()) -> "CallLog":
        """Read a journal, or only its lines of these kinds (see `journal.read_parts`). Raises JournalError."""
        return cls(path, journal.read_parts(path, parts) if parts else journal.read(path))

    @property
    def call_id(self) -> str:
        """The call's id; if the head is damaged, what is left of it or the file's name says."""
        return str(self.contents.head.get("call_id") or self.contents.call_id or self.path.stem)

    @cached_property
    def setup(self) -> CallSetup:
        """What the call was begun with. Raises JournalError if it is missing or does not fit this version."""
        line = next(iter(self._lines("setup")), None)
        if line is None:
            raise JournalError(f"{self.path}: the line that says what the call was begun with is missing")
        try:
            return CallSetup.model_validate(_as_it_was(line.data))
        except ValidationError as error:
            raise JournalError(f"{self._at(line)}: the setup does not fit this version: {_first(error)}") from None

    @property
    def begun_with(self) -> CallSetup | None:
        """The setup; None where the journal lost it or it does not fit this version."""
        try:
            return self.setup
        except JournalError:
            return None

    @property
    def target_ms(self) -> int | None:
        """Length the call aimed at; None where the journal lost it."""
        return self.begun_with.target_ms if self.begun_with else None

    @cached_property
    def clock(self) -> Stopwatch:
        """What the call's clock showed at each moment of the record: neither connecting nor pauses count."""
        return call_clock(self.contents.lines)

    @property
    def elapsed_ms(self) -> int | None:
        """What the clock showed when nobody spoke any more; None if the call did not come so far."""
        ended = ended_ms(self.contents.lines)
        return None if ended is None else self.clock.at(ended)

    @property
    def reached_ms(self) -> int:
        """As `elapsed_ms`; of a call that did not come so far, what the clock showed at the last thing recorded."""
        if (ended := self.elapsed_ms) is not None:
            return ended
        lines = self.contents.lines
        return self.clock.at(lines[-1].t_ms if lines else 0)

    @cached_property
    def events(self) -> tuple[LedgerEvent, ...]:
        """The ledger's events, in order. Raises LedgerError."""
        return tuple(LedgerEvent.from_dict(line.data) for line in self._lines("ev"))

    @cached_property
    def ledger(self) -> Ledger:
        """The fold of the events. Raises LedgerError."""
        return fold(self.events)

    def inputs(self) -> Iterator[Input]:
        """Everything that happened to the call, in order. Raises JournalError naming the line."""
        for line in self._lines("in"):
            try:
                yield decode(line.data)
            except JournalError as error:
                raise JournalError(f"{self._at(line)}: {error}") from None

    def records(self, kind: str) -> list[tuple[int, dict[str, Any]]]:
        """(time, data) of every record of this kind, in order."""
        found = [(line.t_ms, line.data) for line in self._lines("rec") if line.data.get("kind") == kind]
        return [(t_ms, data["data"]) for t_ms, data in found if isinstance(data.get("data"), dict)]

    def last(self, kind: str) -> dict[str, Any] | None:
        """The last record of this kind."""
        found = self.records(kind)
        return found[-1][1] if found else None

    @property
    def truth(self) -> dict[str, Any] | None:
        """Figures of what really happened, if the call was simulated."""
        for line in self._lines("truth"):
            if line.data.get("kind") == "summary":
                return dict(line.data["data"])
        return None

    @property
    def end_reason(self) -> str | None:
        """Why the call ended; None if the journal stops before."""
        line = next(iter(self._lines("end")), None)
        return None if line is None else str(line.data.get("reason"))

    def _lines(self, kind: str) -> list[Line]:
        return [line for line in self.contents.lines if line.kind == kind]

    def _at(self, line: Line) -> str:
        return f"{self.path}, line {line.line_number}"


def _as_it_was(setup: dict[str, Any]) -> dict[str, Any]:
    """The setup with what did not exist when it was written switched off: a call is folded as it was held."""
    settings = setup.get("settings")
    if isinstance(settings, dict) and "guard" not in settings:
        return {**setup, "settings": {**settings, "guard": {"mode": "off"}}}
    return setup


def _first(error: ValidationError) -> str:
    problem = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
