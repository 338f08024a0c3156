"""`interviewer replay`: what it tells, what it keeps, and how it fails."""

import json
from pathlib import Path

import pytest

from interviewer.interview.demo import Demo
from interviewer.lab.kept_runs import read_run
from interviewer.store.home import home
from tests.cli.conftest import Terminal
from tests.lab.test_replaying import VTT


def test_a_replay_is_told_and_kept(terminal: Terminal, tmp_path: Path) -> None:
    talk = tmp_path / "bees.vtt"
    talk.write_text(VTT, encoding="utf-8")
    told = terminal.json("replay", str(talk))
    assert told["kind"] == "teacher-forced"
    assert "nothing about what a guest would have answered" in told["claim"]
    (result,) = told["results"]
    assert (result["source"], result["replies"]) == ("bees", 2)
    kept = read_run(home(terminal.home), told["run_id"])
    assert kept.results[0].turns[0].text == "How did you get into keeping bees?"
    assert len(kept.results[0].decisions) > 0


def test_what_fails_is_named_and_the_others_are_replayed(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "bees.vtt").write_text(VTT, encoding="utf-8")
    (tmp_path / "broken.vtt").write_text("WEBVTT\n", encoding="utf-8")
    done = terminal("replay", str(tmp_path / "*.vtt"), "--kind", "prefix")
    assert done.exit_code == 1
    assert "broken.vtt" in done.stderr
    assert "bees: the recording asks what was chosen in" in done.stdout
    assert "1 failure" in done.stdout


def test_agents_that_all_fail_are_told_of(terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bees.vtt").write_text(VTT, encoding="utf-8")
    monkeypatch.setenv("INTERVIEWER_AGENTS__BACKEND", "compatible")
    # Nothing answers on the port of discard, and nothing is tried twice.
    for name, value in (("BASE_URL", "http://127.0.0.1:9/v1"), ("MODEL", "m"), ("TRIES", "1")):
        monkeypatch.setenv(f"INTERVIEWER_AGENTS__{name}", value)
    done = terminal("--json", "replay", str(tmp_path / "bees.vtt"))
    told = json.loads(done.stdout)
    assert 0 < told["agent_runs_failed"] <= told["agent_runs"]
    assert done.exit_code == 1
    assert f"{told['agent_runs_failed']} of {told['agent_runs']} runs of agents failed" in done.stderr
    assert "the figures are of what stood in for them" in done.stderr


def test_who_was_taken_for_whom_is_told_and_can_be_said(terminal: Terminal, tmp_path: Path) -> None:
    talk = tmp_path / "bread.txt"
    talk.write_text("Max: What about it? Isn't it nice?\nEva: Tell me of your bees.\nMax: I had two.\n", "utf-8")
    guessed = terminal.json("replay", str(talk))["results"][0]["notes"]
    assert any(note.startswith("Max taken for the interviewer, ") and "% sure" in note for note in guessed)
    assert any("derived from the number of words" in note for note in guessed)
    said = terminal.json("replay", str(talk), "--as", "interviewer=Eva")
    assert not any("taken for" in note for note in said["results"][0]["notes"])
    kept = read_run(home(terminal.home), said["run_id"])
    assert [turn.speaker for turn in kept.results[0].recorded] == ["guest", "interviewer", "guest"]
    assert terminal("replay", str(talk), "--as", "Eva").exit_code == 2


def test_what_names_nothing_keeps_no_run(terminal: Terminal) -> None:
    done = terminal("replay", "typo")
    assert done.exit_code == 1
    assert "no recording to replay" in done.stderr
    assert "typo" in done.stderr
    assert terminal.json("runs") == {"runs": []}


def test_a_files_own_name_for_a_talk_is_told_without_what_a_terminal_obeys(terminal: Terminal, tmp_path: Path) -> None:
    turns = [("interviewer", "How did you get into keeping bees?"), ("guest", "My neighbour gave me a hive.")]
    talk = {
        "id": "be\x1b[31mes\nrun",
        "turns": [{"speaker": role, "role": role, "text": text} for role, text in turns],
    }
    (tmp_path / "talks.jsonl").write_text(json.dumps(talk) + "\n", encoding="utf-8")
    done = terminal("replay", str(tmp_path / "talks.jsonl"))
    assert done.exit_code == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "es run: the recording asks" in done.stdout


def test_an_exact_replay_tells_of_damage(made: Demo, terminal: Terminal, tmp_path: Path) -> None:
    lines = made.journal.read_text(encoding="utf-8").splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if '"playback"' in line)
    lines[place] = lines[place].replace('"playback"', '"playbark"')
    (tmp_path / "call.jsonl").write_text("".join(lines), encoding="utf-8")
    done = terminal("replay", str(tmp_path / "call.jsonl"), "--kind", "exact")
    assert f"(line {place + 1})" in done.stdout


def test_an_unknown_kind_is_an_error_with_the_known_ones(terminal: Terminal) -> None:
    done = terminal("replay", "last", "--kind", "loose")
    assert done.exit_code == 1
    assert "exact, teacher-forced, prefix, simulated" in done.stderr
