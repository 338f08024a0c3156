import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.errors import StoreLocked
from interviewer.interview.demo import Demo
from interviewer.store import journal
from interviewer.store.database import interruptible
from interviewer.store.store import Store
from tests.cli.conftest import Terminal
from tests.patience import PATIENCE_S, until

KEYS = {
    "call_id", "questions", "turns", "phases", "closing", "fallbacks", "coverage_may_be_incomplete", "unrecovered",
    "truth", "note", "essay_path", "essay_words", "seconds", "research", "expressions_kept", "expressions_lost",
    "untraced", "budget", "guard", "chain", "imported",
}  # fmt: skip


def test_the_demo_prints_one_object_and_says_everything_else_beside_it(terminal: Terminal) -> None:
    done = terminal("--json", "demo", "--topic", "Being on call", "--minutes", "3", "--seed", "3")
    report = json.loads(done.stdout)
    assert done.exit_code == 0
    assert set(report) == KEYS
    assert [phase["phase"] for phase in report["phases"]] == ["opening", "exploration", "wrap_up"]
    assert [phase["locked"] for phase in report["phases"]] == [False, False, True]
    assert report["closing"]["target_ms"] == 180_000
    essay = Path(report["essay_path"]).read_text(encoding="utf-8")
    assert report["essay_words"] == len(essay.split()) > 20
    assert "wrap-up" in done.stderr


def test_its_figures_are_those_of_the_journal(looking: Terminal, made: Demo) -> None:
    report = looking.json("show", made.call_id)
    events = [line.data for line in journal.read(made.journal).lines if line.kind == "ev"]
    delivered = {event["question_id"] for event in events if event["kind"] == "delivered"}
    stages = {(e["attempt_id"], e["kind"]): e["t_ms"] for e in events if e["attempt_id"] and e["kind"] != "heard"}
    assert {q["id"] for q in report["questions"] if q["state"] == "delivered"} == delivered
    assert delivered
    for question in report["questions"]:
        for attempt in question["attempts"]:
            assert attempt["stages"] == {s: stages[attempt["id"], s] for s in attempt["stages"]}
    assert report["truth"]["questions_heard"] == made.call.truth.questions_heard
    assert [turn["id"] for turn in report["turns"]] == [turn.id for turn in made.call.core.turns]


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        (("--topic", "  "), "PlanError", "topic"),
        (("--minutes", "-3"), "SettingsError", "minutes"),
        (("--minutes", "nan"), "SettingsError", "minutes"),
        (("--minutes", "1e300"), "SettingsError", "minutes"),
        (("--dossier", "nobody"), "NotFound", "nobody"),
        (("--dossier", ""), "NotFound", "dossier"),
        (("--seed", str(2**63)), "SettingsError", "seed"),
        (("--seed", "-1"), "SettingsError", "seed"),
    ],
)
def test_what_cannot_be_is_named(terminal: Terminal, arguments: tuple[str, ...], kind: str, words: str) -> None:
    done = terminal("demo", *arguments, "--json")
    error = json.loads(done.stdout)["error"]
    assert done.exit_code == 1
    assert error["type"] == kind
    assert words in error["message"]
    assert error["message"] in done.stderr
    assert not list(terminal.home.glob("journals/*"))


@pytest.mark.parametrize("arguments", [("--minutes", "long"), ("--speed", "0"), ("--nonsense",)])
def test_wrong_usage_is_another_exit_code(terminal: Terminal, arguments: tuple[str, ...]) -> None:
    assert terminal("demo", *arguments).exit_code == 2


def test_an_unknown_scorer_is_refused_before_anything_is_kept(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERVIEWER_MATCH__SCORER", "nothing")
    done = terminal("demo", "--json")
    assert json.loads(done.stdout)["error"]["type"] == "SettingsError"
    assert not list(terminal.home.glob("journals/*"))


def test_a_database_that_cannot_be_used_is_named_before_the_call(terminal: Terminal) -> None:
    (terminal.home / "interviewer.duckdb").mkdir(parents=True)
    done = terminal("demo", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["error"]["type"] == "ForeignDatabase"
    assert not list(terminal.home.glob("journals/*"))


def test_a_database_that_fails_in_the_end_costs_neither_report_nor_essay(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreLocked("somebody has it")

    monkeypatch.setattr(Store, "open", fail)
    done = terminal("demo", "--minutes", "0.5", "--json")
    report = json.loads(done.stdout)
    kept = next(terminal.home.glob("journals/*.jsonl"))
    assert done.exit_code == 1
    assert report["call_id"] == kept.stem
    assert Path(report["essay_path"]).is_file()
    message = report["error"]["message"]
    assert report["error"]["type"] == "StoreLocked"
    assert f"kept in {kept}" in message
    assert message.endswith("not taken into the database because somebody has it")
    assert message in done.stderr


def test_ctrl_c_while_the_database_is_written_says_where_the_call_is(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        with interruptible():
            raise RuntimeError("Query interrupted")

    monkeypatch.setattr(Store, "open", interrupt)
    done = terminal("demo", "--minutes", "0.5")
    assert done.exit_code == 130
    assert str(next(terminal.home.glob("journals/*.jsonl"))) in done.stderr


def test_a_topic_that_no_simulated_guest_knows_is_told(terminal: Terminal) -> None:
    done = terminal("demo", "--minutes", "0.5", "--topic", "Medieval falconry", "--json")
    note = json.loads(done.stdout)["note"]
    assert note.startswith("no simulated guest knows about this; the guest is ")
    assert note in done.stderr.splitlines()


def test_quiet_leaves_the_id_alone(terminal: Terminal) -> None:
    done = terminal("demo", "--minutes", "0.5", "-q")
    assert done.stderr == ""
    assert [done.stdout.strip()] == [path.stem for path in terminal.home.glob("journals/*.jsonl")]


def test_a_call_over_a_socket_is_the_same_call(terminal: Terminal) -> None:
    reports = [terminal.json("demo", "--minutes", "0.5", "--seed", "5", *way) for way in ((), ("--socket",))]
    here, there = ([(t["speaker"], t["heard"] or t["text"]) for t in report["turns"]] for report in reports)
    assert here == there
    assert len(here) > 2


def test_a_live_call_with_sound_comes_to_its_end(terminal: Terminal) -> None:
    report = terminal.json("demo", "--minutes", "0.5", "--seed", "5", "--socket", "--speed", "40")
    assert report["truth"]["false_deliveries"] == 0
    assert {turn["speaker"] for turn in report["turns"]} == {"interviewer", "guest"}
    assert report["closing"]["reason"]


def test_ctrl_c_keeps_what_was_recorded_and_says_where(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "interviewer", "demo", "--home", str(tmp_path), "--speed", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        until(lambda: [path for path in tmp_path.glob("journals/*") if path.stat().st_size > 10_000])
        child.send_signal(signal.SIGINT)
        output, said = child.communicate(timeout=PATIENCE_S)
    kept = next(tmp_path.glob("journals/*.jsonl"))
    assert child.returncode == 130
    assert output == ""
    assert str(kept) in said
    assert "Traceback" not in said
    assert not journal.read(kept).torn


def test_a_reader_that_leaves_is_no_error(made: Demo) -> None:
    home = str(made.journal.parents[1])
    command = [sys.executable, "-m", "interviewer", "show", "last", "--ledger", "--home", home]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert done.stderr == ""
    assert done.returncode == 141
