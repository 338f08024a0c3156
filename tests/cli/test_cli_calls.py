import json
import socket
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from interviewer.cli.app import app
from interviewer.interview.demo import Demo
from interviewer.store import journal
from interviewer.store.home import home
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.cli.conftest import Terminal
from tests.store.journals import small_call, turn, write

HOSTILE = "\x1b[2J\x1b]0;owned\x07[bold red]hi[/] \u202eback\x07 [link=file:///etc/passwd]x[/link]"


@pytest.fixture
def written(terminal: Terminal) -> Terminal:
    """A home with the small call made by hand."""
    write(terminal.home / "journals" / "c-1.jsonl")
    return terminal


def test_global_options_work_before_and_after_the_name(looking: Terminal, made: Demo) -> None:
    home = str(looking.home)
    before = CliRunner().invoke(app, ["--home", home, "--json", "list"])
    after = CliRunner().invoke(app, ["list", "--json", "--home", home])
    assert before.stdout == after.stdout
    assert [call["call_id"] for call in json.loads(before.stdout)["calls"]] == [made.call_id]


def test_a_call_is_named_by_id_prefix_or_last(looking: Terminal, made: Demo) -> None:
    shown = [looking.json("show", name)["call_id"] for name in (made.call_id, made.call_id[:-3], "last")]
    assert shown == [made.call_id] * 3


def test_a_name_that_nothing_answers_to_fails(looking: Terminal) -> None:
    done = looking("show", "c-none")
    assert done.exit_code == 1
    assert "c-none" in done.stderr
    assert done.stdout == ""


def test_an_empty_home_has_no_calls(terminal: Terminal) -> None:
    home(terminal.home)
    assert terminal.json("list") == {"calls": [], "unreadable": []}
    assert terminal("show", "last").exit_code == 1


def test_a_home_that_is_not_there_is_named_and_not_made(terminal: Terminal) -> None:
    for command in (("list",), ("show", "last"), ("verify", "last"), ("export", "last", "--to", "md")):
        done = terminal(*command)
        assert done.exit_code == 1
        assert f"no home in {terminal.home}" in done.stderr
    assert not terminal.home.exists()


def test_damage_is_in_sight(terminal: Terminal) -> None:
    path = write(terminal.home / "journals" / "c-1.jsonl")
    path.write_bytes(path.read_bytes().replace(b"bakes at night", b"baked at night"))
    (terminal.home / "journals" / "c-2.jsonl").write_bytes(b"not a journal\n")
    listed = terminal("list")
    assert "damaged in 1 place" in " ".join(listed.stdout.split())
    assert "could not be taken in" in listed.stderr
    assert "c-2.jsonl" in listed.stderr
    told = terminal.json("list")
    assert [call["damaged"] for call in told["calls"]] == [1]
    assert [Path(lost["file"]).name for lost in told["unreadable"]] == ["c-2.jsonl"]
    check = next(c for c in terminal.json("doctor")["checks"] if c["name"] == "journals")
    assert (check["state"], check["found"]) == ("broken", "2 journals, 1 damaged, 1 unreadable")
    shown = terminal("show", "c-1", "--quiet")  # and a lost setup costs its own facts only
    assert shown.exit_code == 0
    assert "line 2: the checksum does not match" in shown.stderr
    assert "of an unknown length" in " ".join(shown.stdout.split())
    assert "How did you begin?" in shown.stdout


def test_output_that_cannot_be_written_fails_in_a_line(looking: Terminal) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no full device here")
    command = [sys.executable, "-m", "interviewer", "list", "--json", "--home", str(looking.home)]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "interviewer: standard output cannot be written: No space left on device\n"


def test_settings_nested_without_end_are_refused(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "deep.yaml").write_text("[" * 5_000, encoding="utf-8")
    done = terminal("demo", "--config", str(tmp_path / "deep.yaml"), "--json")
    assert json.loads(done.stdout)["error"]["type"] == "SettingsError"


def test_a_question_tells_what_became_of_it(written: Terminal) -> None:
    shown = written.json("show", "c-1", "--question", "q2")["question"]
    assert (shown["state"], shown["priority"], shown["planned"]) == ("held", 2, True)
    assert shown["attempts"] == [
        {
            "id": "a2",
            "outcome": "held",
            "reason": "unconfirmed",
            "stages": {"selected": 5_100, "accepted": 5_200, "started": 5_300},
            "heard_ms": 1_500,
            "score": None,
        }
    ]
    assert "Attempt 1 (a2): selected 0:05" in written("show", "c-1", "--question", "q2").stdout
    missing = written("show", "c-1", "--question", "q9")
    assert missing.exit_code == 1
    assert "q1, q2, q3, u1" in missing.stderr


def test_parts_can_be_asked_for_together(written: Terminal) -> None:
    shown = written.json("show", "c-1", "--ledger", "--transcript", "--essay")
    assert set(shown) == {"call_id", "ledger", "turns", "essay", "draft"}
    assert [event["seq"] for event in shown["ledger"]] == list(range(1, 17))
    assert [(turn["id"], turn["text"]) for turn in shown["turns"]] == [
        ("t1", "Hello. How did you begin?"),
        ("t2", "With <b>flour</b> & water -- in 1999"),
    ]
    assert shown["essay"] == "# Bread\n\nWith flour."


