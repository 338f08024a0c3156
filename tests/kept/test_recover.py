"""A call that was killed is put right, closed or shown as what it is; nothing that was written is lost."""

import json
import shutil
import tempfile
from pathlib import Path

import pytest

from interviewer.errors import JournalBusy, JournalError
from interviewer.interview.demo import Demo, run_demo
from interviewer.kept.folding import fold_again
from interviewer.kept.reading import CallLog
from interviewer.kept.records import CallRecord
from interviewer.kept.recover import recover, unfinished
from interviewer.kept.resume import mark_seam, resumable
from interviewer.kept.verify import verify
from interviewer.llm.router import Router
from interviewer.settings import Settings
from interviewer.store import steady
from interviewer.store.database import Database
from interviewer.store.journal import Journal, read
from interviewer.store.lines import Line, call_seal, decode
from interviewer.store.store import Store

RULES = Router(Settings.load(env={}))


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(dossier="incidents-and-on-call", minutes=1, seed=2, home=tmp_path_factory.mktemp("once"))


@pytest.fixture(scope="module")
def lines(once: Demo) -> list[bytes]:
    return once.journal.read_bytes().splitlines(keepends=True)


@pytest.fixture
def home(once: Demo, fresh_home: Path) -> Path:
    (fresh_home / "journals").mkdir()
    return fresh_home


def cut(home: Path, once: Demo, raw: bytes) -> Path:
    """A journal as a killed process left it."""
    path = home / "journals" / once.journal.name
    path.write_bytes(raw)
    return path


def after(lines: list[bytes], what: str, /, **fields: object) -> int:
    """How many lines there are up to the first of this kind with these fields."""
    seal = call_seal(json.loads(lines[0])["d"]["call_id"])
    for number, raw in enumerate(lines, 1):
        line = decode(raw[:-1], number, seal)
        assert isinstance(line, Line)
        data = {**line.data.get("data", {}), **line.data}
        if line.kind == what and all(data.get(name) == value for name, value in fields.items()):
            return number
    raise AssertionError(f"no {what} {fields}")


# -- the next opening ---------------------------------------------------------------------------------------------


def test_opening_the_store_puts_a_torn_end_aside_and_shows_the_call_as_interrupted(
    home: Path, once: Demo, lines: list[bytes]
) -> None:
    path = cut(home, once, b"".join(lines[:200]) + lines[200][:30])
    store = Store.open(home)
    row = store.calls().iloc[0]
    assert (row["call_id"], row["status"], row["end_reason"] is None) == (once.call_id, "interrupted", True)
    assert path.read_bytes() == b"".join(lines[:200])
    assert path.with_name(f"{path.name}.torn").read_bytes() == lines[200][:30]
    assert len(store.ledger("last")) == sum(b'"k":"ev"' in line for line in lines[:200])
    assert unfinished(store) == [once.call_id]


def test_a_call_that_runs_is_left_alone(home: Path, once: Demo, lines: list[bytes]) -> None:
    path = cut(home, once, b"".join(lines[:200]))
    with Journal.reopen(path):
        torn = b"".join(lines[:200]) + b'{"n":201,'
        path.write_bytes(torn)
        store = Store.open(home)
        assert store.calls().iloc[0]["status"] != "interrupted"
        assert path.read_bytes() == torn
        with pytest.raises(JournalBusy, match="is running"):
            recover(store, "last", close=True)
        with pytest.raises(JournalBusy, match="being written"):
            Journal.reopen(path)
    assert Store.open(home).calls().iloc[0]["status"] == "interrupted"


