"""The process that comes afterwards: whether all that was known to be written is there, and the call goes on."""

import zlib
from collections.abc import Iterator
from pathlib import Path

from evals.crashes.going_on import go_on
from evals.crashes.point import Point
from interviewer.errors import InterviewerError
from interviewer.kept.folding import Folded, fold_again
from interviewer.kept.reading import CallLog
from interviewer.kept.recover import recover
from interviewer.kept.verify import verify
from interviewer.store.store import INTERRUPTED, Store


def violations(point: Point, home: Path, told: list[int]) -> Iterator[str]:
    """Every promise that was broken, in words. `told` holds the checksums of the lines known to be written."""
    journals = sorted((home / "journals").glob("*.jsonl"))
    if not journals:
        if told:
            yield f"no journal, and {len(told)} lines were written"
        return
    raw = journals[0].read_bytes()
    yield from _lost(raw, told)
    if point.then == "look":
        yield from _looked_at(journals[0], told)
        return
    store = Store.open(home)
    if len(told) < 2:  # the call had not begun: there is nothing to fold
        return
    log = CallLog.read(journals[0])
    if log.contents.damaged or log.contents.torn:
        yield f"damaged after the store was opened: {log.contents.damaged[:1]}, torn {log.contents.torn}"
    yield from _in_database(store, log)
    if log.end_reason is None:
        if store.calls()["status"].iloc[-1] != INTERRUPTED:
            yield "not shown as interrupted"
        yield from _goes_on(point, store, log)
    log = CallLog.read(log.path)
    yield from _lost(log.path.read_bytes(), told)
    if log.end_reason is not None:
        yield from _ended(store, log)


def _looked_at(path: Path, told: list[int]) -> Iterator[str]:
    if len(told) < 2:
        return
    log = CallLog.read(path)
    if log.contents.damaged:
        yield f"damaged: {log.contents.damaged[:1]}"
    if log.end_reason is None:
        try:
            fold_again(log)
        except InterviewerError as error:
            yield f"{type(error).__name__}: {error}"


def _lost(raw: bytes, told: list[int]) -> Iterator[str]:
    lines = raw.split(b"\n")
    for number, check in enumerate(told, 1):
        if number >= len(lines) or zlib.crc32(lines[number - 1] + b"\n") != check:
            yield f"line {number} of {len(told)} that were written is lost"
            return


def _in_database(store: Store, log: CallLog) -> Iterator[str]:
    with store.database.connect(writes=False) as connection:
        events = "SELECT kind FROM ledger_events WHERE call_id = ? ORDER BY seq"
        stored = [kind for (kind,) in connection.execute(events, [log.call_id]).fetchall()]
        rows = connection.execute("SELECT turn_id FROM turns WHERE call_id = ?", [log.call_id]).fetchall()
    kept = {turn_id for (turn_id,) in rows}
    if stored != [event.kind for event in log.events]:
        yield f"{len(stored)} ledger events in the database, {len(log.events)} in the journal"
    turns = {str(data["id"]) for _, data in log.records("turn")}
    if kept != turns:
        yield f"turns {sorted(kept ^ turns)} are in one of database and journal only"


def _goes_on(point: Point, store: Store, log: CallLog) -> Iterator[str]:
    try:
        folded = fold_again(log)
        if point.then == "resume" and not folded.core.said_goodbye:
            yield from _resumed(point, store, folded)
        elif point.then != "open":
            recover(store, log.call_id, close=True)
    except InterviewerError as error:
        yield f"{point.then}: {type(error).__name__}: {error}"


def _resumed(point: Point, store: Store, folded: Folded) -> Iterator[str]:
    core = go_on(point, store, folded)
    call = folded.setup.settings.call
    log = CallLog.read(store.journal_path(folded.call_id))
    kinds = [data["kind"] for t_ms, data in log.records("reply") if t_ms >= folded.now_ms]
    if "live" in (data["status"] for t_ms, data in log.records("status") if t_ms < folded.now_ms) and (
        "resume" not in kinds and "closing" not in kinds
    ):
        yield "the guest was not told that the line had been cut"
    over_ms = core.elapsed_ms - core.target_ms
    if over_ms > call.overrun_ms + call.goodbye_heard_out_ms + 60_000:
        yield f"it ended {over_ms} ms after its target"


def _ended(store: Store, log: CallLog) -> Iterator[str]:
    found = verify(store, log.call_id)
    yield from (f"verify: {problem}" for problem in found.problems)
    yield from (f"{a.id} still open" for a in log.ledger.attempts.values() if a.outcome == "open")
    spoke = any(data["speaker"] == "guest" and data["text"] for _, data in log.records("turn"))
    if spoke and log.last("essay") is None:
        yield "the guest spoke, and there is no essay"
