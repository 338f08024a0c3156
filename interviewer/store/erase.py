"""A call taken out of the database, and its bytes out of the file: the file is written anew without it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import duckdb

from interviewer.errors import StoreError
from interviewer.store.database import Database
from interviewer.store.ingest import INTERVIEW

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COLUMNS = """
SELECT c.schema_name, c.table_name, c.column_name
FROM duckdb_columns() AS c JOIN duckdb_tables() AS t USING (database_name, schema_name, table_name)
WHERE c.database_name = current_database() AND NOT c.internal
ORDER BY c.schema_name, c.table_name, c.column_index
"""
# What they tell of a call is taken out with it, though they have no column for it.
_SEEN_TO = ("interviews", "guests", "schema_version", "migrations", "made_from")


def erase(database: Database, call_id: str) -> None:
    """Remove every row of a call, and write the file anew: deleted rows would stay readable in it.

    What a person made in it beside our tables comes along: schemas, tables with their keys, views, macros.

    Raises as `Database.connect` does, or StoreError: if rows cannot be removed, then nothing has changed; or if the
    new file cannot be written or take the old one's place, then the rows are gone and their bytes are not, and it can
    be done again.
    """
    fresh = database.path.with_name(f"{database.path.name}.new")
    fresh.unlink(missing_ok=True)
    with database.connect() as connection:
        try:
            _delete(connection, call_id)
            _copy(connection, str(fresh))
        except duckdb.IOException:
            raise
        except duckdb.Error as error:
            raise StoreError(f"{database.path}: the call cannot be taken out: {error}") from error
    try:
        fresh.replace(database.path)
        database.path.with_name(f"{database.path.name}.wal").unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{database.path} cannot be replaced: {error.strerror}; close it and forget again") from None


def rows_of_call(database: Database, call_id: str) -> dict[str, int]:
    """How many rows of a call there are, by table; only those that have some."""
    with database.connect(writes=False) as connection:
        counts = {}
        for table in _with_call(connection):
            query = f"SELECT count(*) FROM {table} WHERE call_id::VARCHAR = ?"  # noqa: S608  a name from the catalogue
            row = connection.execute(query, [call_id]).fetchone()
            counts[table] = int(row[0]) if row else 0
    return {table: count for table, count in counts.items() if count}


def tables_with(database: Database, texts: Sequence[str]) -> list[str]:
    """Tables without a column `call_id` in which any of these texts stands: somebody made them of ours."""
    with database.connect(writes=False) as connection:
        tables: dict[str, list[str]] = {}
        for schema, table, column in connection.execute(_COLUMNS).fetchall():
            tables.setdefault(_named(schema, table), []).append(column)
        return [
            name
            for name, columns in tables.items()
            if "call_id" not in columns and name not in _SEEN_TO and _speaks(connection, name, columns, texts)
        ]


def _speaks(connection: "DuckDBPyConnection", table: str, columns: Sequence[str], texts: Sequence[str]) -> bool:
    row = ", ".join(f"{_quoted(column)}::VARCHAR" for column in columns)
    query = (
        f"SELECT 1 FROM {table} WHERE list_bool_or([contains(concat_ws(chr(10), {row}), p) FOR p IN $texts]) LIMIT 1"  # noqa: S608
    )
    return connection.execute(query, {"texts": list(texts)}).fetchone() is not None


def _delete(connection: "DuckDBPyConnection", call_id: str) -> None:
    row = connection.execute("SELECT interview_id FROM calls WHERE call_id = ?", [call_id]).fetchone()
    interview = row[0] if row else None
    connection.begin()
    for table in _with_call(connection):
        connection.execute(f"DELETE FROM {table} WHERE call_id::VARCHAR = ?", [call_id])  # noqa: S608  from the catalogue
    connection.execute("DELETE FROM interviews WHERE interview_id = ? OR first_call_id = ?", [interview, call_id])
    if interview:
        connection.execute(INTERVIEW, [interview])
    connection.execute("DELETE FROM guests WHERE (guest, world) NOT IN (SELECT guest, world FROM calls)")
    connection.commit()


def _copy(connection: "DuckDBPyConnection", fresh: str) -> None:
    """All that is in the database, into a new file."""
    (own,) = connection.execute("SELECT current_database()").fetchall()[0]
    where = fresh.replace("'", "''")
    connection.execute(f"ATTACH '{where}' AS fresh_copy")
    connection.execute(f"COPY FROM DATABASE {_quoted(own)} TO fresh_copy")
    connection.execute("DETACH fresh_copy")


def _with_call(connection: "DuckDBPyConnection") -> list[str]:
    columns = connection.execute(_COLUMNS).fetchall()
    return [_named(schema, table) for schema, table, column in columns if column == "call_id"]


def _named(schema: str, table: str) -> str:
    """The name as a query takes it; that of a table of ours is its own."""
    return (
        table
        if schema == "main" and table.isidentifier() and table.islower()
        else f"{_quoted(schema)}.{_quoted(table)}"
    )


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))