@pytest.mark.parametrize("part", [(), ("--transcript",), ("--ledger",)])
def test_what_a_guest_says_is_text_and_nothing_else(terminal: Terminal, part: tuple[str, ...]) -> None:
    lines = [*small_call(), turn(3, "guest", HOSTILE, 9_000)]
    write(terminal.home / "journals" / "c-1.jsonl", iter(lines), guest=HOSTILE)
    for arguments in (("list",), ("show", "c-1", *part)):
        done = terminal(*arguments)
        assert done.exit_code == 0, done.stderr
        assert not set("\x1b\x07\u202e") & set(done.stdout)
    assert "[bold red]hi[/] back [link=file:///etc/passwd]x[/link]" in terminal("show", "c-1", "--transcript").stdout


def test_export_writes_where_it_is_told(looking: Terminal, made: Demo, tmp_path: Path) -> None:
    files = looking.json("export", "last", "--to", "md", "--out", str(tmp_path / "call.md"))["files"]
    assert files == [str(tmp_path / "call.md")]
    tables = looking.json("export", "last", "--to", "csv", "--out", str(tmp_path / "tables"))["files"]
    assert str(tmp_path / "tables" / "turns.csv") in tables
    assert looking("export", "last", "--to", "docx").exit_code == 2


def test_a_call_agrees_with_its_journal(looking: Terminal, made: Demo) -> None:
    found = looking.json("verify", "last")
    assert found["events"] == len(made.call.core.ledger.events)
    assert found["questions"] == len(made.call.core.ledger.questions)


def test_an_input_that_was_taken_away_is_found(made: Demo, terminal: Terminal) -> None:
    contents = journal.read(made.journal)
    first = next(line for line in contents.lines if line.data.get("type") == "answer")
    (terminal.home / "journals").mkdir(parents=True)
    with Journal.create(terminal.home / "journals" / made.journal.name, contents.head) as forged:
        for line in contents.lines:
            if line is not first:
                forged.write(line.kind, line.t_ms, line.data)
    done = terminal("verify", "last")
    assert done.exit_code == 1
    assert "ledger event" in done.stderr


@pytest.mark.parametrize("content", [b"SQLite format 3\x00 and more", b"DUCK"])
def test_a_foreign_database_is_named_and_left_alone(terminal: Terminal, content: bytes) -> None:
    terminal.home.mkdir()
    (terminal.home / "interviewer.duckdb").write_bytes(content)
    done = terminal("list", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["type"] == "ForeignDatabase"
    assert (terminal.home / "interviewer.duckdb").read_bytes() == content


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = CliRunner().invoke(app, ["demo", "--home", str(tmp_path / "file" / "home")])
    assert done.exit_code == 1
    assert "choose another home" in done.stderr


def test_the_doctor_finds_what_stops_the_demo(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret of the test")
    found = terminal.json("doctor")
    states = {check["name"]: check for check in found["checks"]}
    assert found["demo_can_run"] is True
    assert states["OpenAI key"]["state"] == "ok"
    assert "secret of the test" not in json.dumps(found)
    (terminal.home / "interviewer.duckdb").write_bytes(b"not ours")
    done = terminal("doctor")
    assert done.exit_code == 1
    assert "ForeignDatabase" in done.stdout


def test_the_doctor_says_who_holds_the_database(terminal: Terminal) -> None:
    Store.open(terminal.home)
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    database = str(terminal.home / "interviewer.duckdb")
    with subprocess.Popen(
        [sys.executable, "-c", hold, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        done = terminal("doctor", "--json")
        child.communicate()
    database_check = next(c for c in json.loads(done.stdout)["checks"] if c["name"] == "database")
    assert done.exit_code == 1
    assert f"process {child.pid}" in database_check["found"]


def test_a_newer_database_is_named(terminal: Terminal) -> None:
    Store.open(terminal.home)
    with duckdb.connect(terminal.home / "interviewer.duckdb") as connection:
        connection.execute("INSERT INTO migrations VALUES (9999, '9999_from_the_future')")
    done = terminal("list", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["type"] == "NewerDatabase"


@pytest.mark.parametrize("command", ["simulate", "lab"])
def test_a_port_in_use_is_named(terminal: Terminal, command: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = terminal(command, "--port", str(port), "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["type"] == "PortInUse"
    assert str(port) in done.stderr


def test_a_setting_of_the_file_is_named(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("call: {targe_ms: 5}")
    done = terminal("demo", "--config", str(tmp_path / "bad.yaml"))
    assert done.exit_code == 1
    assert "call.targe_ms" in done.stderr


def test_an_error_never_shows_the_key(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-the-test")
    done = terminal("show", "secret-of-the-test", "--json")
    assert done.exit_code == 1
    assert "secret-of-the-test" not in done.stdout + done.stderr