def test_a_home_that_cannot_be_written_is_opened_with_a_torn_journal(
    once: Demo, lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "other"
    (home / "journals").mkdir(parents=True)
    path = cut(home, once, b"".join(lines[:150]) + b'{"n":')
    monkeypatch.setattr(Journal, "reopen", _refused)
    assert Store.open(home).calls().iloc[0]["status"] == "interrupted"
    assert path.read_bytes().endswith(b'{"n":')


def _refused(path: Path) -> Journal:
    raise JournalError(f"cannot go on writing journal {path}: Read-only file system")


# -- closing ------------------------------------------------------------------------------------------------------


def test_a_call_killed_in_mid_conversation_is_closed_into_analysis_and_essay(
    home: Path, once: Demo, lines: list[bytes]
) -> None:
    at = after(lines, "rec", kind="turn", speaker="guest") + 40
    cut(home, once, b"".join(lines[:at]))
    store = Store.open(home)
    done = recover(store, "last", close=True, backend=RULES)
    assert (done.closed, done.interrupted) == ("interrupted", False)
    log = CallLog.read(done.journal)
    assert log.path.read_bytes().startswith(b"".join(lines[:at]))
    assert [name for name in ("notes", "analysis", "follow_up", "essay") if log.last(name) is None] == []
    assert done.essay_path is not None
    assert done.essay_path.read_text(encoding="utf-8") == store.essay("last")
    assert [a.id for a in log.ledger.attempts.values() if a.outcome == "open"] == []
    assert verify(store, "last").problems == []
    assert store.calls().iloc[0]["end_reason"] == "interrupted"


@pytest.mark.parametrize("kind", [{"kind": "goodbye"}, {"kind": "analysis"}])
def test_a_call_killed_while_it_ends_comes_to_the_end_it_was_coming_to(
    home: Path, once: Demo, lines: list[bytes], kind: dict[str, str]
) -> None:
    cut(home, once, b"".join(lines[: after(lines, "rec", **kind)]))
    store = Store.open(home)
    with pytest.raises(JournalError):
        resumable(store, "last")
    done = recover(store, "last", close=True, backend=RULES)
    log = CallLog.read(done.journal)
    assert log.end_reason == CallLog.read(once.journal).end_reason
    assert len(log.records("essay")) == 1
    assert verify(store, "last").problems == []


def test_lines_that_the_last_step_had_still_to_write_are_written(home: Path, once: Demo, lines: list[bytes]) -> None:
    first = after(lines, "ev", kind="selected")
    assert b'"k":"in"' in lines[first - 2]  # the event is the first line its step wrote
    cut(home, once, b"".join(lines[: first - 1]))
    log = CallLog.read(home / "journals" / once.journal.name)
    folded = fold_again(log)
    assert [line[0] for line in folded.missing][:1] == ["ev"]
    assert not any(line[0] == "out" for line in folded.missing)
    store = Store.open(home)
    recover(store, "last", close=True, backend=RULES)
    assert verify(store, "last").problems == []


def test_what_is_there_before_anything_happened_can_be_closed(home: Path, once: Demo, lines: list[bytes]) -> None:
    cut(home, once, b"".join(lines[:2]))
    store = Store.open(home)
    done = recover(store, "last", close=True, backend=RULES)
    assert (done.turns, done.interrupted, done.essay_path) == (0, False, None)
    assert verify(store, "last").problems == []


def test_a_call_that_died_before_it_was_begun_is_closed_without_an_essay(
    home: Path, once: Demo, lines: list[bytes]
) -> None:
    cut(home, once, lines[0])
    done = recover(Store.open(home), "last", close=True)
    assert done.closed == "interrupted; the guest said nothing"
    assert (done.turns, done.interrupted, done.essay_path) == (0, False, None)


def test_a_damaged_call_is_closed_with_what_can_be_read(home: Path, once: Demo, lines: list[bytes]) -> None:
    kept = [*lines[:100], lines[100][:50] + b"\n", *lines[101 : after(lines, "rec", kind="goodbye")]]
    cut(home, once, b"".join(kept))
    store = Store.open(home)
    with pytest.raises(JournalError, match="line 101"):
        fold_again(CallLog.read(home / "journals" / once.journal.name))
    done = recover(store, "last", close=True, backend=RULES)
    assert done.closed
    assert done.damaged == 1
    assert done.essay_path is not None


def test_recovering_again_changes_nothing_and_brings_a_lost_draft_back(home: Path, once: Demo) -> None:
    shutil.copy(once.journal, home / "journals")
    store = Store.open(home)
    draft = home / "drafts" / f"{once.call_id}.md"
    assert once.essay_path is not None
    assert draft.read_bytes() == once.essay_path.read_bytes()  # the killed process had still to write it
    before = (home / "journals" / once.journal.name).read_bytes()
    draft.unlink()
    first = recover(store, "last", close=True)
    assert (first.closed, first.restored) == ("", (draft,))
    assert draft.read_bytes() == once.essay_path.read_bytes()
    second = recover(store, "last", close=True)
    assert (second.closed, second.restored, second.journal.read_bytes()) == ("", (), before)


def test_what_was_spent_before_the_crash_counts(home: Path, once: Demo, lines: list[bytes]) -> None:
    from interviewer.kept.folding import spent_usd

    path = cut(home, once, b"".join(lines[:100]))
    with Journal.reopen(path) as journal:
        journal.write("rec", 1, {"kind": "job", "data": {"job_id": "j99", "agent": "writer", "cost_usd": 0.25}})
        journal.write("rec", 1, {"kind": "job", "data": {"job_id": "j98", "agent": "writer", "cost_usd": None}})
        journal.write("rec", 2, {"kind": "reply", "data": {"number": 99, "usage": {"cost_usd": 0.5}}})
    assert spent_usd(CallLog.read(path)) == 0.75


# -- resuming -----------------------------------------------------------------------------------------------------


def test_only_a_call_that_stopped_in_mid_conversation_is_resumed(home: Path, once: Demo, lines: list[bytes]) -> None:
    path = cut(home, once, b"".join(lines[:200]))
    store = Store.open(home)
    with pytest.raises(JournalError, match="simulated"):
        resumable(store, "last")
    assert "simulated" in recover(store, "last").why_not
    assert not any("--resume" in problem for problem in verify(store, "last").problems)
    path.write_bytes(_as_live_call(lines[:200]))
    store.ingest_all()
    assert recover(store, "last").why_not == ""
    assert any("--resume" in problem for problem in verify(store, "last").problems)
    folded = resumable(store, "last")
    last = [line.t_ms for line in read(path).lines if line.kind == "in"][-1]
    assert folded.now_ms == last
    assert folded.core.elapsed_ms > 0
    with Journal.reopen(path), pytest.raises(JournalBusy, match="running"):
        resumable(store, "last")
    path.write_bytes(_as_live_call(lines))
    store.ingest_all()
    with pytest.raises(JournalError, match="has come to its end"):
        resumable(store, "last")


def test_the_seam_is_on_record_and_what_was_spent_counts(home: Path, once: Demo, lines: list[bytes]) -> None:
    path = cut(home, once, _as_live_call(lines[:200]))
    store = Store.open(home)
    folded = resumable(store, "last")
    with CallRecord.again(store.home, folded.call_id) as record:
        mark_seam(folded, record, RULES)
    (seam,) = CallLog.read(path).records("seam")
    assert seam[0] == folded.now_ms
    assert sorted(seam[1]) == ["at", "left", "version"]
    stored = store.sql("SELECT detail FROM moments WHERE kind = 'seam'")
    assert json.loads(stored["detail"][0]) == seam[1]


def _as_live_call(lines: list[bytes]) -> bytes:
    from interviewer.store.lines import encode

    head = json.loads(lines[0])["d"]
    return encode(1, "head", 0, {**head, "source": "call"}) + b"".join(lines[1:])


# -- a disk that is full, a database in use -----------------------------------------------------------------------


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_call_in_whose_time_the_disk_fills_up_loses_nothing(
    home: Path, temp: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room = [60_000]
    real = Journal._append

    def append(journal: Journal, descriptor: int, line: bytes) -> None:
        if len(line) > room[0]:
            raise JournalError(f"{journal.path}, line 9: cannot be written: No space left on device")
        room[0] -= len(line)
        real(journal, descriptor, line)

    monkeypatch.setattr(Journal, "_append", append)
    demo = run_demo(dossier="incidents-and-on-call", minutes=0.5, seed=3, home=home)
    (rest,) = temp.iterdir()
    assert f"the rest of it is kept in {rest}" in caplog.text
    assert demo.journal.stat().st_size <= 60_000
    monkeypatch.setattr(Journal, "_append", real)
    store = Store.open(home)  # by itself
    assert verify(store, "last").problems == []
    assert list(temp.iterdir()) == []
    assert CallLog.read(demo.journal).end_reason == demo.call.reason


@pytest.mark.parametrize("again_s", [0.0, 60.0])  # during the call, and as it ends
def test_a_disk_that_has_room_again_gets_all_that_waited(
    again_s: float, home: Path, temp: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(steady, "_AGAIN_S", again_s)
    full = [True]
    real = Journal._append

    def append(journal: Journal, descriptor: int, line: bytes) -> None:
        if b'"selected"' in line and full and full.pop():
            raise JournalError("cannot be written: No space left on device")
        real(journal, descriptor, line)

    monkeypatch.setattr(Journal, "_append", append)
    demo = run_demo(dossier="incidents-and-on-call", minutes=0.5, seed=3, home=home)
    assert "is whole again" in caplog.text
    assert verify(Store.open(home), demo.call_id).problems == []
    assert list(temp.iterdir()) == []


def test_a_rest_that_does_not_fit_is_left_where_it_is(home: Path, once: Demo, lines: list[bytes], temp: Path) -> None:
    path = cut(home, once, b"".join(lines[:200]))
    rest = temp / f"interviewer-rest-{once.call_id}-x.jsonl"
    rest.write_bytes(b"".join(lines[210:220]))
    store = Store.open(home)
    assert path.read_bytes() == b"".join(lines[:200])
    with pytest.raises(JournalError, match="does not go on where"):
        recover(store, "last")
    assert rest.exists()
    rest.write_bytes(b"".join(lines[190:220]))
    assert recover(store, "last").rejoined == 20
    assert path.read_bytes() == b"".join(lines[:220])


def test_a_call_begins_and_ends_while_another_program_holds_the_database(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import subprocess
    import sys

    from interviewer.kept import records
    from interviewer.store import store as stores

    with Database(home / "interviewer.duckdb").connect():
        pass
    monkeypatch.setattr(records, "_GLANCE_MS", 50)
    real = stores.Store.open
    monkeypatch.setattr(stores.Store, "open", lambda root: real(root, wait_ms=50))
    holder = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", holder, str(home / "interviewer.duckdb")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        demo = run_demo(dossier="incidents-and-on-call", minutes=0.5, seed=3, home=home)
        assert "goes on without its database" in caplog.text
        assert demo.problem is not None
        assert f"process {other.pid}" in str(demo.problem)
        assert "the call is kept in" in str(demo.problem)
        assert demo.essay_path is not None
        other.communicate()
    assert verify(real(home), demo.call_id).problems == []
