"""Taking journals into the database: in bulk, in one transaction, as often as one likes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.errors import Forgotten, JournalError, StoreError
from interviewer.model.characters import whole
from interviewer.model.stopwatch import Stopwatch
from interviewer.store.call_clock import call_clock
from interviewer.store.columns import Row, Shape, shapes
from interviewer.store.database import Database
from interviewer.store.home import Home, safe_id
from interviewer.store.journal import Damage, JournalContents, read
from interviewer.store.mending import mend_all, mend_one
from interviewer.store.rows import call_row, rows_of
from interviewer.store.tombstones import refuse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TABLES = (
    "calls",
    "plans",
    "questions",
    "turns",
    "ledger_events",
    "replies",
    "agent_runs",
    "decisions",
    "notes",
    "research",
    "requests",
    "moments",
    "analyses",
    "follow_ups",
    "drafts",
    "truth",
    "imports",
)
LOST_END = "gone from the end that stood there when it was last taken in"
# Of several rows with one key the last counts, but these tell of a thing when it first came up.
_FIRST_COUNTS = ("ledger_events", "questions")

INTERVIEW = """
INSERT OR REPLACE INTO interviews
SELECT c.interview_id, c.topic, p.language, c.call_id, c.started_at
FROM calls AS c LEFT JOIN plans AS p USING (call_id)
WHERE c.interview_id = ?
ORDER BY c.started_at NULLS LAST, c.call_id
LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What came of a journal: `lines` whole lines in all, `new_lines` since the last time, `damaged` places.

    `problem` says why nothing could be taken in; `call_id` is then empty.
    """

    call_id: str
    lines: int
    new_lines: int
    damaged: int
    problem: str = ""


def ingest(database: Database, journal_path: Path) -> Ingested:
    """Take in a journal up to its last whole line; damage goes to `quarantine`.

    Rows of an earlier time are replaced, so that what the database holds depends on the journal alone.

    Raises JournalError if the file is no readable journal, or a copy beside its call's own; Forgotten if its call is;
    and what `Database.connect` raises.
    """
    with database.connect() as connection:
        # Read under the lock: of two processes with the same growing journal the later one has read more.
        contents = read(journal_path)
        call_id = safe_id(contents.head.get("call_id", contents.call_id or journal_path.stem))
        refuse(database.path.parent, call_id)
        _refuse_copy(journal_path, call_id)
        _refuse_piece(journal_path, contents)
        known = shapes(connection)
        rows, damaged = _collect(known, call_id, contents)
        file = _key(database, journal_path)
        before = connection.execute("SELECT lines FROM journals WHERE file = ?", [file]).fetchone()
        lines = len(contents.lines) + bool(contents.head)
        if before and (gone := before[0] - lines) > 0:
            words = "1 line is" if gone == 1 else f"{gone} lines are"
            damaged.append(Damage(contents.last_n + 1, f"{words} {LOST_END}"))
        connection.begin()
        _replace(connection, known, call_id, rows)
        _quarantine(connection, known["quarantine"], file, call_id, damaged)
        connection.execute(
            "INSERT OR REPLACE INTO journals VALUES (?, ?, ?, ?, ?, ?, NULL)",
            [file, call_id, lines, contents.size, len(damaged), contents.torn],
        )
        connection.commit()
    return Ingested(call_id, lines, max(0, lines - (before[0] if before else 0)), len(damaged))


def ingest_all(home: Home, database: Database | None = None) -> list[Ingested]:
    """Take in every journal of `home` whose size is not what it was when it was last taken in, by name.

    Whatever a journal holds, it does not stop the others: what cannot be taken in is told of in the result and in
    `journals`. Raises what `Database.connect` raises.
    """
    database = database or Database(home.database)
    with database.connect(writes=False) as connection:
        known = dict(connection.execute("SELECT file, bytes FROM journals").fetchall())
    mend_all(home)
    done = []
    for path in sorted(home.journals.glob("*.jsonl")):
        size = _size(path)
        if size is None or known.get(_key(database, path)) == size:
            continue
        mend_one(path)
        try:
            done.append(ingest(database, path))
        except StoreError:
            raise
        except Exception as error:
            if path.exists():
                told = (
                    str(error)
                    if isinstance(error, JournalError | Forgotten)
                    else f"{path}: {type(error).__name__}: {error}"
                )
                done.append(_refuse(database, path, size, told))
    return done


def _refuse_copy(path: Path, call_id: str) -> None:
    """Of two files with one call the one that bears its name counts: a copy may be older."""
    own = path.with_name(f"{call_id}.jsonl")
    if path.name != own.name and own.exists():
        raise JournalError(f"{path} is a copy of {own.name}, or holds the same call; it is not taken in")


def _refuse_piece(path: Path, contents: JournalContents) -> None:
    """Of format 1 only the head tells which call a line is of: a piece without one may be of a call that is gone."""
    if not contents.head and not contents.seal and contents.lines[0].line_number == 1:
        raise JournalError(f"{path}, line 1: the beginning is missing, and nothing else tells whose lines these are")


def _size(path: Path) -> int | None:
    """Size of the file; None if it is gone, for journals may be moved away at any time."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def _key(database: Database, path: Path) -> str:
    path, root = path.absolute(), database.path.parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _collect(
    known: dict[str, Shape], call_id: str, contents: JournalContents
) -> tuple[dict[str, list[Row]], list[Damage]]:
    """The rows of each table, each key once, and all damage: that of the file and lines of an unknown shape."""
    kept: dict[str, dict[tuple[object, ...], Row]] = {table: {} for table in TABLES}
    damaged = list(contents.damaged)
    watch = call_clock(contents.lines)
    row, problems = known["calls"].fit_what_can(call_row(call_id, contents.head, contents.lines, watch))
    kept["calls"][call_id,] = row
    damaged += [Damage(1, f"of the call: {problem}") for problem in problems]
    for line in contents.lines:
        try:
            for table, row in list(rows_of(line)):
                _keep(known[table], kept[table], table, {**row, "call_id": call_id}, watch)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            damaged.append(Damage(line.line_number, f"{line.kind} of another shape: {error}", repr(line.data).encode()))
    return {table: list(rows.values()) for table, rows in kept.items()}, damaged


