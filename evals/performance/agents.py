"""Run: python -m evals.performance.agents [--rounds N]. Writes evals/performance/agents.json.

What a live cycle costs beside its model. The cycles of a fourteen-minute call are asked for over HTTP at a server that
answers at once: each of the three agents through the package, and right after it, with the very same request, by a
plain call of OpenAI's SDK (`await AsyncOpenAI.chat.completions.create`). The cycle's own time is what the three runs
take beyond the three plain calls, plus what the core does for the cycle: inputs made, answers taken, notes merged, the
decision applied. Wall time, and beside it this process's own processor time. Of several rounds the fastest counts, for
each run, each plain call and each step: the others say what else the machine did (as the docs of `timeit` have it).
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import httpx
import openai

from evals.performance.inputs import demo_inputs
from evals.performance.measure import Figure, figure, machine
from interviewer.agents.registry import AGENTS
from interviewer.call.actions import StartJob
from interviewer.call.core import Core
from interviewer.call.inputs import Answer, Input
from interviewer.call.setup import CallSetup
from interviewer.llm.dialect import sendable
from interviewer.llm.router import Router
from interviewer.settings import Settings

_LIVE = ("note_taker", "researcher", "orchestrator")
_LIMIT_MS = 5.0


@dataclass
class Cycle:
    """A cycle of the call: its agents' jobs, and what the core itself took for it, in s of wall and of processor."""

    jobs: list[StartJob] = field(default_factory=list)
    wall: float = 0.0
    processor: float = 0.0


@dataclass(frozen=True)
class Timed:
    """Seconds of one run: of wall, and of this process's processor."""

    wall: float
    processor: float


def main() -> int:
    """Measure, print and write down; exit 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    figures = _figures(_cycles(rounds), rounds)
    # Load above the number of cores: others had a share of every wall time.
    here = {**machine(), "load": round(os.getloadavg()[0], 1)}
    report = {"machine": here, "peer": f"openai {openai.__version__}", "figures": [f._asdict() for f in figures]}
    text = json.dumps(report, indent=2)
    (Path(__file__).parent / "agents.json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if all(f.kept for f in figures) else 1


def _cycles(rounds: int) -> list[Cycle]:
    """The full cycles of a call by rules, with the core's time for each, measured as its inputs are fed again."""
    setup, inputs = demo_inputs()
    fed = [list(_fed_again(setup, inputs)) for _ in range(rounds)]
    for same in zip(*fed, strict=True):
        same[0].wall = min(cycle.wall for cycle in same)
        same[0].processor = min(cycle.processor for cycle in same)
    return [cycle for cycle in fed[0] if len(cycle.jobs) == len(_LIVE)]


def _fed_again(setup: CallSetup, inputs: list[Input]) -> Iterator[Cycle]:
    """A step counts for the cycle whose agents it starts or whose answer it takes."""
    core, cycle = Core(setup), Cycle()
    for record in inputs:
        wall, processor = perf_counter(), process_time()
        actions = core.step(record)
        wall, processor = perf_counter() - wall, process_time() - processor
        started = [action for action in actions if isinstance(action, StartJob) and action.agent in _LIVE]
        for job in started:
            # The run makes the prompt, which is counted there; the core then finds it made.
            AGENTS[job.agent].ask(job.data)
        if any(job.agent == "note_taker" for job in started):
            yield cycle
            cycle = Cycle()
        if started or isinstance(record, Answer):
            cycle.wall += wall
            cycle.processor += processor
        cycle.jobs += started
    yield cycle


def _figures(cycles: list[Cycle], rounds: int) -> list[Figure]:
    ours: dict[str, list[Timed]] = defaultdict(list)
    plain: dict[str, list[Timed]] = defaultdict(list)
    with _served([job for cycle in cycles for job in cycle.jobs]) as url:
        chosen = {"backend": "compatible", "base_url": url, "model": "m1"}
        with (
            contextlib.closing(Router(Settings.load(env={}).with_(agents=chosen))) as router,
            asyncio.Runner() as runner,
        ):
            http = openai.DefaultAsyncHttpxClient(trust_env=False)
            client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0, http_client=http)
            for _ in range(rounds + 1):  # the first does not count: connections open, schemas are made
                for job in (job for cycle in cycles for job in cycle.jobs):
                    # A fresh input, as in a call: nothing of it was asked before.
                    data = job.data.model_copy()
                    wall, processor = perf_counter(), process_time()
                    ran = router.run(AGENTS[job.agent], data, "")
                    ours[job.job_id].append(Timed(perf_counter() - wall, process_time() - processor))
                    if ran.output is None:
                        raise SystemExit(f"a run failed: {ran.error}")
                    body = httpx.get(f"{url}/last", trust_env=False).json()
                    plain[job.job_id].append(runner.run(_plain(client, body)))
            runner.run(client.close())
    walls, processors, ratios = [], [], []
    for cycle in cycles:
        mine = [_fastest(ours[job.job_id][1:]) for job in cycle.jobs]
        theirs = [_fastest(plain[job.job_id][1:]) for job in cycle.jobs]
        walls.append(1_000 * (cycle.wall + sum(t.wall for t in mine) - sum(t.wall for t in theirs)))
        used = sum(t.processor for t in mine) - sum(t.processor for t in theirs)
        processors.append(1_000 * (cycle.processor + used))
        ratios.append((cycle.wall + sum(t.wall for t in mine)) / sum(t.wall for t in theirs))
    core = [1_000 * cycle.wall for cycle in cycles]
    return [
        figure("a cycle beyond three plain SDK calls, wall time", "ms", walls, _LIMIT_MS, at_most=True),
        figure("the same, this process's processor time", "ms", processors, _LIMIT_MS, at_most=True),
        figure("of that, the core", "ms", core, _LIMIT_MS, at_most=True),
        figure("a cycle over three plain SDK calls, the model taking no time", "times", ratios, 2.0, at_most=True),
    ]


def _fastest(runs: list[Timed]) -> Timed:
    return Timed(min(run.wall for run in runs), min(run.processor for run in runs))


async def _plain(client: openai.AsyncOpenAI, body: dict[str, Any]) -> Timed:
    """The same request by the SDK alone."""
    wall, processor = perf_counter(), process_time()
    await client.chat.completions.create(**body)
    return Timed(perf_counter() - wall, process_time() - processor)


@contextlib.contextmanager
def _served(jobs: list[StartJob]) -> Iterator[str]:
    """The address of the server in a process of its own, with an answer by rules for every job."""
    answers = {_question(job): AGENTS[job.agent].rules(job.data).model_dump_json() for job in jobs}
    command = [sys.executable, "-m", "evals.performance.agents_server"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(f"{json.dumps(answers)}\n")
        process.stdin.flush()
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def _question(job: StartJob) -> str:
    agent = AGENTS[job.agent]
    return sendable(agent.prompt(job.data).strip().removeprefix(agent.instructions.strip()).strip())


if __name__ == "__main__":
    raise SystemExit(main())
