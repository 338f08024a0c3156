"""The database's schema, as steps with names: each is taken once and recorded."""

from importlib.resources import files
from typing import TYPE_CHECKING

from interviewer.errors import ForeignDatabase, NewerDatabase

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

APPLICATION = "interviewer"
# Names of SQL files in `schema/`. Only ever add to the end: a step that was taken is never taken again.
MIGRATIONS = ("0001_tables", "0002_views", "0003_costs", "0004_prompts_and_drafts", "0005_comments")

_BOOK = """
CREATE TABLE schema_version (application VARCHAR, version INTEGER);
COMMENT ON TABLE schema_version IS 'Whose database this is, and how many migrations it has seen.';
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name VARCHAR);
COMMENT ON TABLE migrations IS 'The migrations it has seen.';
"""


def pending(connection: "DuckDBPyConnection", where: str) -> tuple[str, ...]:
    """Migrations this database has not seen.

    Raises ForeignDatabase if it is not ours and NewerDatabase if it has seen some that this version does not know.
    """
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        return MIGRATIONS
    if not {"schema_version", "migrations"} <= tables:
        raise ForeignDatabase(f"{where} is a database of another program; choose another home")
    owner = connection.execute("SELECT application, version FROM schema_version").fetchone()
    if owner is None or owner[0] != APPLICATION:
        raise ForeignDatabase(f"{where} is a database of another program; choose another home")
    seen = connection.execute("SELECT name FROM migrations ORDER BY number").fetchall()
    unknown = [name for (name,) in seen if name not in MIGRATIONS]
    if unknown or owner[1] > len(MIGRATIONS):
        newer = ", ".join(unknown) or f"version {owner[1]}"
        raise NewerDatabase(f"{where} was written by a later version of this package ({newer}); update the package")
    return tuple(name for name in MIGRATIONS if (name,) not in seen)


def migrate(connection: "DuckDBPyConnection", names: tuple[str, ...]) -> None:
    """Take these steps, all or none."""
    connection.begin()
    if names == MIGRATIONS:
        connection.execute(_BOOK)
        connection.execute("INSERT INTO schema_version VALUES (?, 0)", [APPLICATION])
    for name in names:
        connection.execute((files("interviewer.store") / "schema" / f"{name}.sql").read_text(encoding="utf-8"))
        connection.execute("INSERT INTO migrations VALUES (?, ?)", [MIGRATIONS.index(name) + 1, name])
    connection.execute("UPDATE schema_version SET version = ?", [len(MIGRATIONS)])
    connection.commit()
