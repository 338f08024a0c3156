"""A stored call through the core again: the same inputs must give the same ledger, or what differs is told."""

from collections.abc import Iterable, Iterator, Sequence

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
    for number, (record, stored) in enumerate(steps, 1):
        actions = core.step(record)
        if not actions and not stored:
            continue  # as nearly all: sound, and what was played of it
        gathered.saw(actions)
        fresh = [action.event for action in actions if type(action) is Append]
        if fresh != list(stored):
            yield from _differences(number, record, stored, fresh)


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


def _differences(
    number: int, record: Input, stored: Sequence[LedgerEvent], fresh: Sequence[LedgerEvent]
) -> Iterator[Difference]:
    """Events of one input in pairs that are about the same; numbers alone, moved by an earlier difference, are none."""
    left = list(fresh)
    kind = type(record).__name__.lower()
    for before in stored:
        now = next((event for event in left if _about(event) == _about(before)), None)
        if now is not None:
            left.remove(now)
        fields = fields_that_differ(before, now) if now is not None else ()
        if now is None or fields:
            yield Difference(number, kind, record.t_ms, before, now, fields)
    for now in left:
        yield Difference(number, kind, record.t_ms, None, now)


def _about(event: LedgerEvent) -> tuple[str, str | None, str | None]:
    return event.kind, event.question_id, event.attempt_id
