import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from interviewer.errors import DamagedDatabase, ForeignDatabase, NewerDatabase, StoreError, StoreLocked, StoreReadOnly
from interviewer.store import locks, migrations
from interviewer.store.aside import identity, put_aside, set_aside
from interviewer.store.database import Database
from interviewer.store.home import Home
from interviewer.store.store import Store
from tests.store import journals

HOLDER = """
import sys, time
import duckdb
with duckdb.connect(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline() if sys.argv[2] == "until told" else time.sleep(float(sys.argv[2]))
"""


@contextmanager
def _held(path: Path, how_long: str = "until told") -> Iterator[int]:
    """Another process holds the database; gives its id."""
    command = [sys.executable, "-c", HOLDER, str(path), how_long]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        yield holder.pid
        holder.communicate("\n")


@pytest.fixture
def database(tmp_path: Path) -> Database:
    made = Database(tmp_path / "x.duckdb", wait_ms=100)
    with made.connect():
        pass
    return made


def _one(database: Database, query: str) -> object:
    with database.connect(writes=False) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else None


def test_a_new_database_says_whose_it_is_and_what_it_has_seen(database: Database) -> None:
    assert _one(database, "SELECT application FROM schema_version") == "interviewer"
    assert _one(database, "SELECT version FROM schema_version") == migrations.number(migrations.MIGRATIONS[-1])
    assert _one(database, "SELECT list(name ORDER BY number) FROM migrations") == list(migrations.MIGRATIONS)


def test_nothing_stays_open(database: Database) -> None:
    with pytest.raises(ValueError, match="mine"), database.connect():
        raise ValueError("mine")
    with _held(database.path, "0"):  # would not get it otherwise
        pass


def test_a_transaction_that_fails_leaves_no_trace(database: Database) -> None:
    def fail() -> None:
        with database.connect() as connection:
            connection.begin()
            connection.execute("INSERT INTO guests VALUES ('Ada', 'real', NULL)")
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        fail()
    assert _one(database, "SELECT count(*) FROM guests") == 0


def test_a_database_held_by_another_process_names_it(database: Database) -> None:
    with _held(database.path) as pid:
        for writes in (True, False):
            named = rf"x\.duckdb is in use by .*python.* \(process {pid}\)"
            with pytest.raises(StoreLocked, match=named) as raised, database.connect(writes=writes):
                pass
            assert raised.value.retryable


def test_a_database_held_for_a_moment_is_waited_for(database: Database) -> None:
    patient = Database(database.path, wait_ms=20_000)
    with _held(database.path, "0.3"):
        assert _one(patient, "SELECT count(*) FROM calls") == 0


