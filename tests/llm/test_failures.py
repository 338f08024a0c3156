"""Every agent against every failure of a service, over both ways of asking."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from evals.models.inputs import sample
from interviewer.agents.base import Agent
from interviewer.agents.registry import AGENTS
from interviewer.llm.backend import Ran
from interviewer.llm.chat import Chat
from interviewer.llm.model import Model
from interviewer.llm.prices import Prices
from interviewer.llm.responses import Responses
from interviewer.settings import Settings
from tests.llm.scripted import Body, Scripted, served

KEY = "sk-secret-key-of-the-tests-4711"
DEADLINE_MS = 1_000
# How it is named in the journal, for a failure that does not pass; None: a valid output all the same.
PERSISTENT: dict[str, str | None] = {
    "rate_limited": "BackendBusy",
    "rate_limited_long": "BackendBusy",
    "out_of_order": "BackendBusy",
    "time_out": "BackendUnreachable",
    "drip": "BackendUnreachable",
    "half_a_stream": "BackendUnreachable",
    "invalid_json": "AgentError",
    "wrong_shape": "AgentError",
    "refusal": "ModelRefused",
    "filtered": "ModelRefused",
    "cut": "AgentError",
    "nothing": "BackendBusy",
    "empty_choices": "BackendBusy",
    "unknown_finish": None,
    "wrapped": None,
    "html": "NotAnEndpoint",
    "html_404": "NotAnEndpoint",
    "no_json": "NotAnEndpoint",
    "other_json": "NotAnEndpoint",
    "wrong_key": "NoKey",
    "unknown_model": "UnknownModel",
    "too_long": "ContextTooLong",
}
DIFFERENT_STREAMED = ("time_out", "half_a_stream", "refusal", "cut", "nothing", "empty_choices", "html", "wrapped")
PASSING = ("rate_limited", "out_of_order", "half_a_stream", "invalid_json", "wrong_shape", "nothing", "empty_choices")


def agent_of(body: Body) -> Agent[Any, Any]:
    """The agent that a request is for, by its instructions."""
    asked = body.get("instructions") or body["messages"][0]["content"]
    return next(agent for agent in AGENTS.values() if asked.startswith(agent.instructions.strip()))


def good(body: Body) -> str:
    """What a perfect model would answer."""
    agent = agent_of(body)
    text: str = agent.rules(sample(agent)).model_dump_json()
    return text


@pytest.fixture(scope="module")
def server() -> Iterator[Scripted]:
    with served() as script:
        script.answer = good
        yield script


def model_for(server: Scripted, way: str, monkeypatch: pytest.MonkeyPatch, **agents: Any) -> Model:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OTHER_KEY", KEY)
    names = ("note_taker_ms", "researcher_ms", "orchestrator_ms", "after_call_ms")
    chosen = {"tries": 2, "backoff_ms": 5, "model": "m1", "base_url": server.url, "key_name": "OTHER_KEY", **agents}
    settings = Settings().with_(agents={"backend": way, **chosen}, cycle=dict.fromkeys(names, DEADLINE_MS))
    return Model(settings, Responses(server.url) if way == "openai" else Chat(), Prices.load())


def run_all(model: Model, *, streamed: bool) -> dict[str, tuple[Ran, float]]:
    def run(agent: Agent[Any, Any]) -> tuple[Ran, float]:
        began = time.monotonic()
        if streamed:
            ran = model.stream(agent, sample(agent), "j1", lambda _: None)
        else:
            ran = model.run(agent, sample(agent), "j1")
        return ran, time.monotonic() - began

    with ThreadPoolExecutor(len(AGENTS)) as pool:
        return dict(zip(AGENTS, pool.map(run, AGENTS.values()), strict=True))


@pytest.mark.parametrize("way", ["openai", "compatible"])
@pytest.mark.parametrize(
    ("failure", "streamed"), [*((name, False) for name in PERSISTENT), *((name, True) for name in DIFFERENT_STREAMED)]
)
def test_every_agent_has_output_or_a_named_error_in_time(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, failure: str, way: str, streamed: bool
) -> None:
    server.behave = lambda _number, _body: failure
    model = model_for(server, way, monkeypatch)
    ran = run_all(model, streamed=streamed)
    model.close()
    for name, (run, seconds) in ran.items():
        assert seconds < DEADLINE_MS / 1_000 + 2, name  # the two seconds are a busy machine's
        assert KEY not in repr(run)
        expected = PERSISTENT[failure]
        if expected is None:
            assert run.output is not None, (name, run.error)
            AGENTS[name].parse(run.output)
        else:
            assert run.output is None
            assert run.error.startswith(f"{expected}: "), (name, run.error)


@pytest.mark.parametrize("way", ["openai", "compatible"])
@pytest.mark.parametrize("failure", PASSING)
def test_a_failure_that_passes_costs_one_more_call(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, failure: str, way: str
) -> None:
    server.requests.clear()
    server.behave = lambda number, _: failure if number == 1 else "ok"
    model = model_for(server, way, monkeypatch)
    agent = AGENTS["orchestrator"]
    ran = model.run(agent, sample(agent), "j1")
    model.close()
    assert ran.output == agent.rules(sample(agent)).model_dump(mode="json")
    assert ran.retries + ran.repairs == 1
    assert ran.repairs == (failure in ("invalid_json", "wrong_shape"))


def test_a_long_retry_after_is_not_waited_for(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    server.behave = lambda _number, _body: "rate_limited_long"
    model = model_for(server, "openai", monkeypatch)
    agent = AGENTS["writer"]
    began = time.monotonic()
    ran = model.run(agent, sample(agent), "j1")
    model.close()
    assert ran.error.startswith("BackendBusy")
    assert ran.retries == 0
    assert time.monotonic() - began < 0.9


def test_a_short_retry_after_is_waited_for(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    server.requests.clear()
    server.behave = lambda number, _: "rate_limited" if number == 1 else "ok"
    model = model_for(server, "openai", monkeypatch, backoff_ms=0)
    agent = AGENTS["researcher"]
    ran = model.run(agent, sample(agent), "j1")
    model.close()
    assert ran.output is not None
    assert ran.latency_ms >= 50  # retry-after: 0.05
