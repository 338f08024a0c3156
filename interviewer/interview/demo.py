"""A whole simulated call, from a topic to an essay, kept like any other call."""

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from interviewer.agents.research_search import Search, Searching, named_search
from interviewer.call.setup import CallSetup
from interviewer.errors import JournalError, PlanError, SettingsError, StoreError
from interviewer.interview.planning import plan_call
from interviewer.kept.records import CallRecord
from interviewer.llm.backend import Backend
from interviewer.llm.router import Router
from interviewer.matching.in_force import all_in_force
from interviewer.realtime.engine import Faults
from interviewer.settings import Settings
from interviewer.simulate.dossier import Dossier, by_name, is_about, nearest
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.simulate.service import Service
from interviewer.simulate.virtual import Watcher
from interviewer.store.home import Home
from interviewer.store.home import home as find_home

DEFAULT_TOPIC = "Handling software incidents and being on call"


@dataclass(frozen=True)
class Demo:
    """A finished simulated call. `seconds` is what it took on this machine.

    `note`: that the guest knows nothing about the topic, else empty. `problem`: why the call is not
    whole in its journal, or not in the database.
    """

    call_id: str
    journal: Path
    essay_path: Path | None
    dossier: Dossier
    call: Simulated
    seconds: float
    note: str = ""
    problem: JournalError | StoreError | None = None


def run_demo(
    topic: str | None = None,
    *,
    dossier: str | None = None,
    minutes: float | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    home: Path | None = None,
    service: Callable[[int], Service] | None = None,
    watcher: Watcher | None = None,
    simulate: Callable[..., Simulated] | None = None,
    faults: Faults | None = None,
    search: Search | None = None,
) -> Demo:
    """Run a simulated call on a virtual clock and keep it under `home`.

    Without a dossier the topic picks the nearest; without either there is a default. `minutes`: 0.5 to 60.
    `service` makes the voice service for a seed (default: in this process); `simulate` runs the call instead of
    `simulate_call`, which see (default: on a virtual clock). `faults`: what the service does wrong. `search`: from a
    query to sources, for the Researcher (default: what setting agents.search names). Raises PlanError for a blank
    topic, SettingsError for impossible minutes, seeds or searches, NotFound for an unknown dossier, StoreError if the
    database cannot be used: then nothing is kept.
    """
    check_seed(seed)
    chosen = settings or Settings.load()
    search = search or named_search(chosen.agents.search)
    if minutes is not None:
        chosen = as_long_as(chosen, minutes)
    if topic is not None and not topic.strip():
        raise PlanError("topic: it is empty; say in a few words what the interview is about")
    known = nearest(topic or DEFAULT_TOPIC) if dossier is None else by_name(dossier)
    subject = topic.strip() if topic else known.topic
    place = find_home(home)
    chosen = all_in_force(chosen, place.root)
    with contextlib.closing(Router(chosen, seed=seed)) as backend:
        planned = plan_call(subject, known.context, chosen.call.target_ms, known.language, backend)
        about = {"context": known.context, "guest": known.guest, "world": "simulated", "settings": chosen}
        setup = CallSetup(plan=planned.plan, searches=search is not None, **about)
        return keep_simulated(
            place,
            setup,
            known,
            backend,
            seed=seed,
            simulate=simulate or partial(simulate_call, service=service),
            jobs=(planned.job,),
            note="" if dossier is not None or is_about(known, topic or DEFAULT_TOPIC) else _strange(known),
            search=search,
            faults=faults,
            watcher=watcher,
        )


def keep_simulated(
    place: Home,
    setup: CallSetup,
    dossier: Dossier,
    backend: Backend,
    *,
    seed: int,
    simulate: Callable[..., Simulated],
    jobs: Iterable[Mapping[str, Any]] = (),
    note: str = "",
    search: Search | None = None,
    **options: Any,
) -> Demo:
    """Hold a simulated call with this setup and keep it in `place`.

    `simulate` runs it, as `simulate_call` does, and is given `options`; `jobs`: agents' runs that came before it.
    Raises StoreError if the database cannot be used: then nothing is kept.
    """
    began = time.perf_counter()
    with CallRecord.begin(place, setup, source="demo", seed=seed, dossier=dossier.id) as record:
        for job in jobs:
            record.write("rec", 0, {"kind": "job", "data": job})
        runs = Searching(backend, search) if search else backend
        call = simulate(setup, dossier, runs, seed=seed, write=record.write, **options)
        record.truth(call.ended_ms, call.truth_records())
    return Demo(
        record.call_id,
        record.path,
        record.essay_path,
        dossier,
        call,
        time.perf_counter() - began,
        note,
        record.journal_problem or record.problem,
    )


def check_seed(seed: int) -> None:
    """Raises SettingsError for a seed that no journal or database could hold."""
    if not 0 <= seed < 2**63:
        raise SettingsError(f"seed: it is 0 to {2**63 - 1}, not {seed}")


def _strange(dossier: Dossier) -> str:
    return f"no simulated guest knows about this; the guest is {dossier.guest}, about {dossier.topic}"


def as_long_as(settings: Settings, minutes: float) -> Settings:
    """`settings` with calls of this length. Raises SettingsError naming minutes for one that cannot be."""
    try:
        return settings.with_(call={"target_ms": round(minutes * 60_000)})
    except (SettingsError, ValueError, OverflowError):
        raise SettingsError(f"minutes: a call is 0.5 to 60 of them, not {minutes:g}") from None
