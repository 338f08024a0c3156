import contextlib
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from evals.models.inputs import sample
from interviewer.agents.registry import AGENTS
from interviewer.errors import SettingsError
from interviewer.llm.backend import OnText, Ran, Task, run_streamed
from interviewer.llm.router import Router
from interviewer.settings import AgentName, Settings

PLANNER, WRITER = AGENTS["planner"], AGENTS["writer"]


class Paid:
    """A backend of which every run costs the same."""

    def __init__(self, usd: float | None) -> None:
        self._usd = usd

    def run(self, task: Task, _data: BaseModel, _job_id: str) -> Ran:
        return Ran({"by": task.name}, model="dear", cost_usd=self._usd)


def router(usd: float | None, **agents: Any) -> Router:
    settings = Settings().with_(agents={"backend": "openai", "budget_usd": 1.0, **agents})
    return Router(settings, backends={"openai": Paid(usd)})


def run(backend: Router, name: AgentName = "planner") -> Ran:
    return backend.run(AGENTS[name], sample(AGENTS[name]), "j1")


def test_each_agent_runs_where_the_settings_say() -> None:
    backend = router(0.0, overrides={"writer": {"backend": "rules"}})
    assert run(backend).model == "dear"
    assert run(backend, "writer").model == "rules"


def test_a_warning_at_80_percent_and_rules_from_100() -> None:
    backend = router(0.3)
    states = [(run(backend).model, backend.budget.state) for _ in range(5)]
    assert states == [
        ("dear", "open"),
        ("dear", "open"),
        ("dear", "warned"),
        ("dear", "used_up"),
        ("rules", "used_up"),
    ]
    ran = run(backend)
    assert "budget used up (1.2000 of 1 USD spent)" in ran.error
    assert PLANNER.parse(ran.output or {})


def test_rules_are_not_excused_when_they_were_chosen() -> None:
    backend = router(2.0, overrides={"writer": {"backend": "rules"}})
    run(backend)
    assert run(backend, "writer").error == ""


def test_what_cannot_be_counted_is_said() -> None:
    backend = router(None)
    run(backend)
    assert backend.budget.state == "open"
    assert "1 runs of unknown cost not counted" in str(backend.budget)


def test_without_a_limit_nothing_is_used_up() -> None:
    backend = router(50.0, budget_usd=0)
    run(backend)
    assert backend.budget.state == "open"


def test_a_call_is_recorded_and_played_back_by_settings(tmp_path: Path) -> None:
    tape = {"backend": "cassette", "cassette": str(tmp_path / "tape.jsonl")}
    recording = Router(Settings().with_(agents={**tape, "cassette_records": "rules"}), seed=3)
    first = run(recording)
    assert run(Router(Settings().with_(agents=tape), seed=99)) == first


def test_a_backend_that_does_not_stream_tells_the_text_at_the_end() -> None:
    with contextlib.closing(Router(Settings())) as backend:
        seen: list[str] = []
        ran = run_streamed(backend, WRITER, sample(WRITER), "j1", seen.append)
    assert ran.output is not None
    assert seen == [ran.output["markdown"]]


def test_a_streaming_backend_streams_through_the_router() -> None:
    class Slow(Paid):
        def stream(self, _task: Task, _data: BaseModel, _job_id: str, on_text: OnText) -> Ran:
            on_text("# One")
            on_text("# One day")
            return Ran({})

    backend = Router(Settings().with_(agents={"backend": "openai"}), backends={"openai": Slow(0.0)})
    seen: list[str] = []
    backend.stream(WRITER, sample(WRITER), "j1", seen.append)
    assert seen == ["# One", "# One day"]


@pytest.mark.parametrize(
    ("agents", "named"),
    [
        ({"backend": "compatible"}, "base_url"),
        ({"overrides": {"writer": {"backend": "compatible"}}}, "of the writer needs base_url"),
        ({"backend": "cassette"}, "cassette"),
        ({"backend": "gemini"}, "backend"),
        ({"backend": "openai", "model": " "}, "needs a model"),
        ({"base_url": "localhost:11434/v1"}, "http://"),
        ({"base_url": "http://user:hush@host/v1"}, "key_name"),
        ({"base_url": "http://host/v1?key=hush"}, "key_name"),
        ({"key_name": "hush-hush-hush"}, "never the key"),
        ({"overrides": {"writer": {"key_name": "hush-hush"}}}, "never the key"),
        ({"budget_usd": float("inf")}, "budget_usd"),
        ({"budget_usd": float("nan")}, "budget_usd"),
        ({"overrides": {"wirter": {}}}, "overrides.wirter"),
        ({"overrides": {"writer": {"temperature": 3}}}, "overrides.writer.temperature"),
        ({"overrides": "{"}, "overrides"),
        ({"budget_usd": -1}, "budget_usd"),
        ({"budget_warning": 80}, "budget_warning"),
        ({"temperature": 3}, "temperature"),
        ({"effort": "enormous"}, "effort"),
        ({"cassette_records": "cassette"}, "cassette_records"),
    ],
)
def test_nonsense_is_refused_by_name_and_without_secrets(agents: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingsError, match=named) as refused:
        Settings.load(env={}, agents=agents)
    assert "hush" not in str(refused.value)


def test_every_agent_can_be_named_in_the_settings() -> None:
    from typing import get_args

    assert AGENTS.keys() <= set(get_args(AgentName))


def test_overrides_can_come_from_the_environment() -> None:
    given = {"INTERVIEWER_AGENTS__OVERRIDES": '{"writer": {"model": "big", "temperature": 1}}'}
    agents = Settings.load(env=given).agents
    assert (agents.of("writer").model, agents.of("writer").temperature) == ("big", 1)
    assert agents.of("planner").model == agents.model
