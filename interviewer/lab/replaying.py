"""Recordings through the agents again, as often as one likes, under settings of one's choice."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from interviewer.agents.registry import AGENTS
from interviewer.errors import InterviewerError
from interviewer.lab.collecting import collecting_afterwards
from interviewer.lab.configuration import Configuration
from interviewer.lab.replay_kinds import REPLAYS
from interviewer.lab.sources import Source, find_sources
from interviewer.llm.backend import Backend
from interviewer.llm.cassette import digest_of
from interviewer.model.plan import Plan
from interviewer.replay.outcome import Failed, Replayed, Run, reuse
from interviewer.settings import BackendName, Settings
from interviewer.store.home import home
from interviewer.store.ids import new_call_id, now
from interviewer.store.store import Store


def replay(
    sources: str | Path | Source | Iterable[str | Path | Source],
    settings: Settings | None = None,
    backend: BackendName | Backend | None = None,
    kind: str = "teacher-forced",
    *,
    plan: Plan | None = None,
    tape: Path | None = None,
    seed: int = 0,
    store: Store | None = None,
    watch: Callable[[Replayed | Failed], Any] | None = None,
) -> Run:
    """Replay recordings (see `find_sources`) and give all that came of it.

    `kind`: exact, teacher-forced, prefix or simulated; `replay.outcome.CLAIMS` says what each can show. `settings`
    (default: those in force; for exact each call's own) hold for all recordings, but for their length, which is the
    recording's own. `tape`, `plan`, `seed`: see `Configuration`. `watch` is told of each result as it comes. What
    cannot be replayed is in `failures`; Ctrl-C keeps what was done. For results that are not all to be held in memory
    see `replays`.

    Raises SettingsError for an unknown kind, backend, scorer or threshold, AgentError for a tape that cannot be read.
    """
    configuration = Configuration.of(
        kind, settings, backend, plan=plan, tape=tape, seed=seed, root=store.home.root if store else home().root
    )
    found = find_sources(sources, store, configuration.settings)
    run = begun(configuration)
    results: list[Replayed] = []
    failures = list(found.failures)
    began, stopped = time.perf_counter(), False
    try:
        for result in replays(found.good, configuration):
            if isinstance(result, Failed):
                failures.append(result)
            else:
                results.append(result)
            if watch:
                watch(result)
    except KeyboardInterrupt:
        stopped = True
    return replace(
        run,
        results=tuple(results),
        failures=tuple(failures),
        stopped=stopped,
        seconds=time.perf_counter() - began,
        reused=reuse(tuple(results)),
    )


def begun(configuration: Configuration) -> Run:
    """A run of this configuration that has no results yet."""
    return Run(
        run_id=new_call_id().replace("c-", "r-", 1),
        kind=configuration.kind,
        settings=configuration.settings or Settings(),
        agents={name: agent.version for name, agent in AGENTS.items()},
        version=version("interviewer"),
        started_at=now().isoformat(timespec="seconds"),
        results=(),
        seed=configuration.seed,
        plan=digest_of(configuration.plan) if configuration.plan else "",
        tape=str(configuration.tape.path.absolute()) if configuration.tape else "",
    )


def replays(sources: Iterable[Source], configuration: Configuration) -> Iterator[Replayed | Failed]:
    """The results one by one, so that none need be held in memory; a failure does not stop the others."""
    for source in sources:
        yield replay_one(source, configuration)


def replay_one(source: Source, configuration: Configuration) -> Replayed | Failed:
    """One recording; in any process or thread. What goes wrong with it comes back as Failed."""
    began = time.process_time()
    try:
        with collecting_afterwards():
            result = REPLAYS[configuration.kind](source, configuration)
    except InterviewerError as error:
        return Failed(source.id, type(error).__name__, _naming(source, str(error)))
    except Exception as error:  # one recording must not end a run of thousands
        return Failed(source.id, type(error).__name__, f"{source.id}: internal error, please report it: {error!r}")
    return replace(result, source=source.id, seconds=time.process_time() - began)


def _naming(source: Source, problem: str) -> str:
    """The problem with the file or call that has it, where it does not say so itself."""
    name = str(source.path) if source.origin == "file" else source.id
    if name in problem or problem.startswith(f"{source.id}:"):
        return problem
    return f"{name}: {problem}" if source.id in name else f"{name}, {source.id}: {problem}"
