"""The DuckDB file, opened for a moment at a time so that many processes can share it."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from interviewer.errors import (
    DamagedDatabase,
    ForeignDatabase,
    NewerDatabase,
    StoreError,
    StoreLocked,
    StoreReadOnly,
)
from interviewer.store import migrations
from interviewer.store.aside import identity, put_aside

WAIT_MS = 10_000
_PAUSE_MS = 25
# One configuration for every connection: DuckDB refuses two in one process. Nothing is ever fetched from elsewhere.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "python_enable_replacements": "false",
}
_MAGIC = slice(8, 12)
_DAMAGE = ("Could not read enough bytes", "Corrupt database file", "does not match stored checksum")
_BROKEN = (duckdb.InternalException, duckdb.FatalException, duckdb.SerializationException)
_TABLES = (
    "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT internal"
)
_log = logging.getLogger(__name__)
_HOLDER = re.compile(r"held in (?P<process>.+?) \(PID (?P<pid>\d+)\)")

# Threads of this process take turns, for two open transactions of one process could not both write the same call.
_turns: dict[str, threading.RLock] = {}


class Database:
    """The database at `path`. It is held open only inside `connect`.

    `wait_ms` is how long a database that another process holds is waited for. One that is damaged is set aside, and an
    empty one made in its place, which `refill` is called to fill.
    """

    def __init__(
        self, path: Path, *, wait_ms: int = WAIT_MS, refill: "Callable[[Database], object] | None" = None
    ) -> None:
        self.path = path.absolute()
        self.wait_ms = wait_ms
        self._refill = refill

    @contextmanager
    def connect(self, *, writes: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to the database, made and brought up to date if need be, and closed in the end.

        Keep it short: every other process waits. A file that cannot be written can still be read with `writes=False`.
        Raises StoreLocked, StoreReadOnly, ForeignDatabase, NewerDatabase or StoreError, each naming the file;
        DamagedDatabase if its damage came to light while it was used, or it cannot be set aside.
        """
        turn = _turns.setdefault(str(self.path), threading.RLock())
        if not turn.acquire(timeout=self.wait_ms / 1000):
            raise StoreLocked(f"{self.path} is in use by another thread of this process; try again")
        try:
            connection = self._open(writes)
            seen = identity(self.path)
            try:
                with interruptible():
                    yield connection
            except (duckdb.IOException, *_BROKEN) as error:
                connection.close()
                if not (_may_be_damage(error) and self._is_damaged()):
                    raise self._of_use(error) from error
                raise self._make_again(error, seen) from error
            finally:
                connection.close()
        finally:
            turn.release()

    def _open(self, writes: bool) -> duckdb.DuckDBPyConnection:
        waited, made_again = 0, False
        while True:
            seen = identity(self.path)
            try:
                return self._as_may_be(writes)
            except DamagedDatabase as error:
                if made_again:
                    raise
                made_again = True
                self._make_again(error.__cause__ or error, seen)
                continue
            except StoreLocked:
                if waited >= self.wait_ms:
                    raise
            time.sleep(_PAUSE_MS / 1000)
            waited += _PAUSE_MS

    def _as_may_be(self, writes: bool) -> duckdb.DuckDBPyConnection:
        """A connection that writes, or one that cannot if `writes` allows for it."""
        try:
            return self._try(read_only=False)
        except StoreReadOnly:
            if writes or not self.path.exists():
                raise
            return self._try(read_only=True)

    def _is_damaged(self) -> bool:
        """Whether our own file is: a query may have met with the damage of another, or with a word that sounds so."""
        try:
            with self._try(read_only=True) as connection:
                for schema, table in connection.execute(_TABLES).fetchall():
                    name = ".".join('"{}"'.format(part.replace('"', '""')) for part in (schema, table))
                    connection.execute(f"SELECT bit_xor(hash(each)) FROM {name} AS each").fetchall()  # noqa: S608
        except DamagedDatabase:
            return True
        except duckdb.Error as error:
            return _may_be_damage(error)
        except StoreError:
            return False
        return False

    def _of_use(self, error: duckdb.Error) -> StoreError:
        """What to say of an error that came while the database was used: of our own file, or of a query's."""
        is_ours = str(self.path) in str(error) and not _may_be_damage(error)
        return _explain(error, self.path) if is_ours else StoreError(str(error))

    def _make_again(self, damage: BaseException, seen: tuple[int, int] | None) -> DamagedDatabase:
        """Set the damaged file aside and make another, unless another process just did; gives what to say of it.

        Raises DamagedDatabase if the file cannot be set aside.
        """
        why = _first(str(damage))
        try:
            to = put_aside(self.path, seen)
        except OSError:
            raise _damaged(self.path, why) from damage
        if to is None:
            return self._just_made_again(why)
        told = f"{self.path} is damaged; it is set aside as {to.name}, and another is made from the journals ({why})"
        _log.warning("%s", told)
        if self._refill is not None:
            self._refill(Database(self.path, wait_ms=self.wait_ms))
        return DamagedDatabase(told)

    def _just_made_again(self, why: str) -> DamagedDatabase:
        return DamagedDatabase(f"{self.path} was damaged, and has just been made again; try again ({why})")

    def _try(self, *, read_only: bool) -> duckdb.DuckDBPyConnection:
        _check_magic(self.path)
        try:
            connection = duckdb.connect(self.path, read_only=read_only, config=_CONFIG)
        except duckdb.Error as error:
            raise _explain(error, self.path) from error
        try:
            with interruptible():
                self._prepare(connection, read_only)
        except BaseException as error:
            connection.close()
            if isinstance(error, duckdb.Error):
                raise _explain(error, self.path) from error
            raise
        return connection

    def _prepare(self, connection: duckdb.DuckDBPyConnection, read_only: bool) -> None:
        names = migrations.pending(connection, str(self.path))
        if names and read_only:
            raise StoreReadOnly(f"{self.path} is of an older version and cannot be written, so it cannot be updated")
        if names:
            migrations.migrate(connection, names)


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C during a query is an ordinary interruption here: DuckDB makes an error of its own of it."""
    try:
        yield
    except duckdb.InterruptException as error:
        raise KeyboardInterrupt from error
    except RuntimeError as error:
        if "interrupted" not in str(error).lower():
            raise
        raise KeyboardInterrupt from error


def _check_magic(path: Path) -> None:
    """Look before opening: DuckDB would take a file of another kind for its own plug-ins' business."""
    try:
        with path.open("rb") as file:
            start = file.read(_MAGIC.stop)
    except FileNotFoundError:
        return
    except PermissionError:
        raise StoreReadOnly(f"{path} cannot be read: permission denied") from None
    except OSError as error:
        raise ForeignDatabase(f"{path} is not a database: {error.strerror}") from None
    if not start:
        raise StoreLocked(f"{path} is empty: another process is making it, or was stopped; delete it if it stays")
    if start[_MAGIC] != b"DUCK":
        raise ForeignDatabase(f"{path} is not a DuckDB database; move it away or choose another home")


