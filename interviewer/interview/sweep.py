"""Many recordings under many configurations: a run for each configuration, kept as it goes, gone on with at will."""

import contextlib
import functools
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal

from interviewer.agents.registry import AGENTS
from interviewer.errors import InterviewerError, JournalBusy, ReplayError, StoreError
from interviewer.interview.executors import Outcomes, in_processes, in_threads, on_dask, serially
from interviewer.interview.grid import Grid
from interviewer.interview.kept_runs import RunKeeper
from interviewer.interview.replaying import Configuration, begun, replay_one
from interviewer.interview.sources import Source, find_sources
from interviewer.llm.backend import named
from interviewer.llm.limit import Limiter
from interviewer.matching.in_force import all_in_force
from interviewer.replay.outcome import Failed, Replayed
from interviewer.settings import Settings
from interviewer.store.locks import hold
from interviewer.store.runs import books
from interviewer.store.store import Store

Where = Literal["here", "threads", "processes", "dask"]
_ASKS_NO_MODEL: Final = frozenset(("rules", "cassette"))


@dataclass(frozen=True, slots=True)
class Task:
    """One recording under one configuration of a grid."""

    source: Source
    configuration: int


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did. `runs`: run id by configuration; `before`: results that were there already.

    `failures`: (configuration, what failed). `stopped`: a person stopped it; the same call goes on with it.
    """

    sweep_id: str
    runs: dict[str, str]
    done: int
    before: int
    failures: tuple[tuple[str, Failed], ...]
    seconds: float
    stopped: bool = False


@dataclass(slots=True)
class _Going:
    """A sweep while it goes on."""

    keepers: list[RunKeeper]
    failures: list[tuple[str, Failed]] = field(default_factory=list)
    done: int = 0


def sweep(
    sources: Iterable[str | Path | Source],
    grid: Grid,
    *,
    store: Store | None = None,
    jobs: int = 1,
    executor: str = "",
    again: bool = False,
    progress: bool = True,
) -> Swept:
    """Replay every recording under every configuration, and keep a run for each configuration.

    `executor`: "threads", "processes", "dask", the address of a Dask scheduler, or "" for what fits: threads where a
    model is asked (at most `replay.per_minute` runs of it a minute), else processes. What was done is safe; the same
    sources and grid again do what is left, or, with `again`, all of it in new runs. What fails is named in the end, and
    tried again the next time. Raises SettingsError for a grid that cannot be, ReplayError if there is nothing to do it
    with, JournalBusy if this sweep is under way elsewhere.
    """
    store = store or Store.open()
    base = grid.configurations[0][1]
    found = find_sources(sources, store, base)
    if not found.good:
        raise ReplayError("no recording to replay: " + "; ".join(each.problem for each in found.failures[:3]))
    sweep_id = _sweep_id(store, found.good, grid, again=again)
    began, stopped = time.perf_counter(), False
    with contextlib.ExitStack() as stack:
        stack.enter_context(_alone(store, sweep_id))
        going = _Going([stack.enter_context(keeper) for keeper in _keepers(store, grid, sweep_id)])
        tasks = [
            Task(source, number)
            for number, keeper in enumerate(going.keepers)
            for source in found.good
            if source.id not in keeper.done
        ]
        before = sum(len(keeper.done) for keeper in going.keepers)
        going.failures += [("", failed) for failed in found.failures]
        outcomes = _outcomes(tasks, grid, str(store.home.root), jobs, executor)
        try:
            for task, outcome in _shown(outcomes, len(tasks), progress):
                _keep(going, grid, task, outcome)
        except KeyboardInterrupt:
            stopped = True
        seconds = time.perf_counter() - began
        if not stopped:
            for number in {task.configuration for task in tasks}:
                going.keepers[number].finish(seconds)
    store.ingest_all()
    runs = {name: keeper.run_id for (name, _), keeper in zip(grid.configurations, going.keepers, strict=True)}
    return Swept(sweep_id, runs, going.done, before, tuple(going.failures), seconds, stopped)


def _keep(going: _Going, grid: Grid, task: Task, outcome: Replayed | Failed | Exception) -> None:
    if isinstance(outcome, Exception):
        problem = str(outcome) if isinstance(outcome, InterviewerError) else f"internal error: {named(outcome)}"
        outcome = Failed(task.source.id, type(outcome).__name__, f"{task.source.id}: {problem}")
    going.keepers[task.configuration].add(outcome, task.source.origin)
    if isinstance(outcome, Failed):
        going.failures.append((grid.configurations[task.configuration][0], outcome))
    else:
        going.done += 1


def _outcomes(
    tasks: Sequence[Task], grid: Grid, root: str, jobs: int, executor: str
) -> Outcomes[Task, Replayed | Failed]:
    settings = [json.dumps(each.model_dump(mode="json"), sort_keys=True) for _, each in grid.configurations]
    work = functools.partial(_replay, settings, grid.kind, grid.backend, grid.seed, root)
    where = executor or _fitting(grid, jobs)
    if where in ("threads", "processes", "here") and jobs < 1:
        raise ReplayError(f"jobs: {jobs} cannot be; 1 or more")
    if where == "here":
        return serially(work, tasks)
    if where == "threads":
        limiter = _limiter(grid.configurations[0][1])
        return in_threads(functools.partial(work, limiter=limiter), tasks, jobs)
    if where == "processes":
        return in_processes(work, tasks, jobs)
    if where == "dask" or "://" in where:
        return on_dask(work, tasks, jobs, "" if where == "dask" else where)
    raise ReplayError(
        f"executor: {where!r} is none; there are threads, processes, dask and tcp://HOST:PORT of a cluster"
    )


def _fitting(grid: Grid, jobs: int) -> Where:
    if any(_asks_a_model(settings, grid.backend) for _, settings in grid.configurations):
        return "threads"
    return "processes" if jobs > 1 else "here"


def _asks_a_model(settings: Settings, backend: str | None) -> bool:
    agents = settings.agents
    chosen = {backend} if backend else {agents.backend, *(each.backend for each in agents.overrides.values())}
    return bool(chosen - _ASKS_NO_MODEL - {None})


def _limiter(settings: Settings) -> Limiter | None:
    return Limiter(settings.replay.per_minute) if settings.replay.per_minute else None


def _replay(
    settings: Sequence[str],
    kind: str,
    backend: str | None,
    seed: int,
    root: str,
    task: Task,
    limiter: Limiter | None = None,
) -> Replayed | Failed:
    configuration = _configuration(settings[task.configuration], kind, backend, seed, root)
    return replay_one(task.source, replace(configuration, limiter=limiter))


@functools.lru_cache(maxsize=8)
def _configuration(settings: str, kind: str, backend: str | None, seed: int, root: str) -> Configuration:
    """In each process once."""
    told = Settings.model_validate_json(settings)
    return Configuration.of(kind, told, backend, seed=seed, root=Path(root))  # type: ignore[arg-type]


def _keepers(store: Store, grid: Grid, sweep_id: str) -> Iterator[RunKeeper]:
    kept = {book.head.get("configuration"): book for book in books(store.home) if book.head.get("sweep") == sweep_id}
    for name, settings in grid.configurations:
        if book := kept.get(name):
            yield RunKeeper.again(store.home, book.folder.name)
            continue
        configuration = Configuration.of(grid.kind, settings, grid.backend, seed=grid.seed, root=store.home.root)  # type: ignore[arg-type]
        yield RunKeeper.begin(store.home, begun(configuration), configuration=name, sweep=sweep_id)


@contextlib.contextmanager
def _alone(store: Store, sweep_id: str) -> Iterator[None]:
    """Nobody else does this sweep meanwhile; a process that dies lets go of it. Raises JournalBusy, StoreError."""
    path = store.home.runs / f"{sweep_id}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from None
    with file:
        if not hold(file.fileno()):
            raise JournalBusy(f"sweep {sweep_id} is under way elsewhere: wait for it, or stop it there")
        yield


def _sweep_id(store: Store, sources: Sequence[Source], grid: Grid, *, again: bool) -> str:
    """The name of this sweep: the same for the same sources and grid, until `again` asks for another.

    The same are they by what the files hold, what thresholds mean, and the versions of package and agents.
    """
    contents = {path: _digest_of(path) for path in {source.path for source in sources}}
    meant = [(name, all_in_force(settings, store.home.root)) for name, settings in grid.configurations]
    told = [
        [(each.id, each.origin, each.place, str(each.path.absolute()), contents[each.path]) for each in sources],
        [(name, settings.model_dump(mode="json")) for name, settings in meant],
        [grid.kind, grid.backend, grid.seed],
        [version("interviewer"), {name: agent.version for name, agent in AGENTS.items()}],
    ]
    digest = hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=6).hexdigest()
    known = {str(book.head.get("sweep")) for book in books(store.home)}
    latest = sum(name.startswith(f"s-{digest}-") for name in known)
    return f"s-{digest}-{latest + 1 if again else max(1, latest)}"


def _digest_of(path: Path) -> str:
    """Of what a file holds; empty for one that cannot be read, which its replay says."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()
    except OSError:
        return ""


def _shown(
    outcomes: Outcomes[Task, Replayed | Failed], total: int, progress: bool
) -> Outcomes[Task, Replayed | Failed]:
    """With a bar that tells how far it is and how long it still takes."""
    from tqdm.auto import tqdm

    yield from tqdm(outcomes, total=total, unit="call", disable=not progress)
