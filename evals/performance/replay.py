"""Run: python -m evals.performance.replay [speed|exact|peer|memory|all]. Writes evals/performance/replay.json.

speed: fourteen-minute demo calls, one for each dossier, replayed teacher-forced and exactly, on one core; time is the
processor's, each call is new to every cache, and its journal is read anew. The repeat guard goes by shared words, as
without the sentence model of the extra `minilm`; with it the same is measured apart, without a limit.
exact: short demo calls are made and replayed exactly; a difference is a failure.
peer: the same decisions as an inspect_ai task with its mock model, installed for the purpose, turn about with ours.
memory: one core replays short calls teacher-forced, one after the other; resident memory is looked at as it goes on.
"""

import argparse
import contextlib
import dataclasses
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from time import process_time
from typing import Any, Final

import psutil  # type: ignore[import-untyped]

from evals.clients import environment
from evals.performance.measure import figure, machine
from interviewer.call.setup import CallSetup
from interviewer.interview.demo import run_demo
from interviewer.lab.configuration import Configuration
from interviewer.lab.replaying import replay_one, replays
from interviewer.lab.sources import Source, find_sources
from interviewer.llm.backend import Ran, Task
from interviewer.llm.rules import Rules
from interviewer.matching.in_force import all_in_force
from interviewer.model.plan import Plan
from interviewer.replay.outcome import Kind, Replayed
from interviewer.settings import Settings
from interviewer.simulate.dossier import load_all
from interviewer.simulate.run import simulate_call
from interviewer.store.journal import Journal

OUT: Final = Path(__file__).with_suffix(".json")
TIMES_REAL: Final = 5_000.0
TIMES_PEER: Final = 10.0
CALLS: Final = 1_000
FLAT_CALLS: Final = 5_000
FLAT_MB: Final = 20.0
_PEER: Final = "inspect-ai"


def main() -> int:
    """Measure what is asked for, print it and write it down; exit 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="all", choices=[*_PARTS, "all"])
    parser.add_argument("--calls", type=int, default=0, help="how many short calls; default: as many as the limit says")
    given = parser.parse_args()
    parts = list(_PARTS) if given.part == "all" else [given.part]
    kept = True
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            found = {"machine": machine(), **_PARTS[part](Path(folder), given.calls)}
        report = json.loads(OUT.read_text(encoding="utf-8")) if OUT.exists() else {}
        OUT.write_text(json.dumps({**report, part: found}, indent=1) + "\n", encoding="utf-8")
        print(json.dumps({part: found}, indent=1), flush=True)
        kept = kept and found["kept"]
    return 0 if kept else 1


# -- speed -------------------------------------------------------------------------------------------------------------


def speed(folder: Path, _: int) -> dict[str, Any]:
    """Times real time, for each way, over calls that no cache has seen."""
    sources = _long_calls(folder)
    figures = []
    for kind in ("teacher-forced", "exact"):
        values = _times_real(sources, _by_words(kind))
        figures.append(figure(f"{kind}, one core", "times real time", values, TIMES_REAL, at_most=False)._asdict())
    with_model = _times_real(sources, Configuration.of("teacher-forced", Settings()))
    return {
        "figures": figures,
        "with the sentence model": {"times real time": round(statistics.median(with_model)), "n": len(with_model)},
        "kept": all(each["kept"] for each in figures),
    }


def _times_real(sources: list[Source], configuration: Configuration) -> list[float]:
    """The first call loads what the others need, and does not count."""
    values = []
    for number, source in enumerate(sources):
        began = process_time()
        result = replay_one(source, configuration)
        seconds = process_time() - began
        assert isinstance(result, Replayed), result
        if number:
            values.append(max(turn.ended_ms or 0 for turn in result.recorded) / 1_000 / seconds)
    return values


def _long_calls(folder: Path) -> list[Source]:
    """A demo call of fourteen minutes for each dossier, each by a process of its own, so that nothing is warm."""
    code = "import sys; from pathlib import Path; from interviewer import run_demo; "
    code += "run_demo(dossier=sys.argv[1], seed=int(sys.argv[2]), home=Path(sys.argv[3]))"
    for seed, dossier in enumerate(load_all()):
        subprocess.run([sys.executable, "-c", code, dossier.id, str(seed), str(folder)], check=True)
    return list(find_sources([folder / "journals"]).good)


def _by_words(kind: Kind) -> Configuration:
    """Without the sentence model. An exact replay keeps each call's own settings."""
    if kind == "exact":
        return Configuration.of(kind)
    made = Configuration.of(kind, Settings())
    assert made.settings is not None
    guard = made.settings.guard.model_copy(update={"value": None, "version": "", "missing": "left out on purpose"})
    return dataclasses.replace(made, settings=made.settings.model_copy(update={"guard": guard}))


# -- exact -------------------------------------------------------------------------------------------------------------


def exact(folder: Path, calls: int) -> dict[str, Any]:
    """Differences over many short calls; by the rule of three the share of calls with any is below `at most`."""
    number = calls or CALLS
    configuration = Configuration.of("exact")
    differing: list[str] = []
    inputs = events = 0
    for path in _short_calls(folder, number):
        (source,) = find_sources([path]).good
        result = replay_one(source, configuration)
        assert isinstance(result, Replayed), result
        inputs, events = inputs + result.inputs, events + len(result.events)
        if result.differences or result.notes:
            differing.append(path.stem)
        path.unlink()
    return {
        "calls": number,
        "inputs": inputs,
        "events": events,
        "calls with differences": differing,
        "at most, 95 %": round(3 / number, 5),
        "kept": not differing,
    }