def _explain(error: duckdb.Error, path: Path) -> StoreError:
    text = str(error)
    if holder := _HOLDER.search(text):
        return StoreLocked(
            f"{path} is in use by {holder['process']} (process {holder['pid']}); close it there or try again"
        )
    if "Could not set lock" in text or "being used by another process" in text:
        return StoreLocked(f"{path} is in use by another process; close it there or try again")
    if "ermission denied" in text or "ead-only" in text or "Access is denied" in text:
        return StoreReadOnly(f"{path} cannot be written: {text}")
    if "version number" in text:
        return NewerDatabase(f"{path} has the file format of another version of DuckDB: {text}")
    if "not a valid DuckDB" in text:
        return ForeignDatabase(f"{path} is not a DuckDB database; move it away or choose another home")
    if _may_be_damage(error):
        return _damaged(path, _first(text))
    return StoreError(f"{path}: {text}")


def _may_be_damage(error: duckdb.Error) -> bool:
    """Whether a damaged file gives such an error; a query can give it for another reason."""
    return isinstance(error, _BROKEN) or any(sign in str(error) for sign in _DAMAGE)


def _damaged(path: Path, why: str) -> DamagedDatabase:
    return DamagedDatabase(f"{path} is damaged; delete it: it is made again from the journals ({why})")


def _first(text: str) -> str:
    """What DuckDB says, without the advice and the trace it adds."""
    return text.strip().splitlines()[0] if text.strip() else "no reason told"
