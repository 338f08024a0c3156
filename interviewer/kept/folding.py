"""A call folded again from its journal, up to the moment at which its program died."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.call.core import Core
from interviewer.call.lines import Line, line_of
from interviewer.call.setup import CallSetup
from interviewer.errors import JournalError
from interviewer.kept.reading import CallLog


@dataclass(frozen=True)
class Folded:
    """An unfinished call as it stood. `now_ms`: its time then; `missing`: lines its last step had still to write.

    `began`: whether anything had happened in it.
    """

    call_id: str
    core: Core
    now_ms: int
    missing: tuple[Line, ...]
    began: bool
    spent_usd: float

    @property
    def setup(self) -> CallSetup:
        """What the call was begun with."""
        return self.core.setup


def fold_again(log: CallLog) -> Folded:
    """Feed the journal's inputs to a fresh core. It must give the ledger that stands in the journal.

    Raises JournalError if it cannot: the journal is damaged, or this version decides otherwise than the one that
    wrote it; and if the call has come to its end.
    """
    if log.end_reason is not None:
        raise JournalError(f"call {log.call_id} has come to its end; there is nothing to go on with")
    if hurt := [d for d in log.contents.damaged if "nothing is lost" not in d.reason]:
        raise JournalError(f"{log.path}, line {hurt[0].line_number}: {hurt[0].reason}, so the call cannot go on")
    core = Core(log.setup)
    lines: list[Line] = []
    last, now_ms = 0, -1
    for record in log.inputs():
        last, now_ms = len(lines), record.t_ms
        lines += [line for action in core.step(record) if (line := line_of(action, now_ms))]
    if now_ms < 0:
        return Folded(log.call_id, core, 0, (), False, spent_usd(log))
    return Folded(log.call_id, core, now_ms, _missing(log, lines, last), True, spent_usd(log))


def _missing(log: CallLog, lines: list[Line], last: int) -> tuple[Line, ...]:
    """What the last step gives and the journal lacks; what was to be sent was not, and is left out."""
    stored = [line.data for line in log.contents.lines if line.kind == "ev"]
    fresh = [(at, _plain(line)) for at, line in enumerate(lines) if line[0] == "ev"]
    if stored != [data for _, data in fresh[: len(stored)]] or any(at < last for at, _ in fresh[len(stored) :]):
        raise JournalError(
            f"{log.path}: this version makes another ledger of the call than the one that wrote it, so it cannot go on"
        )
    there = list(_written_since(log))
    missing = []
    for line in lines[last:]:
        found = (line[0], _plain(line))
        if found in there:
            there.remove(found)
        elif line[0] != "out":
            missing.append(line)
    return tuple(missing)


def _written_since(log: CallLog) -> Iterator[tuple[str, object]]:
    """Kind and data of the lines after the last input."""
    numbers = [line.n for line in log.contents.lines if line.kind == "in"]
    return ((line.kind, line.data) for line in log.contents.lines if line.n > numbers[-1])


def _plain(line: Line) -> object:
    return json.loads(json.dumps(line[2]))


def spent_usd(log: CallLog) -> float:
    """What the call has cost so far, as far as prices were known, in USD."""
    agents = [data.get("cost_usd") for _, data in log.records("job")]
    voice = [(data.get("usage") or {}).get("cost_usd") for _, data in log.records("reply")]
    return float(sum(cost for cost in (*agents, *voice) if isinstance(cost, int | float)))
