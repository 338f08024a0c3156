"""Taking the parts of runs into the database: in bulk, each part once, straight from its files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from interviewer.errors import StoreError
from interviewer.store.database import Database
from interviewer.store.home import Home
from interviewer.store.rows import utc
from interviewer.store.runs import RUN_TABLES, Book, books, read_parquet

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Files = dict[str, list[Path]]


def ingest_runs(home: Home, database: Database | None = None) -> int:
    """Take in whatever the runs of a home have more than when they were last taken in. Returns how many had.

    A file that cannot be read does not stop the others: `run_books` says why. Raises what `Database.connect` raises.
    """
    if not home.runs.is_dir():
        return 0
    database = database or Database(home.database)
    with database.connect(writes=False) as connection:
        known = dict(connection.execute("SELECT run_id, bytes FROM run_books").fetchall())
    grown = [book for book in books(home) if known.get(book.folder.name) != book.size]
    for book in grown:
        with database.connect() as connection:
            _take_in(connection, book)
    return len(grown)


def _take_in(connection: "DuckDBPyConnection", book: Book) -> None:
    # Asked under the lock: another process may just have taken in some parts.
    row = connection.execute("SELECT parts FROM run_books WHERE run_id = ?", [book.folder.name]).fetchone()
    taken = int(row[0]) if row else 0
    files = {table: book.files(table, taken) for table in RUN_TABLES}
    try:
        _insert(connection, book, files, "")
    except (duckdb.InvalidInputException, duckdb.IOException):  # a damaged or lost file; looking first is as slow
        connection.rollback()
        _insert(connection, book, *_readable(files))


def _readable(files: Files) -> tuple[Files, str]:
    good: Files = {}
    problems = []
    for table, paths in files.items():
        good[table] = []
        for path in paths:
            try:
                read_parquet(path)
                good[table].append(path)
            except StoreError as error:
                problems.append(str(error))
    return good, "; ".join(problems)


def _insert(connection: "DuckDBPyConnection", book: Book, files: Files, problem: str) -> None:
    head, run_id = book.head, book.folder.name
    connection.begin()
    for table, paths in files.items():
        insert(connection, table, paths)
    for table in ("runs", "run_books"):
        connection.execute(f"DELETE FROM {table} WHERE run_id = ?", [run_id])  # noqa: S608
    facts = [head.get(name) for name in ("kind", "configuration", "sweep", "version")]
    told = [json.dumps(head.get(name)) for name in ("settings", "agents")]
    row = [run_id, utc(head.get("started_at")), *facts, *told, book.status, book.seconds]
    connection.execute(f"INSERT INTO runs VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
    kept = [run_id, book.size, max(book.parts, default=0), problem]
    connection.execute("INSERT INTO run_books VALUES (?, ?, ?, ?)", kept)
    connection.commit()


def insert(connection: "DuckDBPyConnection", table: str, files: list[Path]) -> None:
    """All rows of these Parquet files into a table of runs, by the names of their columns."""
    if files:
        query = f"INSERT INTO {table} BY NAME SELECT * FROM read_parquet(?)"  # noqa: S608  a name from RUN_TABLES
        connection.execute(query, [[str(path) for path in files]])
