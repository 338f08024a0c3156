"""A simulated call whose agents cost money: a warning, then rules for the agents and the goodbye for the voice."""

import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from typer.testing import CliRunner

from interviewer.cli.app import app
from interviewer.cli.watch import PlainLines
from interviewer.interview.demo import run_demo
from interviewer.interview.report import call_report
from interviewer.kept.reading import CallLog
from interviewer.kept.verify import verify
from interviewer.llm.backend import Ran, Task
from interviewer.llm.router import Router
from interviewer.llm.rules import Rules
from interviewer.settings import Settings
from interviewer.simulate.dossier import load_all
from interviewer.simulate.run import simulate_call
from interviewer.store.store import Store
from tests.llm.scripted import served
from tests.llm.test_calls_with_failures import of_rules, setup_of

TARGET_MS = 180_000


class Costly:
    """Rules at an eighth of a dollar a run."""

    def __init__(self, settings: Settings) -> None:
        self._rules = Rules(settings.agents, 1)

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        ran = self._rules.run(task, data, job_id)
        return Ran(ran.output, latency_ms=ran.latency_ms, model="dear", cost_usd=0.125)


def test_a_simulated_call_is_led_to_its_close_when_its_budget_is_used_up() -> None:
    agents = {"backend": "openai", "model": "dear", "budget_usd": 1.0}
    settings = Settings().with_(agents=agents, call={"target_ms": TARGET_MS})
    records: list[tuple[str, int, dict[str, Any]]] = []
    backend = Router(settings, backends={"openai": Costly(settings)})
    call = simulate_call(setup_of(settings), load_all()[0], backend, seed=3, write=lambda *line: records.append(line))
    told = [(t_ms, data["data"]) for kind, t_ms, data in records if kind == "rec" and data["kind"] == "budget"]
    assert [data for _, data in told] == [
        {"state": "warned", "note": "0.8750 of 1 USD spent"},
        {"state": "used_up", "note": "1.0000 of 1 USD spent"},
    ]
    used_up_ms = told[1][0]
    locked = next(t for kind, t, data in records if kind == "rec" and data.get("data", {}).get("locked"))
    assert locked == used_up_ms < 0.85 * TARGET_MS
    jobs = [data["data"] for kind, _, data in records if kind == "rec" and data["kind"] == "job"]
    assert [job["model"] for job in jobs[:8]] == ["dear"] * 8
    assert {job["model"] for job in jobs[8:]} == {"rules"}
    assert all("budget used up" in job["error"] for job in jobs[8:])
    assert call.core.ended
    assert call.core.elapsed_ms < TARGET_MS
    assert any(data["kind"] == "essay" for kind, _, data in records if kind == "rec")
    assert call.truth.summary()["false_deliveries"] == 0


def test_a_demo_on_a_paid_model_does_so_too_and_its_usage_says_what_it_cost(fresh_home: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    # The scripted server reports 100 tokens read, 60 of them cached, and 20 written: 40 x 500 + 20 x 1,000 = 0.04 USD.
    prices.write_text("as_of: 2026-11-30\nmodels:\n  m1: {input: 500, cached: 0, output: 1000}\n", encoding="utf-8")
    with served() as server:
        server.answer = of_rules
        agents = {"backend": "compatible", "model": "m1", "base_url": server.url, "prices": str(prices)}
        settings = Settings().with_(agents={**agents, "budget_usd": 0.5})
        told: list[str] = []
        known = {"dossier": "incidents-and-on-call", "minutes": 3, "seed": 3}
        demo = run_demo(**known, settings=settings, home=fresh_home, watcher=PlainLines(told.append))  # type: ignore[arg-type]
    assert [line.partition("budget: ")[2][:4] for line in told if "budget: " in line] == ["0.40", "0.52"]
    log = CallLog.read(demo.journal)
    assert [data["state"] for _, data in log.records("budget")] == ["warned", "used_up"]
    stood_in = call_report(log)["budget"]["rules_stood_in"]
    shown = " ".join(CliRunner().invoke(app, ["--home", str(fresh_home), "show", "last"]).output.split())
    assert stood_in > 0
    assert re.search(rf"Budget used up: 0\.5\d+ of 0\.5 USD spent; rules stood in for {stood_in} run", shown)
    assert demo.call.core.ended
    # 0.5 USD are 12.5 runs: the thirteenth is the last, but for one that ran beside it.
    store = Store.open(fresh_home)
    spent = store.sql("SELECT sum(cost_usd) AS usd, sum(cached_tokens) AS cached FROM usage").iloc[0]
    assert 0.52 <= spent["usd"] <= 0.60
    assert spent["cached"] == round(spent["usd"] / 0.04) * 60
    assert verify(store, demo.call_id).ok