def _short_calls(folder: Path, number: int) -> Iterator[Path]:
    """Journals of simulated calls of half a minute, in which seed, guest and plan differ."""
    settings = all_in_force(Settings().with_(call={"target_ms": 30_000}))
    guests = [(dossier, _plan_of(folder, dossier.id)) for dossier in load_all()]
    for seed, (dossier, plan) in enumerate(islice(cycle(guests), number)):
        setup = CallSetup(plan=plan, context=dossier.context, world="simulated", settings=settings)
        path = folder / f"c-{seed:05}.jsonl"
        with Journal.create(path, {"call_id": path.stem, "source": "demo"}) as journal:
            journal.write("setup", 0, setup.model_dump(mode="json"))
            simulate_call(setup, dossier, Rules(settings.agents, seed), seed=seed, write=journal.write)
        yield path


def _plan_of(folder: Path, dossier: str) -> Plan:
    demo = run_demo(dossier=dossier, minutes=0.5, home=folder / "plans")
    return demo.call.core.setup.plan


# -- peer --------------------------------------------------------------------------------------------------------------


class _Seen:
    """Rules that keep what each agent was asked and said, decision by decision."""

    def __init__(self) -> None:
        self.cycles: list[dict[str, Any]] = [_cycle()]
        self._rules = Rules(Settings().agents, 0)

    def run(self, task: Task, data: Any, job_id: str, /) -> Ran:
        """As the rules do."""
        ran = self._rules.run(task, data, job_id)
        self.cycles[-1]["prompts"].append(task.prompt(data))
        self.cycles[-1]["outputs"].append(json.dumps(ran.output))
        if task.name == "orchestrator":
            self.cycles.append(_cycle())
        return ran


def _cycle() -> dict[str, Any]:
    return {"prompts": [], "outputs": [], "asked": ""}


def peer(folder: Path, _: int) -> dict[str, Any]:
    """How many times faster a call is replayed than the peer goes through the same decisions, pair by pair."""
    sources = _long_calls(folder)
    configuration = _by_words("teacher-forced")
    calls = []
    for source in sources[:3]:
        seen = _Seen()
        result = replay_one(source, dataclasses.replace(configuration, backend=seen))
        assert isinstance(result, Replayed)
        cycles = [one for one in seen.cycles if one["prompts"]]
        for one, decided in zip(cycles, result.decisions, strict=False):
            one["asked"] = decided.asked
        calls.append(cycles)
    (folder / "calls.json").write_text(json.dumps(calls), encoding="utf-8")
    python = environment.make(folder / "peer", _PEER)
    program = Path(__file__).with_name("replay_inspect.py")
    theirs = [float(each) for each in _output(python, program, folder / "calls.json", "5")]
    fresh = sources[3:]
    ours = [840 / each for each in _times_real(fresh, configuration)]
    ratios = [statistics.median(theirs) / each for each in ours]
    return {
        "peer": {"name": _PEER, "version": environment.versions(python, _PEER)[_PEER]},
        "shape": "a sample is a decision: a generate for each agent of its cycle, then scored",
        "decisions a call": [len(cycles) for cycles in calls],
        "peer, seconds a call": _spread(theirs),
        "ours, seconds for fourteen minutes": _spread(ours),
        "figure": figure("times faster than the peer", "times", ratios, TIMES_PEER, at_most=False)._asdict(),
        "kept": statistics.median(ratios) >= TIMES_PEER,
    }


def _output(*command: Path | str) -> list[str]:
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    return done.stdout.split()


def _spread(values: list[float]) -> dict[str, float | int]:
    return {
        "n": len(values),
        "low": round(min(values), 4),
        "median": round(statistics.median(values), 4),
        "high": round(max(values), 4),
    }


# -- memory ------------------------------------------------------------------------------------------------------------


def memory(folder: Path, calls: int) -> dict[str, Any]:
    """Resident memory as calls go by: the first fifth fills caches, after it it must stay as it is."""
    number = calls or FLAT_CALLS
    made = find_sources(list(_short_calls(folder, 48))).good
    # In half a minute not every guest comes to speak.
    spoken = [one for one in made if isinstance(replay_one(one, _by_words("teacher-forced")), Replayed)]
    sources = islice(cycle(spoken), number)
    process = psutil.Process()
    seen: list[float] = []
    every = max(1, number // 50)
    for place, result in enumerate(replays(sources, _by_words("teacher-forced")), 1):
        assert isinstance(result, Replayed), result
        if place % every == 0:
            seen.append(process.memory_info().rss / 1e6)
    settled = seen[len(seen) // 5 :]
    grown = statistics.mean(settled[-5:]) - statistics.mean(settled[:5])
    return {
        "calls": number,
        "megabytes": [round(each, 1) for each in seen],
        "grown after the first fifth, MB": round(grown, 2),
        "limit, MB": FLAT_MB,
        "kept": grown <= FLAT_MB,
    }


_PARTS: Final[dict[str, Callable[[Path, int], dict[str, Any]]]] = {
    "speed": speed,
    "exact": exact,
    "peer": peer,
    "memory": memory,
}

if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
