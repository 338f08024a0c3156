"""What stands beside a call that is forgotten: other calls' journals, a person's own tables, what nobody can read."""

import gzip
import json
from pathlib import Path

import duckdb
import pytest

from interviewer.errors import Forgotten, StoreError
from interviewer.kept.forget import as_plain, due, forget, what_goes
from interviewer.kept.verify import verify
from interviewer.lab.kept_runs import keep_run
from interviewer.store.store import Store
from tests.lab.runs import agent_run, result, run
from tests.store import journals

SAID = "With <b>flour</b> & water -- in 1999"


@pytest.fixture
def store(fresh_home: Path) -> Store:
    for name in ("c-1", "c-2"):
        journals.write(fresh_home / "journals" / f"{name}.jsonl")
    return Store.open(fresh_home)


def of(store: Store, name: str) -> Path:
    return store.home.journal(name)


@pytest.mark.parametrize("count", [1, 30])
def test_another_calls_journal_with_lines_of_it_is_named_and_stays(store: Store, count: int) -> None:
    lines = of(store, "c-1").read_bytes().splitlines(keepends=True)
    with of(store, "c-2").open("ab") as file:
        file.writelines(lines[5 : 5 + count])
    before = of(store, "c-2").read_bytes()
    found = forget(store, "c-1")
    assert of(store, "c-2").read_bytes() == before
    assert of(store, "c-2") in found.named
    assert Store.open(store.home.root).calls()["call_id"].tolist() == ["c-2"]


def test_another_calls_journal_under_a_longer_name_is_not_taken_for_its_own(store: Store) -> None:
    path = journals.write(store.home.journals / "c-1.evening.jsonl")
    forget(store, "c-1")
    assert path.exists()


def test_notes_with_pasted_lines_of_it_are_named_and_stay(store: Store) -> None:
    notes = store.home.root / "notes.txt"
    lines = of(store, "c-1").read_bytes().splitlines(keepends=True)
    notes.write_bytes(b"What I saw in the journal:\n" + b"".join(lines[:9]))
    assert notes in forget(store, "c-1").named
    assert notes.exists()


def test_copies_with_other_line_ends_marks_and_torn_ends_go(store: Store) -> None:
    raw = of(store, "c-1").read_bytes()
    half = len(raw) // 2
    pieces = {
        "mark": b"\xef\xbb\xbf" + raw,
        "blank": b"\n" + raw,
        "windows": raw.replace(b"\n", b"\r\n"),
        "back": raw[half:],
        "front": raw[:half],
    }
    for name, piece in pieces.items():
        (store.home.root / f"{name}.bak").write_bytes(piece)
    found = forget(store, "c-1")
    assert {path.stem for path in found.files if path.suffix == ".bak"} == pieces.keys()
    assert list(store.home.root.glob("*.bak")) == []


