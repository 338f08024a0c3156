"""A call forgotten: taken out of the database, and every file of it deleted."""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from interviewer.errors import Forgotten, InterviewerError, JournalBusy, NotFound
from interviewer.kept.belongings import Belongings, belongings, own_files, without_records
from interviewer.store import exported
from interviewer.store.erase import erase, rows_of_call, tables_with
from interviewer.store.run_forget import parts_of_call, without_call
from interviewer.store.store import Store
from interviewer.store.tombstones import bury, forgotten_at, forgotten_named

_DUE = """
SELECT call_id, started_at, (settings -> 'keep' ->> 'retention_days')::INTEGER AS days FROM calls
WHERE started_at IS NOT NULL AND (settings -> 'keep' ->> 'retention_days')::INTEGER > 0
ORDER BY started_at, call_id
"""


@dataclass(frozen=True, slots=True)
class Due:
    """A call that was to be kept for `days` days, which are over since `since`."""

    call_id: str
    days: int
    since: datetime


def due(store: Store, at: datetime | None = None) -> list[Due]:
    """Calls whose time is over, by the retention they were begun with; oldest first."""
    today = (at or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None)
    with store.database.connect(writes=False) as connection:
        rows = connection.execute(_DUE).fetchall()
    ends = ((call_id, days, started + timedelta(days=days)) for call_id, started, days in rows)
    return [Due(str(call_id), int(days), end.replace(tzinfo=UTC)) for call_id, days, end in ends if end <= today]


def what_goes(store: Store, call: str) -> Belongings:
    """Everything of a call that forgetting it would take. Raises NotFound; JournalBusy for a call that runs."""
    call_id = _id(store, call)
    if store.is_running(call_id):
        raise JournalBusy(f"call {call_id} is running; end it first")
    try:
        journal: Path | None = store.journal_path(call_id)
    except NotFound:
        journal = None
    found = belongings(store.home, call_id, journal)
    return replace(found, tables=tuple(tables_with(store.database, (call_id, *found.passages))))


def forget(store: Store, call: str, *, quotes: bool = True) -> Belongings:
    """Forget a call everywhere this package put it; only its id and the day are kept, so that it does not come back.

    `quotes`: records of other files of this home that quote it go as well; whole files that do are only named.
    What cannot be reached stays: backups, files that a person copied, and what a disk still holds of deleted files.
    It can be done again if it was interrupted. Raises as `what_goes`; StoreError if the database cannot be written:
    then nothing has changed; InterviewerError naming a file that cannot be deleted.
    """
    found = what_goes(store, call)
    before = forgotten_at(store.home.root, found.call_id)
    tombstone = bury(store.home.root, found.call_id)
    try:
        erase(store.database, found.call_id)
    except Exception:
        if before is None:
            tombstone.unlink(missing_ok=True)
        raise
    for path in (*found.exports, *found.files):
        _delete(path)
    for path in found.runs:
        without_call(path, found.call_id)
    for record in (*found.cassette, *(found.quoting if quotes else ())):
        without_records(record)
    try:
        exported.drop(store.home.root, found.call_id)
    except OSError as error:
        raise InterviewerError(f"cannot change the list of exports: {error.strerror}") from None
    return found


def what_is_left(store: Store, call_id: str) -> list[str]:
    """Where a call that was forgotten is still to be found under this home, in words."""
    left = [f"{count} rows in table {table}" for table, count in rows_of_call(store.database, call_id).items()]
    left += [f"{path} is there" for path in own_files(store.home, call_id)]
    left += [f"{path} holds rows of it" for path in parts_of_call(store.home, call_id)]
    return left + [f"{path} is there" for path in exported.files_of(store.home.root, call_id)]


def forgotten(store: Store, call: str) -> tuple[str, datetime] | None:
    """Id and day of a call that was forgotten; None for any other."""
    call_id = forgotten_named(store.home.root, call)
    at = forgotten_at(store.home.root, call_id) if call_id else None
    return (call_id, at) if call_id and at else None


def _id(store: Store, call: str) -> str:
    try:
        return store.resolve(call)
    except Forgotten:
        gone = forgotten_named(store.home.root, call)
        assert gone is not None
        return gone


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
        folder = path.parent
        if path.suffix in (".csv", ".parquet") and not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        raise InterviewerError(f"cannot delete {path}: {error.strerror}; forget the call again then") from None


def as_plain(found: Belongings) -> dict[str, Any]:
    """What goes, as plain values."""
    return {
        "call_id": found.call_id,
        "files": [str(path) for path in (*found.files, *found.exports)],
        "runs": [str(path) for path in found.runs],
        "records": {str(each.path): list(each.lines) for each in (*found.cassette, *found.quoting)},
        "left_as_they_are": [*map(str, found.named), *(f"table {name}" for name in found.tables)],
        "not_looked_into": [str(path) for path in found.closed],
        "later_calls": [{**asdict(one), "path": str(one.path)} for one in found.later],
    }
