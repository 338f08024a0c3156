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
from interviewer.llm.responses import Responses
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
    """The ledger says what the truth says: no credit unearned, none refused but to what was heard and is held."""
    truth = call.truth.summary()
    assert call.core.ended
    assert truth["false_deliveries"] == 0
    assert truth["false_releases"] == truth["false_releases_held"]
    assert any(question.status == "delivered" for question in call.core.ledger.questions.values())


@pytest.mark.parametrize("only", [None, *FAILURES[:-1]])
def test_a_call_survives_failing_agents(only: str | None) -> None:
    seed = 1
    settings = Settings().with_(call={"target_ms": 150_000})
    backend = Flaky(Rules(settings.agents, seed), seed, only)
    must_be_true(simulate_call(setup_of(settings), DOSSIER, backend, seed=seed))
    assert len(set(backend.injected)) > 1


class EverySecondStreamed:
    """A model whose every second run is streamed, as the Writer's is where somebody looks on."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.streamed = 0
        self.runs: list[Ran] = []

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        self.streamed += len(self.runs) % 2
        if len(self.runs) % 2:
            ran = self._model.stream(task, data, job_id, lambda _: None)
        else:
            ran = self._model.run(task, data, job_id)
        self.runs.append(ran)
        return ran


HTTP_FAILURES = (
    "rate_limited", "rate_limited_long", "out_of_order", "time_out", "half_a_stream", "invalid_json", "wrong_shape",
    "refusal", "empty_choices", "unknown_finish",
)  # fmt: skip


DIFFER = ("half_a_stream", "invalid_json", "refusal", "empty_choices", "unknown_finish")  # on the wire, by service


@pytest.mark.parametrize(
    ("way", "failure"), [*(("compatible", name) for name in HTTP_FAILURES), *(("openai", name) for name in DIFFER)]
)
def test_a_call_survives_each_failure_of_a_service_at_random(failure: str, way: str) -> None:
    """Two answers in three fail, whole or streamed; the rest are those of a perfect model."""
    # What never answers is waited for in real time, and as good as never in the call's.
    deadline_ms = 120 if failure == "time_out" else 3_000
    deadlines = dict.fromkeys(("note_taker_ms", "researcher_ms", "orchestrator_ms", "after_call_ms"), deadline_ms)
    with served() as server:
        chosen = {"backend": way, "model": "m1", "base_url": server.url, "tries": 2, "backoff_ms": 1, "repairs": 1}
        settings = Settings().with_(agents=chosen, cycle=deadlines, call={"target_ms": 60_000})
        server.answer = of_rules
        draw = random.Random(f"{failure}:{way}")
        server.behave = lambda _number, _body: failure if draw.random() < 2 / 3 else "ok"
        dialect = Responses(server.url, "none") if way == "openai" else Chat()
        model = Model(settings, dialect, Prices.load())
        backend = EverySecondStreamed(model)
        call = simulate_call(setup_of(settings), DOSSIER, backend, seed=5)
        model.close()
    must_be_true(call)
    assert backend.streamed > 5
    assert any(ran.output for ran in backend.runs)
    assert failure == "unknown_finish" or any(ran.output is None or ran.retries or ran.repairs for ran in backend.runs)


def of_rules(body: Body) -> str:
    asked = body.get("instructions") or body["messages"][0]["content"]
    agent = next(agent for agent in AGENTS.values() if asked.startswith(agent.instructions.strip()))
    text: str = agent.rules(sample(agent)).model_dump_json()
    return text