def test_what_cannot_be_looked_into_is_named_before_and_after(store: Store) -> None:
    packed, backup = store.home.root / "c.jsonl.gz", store.home.root / "my_backup.duckdb"
    packed.write_bytes(gzip.compress(of(store, "c-1").read_bytes()))
    with duckdb.connect(str(backup)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 'c-1' AS x")
    found = forget(store, "c-1")
    assert found.closed == (packed, backup)
    assert as_plain(found)["not_looked_into"] == [str(packed), str(backup)]
    checked = verify(store, "c-1")
    assert (checked.ok, checked.beside) == (True, [packed, backup])


def test_a_text_of_any_ending_that_quotes_it_is_named(store: Store) -> None:
    mine = store.home.root / "thesis.tex"
    mine.write_text(f"He says: {SAID}", encoding="utf-8")
    assert mine in what_goes(store, "c-1").named


def test_what_a_person_made_in_the_database_stays_whole_without_rows_of_the_call(store: Store) -> None:
    with store.database.connect() as connection:
        for query in (
            "CREATE SCHEMA lab",
            "CREATE TABLE lab.codes AS SELECT call_id, text FROM turns",
            "CREATE TABLE \"my notes\" (id INTEGER PRIMARY KEY, note VARCHAR DEFAULT 'none')",
            "INSERT INTO \"my notes\" VALUES (1, 'a')",
            "CREATE VIEW short AS SELECT text FROM turns",
            "CREATE TABLE my_quotes AS SELECT text FROM turns WHERE speaker = 'guest'",
        ):
            connection.execute(query)
    found = forget(store, "c-1")
    assert found.tables == ("my_quotes",)
    assert "table my_quotes" in as_plain(found)["left_as_they_are"]
    assert verify(store, "c-1").ok
    assert set(store.sql("SELECT call_id FROM lab.codes")["call_id"]) == {"c-2"}
    assert len(store.sql("SELECT * FROM short")) == len(store.sql("SELECT * FROM turns")) > 0
    with store.database.connect() as connection, pytest.raises(duckdb.ConstraintException):
        connection.execute("INSERT INTO \"my notes\" VALUES (1, 'again')")
    assert store.sql('SELECT note FROM "my notes"')["note"].tolist() == ["a"]


def test_if_rows_cannot_be_taken_out_nothing_has_changed(store: Store) -> None:
    with store.database.connect() as connection:
        connection.execute("CREATE TABLE mine (call_id VARCHAR REFERENCES calls(call_id))")
        connection.execute("INSERT INTO mine VALUES ('c-2')")
        connection.execute("CREATE TABLE held (x VARCHAR PRIMARY KEY, call_id VARCHAR)")
        connection.execute("INSERT INTO held VALUES ('c-1', 'c-1')")
        connection.execute("CREATE TABLE holds (x VARCHAR REFERENCES held(x))")
        connection.execute("INSERT INTO holds VALUES ('c-1')")
    with pytest.raises(StoreError, match="cannot be taken out"):
        forget(store, "c-1")
    assert store.resolve("c-1") == "c-1"
    assert of(store, "c-1").exists()
    assert Store.open(store.home.root).calls()["call_id"].tolist() == ["c-1", "c-2"]


def test_a_forgetting_that_was_interrupted_is_told_of_hides_the_call_and_can_be_finished(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("interviewer.kept.forget.erase", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(store, "c-1")
    again = Store.open(store.home.root)
    assert again.half_forgotten() == ["c-1"]
    assert again.calls()["call_id"].tolist() == ["c-2"]
    assert again.resolve("last") == "c-2"
    assert set(again.search("flour")["call_id"]) == {"c-2"}
    with pytest.raises(Forgotten):
        again.resolve("c-1")
    assert due(again) == []
    assert "rows in table calls" in " ".join(verify(again, "c-1").problems)
    found = forget(again, "c-1")
    assert of(store, "c-1") in found.files
    assert again.half_forgotten() == []
    assert verify(again, "c-1").ok


def test_runs_on_the_tape_of_its_replays_go_and_no_others(store: Store, tmp_path: Path) -> None:
    def line(digest: str, **more: str) -> str:
        return (
            json.dumps({"agent": "note_taker", "version": "1", "input": digest, "inputs": {}, "run": {}, **more}) + "\n"
        )

    tape = tmp_path / "elsewhere" / "f.tape"
    tape.parent.mkdir()
    other = line("cc", call="c-2") + "a person's own note on c-1\n"
    # A run of a kept replay, one of a replay that was stopped before its end, and one of another call.
    tape.write_text(line("aa") + line("bb", call="c-1") + other, encoding="utf-8")
    replayed = result("c-1", origin="call", runs=(agent_run("j1", "note_taker", 5, input_hash="aa"),))
    theirs = result("c-2", origin="call", runs=(agent_run("j1", "note_taker", 5, input_hash="cc"),))
    keep_run(store, run("r-1", replayed, theirs, tape=str(tape)))
    found = forget(store, "c-1")
    assert [(each.path, each.lines) for each in found.cassette] == [(tape, (1, 2))]
    assert tape.read_text(encoding="utf-8") == other
