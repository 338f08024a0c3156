"""A stored call through the core again: the same inputs must give the same ledger, or what differs is told."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interviewer.call.actions import Append
from interviewer.call.core import Core
from interviewer.call.inputs import Input
from interviewer.ledger.events import LedgerEvent
from interviewer.replay.gather import Gathered
from interviewer.replay.outcome import Difference

Step = tuple[Input, Sequence[LedgerEvent]]
"""An input and the ledger events that it gave when the call was held."""


def fold_steps(core: Core, steps: Iterable[Step], gathered: Gathered) -> Iterator[Difference]:
    """Feed the inputs to `core`; give every ledger event that comes out otherwise, under the input it comes from.

    Once a call has taken another course, its later inputs answer questions that were never put: the first differences
    are changes, what follows are consequences. `gathered` takes what the core did.
    """
    numbers = _Numbers()
    for number, (record, stored) in enumerate(steps, 1):
        actions = core.step(record)
        if not actions and not stored:
            continue  # as nearly all: sound, and what was played of it
        gathered.saw(actions)
        fresh = [action.event for action in actions if type(action) is Append]
        if fresh != list(stored):
            yield from _differences(number, record, stored, fresh, numbers)
        elif fresh:  # an input without events tells nothing of their numbers
            numbers.moved = 0


def fields_that_differ(stored: LedgerEvent, fresh: LedgerEvent) -> tuple[tuple[str, object, object], ...]:
    """(name, before, now) of each field of two events that differs, but their number; evidence as `evidence.NAME`."""
    found: list[tuple[str, object, object]] = []
    before, now = stored.to_dict(), fresh.to_dict()
    for name in before:
        if name not in ("evidence", "seq") and before[name] != now[name]:
            found.append((name, before[name], now[name]))
    told, tells = dict(stored.evidence), dict(fresh.evidence)
    for name in dict.fromkeys([*told, *tells]):
        if told.get(name) != tells.get(name):
            found.append((f"evidence.{name}", told.get(name), tells.get(name)))
    return tuple(found)


@dataclass(slots=True)
class _Numbers:
    """By how much events' numbers are apart; None after an event that is on one side only, which moves them."""

    moved: int | None = 0

    def differ(self, before: LedgerEvent, now: LedgerEvent) -> bool:
        apart = now.seq - before.seq
        if self.moved is None:
            self.moved = apart
        return apart != self.moved


def _differences(
    number: int, record: Input, stored: Sequence[LedgerEvent], fresh: Sequence[LedgerEvent], numbers: _Numbers
) -> Iterator[Difference]:
    """Events of one input in pairs that are about the same; numbers moved by an earlier difference are none.

    An event that comes before one it stood behind differs in `place`, its place among those of the input, from 1.
    """
    left = list(enumerate(fresh, 1))
    kind = type(record).__name__.lower()
    latest = 0
    for place, before in enumerate(stored, 1):
        at, now = next(((at, event) for at, event in left if _about(event) == _about(before)), (0, None))
        if now is None:
            numbers.moved = None
            yield Difference(number, kind, record.t_ms, before, None)
            continue
        left.remove((at, now))
        fields = fields_that_differ(before, now)
        if numbers.differ(before, now):
            fields = (("seq", before.seq, now.seq), *fields)
        if at < latest:
            fields = (("place", place, at), *fields)
        latest = max(latest, at)
        if fields:
            yield Difference(number, kind, record.t_ms, before, now, fields)
    if left:
        numbers.moved = None
    for _, now in left:
        yield Difference(number, kind, record.t_ms, None, now)


def _about(event: LedgerEvent) -> tuple[str, str | None, str | None]:
    return event.kind, event.question_id, event.attempt_id
