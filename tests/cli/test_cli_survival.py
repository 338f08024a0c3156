"""`recover`, `call --resume`, `forget`, `verify` and `doctor`, as a person types them after something went wrong."""

import errno
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from interviewer.audio import pcm, wav
from interviewer.call.setup import CallSetup
from interviewer.errors import ConnectionFailed, JournalError
from interviewer.interview.demo import Demo
from interviewer.kept.reading import CallLog
from interviewer.store import steady
from interviewer.store.journal import Journal
from interviewer.store.lines import call_seal, encode
from tests.cli.conftest import Terminal


@pytest.fixture(autouse=True)
def _own_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))


@pytest.fixture
def killed(made: Demo, terminal: Terminal) -> Path:
    """The journal of the call as it stood when it was killed in mid-conversation, torn."""
    raw = made.journal.read_bytes()
    path = terminal.home / "journals" / made.journal.name
    path.parent.mkdir(parents=True)
    path.write_bytes(raw[: raw.index(b'"speaker":"guest"') + 10_000])
    return path


def test_an_interrupted_call_is_listed_put_right_and_closed(
    terminal: Terminal, killed: Path, made: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")  # as narrow as a terminal is by default
    (listed,) = terminal.json("list")["calls"]
    assert listed["status"] == "interrupted"
    assert "interrupted" in terminal("list").stdout
    check = next(c for c in terminal.json("doctor")["checks"] if c["name"] == "calls")
    assert (check["state"], made.call_id in check["found"], "recover" in check["advice"]) == ("broken", True, True)
    told = terminal("recover").stdout
    assert f"{killed.name}.torn" in told
    assert f"interviewer recover {made.call_id} --close" in told
    assert "cannot be resumed" in told  # its guest was a simulated one
    assert "--resume" not in told
    assert "--resume" not in terminal("verify", "last").stdout
    (done,) = terminal.json("recover", "last", "--close")["calls"]
    assert (done["closed"], done["interrupted"]) == ("interrupted", False)
    assert Path(done["essay_path"]).read_text(encoding="utf-8")
    assert terminal("verify", "last").exit_code == 0
    assert terminal("recover").stdout == "No call was interrupted.\n"


def test_a_call_that_no_disk_takes_ends_with_code_1_and_names_what_is_lost(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = [60_000]
    real = Journal._append

    def append(journal: Journal, descriptor: int, line: bytes) -> None:
        if len(line) > room[0]:
            raise JournalError(f"{journal.path}, line 9: cannot be written: No space left on device")
        room[0] -= len(line)
        real(journal, descriptor, line)

    def full(descriptor: int, line: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Journal, "_append", append)
        disk.setattr(steady, "_write_whole", full)
        done = terminal("demo", "--topic", "On call", "--minutes", "0.5", "--seed", "4")
    assert done.exit_code == 1
    (lost,) = re.findall(r"its last (\d+) lines are lost: no disk took them", " ".join(done.stderr.split()))[:1]
    assert int(lost) > 10
    told = terminal("recover", "last").stdout
    assert f"{lost} lines of it cannot come back: no disk took them." in told
    left = terminal("verify", "last")
    assert (left.exit_code, f"{lost} lines are lost, for no disk took them" in left.stderr) == (1, True)
    (listed,) = terminal.json("list")["calls"]
    assert listed["lost"] == int(lost)
    monkeypatch.setenv("COLUMNS", "200")
    assert f"{lost} lines lost" in terminal("list").stdout


def test_a_call_is_resumed_by_its_id(terminal: Terminal, killed: Path, tmp_path: Path) -> None:
    """The service is gone as well, so the call that goes on soon comes to its end."""
    lines = killed.read_bytes().splitlines(keepends=True)
    head, setup = json.loads(lines[0])["d"], json.loads(lines[1])["d"]
    setup["settings"]["voice"]["url"] = "ws://127.0.0.1:9/v1"
    setup["settings"]["call"]["reconnect_tries"] = 0
    setup["settings"]["agents"] |= {"latency_low_ms": 0, "latency_high_ms": 0}
    begun = encode(1, "head", 0, {**head, "source": "call"}) + encode(2, "setup", 0, setup, call_seal(head["call_id"]))
    killed.write_bytes(begun + b"".join(lines[2:-1]))
    wav.write(tmp_path / "mic.wav", pcm.silence(100))
    ends = ["--mic", str(tmp_path / "mic.wav"), "--speaker", str(tmp_path / "voice.wav")]
    wrong = terminal("call", "--resume", "last", "--topic", "Bees", *ends)
    assert (wrong.exit_code, "leave out --topic" in wrong.stderr) == (1, True)
    done = terminal("--json", "call", "--resume", "last", *ends)
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["call_id"] == head["call_id"]
    assert report["essay_path"]
    log = CallLog.read(killed)
    assert len(log.records("seam")) == 1
    assert [record.t_ms for record in log.inputs() if type(record).__name__ == "Resumed"]
    assert log.end_reason is not None
    assert terminal("verify", "last").exit_code == 0
    again = terminal("call", "--resume", "last", *ends)
    assert (again.exit_code, "has come to its end" in again.stderr) == (1, True)


def test_forgetting_asks_names_what_goes_and_is_agreed_to_by_verify(terminal: Terminal, made: Demo) -> None:
    shutil.copytree(made.journal.parents[1], terminal.home)
    refused = terminal("forget", "last")
    assert (refused.exit_code, made.journal.name in refused.stdout, "--yes" in refused.stderr) == (1, True, True)
    assert terminal("verify", "last").exit_code == 0
    assert terminal("forget").exit_code == 2
    done = terminal.json("forget", "last", "--yes")
    gone = {Path(each).name for each in done["forgotten"][0]["files"]}
    assert {f"{made.call_id}.md", made.journal.name} <= gone  # and what other tests have exported
    assert terminal.json("verify", made.call_id)["forgotten"]
    assert "nothing of it is left" in terminal("verify", made.call_id).stdout
    assert terminal("show", made.call_id).exit_code == 1
    shutil.copy(made.journal, terminal.home / "journals")
    left = terminal("verify", made.call_id)
    assert (left.exit_code, "forget it again" in left.stderr) == (1, True)
    assert terminal.json("forget", "--expired", "--yes") == {"forgotten": []}


def test_a_call_whose_time_is_over_is_shown_by_the_doctor_and_forgotten(
    terminal: Terminal, killed: Path, made: Demo
) -> None:
    lines = killed.read_bytes().splitlines(keepends=True)
    head, setup = json.loads(lines[0])["d"], json.loads(lines[1])["d"]
    setup["settings"]["keep"]["retention_days"] = 30
    old = encode(1, "head", 0, {**head, "started_at": "2020-01-01T00:00:00+00:00"}) + encode(
        2, "setup", 0, setup, call_seal(head["call_id"])
    )
    killed.write_bytes(old + b"".join(lines[2:]))
    assert terminal("list").exit_code == 0
    check = next(c for c in terminal.json("doctor")["checks"] if c["name"] == "retention")
    assert (made.call_id in check["found"], check["advice"]) == (True, "interviewer forget --expired")
    assert terminal.json("forget", "--expired", "--yes")["forgotten"][0]["call_id"] == made.call_id
    assert terminal.json("list")["calls"] == []


def test_lines_left_in_the_temp_folder_and_a_database_set_aside_are_shown_by_the_doctor(
    terminal: Terminal, tmp_path: Path
) -> None:
    (terminal.home / "journals").mkdir(parents=True)
    (terminal.home / "interviewer.damaged-20261130-201500-000000.duckdb").write_bytes(b"")
    rest = tmp_path / "temp" / "interviewer-rest-c-1-x.jsonl"
    rest.write_bytes(b"")
    checks = {c["name"]: c for c in terminal.json("doctor")["checks"]}
    assert "interviewer.damaged-20261130-201500-000000.duckdb: damaged" in checks["set aside"]["found"]
    check = checks["temp folder"]
    assert (str(rest) in check["found"], "recover" in check["advice"]) == (True, True)


def test_who_agreed_to_a_call_goes_with_it(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    setups: list[CallSetup] = []

    def never_held(setup: CallSetup, *_: object, **__: object) -> None:
        setups.append(setup)
        raise ConnectionFailed("there is nobody")

    monkeypatch.setattr("interviewer.interview.live_call.hold_call", never_held)
    told = terminal("call", "--simulate", "--topic", "Bees", "--consent", "Ada Lovelace")
    assert "there is nobody" in told.stderr
    (setup,) = setups
    assert setup.consent is not None
    assert setup.consent.by == "Ada Lovelace"
    assert "written down and kept" in setup.consent.text
    assert len(setup.consent.version) == 8
    assert setup.consent.at.tzinfo is not None


def test_an_export_is_redacted_if_asked(looking: Terminal, tmp_path: Path) -> None:
    plain = Path(looking.json("export", "last", "--to", "vtt", "--out", str(tmp_path / "a"))["files"][0])
    word = next(
        word
        for word in plain.read_text(encoding="utf-8").partition("-->")[2].split()  # of what was said
        if len(word) > 5 and word.isalpha() and word.islower()
    )
    done = looking("export", "last", "--to", "vtt", "--out", str(tmp_path / "b"), "--redact", "--name", word)
    assert done.exit_code == 0
    assert "Read it before you pass it on" in done.stderr
    marked = next((tmp_path / "b").iterdir()).read_text(encoding="utf-8")
    assert word not in marked.split()
    assert re.search(r"NAME \d", marked)
