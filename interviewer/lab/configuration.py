"""How recordings are replayed: of which kind, under which settings, and what runs the agents."""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import get_args

from interviewer.errors import SettingsError
from interviewer.llm.backend import Backend
from interviewer.llm.cassette import Cassette
from interviewer.llm.limit import Limited, Limiter
from interviewer.llm.reuse import Reusing, Tape, who_runs
from interviewer.llm.router import Router
from interviewer.matching.in_force import all_in_force
from interviewer.model.plan import Plan
from interviewer.replay.agreeing import Agreeing
from interviewer.replay.outcome import KINDS, Kind
from interviewer.settings import BackendName, Settings


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
        tape: Path | Tape | None = None,
        seed: int = 0,
        root: Path | None = None,
    ) -> "Configuration":
        """A configuration with thresholds as they are in force under `root`, a home's folder.

        `tape`: a file, or one that is open already. `backend`: the name of one, for all agents, or one itself. Raises
        SettingsError for an unknown kind, backend, scorer or threshold, AgentError for a tape or cassette that cannot
        be read.
        """
        chosen = next((one for one in KINDS if one == kind), None)
        if chosen is None:
            raise SettingsError(f"kind: there is no kind {kind!r} of replay; there are {', '.join(KINDS)}")
        if settings is None and chosen != "exact":
            settings = Settings.load()
        own: Backend | None = None
        if isinstance(tape, Path):
            tape = Tape(tape)
        if isinstance(backend, str):
            names = get_args(BackendName)
            if backend not in names:
                raise SettingsError(f"backend: there is no backend {backend!r}; there are {', '.join(names)}")
            if settings is None:  # of kind exact: each call keeps its own
                return cls(chosen, None, plan, tape, seed=seed, agents_backend=backend)
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
        return cls(chosen, settings, plan, tape, cassette, own, seed)


class ConfiguredBackend:
    """What runs the agents of one recording: a budget is for one call, so each has its own.

    A context manager that gives the backend. `call`: the kept call that the recording is, if it is one.
    """

    def __init__(self, configuration: Configuration, call: str = "") -> None:
        self._configuration, self._call = configuration, call
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
        self._reusing = Reusing(backend, chosen.tape, by, self._call)
        return self._reusing

    def __exit__(self, *_: object) -> None:
        if self._router is not None:
            self._router.close()

    @property
    def reused(self) -> set[str]:
        """The job ids that were played back."""
        return self._reusing.reused if self._reusing else set()
