"""A call taken out of the database, and its bytes out of the file: the file is written anew without it."""

from typing import TYPE_CHECKING

from interviewer.errors import StoreError
from interviewer.store.database import Database
from interviewer.store.ingest import INTERVIEW

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BOOKS = ("schema_version", "migrations", "made_from")
_TABLES = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT internal"
_WITH_CALL = """
SELECT table_name FROM duckdb_columns()
WHERE database_name = current_database() AND NOT internal AND column_name = 'call_id'
AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE database_name = current_database())
ORDER BY table_name
"""


def erase(database: Database, call_id: str) -> None:
    """Remove every row of a call, and write the file anew: deleted rows would stay readable in it.

    Raises as `Database.connect` does, or StoreError if the new file cannot take the old one's place; then the rows
    are gone and their bytes are not, and it can be done again.
    """
    fresh = Database(database.path.with_name(f"{database.path.name}.new"))
    fresh.path.unlink(missing_ok=True)
    with fresh.connect() as new:
        ours = {name for (name,) in new.execute(_TABLES).fetchall()}
    with database.connect() as connection:
        _delete(connection, call_id)
        _copy(connection, str(fresh.path), ours)
    try:
        fresh.path.replace(database.path)
        database.path.with_name(f"{database.path.name}.wal").unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{database.path} cannot be replaced: {error.strerror}; close it and forget again") from None


def rows_of_call(database: Database, call_id: str) -> dict[str, int]:
    """How many rows of a call there are, by table; only those that have some."""
    with database.connect(writes=False) as connection:
        tables = [name for (name,) in connection.execute(_WITH_CALL).fetchall()]
        counts = {}
        for table in tables:
            query = f"SELECT count(*) FROM {table} WHERE call_id = ?"  # noqa: S608  a name from the catalogue
            row = connection.execute(query, [call_id]).fetchone()
            counts[table] = int(row[0]) if row else 0
    return {table: count for table, count in counts.items() if count}


def _delete(connection: "DuckDBPyConnection", call_id: str) -> None:
    row = connection.execute("SELECT interview_id FROM calls WHERE call_id = ?", [call_id]).fetchone()
    interview = row[0] if row else None
    tables = [name for (name,) in connection.execute(_WITH_CALL).fetchall()]
    connection.begin()
    for table in tables:
        connection.execute(f"DELETE FROM {table} WHERE call_id = ?", [call_id])  # noqa: S608  from the catalogue
    connection.execute("DELETE FROM interviews WHERE interview_id = ? OR first_call_id = ?", [interview, call_id])
    if interview:
        connection.execute(INTERVIEW, [interview])
    connection.execute("DELETE FROM guests WHERE (guest, world) NOT IN (SELECT guest, world FROM calls)")
    connection.commit()


def _copy(connection: "DuckDBPyConnection", fresh: str, ours: set[str]) -> None:
    """All rows into the new file; tables that a person made beside ours come along."""
    where = fresh.replace("'", "''")
    connection.execute(f"ATTACH '{where}' AS fresh")
    for (table,) in connection.execute(_TABLES).fetchall():
        name = '"{}"'.format(table.replace('"', '""'))
        if table not in ours:
            connection.execute(f"CREATE TABLE fresh.main.{name} AS FROM main.{name}")
        elif table not in _BOOKS:
            connection.execute(f"INSERT INTO fresh.main.{name} BY NAME SELECT * FROM main.{name}")  # noqa: S608
    connection.execute("DETACH fresh")
