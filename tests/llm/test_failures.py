"""Every agent against every failure of a service, over both ways of asking."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import openai
import pytest

from evals.models.inputs import sample
from interviewer.agents.base import Agent
from interviewer.agents.registry import AGENTS
from interviewer.llm.backend import Ran
from interviewer.llm.chat import Chat
from interviewer.llm.failures import retry_after_s
from interviewer.llm.model import Model
from interviewer.llm.prices import Prices
from interviewer.llm.responses import Responses
from interviewer.settings import Settings
from tests.llm.scripted import Body, Scripted, served

KEY = "secret-key-of-the-tests-4711"
# Short for what never answers; for the rest so long that no busy machine reaches it.
HANGING, SHORT_MS, LONG_MS = ("time_out", "drip"), 800, 30_000
BUSY_S = 6  # a busy machine's; what hangs would go on for ten at least
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
WAYS = ("openai", "compatible")
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


def model_for(server: Scripted, way: str, deadline_ms: int = LONG_MS, **agents: Any) -> Model:
    names = ("note_taker_ms", "researcher_ms", "orchestrator_ms", "after_call_ms")
    chosen = {"tries": 2, "backoff_ms": 5, "model": "m1", "base_url": server.url, "key_name": "OTHER_KEY", **agents}
    settings = Settings().with_(agents={"backend": way, **chosen}, cycle=dict.fromkeys(names, deadline_ms))
    return Model(settings, Responses(server.url, KEY) if way == "openai" else Chat(), Prices.load())


@pytest.fixture(scope="module")
def models(server: Scripted) -> Iterator[Callable[[str, int], Model]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTHER_KEY", KEY)
        made = {(way, ms): model_for(server, way, ms) for way in WAYS for ms in (SHORT_MS, LONG_MS)}
        yield lambda way, ms: made[way, ms]
        for model in made.values():
            model.close()


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


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("failure", "streamed"), [*((name, False) for name in PERSISTENT), *((name, True) for name in DIFFERENT_STREAMED)]
)
def test_every_agent_has_output_or_a_named_error_in_time(
    server: Scripted, models: Callable[[str, int], Model], failure: str, way: str, streamed: bool
) -> None:
    server.behave = lambda _number, _body: failure
    deadline_ms = SHORT_MS if failure in HANGING else LONG_MS
    ran = run_all(models(way, deadline_ms), streamed=streamed)
    for name, (run, seconds) in ran.items():
        assert seconds < deadline_ms / 1_000 + BUSY_S, name
        assert KEY not in repr(run)
        expected = PERSISTENT[failure]
        if expected is None:
            assert run.output is not None, (name, run.error)
            AGENTS[name].parse(run.output)
        else:
            assert run.output is None
            assert run.error.startswith(f"{expected}: "), (name, run.error)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("failure", PASSING)
def test_a_failure_that_passes_costs_one_more_call(
    server: Scripted, models: Callable[[str, int], Model], failure: str, way: str
) -> None:
    server.requests.clear()
    server.behave = lambda number, _: failure if number == 1 else "ok"
    agent = AGENTS["orchestrator"]
    ran = models(way, LONG_MS).run(agent, sample(agent), "j1")
    assert ran.output == agent.rules(sample(agent)).model_dump(mode="json")
    assert ran.retries + ran.repairs == 1
    assert ran.repairs == (failure in ("invalid_json", "wrong_shape"))


def test_a_retry_after_beyond_the_deadline_is_not_waited_for(
    server: Scripted, models: Callable[[str, int], Model]
) -> None:
    server.behave = lambda _number, _body: "rate_limited_long"
    agent = AGENTS["writer"]
    ran = models("openai", LONG_MS).run(agent, sample(agent), "j1")
    assert ran.error.startswith("BackendBusy")
    assert ran.retries == 0
    assert ran.latency_ms < 10_000


@pytest.mark.parametrize(
    ("headers", "low", "high"),
    [
        ({"retry-after": "7"}, 7, 7),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "7"}, 7, 7),
        ({"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}, 1e8, 1e10),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0, 0),
        ({"retry-after": "-5"}, None, None),
        ({"retry-after": "nan"}, None, None),
        ({"retry-after": "when the cows come home"}, None, None),
        ({}, None, None),
    ],
)
def test_how_long_to_wait_is_read_in_seconds_or_as_a_date(
    headers: dict[str, str], low: float | None, high: float | None
) -> None:
    answer: Any = SimpleNamespace(status_code=429, headers=headers, request=None)
    found = retry_after_s(openai.APIStatusError("slow down", response=answer, body=None))
    if low is None or high is None:
        assert found is None
    else:
        assert found is not None
        assert low <= found <= high


def test_a_short_retry_after_is_waited_for(server: Scripted) -> None:
    server.requests.clear()
    server.behave = lambda number, _: "rate_limited" if number == 1 else "ok"
    model = model_for(server, "openai", backoff_ms=0)
    agent = AGENTS["researcher"]
    ran = model.run(agent, sample(agent), "j1")
    model.close()
    assert ran.output is not None
    assert ran.latency_ms >= 50  # retry-after: 0.05
