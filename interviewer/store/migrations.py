"""The database's schema: tables as steps with names, each taken once; views as one text, made anew when it changes."""

from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from interviewer.errors import ForeignDatabase, NewerDatabase

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

APPLICATION = "interviewer"
# Names of SQL files in `schema/`. Only ever add to the end: a step that was taken is never taken again.
MIGRATIONS = (
    "0001_tables",
    "0003_costs",
    "0004_prompts_and_drafts",
    "0006_text_of_views",
    "0007_chains",
    "0008_imports",
    "0010_runs",
    "0011_named_guests",
    "0012_clock",
)
# Steps that only made views, which older versions took.
RETIRED = ("0002_views", "0005_comments")
VIEWS = "views"

_BOOK = """
CREATE TABLE schema_version (application VARCHAR, version INTEGER);
COMMENT ON TABLE schema_version IS 'Whose database this is, and the number of its latest migration.';
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name VARCHAR);
COMMENT ON TABLE migrations IS 'The migrations it has seen.';
"""


def pending(connection: "DuckDBPyConnection", where: str) -> tuple[str, ...]:
    """Steps this database has not seen, and `VIEWS` if its views are not those of this version.

    Raises ForeignDatabase if it is not ours and NewerDatabase if it has seen some that this version does not know.
    """
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        return (*MIGRATIONS, VIEWS)
    if not {"schema_version", "migrations"} <= tables:
        raise ForeignDatabase(f"{where} is a database of another program; choose another home")
    owner = connection.execute("SELECT application, version FROM schema_version").fetchone()
    if owner is None or owner[0] != APPLICATION:
        raise ForeignDatabase(f"{where} is a database of another program; choose another home")
    seen = {name for (name,) in connection.execute("SELECT name FROM migrations ORDER BY number").fetchall()}
    unknown = sorted(seen - {*MIGRATIONS, *RETIRED})
    if unknown or owner[1] > number(MIGRATIONS[-1]):
        newer = ", ".join(unknown) or f"version {owner[1]}"
        raise NewerDatabase(f"{where} was written by a later version of this package ({newer}); update the package")
    steps = tuple(name for name in MIGRATIONS if name not in seen)
    made_from = None if steps else connection.execute("SELECT sha256 FROM made_from").fetchone()
    return steps if made_from == (_fingerprint(_sql(VIEWS)),) else (*steps, VIEWS)


def migrate(connection: "DuckDBPyConnection", names: tuple[str, ...]) -> None:
    """Take these steps, all or none."""
    connection.begin()
    if names[0] == MIGRATIONS[0]:
        connection.execute(_BOOK)
        connection.execute("INSERT INTO schema_version VALUES (?, 0)", [APPLICATION])
    for name in names:
        sql = _sql(name)
        connection.execute(sql)
        if name == VIEWS:
            connection.execute("DELETE FROM made_from")
            connection.execute("INSERT INTO made_from VALUES (?)", [_fingerprint(sql)])
        else:
            connection.execute("INSERT INTO migrations VALUES (?, ?)", [number(name), name])
    connection.execute("UPDATE schema_version SET version = ?", [number(MIGRATIONS[-1])])
    connection.commit()


def number(name: str) -> int:
    """The number of a migration, from its name."""
    return int(name.split("_")[0])


def _sql(name: str) -> str:
    return (files("interviewer.store") / "schema" / f"{name}.sql").read_text(encoding="utf-8")


def _fingerprint(sql: str) -> str:
    return sha256(sql.encode()).hexdigest()
