"""One call of the campaign: run under a mix of faults, its record kept in memory, its promises checked."""

import json
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from evals.faults.checks import violations
from evals.faults.evidence import Log
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.llm.rules import Rules
from interviewer.realtime.engine import Faults, Fired
from interviewer.settings import Settings
from interviewer.simulate.brain import VoiceBrain
from interviewer.simulate.dossier import Dossier, load_all
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.simulate.service import InProcess


@dataclass(frozen=True, slots=True)
class Strike:
    """A fault that struck, and what became of the attempt that was open then: its outcome, or none."""

    name: str
    stage: str
    outcome: str


@dataclass(frozen=True, slots=True)
class FaultyCall:
    """What one call came to. `broken` holds the promises it broke; times in ms of virtual time, cpu in s."""

    seed: int
    spec: str
    dossier: str
    ended_by: str
    over_ms: int
    epochs: int
    attempts: int
    delivered: int
    false_releases: int
    cpu_s: float
    strikes: tuple[Strike, ...] = ()
    broken: tuple[str, ...] = field(default=())


def run_one(seed: int, minutes: float, faults: Faults | None = None) -> FaultyCall:
    """Run the call of a seed, under the faults of that seed unless others are given."""
    began = time.process_time()
    mix = faults if faults is not None else Faults.random(seed)
    dossier = _dossiers()[seed % len(_dossiers())]
    settings = Settings.load(env={}, call={"target_ms": round(minutes * 60_000)})
    backend = Rules(settings.agents, seed)
    plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend).plan
    setup = CallSetup(plan=plan, context=dossier.context, guest=dossier.guest, world="simulated", settings=settings)
    service = InProcess(lambda: VoiceBrain(seed), seed, mix)
    log = Log()
    try:
        call = simulate_call(setup, dossier, backend, seed=seed, service=lambda _: service, write=log.write)
    except Exception as error:
        broken = (f"the call did not come to its end: {type(error).__name__}: {error}",)
        return FaultyCall(seed, str(mix), dossier.id, "", 0, 0, 0, 0, 0, time.process_time() - began, broken=broken)
    broke = tuple(violations(call, log, service.taken))
    return _figures(seed, mix, dossier, call, service, broke, time.process_time() - began)


@cache
def _dossiers() -> tuple[Dossier, ...]:
    return tuple(load_all())


def _figures(
    seed: int, mix: Faults, dossier: Dossier, call: Simulated, service: InProcess, broken: tuple[str, ...], cpu_s: float
) -> FaultyCall:
    outcomes = [a.outcome for a in call.core.ledger.attempts.values()]
    return FaultyCall(
        seed=seed,
        spec=str(mix),
        dossier=dossier.id,
        ended_by=call.reason,
        over_ms=call.core.elapsed_ms - call.core.target_ms,
        epochs=service.trouble.session + 1,
        attempts=len(outcomes),
        delivered=outcomes.count("delivered"),
        false_releases=len(call.truth.false_releases),
        cpu_s=round(cpu_s, 3),
        strikes=tuple(_strike(fired, call) for fired in service.trouble.fired),
        broken=broken,
    )


def _strike(fired: Fired, call: Simulated) -> Strike:
    """The attempt that was open when the fault struck is the one selected last before it."""
    before = [a for a in call.core.ledger.attempts.values() if a.evidence["selected"].t_ms <= fired.t_ms]
    outcome = before[-1].outcome if before else "none"
    return Strike(fired.name, fired.stage or "", outcome)


def as_row(call: FaultyCall) -> dict[str, Any]:
    """The call without its strikes, for a report."""
    return {name: getattr(call, name) for name in call.__slots__ if name != "strikes"}


def repeat_line(call: FaultyCall, minutes: float) -> str:
    """How to have this call again, and what it broke."""
    again = f"python -m evals.faults --calls 1 --seed {call.seed} --minutes {minutes:g} --spec {json.dumps(call.spec)}"
    return f"{again}: {'; '.join(call.broken)}"
