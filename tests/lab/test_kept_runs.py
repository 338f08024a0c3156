"""Runs are kept whole, come back as they were, outlive the database and let go of calls that are forgotten."""

import shutil
from pathlib import Path

import pytest

from interviewer.errors import JournalError, NotFound, StoreError
from interviewer.kept.forget import forget
from interviewer.kept.verify import verify
from interviewer.lab.kept_runs import RunKeeper, keep_run, read_run
from interviewer.store.runs import BOOK, read_book
from interviewer.store.store import Store
from tests.lab.runs import FULL, result, run
from tests.store.journals import write


def test_a_run_comes_back_as_it_was(fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    begun_with = {"seed": 7, "plan": "0a1b", "tape": "runs.tape"}
    kept = run("r-1", result("one", **FULL), result("two"), **begun_with)
    keep_run(store, kept, configuration="ours")
    assert read_run(store.home, "r-") == kept
    assert read_run(store.home, "last") == kept


def test_it_is_joined_with_another_in_sql_also_after_the_database_is_gone(fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    keep_run(store, run("r-1", result("one"), result("two")), configuration="baseline")
    keep_run(store, run("r-2", result("two")), configuration="ours")
    query = """
        SELECT a.recording, a.offered, b.agrees FROM run_moments AS a JOIN run_moments AS b USING (recording, turn_id)
        WHERE a.run_id = 'r-1' AND b.run_id = 'r-2' AND turn_id = 't1'
    """
    expected = [["two", "Which hive is lost first?", True]]
    assert store.sql(query).to_numpy().tolist() == expected
    store.database.path.unlink()
    again = Store.open(fresh_home)
    assert again.sql(query).to_numpy().tolist() == expected
    frame = again.runs()[["run_id", "configuration", "status", "recordings", "failures"]]
    assert frame.to_numpy().tolist() == [["r-1", "baseline", "finished", 2, 1], ["r-2", "ours", "finished", 1, 1]]
    assert again.sql("SELECT problem FROM run_failures")["problem"].tolist() == ["broken: it is empty"] * 2


def test_what_was_done_before_a_crash_is_there_and_is_gone_on_with(fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    with RunKeeper.begin(store.home, run("r-1")) as keeper:
        keeper.add(result("one"))
    book = read_book(store.home, "r-1")
    (book.folder / "calls-00002.parquet").write_bytes(b"half of it")  # of a part that the book does not name
    store.ingest_all()
    assert store.runs()["status"].tolist() == ["interrupted"]
    with RunKeeper.again(store.home, "r-1") as keeper:
        assert keeper.done == {"one"}
        keeper.add(result("two"))
        assert Store.open(fresh_home).runs()["status"].tolist() == ["running"]
        keeper.finish(2.0, stopped=True)
    found = read_run(store.home, "r-1")
    assert ([each.source for each in found.results], found.stopped, found.seconds) == (["one", "two"], True, 2.0)
    store.ingest_all()
    store.ingest_all()
    assert store.sql("SELECT recording FROM run_calls ORDER BY 1")["recording"].tolist() == ["one", "two"]


def test_what_was_done_is_safe_before_a_part_is_full(fresh_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Store.open(fresh_home).home
    with RunKeeper.begin(place, run("r-1")) as keeper:
        keeper.add(result("one"))
        assert read_book(place, "r-1").parts == ()
        monkeypatch.setattr("interviewer.lab.kept_runs._PART_S", 0)  # as if that long had passed
        keeper.add(result("two"))
        assert [each.source for each in read_run(place, "r-1").results] == ["one", "two"]


def test_a_damaged_file_is_named_and_the_others_are_taken_in(fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    kept = run("r-1", result("one"))
    keep_run(store, kept)
    folder = read_book(store.home, "r-1").folder
    (folder / "decisions-00001.parquet").write_bytes(b"PAR1 and then nothing that fits")
    store.database.path.unlink()
    again = Store.open(fresh_home)
    assert again.sql("SELECT count(*) AS n FROM run_turns")["n"].tolist() == [8]
    assert "decisions-00001.parquet" in again.sql("SELECT problem FROM run_books")["problem"][0]


def test_a_file_that_was_lost_is_named_and_the_others_are_taken_in(fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    keep_run(store, run("r-1", result("one")))
    (read_book(store.home, "r-1").folder / "moments-00001.parquet").unlink()
    with pytest.raises(StoreError, match=r"moments-00001\.parquet cannot be read"):
        read_run(store.home, "r-1")
    store.database.path.unlink()
    again = Store.open(fresh_home)
    assert again.sql("SELECT count(*) AS n FROM run_turns")["n"].tolist() == [8]
    assert "moments-00001.parquet" in again.sql("SELECT problem FROM run_books")["problem"][0]


def test_a_run_of_a_forgotten_call_alone_is_empty_and_not_damaged(fresh_home: Path) -> None:
    write(fresh_home / "journals" / "c-1.jsonl")
    store = Store.open(fresh_home)
    keep_run(store, run("r-1", result("c-1", origin="call")))
    forget(store, "c-1")
    assert read_run(store.home, "r-1").results == ()
    assert verify(store, "c-1").ok


def test_a_call_that_is_forgotten_leaves_the_runs_made_of_it(fresh_home: Path) -> None:
    write(fresh_home / "journals" / "c-1.jsonl")
    store = Store.open(fresh_home)
    keep_run(store, run("r-1", result("c-1", origin="call"), result("talk")))
    found = forget(store, "c-1")
    assert {path.name for path in found.runs} >= {"calls-00001.parquet", "turns-00001.parquet"}
    assert [each.source for each in read_run(store.home, "r-1").results] == ["talk"]
    assert verify(store, "c-1").ok
    (fresh_home / "interviewer.duckdb").unlink()
    assert Store.open(fresh_home).sql("SELECT DISTINCT recording FROM run_turns")["recording"].tolist() == ["talk"]


def test_runs_have_names_of_their_own(fresh_home: Path) -> None:
    store = Store.open(fresh_home)
    with pytest.raises(NotFound, match="there is none yet"):
        read_run(store.home, "last")
    keep_run(store, run("r-11", result()))
    with pytest.raises(JournalError, match="exists already"):
        keep_run(store, run("r-11", result()))
    keep_run(store, run("r-12", result()))
    with pytest.raises(NotFound, match="2 runs begin with 'r-1'"):
        read_run(store.home, "r-1")
    with pytest.raises(NotFound, match="there are: r-11, r-12"):
        read_run(store.home, "x")
    shutil.rmtree(store.home.runs / "r-12")
    assert read_run(store.home, "last").run_id == "r-11"
    assert (store.home.runs / "r-11" / BOOK).exists()
