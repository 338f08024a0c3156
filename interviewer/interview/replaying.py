"""Recordings through the agents again, as often as one likes, under settings of one's choice."""

import contextlib
import gc
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

from interviewer.agents.registry import AGENTS
from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.errors import InterviewerError, PlanError, ReplayError, SettingsError
from interviewer.interview.recordings import EXACT_PARTS, PARTS, recording_of_call, recording_of_transcript, steps
from interviewer.interview.sources import Source, find_sources
from interviewer.llm.backend import Backend
from interviewer.llm.cassette import Cassette, digest_of
from interviewer.llm.limit import Limited, Limiter
from interviewer.llm.reuse import Reusing, Tape, who_runs
from interviewer.llm.router import Router
from interviewer.matching.in_force import all_in_force
from interviewer.model.plan import Plan
from interviewer.replay.agreeing import Agreeing, held_against
from interviewer.replay.exact import fold_steps
from interviewer.replay.gather import Gathered
from interviewer.replay.outcome import (
    FURTHER,
    HINDSIGHT,
    KINDS,
    Difference,
    Disclosure,
    Failed,
    Kind,
    Replayed,
    Run,
    reuse,
)
from interviewer.replay.recording import Recording, with_settings
from interviewer.replay.teacher import Rehearsal
from interviewer.settings import BackendName, Settings
from interviewer.simulate.from_turns import dossier_of, pieces_of
from interviewer.simulate.run import simulate_call
from interviewer.store.home import home
from interviewer.store.ids import new_call_id, now
from interviewer.store.store import Store

MOST_DIFFERENCES = 1_000
"""Differences of one call that are kept; further ones are counted."""


@dataclass(frozen=True)
class Configuration:
    """How recordings are replayed. `settings` None: each kept call under its own (kind exact only).

    `plan` takes the place of each recording's own. `tape`: runs that have not changed are played back from it, new
    ones go onto it. `cassette`: what backend cassette plays back, loaded once. `backend` runs the agents instead of
    what the settings name; `agents_backend`, for kind exact, goes into each call's own settings. `seed` draws the
    latencies of rules, and the simulated guest and voice. `limiter`: runs of models wait for it.
    """

    kind: Kind
    settings: Settings | None
    plan: Plan | None = None
    tape: Tape | None = None
    cassette: Cassette | None = None
    backend: Backend | None = None
    seed: int = 0
    limiter: Limiter | None = None
    agents_backend: BackendName | None = None

    @classmethod
    def of(
        cls,
        kind: str = "teacher-forced",
        settings: Settings | None = None,
        backend: BackendName | Backend | None = None,
        *,
        plan: Plan | None = None,
        tape: Path | None = None,
        seed: int = 0,
        root: Path | None = None,
    ) -> "Configuration":
        """A configuration with thresholds as they are in force under `root`, a home's folder.

        `backend`: the name of one, for all agents, or one itself. Raises SettingsError for an unknown kind, backend,
        scorer or threshold, AgentError for a tape or cassette that cannot be read.
        """
        chosen = next((one for one in KINDS if one == kind), None)
        if chosen is None:
            raise SettingsError(f"kind: there is no kind {kind!r} of replay; there are {', '.join(KINDS)}")
        if settings is None and chosen != "exact":
            settings = Settings.load()
        own: Backend | None = None
        if isinstance(backend, str):
            names = get_args(BackendName)
            if backend not in names:
                raise SettingsError(f"backend: there is no backend {backend!r}; there are {', '.join(names)}")
            if settings is None:  # of kind exact: each call keeps its own
                return cls(chosen, None, plan, Tape(tape) if tape else None, seed=seed, agents_backend=backend)
            settings = settings.with_(agents={"backend": backend})
        else:
            own = backend
        cassette = None
        if settings is not None:
            settings = all_in_force(settings, root)
            Agreeing.of(settings.replay)
            agents = settings.agents
            if agents.cassette and not agents.cassette_records and own is None:
                cassette = Cassette(Path(agents.cassette))
        return cls(chosen, settings, plan, Tape(tape) if tape else None, cassette, own, seed)


def replay(
    sources: Iterable[str | Path | Source],
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
        tape=str(configuration.tape.path) if configuration.tape else "",
    )


def replays(sources: Iterable[Source], configuration: Configuration) -> Iterator[Replayed | Failed]:
    """The results one by one, so that none need be held in memory; a failure does not stop the others."""
    for source in sources:
        yield replay_one(source, configuration)


def replay_one(source: Source, configuration: Configuration) -> Replayed | Failed:
    """One recording; in any process or thread. What goes wrong with it comes back as Failed."""
    began = time.process_time()
    try:
        with _collecting_afterwards():
            result = _KINDS[configuration.kind](source, configuration)
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


