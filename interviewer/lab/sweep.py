"""Many recordings under many configurations: a run for each configuration, kept as it goes, gone on with at will."""

import contextlib
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from interviewer.agents.registry import AGENTS
from interviewer.errors import InterviewerError, JournalBusy, StoreError
from interviewer.lab.executors import ClusterLost, Outcomes
from interviewer.lab.grid import Grid
from interviewer.lab.kept_runs import RunKeeper
from interviewer.lab.replaying import begun
from interviewer.lab.sources import Source, digest_of, find_sources
from interviewer.lab.sweep_work import Task, Work, outcomes, place_of
from interviewer.llm.backend import named
from interviewer.matching.in_force import all_in_force
from interviewer.replay.outcome import Failed, Replayed, reuse
from interviewer.store.locks import hold
from interviewer.store.runs import books
from interviewer.store.store import Store


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did. `runs`: run id by configuration; `before`: results that were there already.

    `failures`: (configuration, what failed). `stopped`: a person stopped it; the same call goes on with it. `reused`:
    by configuration and agent (runs played back from the tape, runs made anew) of what was done now. `damaged`: the
    lines of the tape that could not be read.
    """

    sweep_id: str
    runs: dict[str, str]
    done: int
    before: int
    failures: tuple[tuple[str, Failed], ...]
    seconds: float
    stopped: bool = False
    reused: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()


@dataclass(slots=True)
class _Going:
    """A sweep while it goes on. `back` and `anew`: runs by (configuration, agent)."""

    keepers: list[RunKeeper]
    failures: list[tuple[str, Failed]] = field(default_factory=list)
    done: int = 0
    back: Counter[tuple[str, str]] = field(default_factory=Counter)
    anew: Counter[tuple[str, str]] = field(default_factory=Counter)

    def reused(self) -> dict[str, dict[str, tuple[int, int]]]:
        found: dict[str, dict[str, tuple[int, int]]] = {}
        for name, agent in sorted(self.back.keys() | self.anew.keys()):
            found.setdefault(name, {})[agent] = self.back[name, agent], self.anew[name, agent]
        return found


def sweep(
    sources: str | Path | Source | Iterable[str | Path | Source],
    grid: Grid,
    *,
    store: Store | None = None,
    jobs: int = 1,
    executor: str = "",
    tape: Path | None = None,
    again: bool = False,
    progress: bool = True,
) -> Swept:
    """Replay every recording under every configuration, and keep a run for each configuration.

    `executor`: "threads", "processes", "dask", the address of a Dask scheduler, or "" for what fits: threads where a
    model is asked (at most `replay.per_minute` runs of it a minute), else processes. What was done is safe; the same
    sources and grid again do what is left, or, with `again`, all of it in new runs. What fails is named in the end, and
    tried again the next time. `tape`: agents' runs that have not changed are played back from it, whoever made them,
    and new ones go onto it. Raises SettingsError for a grid that cannot be, ReplayError if there is nothing to do it
    with, ClusterLost if its Dask cluster goes away, JournalBusy if this sweep is under way elsewhere, AgentError for a
    tape that cannot be read or written.
    """
    store = store or Store.open()
    base = grid.configurations[0][1]
    found = find_sources(sources, store, base).some()
    sweep_id = _sweep_id(store, found.good, grid, again=again)
    work, where = Work.of(grid, store.home.root, tape), place_of(grid, jobs, executor)
    for number in range(len(grid.configurations)):  # what cannot be is said before there are runs
        work.configuration(number)
    played = work.configuration(0).tape
    damaged = tuple(played.damaged) if played else ()
    began, stopped = time.perf_counter(), False
    with contextlib.ExitStack() as stack:
        stack.enter_context(_alone(store, sweep_id))
        going = _Going([stack.enter_context(keeper) for keeper in _keepers(store, grid, sweep_id, work)])
        tasks = [
            Task(source, number)
            for number, keeper in enumerate(going.keepers)
            for source in found.good
            if source.id not in keeper.done
        ]
        before = sum(len(keeper.done) for keeper in going.keepers)
        going.failures += [("", failed) for failed in found.failures]
        coming = stack.enter_context(contextlib.closing(outcomes(tasks, grid, work, jobs, where)))
        try:
            for task, outcome in _shown(coming, len(tasks), progress):
                _keep(going, grid, task, outcome)
        except KeyboardInterrupt:
            stopped = True
        except ClusterLost as error:
            kept = (
                f"{going.done} of {len(tasks)} replays were done and are kept; the same sweep again goes on with them"
            )
            raise ClusterLost(f"{error}; {kept}") from None
        seconds = time.perf_counter() - began
        if not stopped:
            for number in {task.configuration for task in tasks}:
                going.keepers[number].finish(seconds)
    store.ingest_all()
    runs = {name: keeper.run_id for (name, _), keeper in zip(grid.configurations, going.keepers, strict=True)}
    return Swept(sweep_id, runs, going.done, before, tuple(going.failures), seconds, stopped, going.reused(), damaged)


def _keep(going: _Going, grid: Grid, task: Task, outcome: Replayed | Failed | Exception) -> None:
    if isinstance(outcome, Exception):
        problem = str(outcome) if isinstance(outcome, InterviewerError) else f"internal error: {named(outcome)}"
        outcome = Failed(task.source.id, type(outcome).__name__, f"{task.source.id}: {problem}")
    going.keepers[task.configuration].add(outcome, task.source.origin)
    name = grid.configurations[task.configuration][0]
    if isinstance(outcome, Failed):
        going.failures.append((name, outcome))
        return
    going.done += 1
    for agent, (back, anew) in reuse((outcome,)).items():
        going.back[name, agent] += back
        going.anew[name, agent] += anew


def _keepers(store: Store, grid: Grid, sweep_id: str, work: Work) -> Iterator[RunKeeper]:
    kept = {book.head.get("configuration"): book for book in books(store.home) if book.head.get("sweep") == sweep_id}
    for number, (name, _) in enumerate(grid.configurations):
        if book := kept.get(name):
            yield RunKeeper.again(store.home, book.folder.name)
            continue
        run = begun(work.configuration(number))
        yield RunKeeper.begin(store.home, run, configuration=name, sweep=sweep_id)


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
    contents = {source.path: source.digest or digest_of(source.path) for source in sources}
    meant = [(name, all_in_force(settings, store.home.root)) for name, settings in grid.configurations]
    told = [
        [
            (each.id, each.origin, each.place, str(each.path.absolute()), contents[each.path], each.speakers)
            for each in sources
        ],
        [(name, settings.model_dump(mode="json")) for name, settings in meant],
        [grid.kind, grid.backend, grid.seed],
        [version("interviewer"), {name: agent.version for name, agent in AGENTS.items()}],
    ]
    digest = hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=6).hexdigest()
    known = {str(book.head.get("sweep")) for book in books(store.home)}
    latest = sum(name.startswith(f"s-{digest}-") for name in known)
    return f"s-{digest}-{latest + 1 if again else max(1, latest)}"


def _shown(
    outcomes: Outcomes[Task, Replayed | Failed], total: int, progress: bool
) -> Outcomes[Task, Replayed | Failed]:
    """With a bar that tells how far it is and how long it still takes."""
    from tqdm.auto import tqdm

    yield from tqdm(outcomes, total=total, unit="call", disable=not progress)
