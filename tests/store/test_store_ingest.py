import shutil
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import JournalError
from interviewer.store.database import Database
from interviewer.store.home import Home, home
from interviewer.store.ingest import TABLES, Ingested, ingest, ingest_all
from interviewer.store.journal import Journal
from interviewer.store.lines import encode
from tests.store import journals


@pytest.fixture
def place(fresh_home: Path) -> Home:
    return home(fresh_home)


@pytest.fixture
def database(place: Home) -> Database:
    return Database(place.database)


def _all(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of calls."""
    tables = (*TABLES, "interviews", "guests", "journals", "quarantine")
    with database.connect() as connection:
        return {table: connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall() for table in tables}


def _rows(database: Database, query: str) -> list[tuple[Any, ...]]:
    with database.connect() as connection:
        return connection.execute(query).fetchall()


def test_a_whole_call_arrives_in_the_tables(place: Home, database: Database) -> None:
    done = ingest(database, journals.write(place.journal("c-1")))
    assert done == Ingested("c-1", 36, 36, 0)
    counts = {table: len(rows) for table, rows in _all(database).items()}
    assert counts == {
        "calls": 1, "plans": 1, "questions": 4, "turns": 2, "ledger_events": 16, "replies": 1, "agent_runs": 2,
        "decisions": 1, "notes": 1, "research": 2, "requests": 1, "moments": 2, "analyses": 1, "follow_ups": 3,
        "drafts": 1, "truth": 1, "imports": 0, "interviews": 1, "guests": 1, "journals": 1, "quarantine": 0,
    }  # fmt: skip
    query = "SELECT call_id, started_at::VARCHAR, guest, world, seed, topic, target_ms, end_reason, status FROM calls"
    assert _rows(database, query) == [
        ("c-1", "2026-11-30 13:15:00", "Ada", "simulated", 7, "sourdough", 840_000, "goodbye", "live")
    ]
    assert _rows(database, "SELECT question_id, number, planned, section_title FROM questions ORDER BY number") == [
        ("q1", 1, True, "Starter"),
        ("q2", 2, True, "Starter"),
        ("q3", 3, True, "Heat"),
        ("u1", 4, False, None),
    ]


def test_the_last_form_of_a_turn_counts(place: Home, database: Database) -> None:
    ingest(database, journals.write(place.journal("c-1")))
    assert _rows(database, "SELECT text FROM turns WHERE turn_id = 't2'") == [("With <b>flour</b> & water -- in 1999",)]


def test_hot_evidence_has_columns_of_its_own(place: Home, database: Database) -> None:
    ingest(database, journals.write(place.journal("c-1")))
    query = "SELECT score, threshold, scorer, response_id, item_id FROM ledger_events WHERE kind = 'generated'"
    assert _rows(database, query) == [(0.9, 0.35, "jaccard", "r1", "item1")]
    query = "SELECT played_ms, total_ms, evidence ->> 'tolerance_ms' FROM ledger_events WHERE kind = 'delivered'"
    assert _rows(database, query) == [(1_900, 2_000, "250")]
    assert _rows(database, "SELECT reason, heard_ms FROM ledger_events WHERE kind = 'held'") == [("unconfirmed", 1_500)]


def test_taking_in_again_changes_nothing(place: Home, database: Database) -> None:
    path = journals.write(place.journal("c-1"))
    ingest(database, path)
    first = _all(database)
    assert ingest(database, path) == Ingested("c-1", 36, 0, 0)
    assert _all(database) == first


def test_a_growing_journal_gives_the_rows_of_the_whole_one(place: Home, database: Database) -> None:
    path = journals.write(place.journal("c-1"))
    whole = path.read_bytes()
    for size in (300, 2_500, 5_000, len(whole)):
        path.write_bytes(whole[:size])
        ingest(database, path)
    reference = Database(place.root / "reference.duckdb")
    ingest(reference, path)
    assert _all(database) == _all(reference)


def test_a_torn_tail_waits_until_it_is_whole(place: Home, database: Database) -> None:
    path = journals.write(place.journal("c-1"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    assert ingest(database, path) == Ingested("c-1", 35, 35, 0)
    assert _rows(database, "SELECT torn, end_reason FROM journals JOIN calls USING (call_id)") == [(True, None)]
    path.write_bytes(whole)
    assert ingest(database, path) == Ingested("c-1", 36, 1, 0)
    assert _rows(database, "SELECT torn, end_reason FROM journals JOIN calls USING (call_id)") == [(False, "goodbye")]


def test_damaged_lines_are_in_sight_and_the_others_are_taken_in(place: Home, database: Database) -> None:
    path = journals.write(place.journal("c-1"))
    path.write_bytes(path.read_bytes().replace(b"bakes at night", b"bakes \xff\x00 night"))
    assert ingest(database, path) == Ingested("c-1", 35, 35, 1)
    rows = _rows(database, "SELECT file, line_number, call_id, reason, raw FROM quarantine")
    assert [row[:4] for row in rows] == [("journals/c-1.jsonl", 2, "c-1", "the checksum does not match")]
    assert "bakes \ufffd" in rows[0][4]
    assert _rows(database, "SELECT count(*) FROM turns") == [(2,)]
    assert _rows(database, "SELECT count(*) FROM questions") == [(4,)]  # the ledger registered them too


def test_a_call_with_a_damaged_head_is_known_by_its_file(place: Home, database: Database) -> None:
    path = journals.write(place.journal("c-1"))
    path.write_bytes(path.read_bytes().replace(b'"seed":7', b'"seed":8'))
    assert ingest(database, path) == Ingested("c-1", 35, 35, 1)
    assert _rows(database, "SELECT call_id, guest, topic, started_at FROM calls") == [("c-1", "Ada", "sourdough", None)]
    renamed = path.rename(path.with_name("Ada.jsonl"))
    assert ingest(database, renamed) == Ingested("c-1", 35, 35, 1)


def test_a_piece_of_the_oldest_format_is_no_call_of_its_own(place: Home, database: Database) -> None:
    whole = journals.write(place.journal("c-1"), format=1)
    piece = place.journals / "piece.jsonl"
    lines = [encode(n, "rec", n, {"kind": "status", "data": {"status": "live"}}) for n in (7, 8)]
    piece.write_bytes(b"".join(lines))
    with pytest.raises(JournalError, match="nothing else tells whose lines these are"):
        ingest(database, piece)
    assert ingest(database, whole).call_id == "c-1"


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("rec", {"kind": "turn", "data": {"id": "t1", "started_ms": "early"}}, "started_ms cannot be 'early'"),
        ("rec", {"kind": "turn", "data": {"text": "no id"}}, "turn_id is missing"),
        ("rec", {"kind": "turn"}, "data"),
        ("rec", {"kind": "turn", "data": {"id": "t1", "text": ["a list"]}}, "text cannot be"),
        ("rec", {"kind": "reply", "data": {"number": 2**40}}, "number cannot be"),
        ("rec", {"kind": "research", "data": {"items": [1], "tried": []}}, "rec of another shape"),
        ("setup", {"plan": None}, "setup of another shape"),
        ("ev", {"seq": 1, "t_ms": 0, "kind": "late", "question_id": None}, "evidence"),
        ("truth", {}, "kind"),
    ],
)
def test_lines_of_another_shape_go_to_quarantine(
    place: Home, database: Database, kind: str, data: dict[str, Any], reason: str
) -> None:
    path = journals.write(place.journal("c-1"), iter([(kind, data), journals.turn(9, "guest", "kept", 0)]))
    assert ingest(database, path).damaged == 1
    [(line_number, told)] = _rows(database, "SELECT line_number, reason FROM quarantine")
    assert line_number == 2
    assert reason in told
    assert _rows(database, "SELECT text FROM turns") == [("kept",)]


def test_a_second_event_with_a_used_number_is_damage_and_the_first_stays(place: Home, database: Database) -> None:
    lines = [journals.event(1, 0, "late", "q1"), journals.event(1, 5, "late", "q2"), journals.event(1, 0, "late", "q1")]
    assert ingest(database, journals.write(place.journal("c-1"), iter(lines))).damaged == 1
    assert _rows(database, "SELECT question_id FROM ledger_events") == [("q1",)]


def test_what_guests_say_stays_text(place: Home, database: Database) -> None:
    said = ["'); DROP TABLE turns; --", "half \ud83d a character", "\U0001f600 nul \0 end", "$1 ? {text}"]
    lines = (journals.turn(number, "guest", text, 0) for number, text in enumerate(said))
    assert ingest(database, journals.write(place.journal("c-1"), lines, guest=said[0])).damaged == 0
    stored = [text for (text,) in _rows(database, "SELECT text FROM turns ORDER BY position")]
    assert stored == [said[0], "half \ufffd a character", said[2], said[3]]
    assert _rows(database, "SELECT guest FROM guests") == [(said[0],)]


def test_half_characters_inside_nested_values_do_no_harm(place: Home, database: Database) -> None:
    line = journals.rec("status", status="half \ud83d", deep=[{"a": "\udc00"}])
    assert ingest(database, journals.write(place.journal("c-1"), iter([line]))).damaged == 0
    assert _rows(database, "SELECT detail ->> 'status' FROM moments") == [("half \ufffd",)]


def test_an_interview_is_named_after_its_earliest_call(place: Home, database: Database) -> None:
    later = {**journals.PLAN, "topic": "rye"}
    path = journals.write(
        place.journal("c-2"), iter([journals.setup(plan=later)]), started_at="2026-12-01T00:00:00+02:00"
    )
    ingest(database, path)
    assert _rows(database, "SELECT topic, first_call_id FROM interviews") == [("rye", "c-2")]
    ingest(database, journals.write(place.journal("c-1")))
    assert _rows(database, "SELECT topic, first_call_id FROM interviews") == [("sourdough", "c-1")]
    ingest(database, path)
    assert _rows(database, "SELECT topic, first_call_id FROM interviews") == [("sourdough", "c-1")]
    assert _rows(database, "SELECT started_at::VARCHAR FROM calls WHERE call_id = 'c-2'") == [("2026-11-30 22:00:00",)]


def test_a_journal_that_would_write_elsewhere_is_refused(place: Home, database: Database) -> None:
    path = place.journals / "evil.jsonl"
    Journal.create(path, {"call_id": "../../evil"}).close()
    with pytest.raises(JournalError, match="call id"):
        ingest(database, path)


def test_all_journals_are_taken_in_once_and_a_bad_one_does_not_stop_them(place: Home, database: Database) -> None:
    journals.write(place.journal("c-1"))
    place.journal("c-2").write_text("no journal\n", encoding="utf-8")
    journals.write(place.journal("c-3"))
    done = ingest_all(place)
    assert [(item.call_id, item.lines, bool(item.problem)) for item in done] == [
        ("c-1", 36, False),
        ("", 0, True),
        ("c-3", 36, False),
    ]
    assert "c-2.jsonl, line 1" in done[1].problem
    assert _rows(database, "SELECT file FROM journals WHERE problem IS NOT NULL") == [("journals/c-2.jsonl",)]
    assert ingest_all(place) == []
    with Journal.reopen(place.journal("c-3")) as journal:
        journal.write("in", 1_000, {})
    place.journal("c-2").unlink()
    journals.write(place.journal("c-2"))
    assert [(item.call_id, item.new_lines) for item in ingest_all(place)] == [("c-2", 36), ("c-3", 1)]
    assert _rows(database, "SELECT count(*) FROM journals WHERE problem IS NOT NULL") == [(0,)]


@pytest.mark.parametrize(
    ("head", "setup", "reason"),
    [
        ({"seed": 2**63}, {}, "seed cannot be 9223372036854775808"),
        ({"seed": "seven"}, {}, "seed cannot be 'seven'"),
        ({"seed": 10**400}, {}, "seed cannot be"),
        ({"interview_id": ["i"]}, {}, "interview_id cannot be"),
        ({}, {"plan": "a text"}, "setup of another shape"),
        ({}, {"settings": {"call": {"target_ms": "long"}}}, "target_ms cannot be 'long'"),
        ({}, {"settings": {"call": 3}}, None),
    ],
)
def test_a_call_with_impossible_facts_is_taken_in_without_them(
    place: Home, database: Database, head: dict[str, Any], setup: dict[str, Any], reason: str | None
) -> None:
    lines = [journals.setup(**setup), journals.turn(1, "guest", "kept", 0)]
    journals.write(place.journal("c-1"), iter(lines), **head)
    journals.write(place.journal("c-2"))
    assert [item.call_id for item in ingest_all(place, database)] == ["c-1", "c-2"]
    assert _rows(database, "SELECT text FROM turns WHERE call_id = 'c-1'") == [("kept",)]
    told = [text for (text,) in _rows(database, "SELECT reason FROM quarantine")]
    assert [text for text in told if reason is None or reason not in text] == []
    assert bool(told) is bool(reason)


@pytest.mark.parametrize("body", [b'"t":9223372036854775808,"d":{}', b'"t":5,"d":{"kind":"x","data":{"a":Infinity}}'])
def test_numbers_that_no_column_holds_do_not_stop_the_others(place: Home, database: Database, body: bytes) -> None:
    path = journals.write(place.journal("c-1"), iter([journals.setup(), journals.turn(1, "guest", "kept", 0)]))
    line = b'{"n":4,"k":"rec",' + body
    with path.open("ab") as file:
        file.write(b'%b,"c":"%08x"}\n' % (line, zlib.crc32(line)))
    journals.write(place.journal("c-2"))
    assert [item.call_id for item in ingest_all(place, database)] == ["c-1", "c-2"]
    assert _rows(database, "SELECT text FROM turns WHERE call_id = 'c-1'") == [("kept",)]
    assert _rows(database, "SELECT count(*) > 0 FROM quarantine WHERE call_id = 'c-1'") == [(True,)]


def test_a_journal_that_is_gone_when_it_is_looked_at_is_passed_over(place: Home, database: Database) -> None:
    place.journal("c-0").symlink_to(place.root / "moved away")
    journals.write(place.journal("c-1"))
    assert [item.call_id for item in ingest_all(place, database)] == ["c-1"]


TAKER = """
import sys
from pathlib import Path
from interviewer.store.database import Database
from interviewer.store.home import home
from interviewer.store.ingest import ingest
place = home(Path(sys.argv[1]))
for _ in range(5):
    ingest(Database(place.database, wait_ms=60_000), place.journal("c-1"))
"""
READER = """
import sys
from pathlib import Path
from interviewer.store.database import Database
for _ in range(10):
    with Database(Path(sys.argv[1]) / "interviewer.duckdb", wait_ms=60_000).connect(writes=False) as connection:
        rows = connection.execute("SELECT count(*) FROM ledger_events GROUP BY call_id").fetchall()
    assert set(rows) <= {(16,)}, rows  # a call is there whole, or not at all
"""


def test_processes_that_take_in_and_read_at_once_agree(place: Home, tmp_path: Path) -> None:
    for number in (1, 2):
        journals.write(place.journal(f"c-{number}"))
    database = Database(place.database, wait_ms=60_000)
    commands = ([sys.executable, "-c", program, str(place.root)] for program in (TAKER, READER))
    others = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    with Journal.reopen(place.journal("c-2")) as journal:
        while any(other.poll() is None for other in others):
            journal.write("in", 500, {})
            ingest_all(place, database)
    assert [other.communicate()[1] for other in others] == ["", ""]
    ingest_all(place, database)
    copy = home(tmp_path / "copy")
    shutil.copytree(place.journals, copy.journals, dirs_exist_ok=True)
    ingest_all(copy)
    assert _all(database) == _all(Database(copy.database))
