"""Whole simulated calls whose agents fail at random: they come to their end, and nothing is credited falsely."""

import random
from typing import Any

import pytest
from pydantic import BaseModel

from evals.models.inputs import sample
from interviewer.agents.registry import AGENTS
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.llm.backend import Ran, Task
from interviewer.llm.chat import Chat
from interviewer.llm.model import Model
from interviewer.llm.prices import Prices
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.simulate.dossier import load_all
from interviewer.simulate.run import Simulated, simulate_call
from tests.llm.scripted import Body, served

DOSSIER = load_all()[0]
FAILURES = ("busy", "late", "refused", "empty", "other_shape", "unknown_ids", "fine")


class Flaky:
    """Passes a backend's runs on, or lets them fail; which, the seed and the job decide."""

    def __init__(self, backend: Rules, seed: int, only: str | None = None) -> None:
        self._backend, self._seed, self._only = backend, seed, only
        self.injected: list[str] = []

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        ran = self._backend.run(task, data, job_id)
        chance = random.Random(f"{self._seed}:{job_id}")
        failure = self._only if self._only and chance.random() < 0.6 else chance.choice(FAILURES)
        self.injected.append(failure)
        return getattr(self, f"_{failure}")(ran)  # type: ignore[no-any-return]

    def _fine(self, ran: Ran) -> Ran:
        return ran

    def _busy(self, _: Ran) -> Ran:
        return Ran(None, "BackendBusy: 500", latency_ms=40, retries=2)

    def _refused(self, _: Ran) -> Ran:
        return Ran(None, "ModelRefused: no", latency_ms=900)

    def _late(self, ran: Ran) -> Ran:
        return Ran(ran.output, latency_ms=150_000)

    def _empty(self, _: Ran) -> Ran:
        return Ran({}, latency_ms=700)

    def _other_shape(self, _: Ran) -> Ran:
        return Ran({"ideas": "many", "phase": 3, "topics": []}, latency_ms=700)

    def _unknown_ids(self, ran: Ran) -> Ran:
        return Ran(_spoiled(ran.output or {}), latency_ms=700)


def _spoiled(value: Any) -> Any:
    """The same with every id replaced by one that nobody offered."""
    if isinstance(value, dict):
        return {
            name: "q999" if name in ("question_id", "section_id", "turn") and inner else _spoiled(inner)
            for name, inner in value.items()
        }
    return [_spoiled(inner) for inner in value] if isinstance(value, list) else value


def setup_of(settings: Settings) -> CallSetup:
    planned = plan_call(DOSSIER.topic, DOSSIER.context, settings.call.target_ms, "en", Rules(settings.agents, 0))
    return CallSetup(plan=planned.plan, context=DOSSIER.context, world="simulated", settings=settings)


def must_be_true(call: Simulated) -> None:
    assert call.core.ended
    assert call.truth.summary()["false_deliveries"] == 0
    assert any(question.status == "delivered" for question in call.core.ledger.questions.values())


@pytest.mark.parametrize("only", [None, *FAILURES[:-1]])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_call_survives_failing_agents(only: str | None, seed: int) -> None:
    settings = Settings().with_(call={"target_ms": 150_000})
    backend = Flaky(Rules(settings.agents, seed), seed, only)
    must_be_true(simulate_call(setup_of(settings), DOSSIER, backend, seed=seed))
    assert len(set(backend.injected)) > 1


def test_a_call_survives_a_failing_service_over_http() -> None:
    kinds = ("ok", "out_of_order", "invalid_json", "wrong_shape", "refusal", "nothing", "half_a_stream", "html", "cut")
    cycle = dict.fromkeys(("note_taker_ms", "researcher_ms", "orchestrator_ms"), 3_000)
    with served() as server:
        agents = {"backend": "compatible", "model": "m1", "base_url": server.url, "tries": 1, "repairs": 0}
        settings = Settings().with_(agents=agents, cycle=cycle, call={"target_ms": 90_000})
        server.answer = of_rules
        server.behave = lambda number, _: random.Random(f"http:{number}").choice(kinds)
        backend = Model(settings, Chat(), Prices.load())
        call = simulate_call(setup_of(settings), DOSSIER, backend, seed=5)
        backend.close()
        assert len(server.requests) > 10
    must_be_true(call)


def of_rules(body: Body) -> str:
    asked = body["messages"][0]["content"]
    agent = next(agent for agent in AGENTS.values() if asked.startswith(agent.instructions.strip()))
    text: str = agent.rules(sample(agent)).model_dump_json()
    return text
