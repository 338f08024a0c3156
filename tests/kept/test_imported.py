"""Transcripts kept as calls: of the same shape as any call, noticed when they come again, whole or not at all."""

import json
from pathlib import Path

import pytest

from interviewer.errors import JournalError
from interviewer.kept.forget import forget
from interviewer.kept.imported import import_files
from interviewer.kept.reading import CallLog
from interviewer.kept.said import said
from interviewer.kept.verify import verify
from interviewer.store.export import export, redaction_of
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.cli.conftest import Terminal

TALK = """WEBVTT

00:01.000 --> 00:04.000
<v Anna>What did you do before the bees?

00:04.000 --> 00:12.000
<v Bo>I was a roofer, and I fell.

00:12.500 --> 00:15.000
<v Anna>Which hive is lost first?

00:15.500 --> 00:18.000
<v Bo>The <b>northern</b> one.
"""


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.vtt"
    path.write_text(TALK, encoding="utf-8")
    return path


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "own")


def test_its_turns_are_said_like_those_of_any_call(fresh_home: Path, talk: Path) -> None:
    store = Store.open(fresh_home)
    (kept,) = import_files(store, [talk]).calls
    log = CallLog.read(store.journal_path("last"))
    assert [(turn.id, turn.speaker, turn.text) for turn in said(log)] == [
        ("t1", "interviewer", "What did you do before the bees?"),
        ("t2", "guest", "I was a roofer, and I fell."),
        ("t3", "interviewer", "Which hive is lost first?"),
        ("t4", "guest", "The northern one."),
    ]
    assert log.contents.head | {"call_id": kept.call_id, "world": "real", "source": "import"} == log.contents.head
    assert [q.text for q in log.setup.plan.questions] == [
        "What did you do before the bees?",
        "Which hive is lost first?",
    ]
    rows = store.sql("SELECT name, times, started_ms, ended_ms FROM turns ORDER BY position").to_numpy().tolist()
    assert rows[0] == ["Anna", "file", 1_000, 4_000]
    assert rows[3] == ["Bo", "file", 15_500, 18_000]
    assert store.calls()[["guest", "source", "status", "end_reason", "duration_ms"]].to_numpy().tolist() == [
        ["Bo", "import", "done", "imported", 18_000]
    ]
    assert verify(store, "last").ok


def test_the_same_bytes_under_another_name_are_noticed(fresh_home: Path, talk: Path) -> None:
    store = Store.open(fresh_home)
    (first,) = import_files(store, [talk]).calls
    copy = talk.with_name("copy.vtt")
    copy.write_bytes(talk.read_bytes())
    changed = talk.with_name("changed.vtt")
    changed.write_text(TALK.replace("roofer", "baker"), encoding="utf-8")
    second, third = import_files(store, [copy, changed]).calls
    assert (second.before, second.call_id) == (True, first.call_id)
    assert not third.before
    assert len(store.calls()) == 2


def test_several_conversations_of_one_file_are_told_apart(fresh_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    turns = [{"role": "interviewer", "text": "Why?"}, {"role": "interviewee", "text": "So."}]
    path.write_text("".join(f"{json.dumps({'id': name, 'turns': turns})}\n" for name in "ab"))
    store = Store.open(fresh_home)
    assert [one.before for one in import_files(store, [path]).calls] == [False, False]
    assert [one.before for one in import_files(store, [path]).calls] == [True, True]


def test_it_can_come_again_once_it_was_forgotten(fresh_home: Path, talk: Path) -> None:
    store = Store.open(fresh_home)
    (first,) = import_files(store, [talk]).calls
    forget(store, first.call_id)
    assert not [path for path in fresh_home.rglob("*") if path.is_file() and b"roofer" in path.read_bytes()]
    (second,) = import_files(store, [talk], speakers={"Bo": "interviewer"}).calls
    assert not second.before
    assert store.sql("SELECT guests, guess_by FROM imports").to_numpy().tolist() == [[["Anna"], "hand"]]


def test_who_speaks_is_redacted_also_in_the_name_of_the_file(fresh_home: Path, talk: Path) -> None:
    store = Store.open(fresh_home)
    named = talk.with_name("anna_carter.vtt")
    named.write_text(TALK.replace("<v Anna>", "<v anna carter>"), encoding="utf-8")
    import_files(store, [named])
    (out,) = export(store, "last", "json", fresh_home / "out.json", redaction=redaction_of(store, "last"))
    text = out.read_text(encoding="utf-8").lower()
    assert "which hive is lost" in text
    assert "anna" not in text
    assert "carter" not in text


def test_a_talk_in_which_nobody_asks_is_kept_without_a_plan(fresh_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"segments": [{"start": 0, "end": 2, "text": "The northern hive is lost first."}]}')
    store = Store.open(fresh_home)
    import_files(store, [path], topic="Bees")
    log = CallLog.read(store.journal_path("last"))
    assert log.begun_with is None
    assert [turn.speaker for turn in said(log)] == ["guest"]
    assert store.calls()["topic"].tolist() == ["Bees"]
    assert verify(store, "last").ok


def test_what_stops_in_the_middle_leaves_whole_calls_only(
    fresh_home: Path, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(fresh_home)
    write = Journal.write

    def stop(journal: Journal, kind: str, t_ms: int, data: dict[str, object]) -> int:
        if t_ms >= 15_000 and "t3" in str(data):
            raise JournalError("the disk is full")
        return write(journal, kind, t_ms, data)

    monkeypatch.setattr(Journal, "write", stop)
    with pytest.raises(JournalError, match="full"):
        import_files(store, [talk])
    assert list(store.home.journals.iterdir()) == []


def test_the_command_names_what_cannot_be_read_and_takes_in_the_others(terminal: Terminal, talk: Path) -> None:
    broken = talk.with_name("broken.json")
    broken.write_text("{")
    done = terminal("import", str(broken), str(talk), "--as", "guest=Bo", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert [(each["id"], each["interviewers"], each["guess"]["by"]) for each in told["imported"]] == [
        ("talk", ["Anna"], "hand")
    ]
    assert [(each["file"], each["line"]) for each in told["failed"]] == [(str(broken), 1)]
    assert f"{broken}, line 1" in done.stderr
    shown = terminal("show", "last")
    assert "talk.vtt, read as vtt" in shown.stdout
    assert "hand" not in terminal("show", "last", "--transcript").stdout
    assert terminal("import", str(talk)).exit_code == 0
    assert [call["source"] for call in terminal.json("list")["calls"]] == ["import"]


def test_a_role_that_is_none_is_wrong_usage(terminal: Terminal, talk: Path) -> None:
    for given in ("Bo", "host=Bo", "guest="):
        assert terminal("import", str(talk), "--as", given).exit_code == 2
