"""A forgotten call is gone: from the database's very bytes, and from every file that this package wrote of it."""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from interviewer.agents.base import AgentInput
from interviewer.errors import Forgotten, JournalBusy, StoreLocked
from interviewer.interview.demo import Demo, run_demo
from interviewer.kept import forget as forgetting
from interviewer.kept.drafts import write_draft
from interviewer.kept.forget import due, forget, what_goes
from interviewer.kept.reading import CallLog
from interviewer.kept.verify import verify
from interviewer.llm.router import Router
from interviewer.settings import Settings
from interviewer.store.export import export
from interviewer.store.journal import Journal
from interviewer.store.store import Store


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Demo, Demo]:
    """A home with two calls of different guests; the first ran on a cassette and has a second draft."""
    home = tmp_path_factory.mktemp("two")
    tape = home / "tape.jsonl"
    settings = Settings.load(env={}, agents={"backend": "cassette", "cassette": str(tape), "cassette_records": "rules"})
    gone = run_demo(dossier="medical-device-audits", minutes=1, seed=1, home=home, settings=settings)
    write_draft(Store.open(home), gone.call_id, Router(Settings.load(env={})), style="punchy")
    stays = run_demo(dossier="incidents-and-on-call", minutes=1, seed=2, home=home)
    return home, gone, stays


@pytest.fixture
def home(two: tuple[Path, Demo, Demo], fresh_home: Path) -> Path:
    shutil.copytree(two[0], fresh_home, dirs_exist_ok=True)
    return fresh_home


@pytest.fixture
def gone(two: tuple[Path, Demo, Demo]) -> Demo:
    return two[1]


@pytest.fixture
def stays(two: tuple[Path, Demo, Demo]) -> Demo:
    return two[2]


def told(demo: Demo) -> list[str]:
    """What the guest of a call said, sentence by sentence."""
    texts = [turn.text for turn in demo.call.core.turns if turn.speaker == "guest"]
    sentences = [piece.strip() for text in texts for piece in text.replace("?", ".").split(".")]
    found = [sentence for sentence in sentences if len(sentence) >= 24]
    assert found
    return found


def holding(folder: Path, texts: list[str]) -> list[Path]:
    """Files with any of these texts in their bytes, as they are or as JSON writes them."""
    wanted = {text.encode() for text in texts} | {json.dumps(text)[1:-1].encode() for text in texts}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in files if any(text in path.read_bytes() for text in wanted)]


def test_nothing_is_left_of_it_and_everything_of_the_other(home: Path, gone: Demo, stays: Demo, tmp_path: Path) -> None:
    store = Store.open(home)
    out = tmp_path / "out"
    for kind in ("md", "json", "vtt"):
        export(store, gone.call_id, kind, out)
    export(store, gone.call_id, "csv", out / "tables")
    (home / "audio").mkdir()
    (home / "audio" / f"{gone.call_id}.flac").write_bytes(b"fLaC")
    (home / "journals" / f"{gone.call_id}.jsonl.torn").write_bytes(told(gone)[0].encode())
    before = holding(home, told(gone))
    assert store.database.path in before  # or the search would prove nothing
    assert home / "drafts" / f"{gone.call_id}.v2.md" in before
    others = {path: path.read_bytes() for path in holding(home, [stays.call_id]) if path.suffix in (".jsonl", ".md")}
    states = store.question_state(stays.call_id)

    found = forget(store, gone.call_id)

    assert holding(out, [gone.call_id, *told(gone)]) == []
    assert not (out / "tables").exists()
    assert holding(home, told(gone)) == []
    assert [path.name for path in holding(home, [gone.call_id])] == [f"{gone.call_id}.forgotten"]
    assert not (home / "audio" / f"{gone.call_id}.flac").exists()
    assert {path: path.read_bytes() for path in others} == others
    assert store.question_state(stays.call_id).equals(states)
    assert store.calls()["call_id"].tolist() == [stays.call_id]
    assert store.sql("SELECT guest FROM guests")["guest"].tolist() == [CallLog.read(stays.journal).setup.guest]
    assert verify(store, stays.call_id).problems == []
    checked = verify(store, gone.call_id)
    assert (checked.problems, checked.forgotten_at is not None) == ([], True)
    assert len(found.exports) == 3 + 18


def test_what_a_person_put_in_the_place_of_an_export_stays_and_is_named(home: Path, gone: Demo, tmp_path: Path) -> None:
    store = Store.open(home)
    (mine,) = export(store, gone.call_id, "md", tmp_path / "mine.md")
    (left,) = export(store, gone.call_id, "md", tmp_path / "left.md")
    mine.write_text("My own notes.", encoding="utf-8")
    found = forget(store, gone.call_id)
    assert mine.read_text(encoding="utf-8") == "My own notes."
    assert mine in found.named
    assert not left.exists()
    assert found.exports == (left,)


def test_its_recorded_runs_are_taken_off_the_cassette_and_no_others(
    two: tuple[Path, Demo, Demo], tmp_path: Path, gone: Demo
) -> None:
    home = tmp_path / "whole"
    shutil.copytree(two[0], home)
    tape = two[0] / "tape.jsonl"
    before = tape.read_text(encoding="utf-8")
    other = json.dumps({"agent": "writer", "version": "v", "input": "0" * 16, "inputs": {}, "run": {}}) + "\n"
    tape.write_text(before + other, encoding="utf-8")
    try:
        forget(Store.open(home), gone.call_id)
        assert tape.read_text(encoding="utf-8") == other
    finally:
        tape.write_text(before, encoding="utf-8")


