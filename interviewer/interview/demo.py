"""A whole simulated call, from a topic to an essay, kept like any other call."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from interviewer.call.setup import CallSetup
from interviewer.errors import PlanError, SettingsError
from interviewer.interview.planning import plan_call
from interviewer.interview.records import CallRecord
from interviewer.llm.router import Router
from interviewer.realtime.engine import Faults
from interviewer.settings import Settings
from interviewer.simulate.dossier import Dossier, by_name, nearest
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.simulate.service import Service
from interviewer.simulate.virtual import Watcher
from interviewer.store.home import home as find_home

DEFAULT_TOPIC = "Handling software incidents and being on call"


@dataclass(frozen=True)
class Demo:
    """A finished simulated call. `seconds` is what it took on this machine."""

    call_id: str
    journal: Path
    essay_path: Path | None
    dossier: Dossier
    call: Simulated
    seconds: float


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
) -> Demo:
    """Run a simulated call on a virtual clock and keep it under `home`.

    Without a dossier the topic picks the nearest; without either there is a default. `minutes`: 0.5 to 60.
    `service` makes the voice service for a seed (default: in this process); `simulate` runs the call instead of
    `simulate_call`, which see (default: on a virtual clock). `faults`: what the service does
    wrong. Raises PlanError for a blank topic, SettingsError for impossible minutes, NotFound for an unknown dossier.
    """
    began = time.perf_counter()
    chosen = settings or Settings.load()
    if minutes is not None:
        chosen = as_long_as(chosen, minutes)
    if topic is not None and not topic.strip():
        raise PlanError("topic: it is empty; say in a few words what the interview is about")
    known = by_name(dossier) if dossier else nearest(topic or DEFAULT_TOPIC)
    subject = topic.strip() if topic else known.topic
    place = find_home(home)
    with contextlib.ExitStack() as stack:
        backend = stack.enter_context(contextlib.closing(Router(chosen, seed=seed)))
        planned = plan_call(subject, known.context, chosen.call.target_ms, known.language, backend)
        about = {"context": known.context, "guest": known.guest, "world": "simulated", "settings": chosen}
        setup = CallSetup(plan=planned.plan, **about)
        record = stack.enter_context(CallRecord.begin(place, setup, source="demo", seed=seed, dossier=known.id))
        record.write("rec", 0, {"kind": "job", "data": planned.job})
        run = simulate or partial(simulate_call, service=service)
        call = run(setup, known, backend, seed=seed, faults=faults, write=record.write, watcher=watcher)
        record.truth(call.ended_ms, call.truth_records())
    return Demo(
        record.call_id,
        record.path,
        record.essay_path,
        known,
        call,
        time.perf_counter() - began,
    )


def as_long_as(settings: Settings, minutes: float) -> Settings:
    """`settings` with calls of this length. Raises SettingsError naming minutes for one that cannot be."""
    try:
        return settings.with_(call={"target_ms": round(minutes * 60_000)})
    except (SettingsError, ValueError, OverflowError):
        raise SettingsError(f"minutes: a call is 0.5 to 60 of them, not {minutes:g}") from None