@contextlib.contextmanager
def _collecting_afterwards() -> Iterator[None]:
    """No cyclic garbage collection meanwhile: it would walk over all of a journal again and again, for a third more."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


# -- the kinds -----------------------------------------------------------------------------------------------------


def _exact(source: Source, configuration: Configuration) -> Replayed:
    if source.origin != "call":
        others = ", ".join(kind for kind in KINDS if kind != "exact")
        raise ReplayError(
            f"{source.id}: a transcript has no inputs of which an exact replay is made; it can be {others}"
        )
    log = source.log(EXACT_PARTS)
    own = recording_of_call(log)
    recording = with_settings(own, configuration.settings) if configuration.settings else own
    if configuration.agents_backend:
        kept = recording.setup.settings
        agents = kept.agents.model_copy(update={"backend": configuration.agents_backend})
        recording = with_settings(recording, kept.model_copy(update={"agents": agents}))
    core, gathered = Core(recording.setup, measures=False), Gathered()
    inputs = list(steps(log))
    differences: list[Difference] = []
    further = 0
    for difference in fold_steps(core, inputs, gathered):
        if len(differences) < MOST_DIFFERENCES:
            differences.append(difference)
        else:
            further += 1
    notes = [f"{damage.reason} (line {damage.line_number})" for damage in log.contents.damaged]
    notes += [f"{further} {FURTHER}"] if further else []
    return _result(
        recording,
        "exact",
        gathered,
        inputs=len(inputs),
        ended=log.end_reason or "it has not ended",
        ended_ms=max((line.t_ms for line in log.contents.lines), default=0),
        differences=tuple(differences),
        notes=tuple(notes),
    )


def _forced(source: Source, configuration: Configuration) -> Replayed:
    recording, backend = _recording(source, configuration), _Backend(configuration)
    with backend as runs:
        rehearsal = Rehearsal(recording, runs, prefix=configuration.kind == "prefix")
        rehearsal.run()
    rehearsal.gathered.reused |= backend.reused
    return _result(
        recording,
        configuration.kind,
        rehearsal.gathered,
        recorded=rehearsal.recorded,
        by=rehearsal.by,
        moments=tuple(rehearsal.moments),
        inputs=rehearsal.inputs,
        ended=rehearsal.ended,
        ended_ms=rehearsal.now,
        left=rehearsal.left,
        notes=(*_of_plan(recording), *rehearsal.notes),
    )


def _simulated(source: Source, configuration: Configuration) -> Replayed:
    recording, backend = _recording(source, configuration), _Backend(configuration)
    said = [turn.said for turn in recording.turns]
    dossier = dossier_of(said, topic=recording.setup.plan.topic, name=recording.id, source=source.id)
    told = {piece.detail.id: piece for piece in pieces_of(said)}
    setup = recording.setup.model_copy(update={"world": "simulated"})
    gathered = Gathered()
    with backend as runs:
        call = simulate_call(setup, dossier, runs, seed=configuration.seed, watcher=_Onlooker(gathered))
    gathered.reused |= backend.reused
    disclosures = (
        Disclosure(d.detail_id, told[d.detail_id].turn, told[d.detail_id].detail.text, d.t_ms, d.asked, d.question)
        for d in call.disclosures
    )
    return _result(
        recording,
        "simulated",
        gathered,
        against=gathered.turns,
        inputs=0,
        ended=call.reason,
        ended_ms=call.ended_ms,
        disclosures=tuple(disclosures),
        details=len(dossier.details),
        truth=call.truth.summary(),
        notes=_of_plan(recording),
    )


_KINDS: dict[Kind, Callable[[Source, Configuration], Replayed]] = {
    "exact": _exact,
    "teacher-forced": _forced,
    "prefix": _forced,
    "simulated": _simulated,
}


# -- their parts ---------------------------------------------------------------------------------------------------


def _recording(source: Source, configuration: Configuration) -> Recording:
    assert configuration.settings is not None
    settings = configuration.settings
    if source.origin == "file":
        recorded = source.recorded(settings.importing)
        recording = recording_of_transcript(recorded, settings, plan=configuration.plan)
    else:
        log, from_topic = source.log(PARTS), settings.replay.plan_from == "topic"
        recording = with_settings(recording_of_call(log, plan=configuration.plan, from_topic=from_topic), settings)
    if not any(turn.speaker == "guest" and turn.text.strip() for turn in recording.turns):
        raise PlanError(f"{source.id}: the guest says nothing in it, so there is nothing to decide upon")
    return recording


def _of_plan(recording: Recording) -> tuple[str, ...]:
    return (HINDSIGHT,) if recording.hindsight else ()


class _Backend:
    """What runs the agents of one recording: a budget is for one call, so each has its own."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._reusing: Reusing | None = None
        self._router: Router | None = None

    def __enter__(self) -> Backend:
        chosen = self._configuration
        assert chosen.settings is not None
        backend = chosen.backend
        if backend is None:
            known: dict[BackendName, Backend] = {"cassette": chosen.cassette} if chosen.cassette else {}
            backend = self._router = Router(chosen.settings, seed=chosen.seed, backends=known)
        if chosen.limiter is not None:
            agents = chosen.settings.agents
            backend = Limited(backend, chosen.limiter, lambda name: agents.of(name).backend in ("rules", "cassette"))
        if chosen.tape is None:
            return backend
        by = who_runs(chosen.settings.agents, version("interviewer"), chosen.seed)
        self._reusing = Reusing(backend, chosen.tape, by)
        return self._reusing

    def __exit__(self, *_: object) -> None:
        if self._router is not None:
            self._router.close()

    @property
    def reused(self) -> set[str]:
        return self._reusing.reused if self._reusing else set()


class _Onlooker:
    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered

    def saw(self, _: Core, actions: list[Action]) -> None:
        self._gathered.saw(actions)


def _result(
    recording: Recording,
    kind: Kind,
    gathered: Gathered,
    *,
    recorded: Sequence[Any] | None = None,
    against: Sequence[Any] | None = None,
    by: Agreeing | None = None,
    **rest: Any,
) -> Replayed:
    """`against`: the turns that decisions are held against; default: those of the recording. `by`: what says how."""
    recorded = recording.turns if recorded is None else recorded
    by = by or Agreeing.of(recording.setup.settings.replay)
    return Replayed(
        source=recording.id,
        origin=recording.origin,
        kind=kind,
        setup=recording.setup,
        turns=gathered.turns,
        recorded=tuple(recorded),
        decisions=held_against(gathered.decisions(), recorded if against is None else against, by),
        moments=rest.pop("moments", ()),
        events=tuple(gathered.events),
        runs=gathered.runs,
        records=gathered.records,
        seconds=0.0,
        **rest,
    )
