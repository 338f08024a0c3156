import dataclasses
import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from evals.models.inputs import sample
from interviewer.agents.orchestrator import ORCHESTRATOR
from interviewer.agents.planner import PLANNER, PlannerInput
from interviewer.errors import AgentError, CassetteMiss
from interviewer.llm.backend import Ran, Task
from interviewer.llm.cassette import Cassette

DATA = PlannerInput(topic="Bread", context="A baker", target_ms=60_000)


class Counting:
    """Answers with how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def run(self, _task: Task, _data: BaseModel, _job_id: str) -> Ran:
        self.asked += 1
        return Ran({"n": self.asked}, model="m", input_tokens=7, cached_tokens=3, cost_usd=0.5, retries=1, latency_ms=9)


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    path = tmp_path / "tape.jsonl"
    recording = Cassette(path, Counting())
    for _ in range(2):
        recording.run(PLANNER, DATA, "j1")
    return path


def test_what_was_recorded_is_played_back_in_its_order(tape: Path) -> None:
    playing = Cassette(tape)
    ran = [playing.run(PLANNER, DATA, f"j{n}") for n in range(3)]
    assert [run.output for run in ran] == [{"n": 1}, {"n": 2}, {"n": 2}]
    assert ran[0] == Ran({"n": 1}, model="m", input_tokens=7, cached_tokens=3, cost_usd=0.5, retries=1, latency_ms=9)


def test_failures_are_recorded_too(tmp_path: Path) -> None:
    class Broken:
        def run(self, _task: Task, _data: BaseModel, _job_id: str) -> Ran:
            return Ran(None, "BackendBusy: 500")

    Cassette(tmp_path / "t", Broken()).run(PLANNER, DATA, "j")
    assert Cassette(tmp_path / "t").run(PLANNER, DATA, "j") == Ran(None, "BackendBusy: 500")


def test_another_input_says_which_fields_changed(tape: Path) -> None:
    with pytest.raises(CassetteMiss, match="input of planner changed: context, target_ms differ"):
        Cassette(tape).run(PLANNER, DATA.model_copy(update={"context": "A miller", "target_ms": 1}), "j")


def test_what_was_recorded_before_the_input_had_a_field_is_played_back(tape: Path) -> None:
    lines = [json.loads(line) for line in tape.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        del line["inputs"]["context"]
        line["input"] = "of-that-time"
    tape.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    playing = Cassette(tape)
    assert [playing.run(PLANNER, DATA, "j").output for _ in range(2)] == [{"n": 1}, {"n": 2}]
    with pytest.raises(CassetteMiss, match="target_ms"):
        playing.run(PLANNER, DATA.model_copy(update={"target_ms": 1}), "j")


def test_another_prompt_says_so(tape: Path) -> None:
    changed = dataclasses.replace(PLANNER, instructions="Plan otherwise.")
    with pytest.raises(CassetteMiss, match=f"version {changed.version}, recorded was {PLANNER.version}"):
        Cassette(tape).run(changed, DATA, "j")


def test_an_agent_that_was_never_recorded_is_named(tape: Path) -> None:
    with pytest.raises(CassetteMiss, match="no run of orchestrator"):
        Cassette(tape).run(ORCHESTRATOR, sample(ORCHESTRATOR), "j")


def test_a_damaged_line_is_named(tape: Path) -> None:
    tape.write_text(tape.read_text(encoding="utf-8") + '{"agent": "planner"', encoding="utf-8")
    with pytest.raises(AgentError, match=r"tape\.jsonl, line 3"):
        Cassette(tape)


@pytest.mark.parametrize(
    ("found", "put", "field"),
    [
        ('"input_tokens": 7', '"input_tokens": "7"', "run.input_tokens"),
        ('"input_tokens": 7', f'"input_tokens": {10**400}', ""),
        ('"output": {"n": 2}', '"output": [2]', "run.output"),
        ('"output": {"n": 2}', '"output": {"n": "\\ud800"}', ""),
        ('"cost_usd": 0.5', '"cost_usd": NaN', "run.cost_usd"),
        ('"model": "m"', '"model": ["m"]', "run.model"),
        ('"inputs": {', '"inputs": [], "x": {', "inputs"),
        ('"agent": "planner"', '"agent": null', "agent"),
    ],
)
def test_a_line_of_another_shape_is_named_with_its_field(tape: Path, found: str, put: str, field: str) -> None:
    first, second = tape.read_text(encoding="utf-8").splitlines()
    assert found in second
    tape.write_text(f"{first}\n{second.replace(found, put)}\n", encoding="utf-8")
    with pytest.raises(AgentError, match=rf"line 2: it is no recorded run: .*{field}"):
        Cassette(tape)


def test_an_absent_file_says_how_to_record_one(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="cassette_records"):
        Cassette(tmp_path / "absent")