def _keep(shape: Shape, kept: dict[tuple[object, ...], Row], table: str, row: Row, clock: Stopwatch) -> None:
    if table == "questions":
        row.setdefault("number", len(kept) + 1)
    fitted = shape.fit(row)
    if "at_ms" in fitted:
        fitted |= _shown(fitted, clock)
    key = tuple(fitted[name] for name in shape.key)
    if table not in _FIRST_COUNTS or key not in kept:
        kept[key] = fitted
    elif table == "ledger_events" and kept[key] != fitted:
        raise ValueError(f"another event has seq {row['seq']}")


def _shown(row: Row, clock: Stopwatch) -> Row:
    """What the call's clock showed when what this row tells of began and, if the table says so, ended."""
    times = {"at_ms": row.get("started_ms", row.get("ts_ms")), "ended_at_ms": row.get("ended_ms")}
    return {name: None if t_ms is None else clock.at(t_ms) for name, t_ms in times.items() if name in row}


def _replace(
    connection: "DuckDBPyConnection", known: dict[str, Shape], call_id: str, tables: dict[str, list[Row]]
) -> None:
    taken_in_before = connection.execute("SELECT 1 FROM calls WHERE call_id = ?", [call_id]).fetchone()
    for table, rows in tables.items():
        if taken_in_before:
            connection.execute(f"DELETE FROM {table} WHERE call_id = ?", [call_id])  # noqa: S608  a name from TABLES
        _insert(connection, table, known[table], rows)
    call = tables["calls"][0]
    if call["interview_id"]:
        connection.execute(INTERVIEW, [call["interview_id"]])
    if call["guest"] and call["world"]:
        guest = [call["guest"], call["world"], call["dossier"]]
        connection.execute("INSERT OR REPLACE INTO guests VALUES (?, ?, ?)", guest)


def _insert(connection: "DuckDBPyConnection", table: str, shape: Shape, rows: list[Row]) -> None:
    if rows:
        connection.from_arrow(shape.arrow(rows)).insert_into(table)


def _quarantine(
    connection: "DuckDBPyConnection", shape: Shape, file: str, call_id: str, damaged: Sequence[Damage]
) -> None:
    connection.execute("DELETE FROM quarantine WHERE file = ?", [file])
    rows = [
        {
            "file": file,
            "line_number": damage.line_number,
            "place": place,
            "call_id": call_id,
            "reason": whole(damage.reason),
            "raw": None if damage.raw is None else damage.raw.decode("utf-8", "replace"),
        }
        for place, damage in enumerate(damaged, 1)
    ]
    _insert(connection, "quarantine", shape, rows)


def _refuse(database: Database, path: Path, size: int, problem: str) -> Ingested:
    """Remember that this journal cannot be taken in as it is, so that it is not tried again until it changes."""
    file = _key(database, path)
    with database.connect() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO journals VALUES (?, NULL, 0, ?, 0, false, ?)", [file, size, whole(problem)]
        )
    return Ingested("", 0, 0, 0, problem)
