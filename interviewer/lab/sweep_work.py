"""What a sweep has to do, task by task, and where it is done: here, in threads, in processes or on Dask."""

import functools
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, Self, get_args

from interviewer.errors import ReplayError
from interviewer.lab.configuration import Configuration
from interviewer.lab.executors import Outcomes, check_dask, in_processes, in_threads, on_dask, serially
from interviewer.lab.grid import Grid
from interviewer.lab.replaying import replay_one
from interviewer.lab.sources import Source
from interviewer.llm.limit import Limiter
from interviewer.llm.reuse import Tape
from interviewer.replay.outcome import Failed, Replayed
from interviewer.settings import Settings

Where = Literal["here", "threads", "processes", "dask"]
_ASKS_NO_MODEL: Final = frozenset(("rules", "cassette"))


@dataclass(frozen=True, slots=True)
class Task:
    """One recording under one configuration of a grid."""

    source: Source
    configuration: int


@dataclass(frozen=True, slots=True)
class Work:
    """How a task is done, as plain values, so that it can be sent to another process.

    `settings`: as JSON, by configuration; `root`: a home's folder; `tape`: a path, empty for none. `begun` tells two
    sweeps of one process apart, so that none goes by files as they were before it.
    """

    settings: tuple[str, ...]
    kind: str
    backend: str | None
    seed: int
    root: str
    tape: str = ""
    begun: int = field(default_factory=time.monotonic_ns)

    @classmethod
    def of(cls, grid: Grid, root: Path, tape: Path | None = None) -> Self:
        """That of a grid."""
        told = (json.dumps(each.model_dump(mode="json"), sort_keys=True) for _, each in grid.configurations)
        return cls(tuple(told), grid.kind, grid.backend, grid.seed, str(root), str(tape.absolute()) if tape else "")

    def __call__(self, task: Task, limiter: Limiter | None = None) -> Replayed | Failed:
        """Do a task; what goes wrong comes back as Failed."""
        return replay_one(task.source, replace(self.configuration(task.configuration), limiter=limiter))

    def configuration(self, number: int) -> Configuration:
        """A configuration by its number; raises as `Configuration.of` does. In each process each is made once."""
        return _configuration(self, number)


@functools.lru_cache(maxsize=8)
def _configuration(work: Work, number: int) -> Configuration:
    settings = Settings.model_validate_json(work.settings[number])
    tape = _tape(work.tape, work.begun) if work.tape else None
    backend = work.backend
    return Configuration.of(work.kind, settings, backend, tape=tape, seed=work.seed, root=Path(work.root))  # type: ignore[arg-type]


@functools.lru_cache(maxsize=1)
def _tape(path: str, _begun: int) -> Tape:
    """One for all configurations."""
    return Tape(Path(path))


def place_of(grid: Grid, jobs: int, executor: str) -> str:
    """Where its tasks are to be done. Raises ReplayError if there is no such executor, or nothing answers there."""
    where = executor or _fitting(grid, jobs)
    if jobs < 1:
        raise ReplayError(f"jobs: {jobs} cannot be; 1 or more")
    if "://" in where:
        check_dask(where)
    elif where == "dask":
        check_dask()
    elif where not in get_args(Where):
        raise ReplayError(
            f"executor: {where!r} is none; there are threads, processes, dask and tcp://HOST:PORT of a cluster"
        )
    return where


def outcomes(tasks: Sequence[Task], grid: Grid, work: Work, jobs: int, where: str) -> Outcomes[Task, Replayed | Failed]:
    """(task, outcome) as they come. `where`: of `place_of`."""
    if where == "here":
        return serially(work, tasks)
    if where == "threads":
        return _limited(work, tasks, grid, jobs)
    if where == "processes":
        return in_processes(work, tasks, jobs)
    return on_dask(work, tasks, jobs, "" if where == "dask" else where)


def _limited(work: Work, tasks: Sequence[Task], grid: Grid, jobs: int) -> Outcomes[Task, Replayed | Failed]:
    """In threads that wait for their turn to ask a model; once nobody listens any more, none is asked anything new."""
    limiter = Limiter(grid.configurations[0][1].replay.per_minute)
    try:
        yield from in_threads(functools.partial(work, limiter=limiter), tasks, jobs)
    finally:
        limiter.stop()


def _fitting(grid: Grid, jobs: int) -> Where:
    if any(_asks_a_model(settings, grid.backend) for _, settings in grid.configurations):
        return "threads"
    return "processes" if jobs > 1 else "here"


def _asks_a_model(settings: Settings, backend: str | None) -> bool:
    agents = settings.agents
    chosen = {backend} if backend else {agents.backend, *(each.backend for each in agents.overrides.values())}
    return bool(chosen - _ASKS_NO_MODEL - {None})
