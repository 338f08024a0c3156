"""Tapes: what is whole on one is played back, and one that cannot be is told before anything is run."""

from pathlib import Path

import pytest

from interviewer.agents.planner import PLANNER, PlannerInput
from interviewer.errors import AgentError
from interviewer.llm.reuse import Reusing, Tape, who_runs
from interviewer.llm.rules import Rules
from interviewer.settings import Settings

AGENTS = Settings().agents


def _run(tape: Tape, topic: str, seed: int = 0) -> bool:
    """Whether it was played back."""
    data = PlannerInput(topic=topic, context="", language="en", target_ms=600_000)
    reusing = Reusing(Rules(AGENTS, seed), tape, who_runs(AGENTS, "1", seed))
    reusing.run(PLANNER, data, "j")
    return bool(reusing.reused)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "runs.tape"
    tape = Tape(found)
    assert not _run(tape, "bees")
    assert not _run(tape, "ants")
    return found


def test_a_line_cut_off_by_a_crash_is_named_and_the_whole_ones_are_played_back(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])
    tape = Tape(path)
    assert [problem.partition(": ")[0] for problem in tape.damaged] == [f"{path}, line 2"]
    assert _run(tape, "bees")
    assert not _run(tape, "ants")
    again = Tape(path)  # what was added does not stand on the torn line
    assert len(again.damaged) == 1
    assert _run(again, "ants")


def test_a_tape_that_cannot_be_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"cannot write the tape .*nowhere.*: No such file"):
        Tape(tmp_path / "nowhere" / "x.tape")


def test_another_seed_is_drawn_with_and_not_played_back(path: Path) -> None:
    tape = Tape(path)
    assert not _run(tape, "bees", seed=1)
    assert _run(tape, "bees", seed=1)
    assert _run(tape, "bees", seed=0)


def test_of_two_runs_of_one_input_the_first_counts_for_all_who_share_the_tape(path: Path) -> None:
    one, other = Tape(path), Tape(path)  # as two processes have it, each with what was there when it began
    data = PlannerInput(topic="wasps", context="", language="en", target_ms=600_000)
    made = [Rules(AGENTS, seed).run(PLANNER, data, "j") for seed in (1, 2)]
    assert made[0].latency_ms != made[1].latency_ms
    assert other.find(PLANNER, data, "") is None
    assert one.add(PLANNER, data, "", made[0]) == made[0]
    assert other.add(PLANNER, data, "", made[1]) == made[0]
    for tape in (one, other, Tape(path)):
        assert tape.find(PLANNER, data, "") == made[0]
        assert tape.damaged == []
    # What the other wrote meanwhile is known without being run again.
    data = data.model_copy(update={"topic": "hornets"})
    other.add(PLANNER, data, "", made[1])
    one.add(PLANNER, data.model_copy(update={"topic": "flies"}), "", made[0])
    assert one.find(PLANNER, data, "") == made[1]


@pytest.mark.parametrize(
    "text", ["WEBVTT\n\n00:00.000 --> 00:04.000\nHow did you begin?", '{"speaker": "Ann", "text": "Hm."}\n']
)
def test_a_file_that_is_no_tape_is_refused_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    own = tmp_path / "own.vtt"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(AgentError, match=r"own\.vtt is no tape: it holds no recorded run"):
        Tape(own)
    assert own.read_text(encoding="utf-8") == text


def test_a_tape_whose_only_line_a_crash_cut_off_is_a_tape(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])
    assert not _run(Tape(path), "bees")
    assert _run(Tape(path), "bees")
