"""Runs of replays as they are kept: under `runs/RUN_ID/` a book of what is done, and Parquet files part by part.

A part is a file for each table that has rows. It counts once the book names it, so whatever a crash leaves of an
unfinished one is written over. The book holds no words of calls and no ids of them: those are in the parts alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import duckdb

from interviewer.errors import JournalError, NotFound, StoreError
from interviewer.store import migrations
from interviewer.store.columns import Row, Shape, shapes
from interviewer.store.home import Home, safe_id
from interviewer.store.journal import Journal, JournalContents, read
from interviewer.store.locks import is_held

if TYPE_CHECKING:
    import pyarrow as pa

RUN_TABLES: Final = (
    "run_calls",
    "run_turns",
    "run_decisions",
    "run_moments",
    "run_events",
    "run_agent_runs",
    "run_differences",
    "run_disclosures",
    "run_records",
    "run_failures",
)
BOOK: Final = "book.jsonl"
FINISHED, STOPPED, RUNNING, INTERRUPTED = "finished", "stopped", "running", "interrupted"

Tables = Mapping[str, Sequence[Row]]
"""Rows by the names of RUN_TABLES; they lack `run_id`."""


@cache
def run_shapes() -> dict[str, Shape]:
    """The columns of the tables of runs, as a new database has them."""
    with duckdb.connect(":memory:") as connection:
        migrations.migrate(connection, migrations.MIGRATIONS)
        known = shapes(connection)
    return {name: known[name] for name in RUN_TABLES}


@dataclass(frozen=True, slots=True)
class Book:
    """What a book says: the head it was begun with, the rows by table of its parts, how it ended (None: it has not)."""

    path: Path
    head: Mapping[str, Any]
    rows: Mapping[int, Mapping[str, int]]
    status: str | None
    seconds: float | None
    size: int

    @property
    def folder(self) -> Path:
        """Where the parts are."""
        return self.path.parent

    @property
    def state(self) -> str:
        """finished, stopped, running or interrupted."""
        return self.status or (RUNNING if is_held(self.path) else INTERRUPTED)

    @property
    def parts(self) -> tuple[int, ...]:
        """The numbers of its parts, in order."""
        return tuple(self.rows)

    def files(self, table: str, after: int = 0) -> list[Path]:
        """The files of a table, of the parts numbered above `after`: also one that was lost, which cannot be read."""
        return [
            part_file(self.folder, table, part) for part, rows in self.rows.items() if part > after and rows.get(table)
        ]


class RunWriter:
    """Writes a run, part by part; a context manager. Leaving it without `finish` leaves the run to be gone on with."""

    def __init__(self, journal: Journal, run_id: str, parts: int) -> None:
        self.run_id = run_id
        self.folder = journal.path.parent
        self._journal, self._parts = journal, parts

    @classmethod
    def begin(cls, place: Home, run_id: str, head: Mapping[str, Any]) -> Self:
        """A new run. Raises JournalError if there is one of this id or it cannot be written."""
        folder = run_folder(place, run_id)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"cannot make the folder {folder}: {error.strerror}") from None
        return cls(Journal.create(folder / BOOK, {"run_id": run_id, **head}), run_id, 0)

    @classmethod
    def again(cls, place: Home, run_id: str) -> Self:
        """Go on with a run that was stopped or whose program died. Raises NotFound, JournalBusy if it still runs."""
        book = read_book(place, run_id)
        return cls(Journal.reopen(book.path), run_id, max(book.parts, default=0))

    def add(self, tables: Tables) -> int:
        """Write a part; once this returns it stays. Returns its number. Raises StoreError naming what does not fit."""
        import pyarrow.parquet as pq

        part = self._parts + 1
        for table, shape in run_shapes().items():
            path = part_file(self.folder, table, part)
            path.unlink(missing_ok=True)
            if rows := tables.get(table):
                write_parquet(self._fitted(table, shape, rows), path, pq.write_table)
        self._journal.write("part", 0, {"part": part, "rows": {name: len(rows) for name, rows in tables.items()}})
        self._parts = part
        return part

    def _fitted(self, table: str, shape: Shape, rows: Sequence[Row]) -> "pa.Table":
        try:
            return shape.arrow([shape.fit({**row, "run_id": self.run_id}) for row in rows])
        except ValueError as error:
            raise StoreError(f"run {self.run_id}: table {table}: {error}") from None

    def finish(self, seconds: float, *, stopped: bool = False) -> None:
        """It is over: to its end, or because a person stopped it."""
        self._journal.write("end", 0, {"status": STOPPED if stopped else FINISHED, "seconds": seconds})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._journal.close()


def write_parquet(table: "pa.Table", path: Path, write: Any) -> None:
    """Into the file `path`, whole or not at all. Raises StoreError."""
    half = path.with_name(f"{path.name}.new")
    try:
        write(table, half, compression="zstd")
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None


def run_folder(place: Home, run_id: str) -> Path:
    """Where a run is, or will be. Raises JournalError if the id is no safe file name."""
    return place.runs / safe_id(run_id)


def part_file(folder: Path, table: str, part: int) -> Path:
    """The file of a table's rows in one part, numbered from 1."""
    return folder / f"{table.removeprefix('run_')}-{part:05}.parquet"


def read_book(place: Home, run_id: str) -> Book:
    """What the book of a run says. Raises NotFound, JournalError if it cannot be read."""
    path = run_folder(place, run_id) / BOOK
    if not path.exists():
        raise NotFound(f"no run {run_id!r}; {_there(place)}")
    return _book(path, read(path))


def books(place: Home) -> Iterator[Book]:
    """All runs of a home, oldest first; those whose book cannot be read are left out."""
    found = []
    for path in place.runs.glob(f"*/{BOOK}"):
        try:
            found.append(_book(path, read(path)))
        except JournalError:
            continue
    yield from sorted(found, key=lambda book: (str(book.head.get("started_at")), book.folder.name))


def resolve_run(place: Home, run: str) -> str:
    """The id of a run from its id, a prefix that only it has, or `last`. Raises NotFound naming those there are."""
    ids = [book.folder.name for book in books(place)]
    if run == "last" and ids:
        return ids[-1]
    found = [run] if run in ids else [each for each in ids if run and each.startswith(run)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFound(f"{len(found)} runs begin with {run!r}; give more of the id")
    raise NotFound(f"no run {run!r}; {_there(place)}")


def rows_of_run(book: Book, table: str) -> list[Row]:
    """All rows of a table of a run, part after part. Raises StoreError naming a file that cannot be read."""
    return [row for path in book.files(table) for row in read_parquet(path).to_pylist()]


def read_parquet(path: Path, columns: list[str] | None = None) -> "pa.Table":
    """A part's file. Raises StoreError naming it if it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path).read(columns=columns)
    except (OSError, pa.ArrowException) as error:
        raise StoreError(f"{path} cannot be read: {error}; replay its recordings again") from None


def _book(path: Path, contents: JournalContents) -> Book:
    end = next((line.data for line in reversed(contents.lines) if line.kind in ("end", "part")), {})
    ended = end if "status" in end else {}
    rows = {int(line.data["part"]): line.data["rows"] for line in contents.lines if line.kind == "part"}
    return Book(path, contents.head, rows, ended.get("status"), ended.get("seconds"), contents.size)


def _there(place: Home) -> str:
    ids = [book.folder.name for book in books(place)]
    return f"there are: {', '.join(ids[-8:])}" if ids else "there is none yet"