def test_a_cassette_names_runs_as_a_call_does() -> None:
    from interviewer.llm import cassette

    class Some(AgentInput):
        topic: str = "bees"

    assert cassette._digest(Some().model_dump_json()) == Some().digest


def test_a_copy_of_its_journal_does_not_bring_it_back(home: Path, gone: Demo, tmp_path: Path) -> None:
    store = Store.open(home)
    copy = tmp_path / "elsewhere.jsonl"
    shutil.copy(home / "journals" / gone.journal.name, copy)
    forget(store, gone.call_id)
    shutil.copy(copy, home / "journals" / gone.journal.name)
    shutil.copy(copy, home / "journals" / "renamed.jsonl")
    store = Store.open(home)
    assert gone.call_id not in store.calls()["call_id"].tolist()
    with pytest.raises(Forgotten, match="was forgotten on"):
        store.ingest(copy)
    with pytest.raises(Forgotten, match="was forgotten on"):
        store.resolve(gone.call_id[:-2])
    left = verify(store, gone.call_id).problems
    assert left == [f"{home / 'journals' / name} is there" for name in (gone.journal.name, "renamed.jsonl")]
    forget(store, gone.call_id)  # can be done again
    assert verify(store, gone.call_id).problems == []


def test_renamed_copies_and_pieces_of_its_journal_go_too_and_verify_names_what_comes_back(
    home: Path, gone: Demo, stays: Demo
) -> None:
    lines = gone.journal.read_bytes().splitlines(keepends=True)
    (home / "old").mkdir()
    copies = [home / "journals" / "backup of a call.jsonl", home / "old" / "journal.bak", home / "half.txt"]
    copies[0].write_bytes(b"".join(lines))
    copies[1].write_bytes(b"".join(lines[:3]))
    copies[2].write_bytes(b"".join(lines[-3:]))  # not even the line that names the call
    other = home / "old" / "another call.jsonl"
    shutil.copy(stays.journal, other)
    aside = home / "interviewer.damaged-20261130-201500-000000.duckdb"  # as a damaged database is set aside
    shutil.copy(home / "interviewer.duckdb", aside)
    store = Store.open(home)
    assert store.calls()["call_id"].tolist() == [gone.call_id, stays.call_id]
    assert {path.name for path, why in store.unreadable() if "copy" in why} == {copies[0].name}
    assert set(copies) <= set(what_goes(store, gone.call_id).files)
    forget(store, gone.call_id)
    assert [path for path in (*copies, aside) if path.exists()] == []
    assert other.exists()
    copies[1].write_bytes(b"".join(lines))
    assert verify(store, gone.call_id).problems == [f"{copies[1]} is there"]
    forget(store, gone.call_id)
    assert verify(store, gone.call_id).ok


def test_records_that_quote_it_are_named_and_taken_out(home: Path, gone: Demo) -> None:
    sentence = told(gone)[0]
    labels = home / "labels.csv"
    labels.write_text(
        f'q1,q2,why\nOne?,Two?,"he said\n{sentence}"\nThree?,Four?,nothing\nFive?,Six?,{gone.call_id}\n',
        encoding="utf-8",
    )
    work = home / "workspace.jsonl"
    work.write_text(f'{{"a":1}}\n{{"quote":{json.dumps(sentence)}}}\n', encoding="utf-8")
    plan = home / "plan.yaml"
    plan.write_text(f"notes: {sentence}\n", encoding="utf-8")
    store = Store.open(home)
    found = what_goes(store, gone.call_id)
    lines = {each.path: each.lines for each in found.quoting if each.path.name != "tape.jsonl"}
    assert lines == {labels: (2, 4), work: (2,)}
    assert plan in found.named
    assert labels.exists()  # nothing has happened yet
    forget(store, gone.call_id)
    assert labels.read_text(encoding="utf-8") == "q1,q2,why\nThree?,Four?,nothing\n"
    assert work.read_text(encoding="utf-8") == '{"a":1}\n'
    assert plan.exists()


def test_a_call_that_runs_is_not_forgotten(home: Path, gone: Demo) -> None:
    store = Store.open(home)
    with Journal.reopen(home / "journals" / gone.journal.name), pytest.raises(JournalBusy, match="running"):
        forget(store, gone.call_id)
    assert verify(store, gone.call_id).problems == []


def test_if_the_database_cannot_be_written_nothing_has_changed(
    home: Path, gone: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(home)

    def locked(*_: object) -> None:
        raise StoreLocked("in use by another process")

    monkeypatch.setattr(forgetting, "erase", locked)
    with pytest.raises(StoreLocked):
        forget(store, gone.call_id)
    assert verify(store, gone.call_id).problems == []


def test_calls_are_due_when_their_own_retention_is_over(fresh_home: Path) -> None:
    def begin(days: int | None) -> Iterator[tuple[str, dict[str, object]]]:
        settings = {} if days is None else {"keep": {"retention_days": days}}
        yield "setup", {"plan": {"topic": "t", "sections": []}, "settings": settings}

    (fresh_home / "journals").mkdir()
    at = datetime(2026, 11, 30, 12, tzinfo=UTC)
    for name, days, age in (("old", 30, 31), ("young", 30, 29), ("for-ever", 0, 900), ("unsaid", None, 900)):
        head = {"call_id": name, "started_at": (at - timedelta(days=age)).isoformat()}
        with Journal.create(fresh_home / "journals" / f"{name}.jsonl", head) as journal:
            for kind, data in begin(days):
                journal.write(kind, 0, data)
    store = Store.open(fresh_home)
    (found,) = due(store, at)
    assert (found.call_id, found.days, found.since) == ("old", 30, at - timedelta(days=1))
    assert [each.call_id for each in due(store, at + timedelta(days=1))] == ["old", "young"]