def test_threads_of_one_process_take_turns(database: Database) -> None:
    def add(number: int) -> None:
        with Database(database.path).connect() as connection:
            count = connection.execute("SELECT count(*) FROM guests").fetchone()
            time.sleep(0.01)
            connection.execute("INSERT INTO guests VALUES (?, 'real', ?)", [str(number), str(count)])

    threads = [threading.Thread(target=add, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _one(database, "SELECT count(DISTINCT dossier) FROM guests") == 5


def test_a_thread_that_holds_on_is_a_lock_too(database: Database) -> None:
    problems: list[Exception] = []

    def wait() -> None:
        try:
            with database.connect():
                pass
        except StoreLocked as error:
            problems.append(error)

    with database.connect():
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
    assert "another thread" in str(problems[0])


def _sqlite(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE a (b)")
    connection.commit()
    connection.close()


def _other_duckdb(path: Path) -> None:
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (a INTEGER)")


def _other_schema_version(path: Path) -> None:
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE schema_version AS SELECT 'other' AS application, 1 AS version")
        connection.execute("CREATE TABLE migrations (number INTEGER, name VARCHAR)")


def _folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("hello", encoding="utf-8"),
        lambda path: path.write_bytes(b"\0" * 100_000),
        _sqlite,
        _other_duckdb,
        _other_schema_version,
        _folder,
    ],
)
def test_a_file_that_is_not_ours_is_refused_and_left_alone(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "theirs.duckdb"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(ForeignDatabase, match=r"theirs\.duckdb"), Database(path).connect():
        pass
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_an_empty_duckdb_file_is_ours_to_fill(tmp_path: Path) -> None:
    duckdb.connect(tmp_path / "x.duckdb").close()
    assert _one(Database(tmp_path / "x.duckdb"), "SELECT count(*) FROM calls") == 0


def _cut(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def _flipped(raw: bytes) -> bytes:
    """Behind the headers a byte in each 4 KB is another, as DuckDB's own checksums must find."""
    changed = bytearray(raw)
    for at in range(12_500, len(raw), 4_096):
        changed[at] ^= 0xFF
    return bytes(changed)


@pytest.mark.parametrize("damage", [_cut, _flipped])
def test_a_damaged_database_is_set_aside_and_made_again(
    tmp_path: Path, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    home = Home(tmp_path)
    journals.write(home.journal("c-1"))
    journals.write(home.journal("c-2"))
    store = Store.open(tmp_path)
    assert len(store.calls()) == 2
    whole = home.database.read_bytes()
    broken = damage(whole)
    home.database.write_bytes(broken)
    try:
        found = Store.open(tmp_path).calls()
    except DamagedDatabase:  # it came to light in the middle of a question
        found = Store.open(tmp_path).calls()
    assert found["call_id"].tolist() == ["c-1", "c-2"]
    (aside,) = set_aside(home.database)
    assert aside.read_bytes() == broken  # nothing of it is thrown away
    (told,) = [record.message for record in caplog.records if "damaged" in record.message]
    assert f"{home.database} is damaged; it is set aside as {aside.name}, and another is made from the journals" in told
    assert len(Store.open(tmp_path).calls()) == 2
    assert set_aside(home.database) == [aside]


def test_a_damaged_database_that_cannot_be_set_aside_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Path, to: Path) -> None:
        raise PermissionError(13, "Permission denied", str(to))

    path = tmp_path / "x.duckdb"
    with Database(path).connect():
        pass
    path.write_bytes(_cut(path.read_bytes()))
    monkeypatch.setattr(Path, "rename", refused)
    told = r"x\.duckdb is damaged; delete it: it is made again from the journals"
    with pytest.raises(DamagedDatabase, match=told), Database(path).connect():
        pass


def test_a_database_that_another_process_has_just_made_again_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.duckdb"
    with Database(path).connect():
        pass
    path.write_bytes(_cut(path.read_bytes()))

    def late(of: Path, seen: tuple[int, int] | None) -> Path | None:
        assert put_aside(of, identity(of)) is not None  # the other process, at the last moment
        with Database(path).connect() as connection:
            connection.execute("CREATE TABLE theirs AS SELECT 1 AS x")
        return put_aside(of, seen)

    monkeypatch.setattr("interviewer.store.database.put_aside", late)
    with Database(path).connect() as connection:
        assert connection.execute("SELECT x FROM theirs").fetchone() == (1,)
    assert len(set_aside(path)) == 1
    assert sorted(each.suffix for each in tmp_path.iterdir()) == [".duckdb", ".duckdb"]


def test_who_sets_a_database_aside_does_so_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    path.write_bytes(b"x")
    with (tmp_path / "x.duckdb.lock").open("w") as other:
        assert locks.hold(other.fileno())
        assert put_aside(path, identity(path)) is None
        assert path.exists()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_csv('{folder}/does not match stored checksum.csv')",
        "SELECT * FROM read_parquet('{folder}/cut.parquet')",
        "ATTACH '{folder}/cut.duckdb' AS other",
    ],
)
def test_what_is_wrong_with_another_file_is_not_damage_of_ours(tmp_path: Path, query: str) -> None:
    store = Store.open(tmp_path / "home")
    with store.database.connect() as connection:
        connection.execute("CREATE TABLE my_notes AS SELECT 42 AS answer")
    cut = tmp_path / "cut.duckdb"
    with duckdb.connect(str(cut)) as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS x FROM range(200000)")
    cut.write_bytes(_cut(cut.read_bytes()))
    (tmp_path / "cut.parquet").write_bytes(b"PAR1" + bytes(20))
    with pytest.raises(StoreError) as told:
        store.sql(query.format(folder=tmp_path))
    assert type(told.value) is StoreError
    assert str(store.database.path) not in str(told.value)
    assert set_aside(store.database.path) == []
    assert store.sql("SELECT answer FROM my_notes")["answer"].tolist() == [42]


def test_a_damaged_file_that_cannot_be_written_is_set_aside_where_its_folder_can(
    open_folder: Path, unprivileged: Callable[[Path], Path]
) -> None:
    path = open_folder / "x.duckdb"
    with Database(path).connect():
        pass
    path.write_bytes(_cut(path.read_bytes()))
    open_folder.chmod(0o777)
    unprivileged(path)
    with Database(path).connect(writes=False) as connection:
        assert connection.execute("SELECT count(*) FROM calls").fetchone() == (0,)
    assert len(set_aside(path)) == 1


def test_a_home_that_cannot_be_written_is_read_though_its_database_is_damaged(
    open_folder: Path, unprivileged: Callable[[Path], Path]
) -> None:
    home = Home(open_folder)
    journals.write(home.journal("c-1"))
    Store.open(open_folder)
    home.database.write_bytes(_cut(home.database.read_bytes()))
    home.journals.chmod(0o755)
    home.database.chmod(0o444)
    unprivileged(open_folder)
    assert Store.open(open_folder, make=False).calls()["call_id"].tolist() == ["c-1"]
    assert set_aside(home.database) == []


def test_a_file_of_no_bytes_is_told_of_after_waiting_for_its_maker(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    path.touch()
    with pytest.raises(StoreLocked, match=r"x\.duckdb is empty.*delete it"), Database(path, wait_ms=50).connect():
        pass


@pytest.mark.parametrize(
    "change", ["INSERT INTO migrations VALUES (99, '0099_later')", "UPDATE schema_version SET version = 99"]
)
def test_a_newer_schema_is_refused(database: Database, change: str) -> None:
    with database.connect() as connection:
        connection.execute(change)
    with pytest.raises(NewerDatabase, match=r"x\.duckdb.*(0099_later|version 99).*update"), database.connect():
        pass


def test_a_database_of_the_first_version_gets_the_views_of_this_one(database: Database) -> None:
    with database.connect() as connection:  # as 0.1.0 left it: views were numbered steps then, and said less
        connection.execute("DROP TABLE made_from")
        connection.execute("DELETE FROM migrations WHERE name = '0006_text_of_views'")
        connection.execute("INSERT INTO migrations VALUES (2, '0002_views'), (5, '0005_comments')")
        connection.execute("UPDATE schema_version SET version = 5")
        connection.execute("CREATE OR REPLACE VIEW question_state AS SELECT 'q1' AS question_id")
        connection.execute("INSERT INTO guests VALUES ('Ada', 'real', NULL)")
    assert _one(database, "SELECT count(nothing_to_say) FROM question_state") == 0
    assert _one(database, "SELECT guest FROM guests") == "Ada"
    assert _one(database, "SELECT version FROM schema_version") == migrations.number(migrations.MIGRATIONS[-1])


def test_views_are_made_anew_when_their_text_changes_and_only_then(database: Database) -> None:
    mine = "CREATE OR REPLACE VIEW coverage AS SELECT 'mine' AS planned"
    with database.connect() as connection:
        connection.execute(mine)
    assert _one(database, "SELECT max(planned) FROM coverage") == "mine"
    with database.connect() as connection:
        connection.execute("UPDATE made_from SET sha256 = 'another'")
    assert _one(database, "SELECT max(planned) FROM coverage") is None
    described = "SELECT comment FROM duckdb_columns() WHERE table_name = 'coverage' AND column_name = 'planned'"
    assert _one(database, described) == "Planned questions."


def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database(tmp_path / "x.duckdb")
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", ("0001_tables", "0001_tables"))
        with pytest.raises(StoreError, match=r"x\.duckdb.*already exists"), database.connect():
            pass
    assert _one(database, "SELECT count(*) FROM calls") == 0


def test_a_read_only_file_can_be_read_and_not_written(open_folder: Path, unprivileged: Callable[[Path], Path]) -> None:
    database = Database(open_folder / "x.duckdb")
    assert _one(database, "SELECT count(*) FROM calls") == 0
    unprivileged(database.path)
    assert _one(database, "SELECT count(*) FROM calls") == 0
    with pytest.raises(StoreReadOnly, match=r"x\.duckdb cannot be written"), database.connect():
        pass


def test_a_folder_that_cannot_be_written_is_named(open_folder: Path, unprivileged: Callable[[Path], Path]) -> None:
    unprivileged(open_folder)
    named = re.escape(str(open_folder / "x.duckdb"))
    for writes in (True, False):
        with pytest.raises(StoreReadOnly, match=named), Database(open_folder / "x.duckdb").connect(writes=writes):
            pass


def test_a_folder_that_is_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No such file"), Database(tmp_path / "nowhere" / "x.duckdb").connect():
        pass
