"""One call of the campaign and its figures."""

import time
from typing import NamedTuple

from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.ledger.views import reason
from interviewer.llm.rules import Rules
from interviewer.matching.in_force import all_in_force
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.run import Simulated, simulate_call

_GRACE_MS = 60_000


class CallFigures(NamedTuple):
    """What one call came to. `broken`: promises it broke, empty if none; times in ms of the call's clock."""

    dossier: str
    seed: int
    ended_by: str
    elapsed_ms: int
    turns: int
    attempts: int
    delivered: int
    held: int
    released: int
    plan_delivered: int
    plan_questions: int
    covered: int
    false_deliveries: int
    false_releases: int
    false_releases_held: int
    false_covers: int
    heard_repeats: int
    questions_heard: int
    details_asked: int
    details_volunteered: int
    details_total: int
    unrecovered: int
    cpu_s: float
    broken: str
    repeats: str


def run_one(dossier_id: str, seed: int, minutes: float, contains: float | str = "contains") -> CallFigures:
    """Run the demo call of a dossier and seed; `contains`: the setting that tells whether a question was asked."""
    began = time.process_time()
    dossier = by_name(dossier_id)
    chosen = Settings.load(env={}, call={"target_ms": round(minutes * 60_000)}, match={"contains": contains})
    settings = all_in_force(chosen)
    backend = Rules(settings.agents, seed)
    plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend).plan
    setup = CallSetup(plan=plan, context=dossier.context, guest=dossier.guest, world="simulated", settings=settings)
    call = simulate_call(setup, dossier, backend, seed=seed)
    return _figures(dossier_id, seed, call, time.process_time() - began)


def _figures(dossier_id: str, seed: int, call: Simulated, cpu_s: float) -> CallFigures:
    ledger, truth = call.core.ledger, call.truth
    planned = [q for q in ledger.questions.values() if q.planned]
    outcomes = [a.outcome for a in ledger.attempts.values()]
    return CallFigures(
        dossier=dossier_id,
        seed=seed,
        ended_by=call.reason,
        elapsed_ms=call.core.elapsed_ms,
        turns=len(call.core.turns),
        attempts=len(outcomes),
        delivered=outcomes.count("delivered"),
        held=outcomes.count("held"),
        released=outcomes.count("released"),
        plan_delivered=sum(q.status == "delivered" for q in planned),
        plan_questions=len(planned),
        covered=sum(q.covered is not None for q in planned),
        false_deliveries=len(truth.false_deliveries),
        false_releases=len(truth.false_releases),
        false_releases_held=truth.false_releases_held,
        false_covers=len(truth.false_covers),
        heard_repeats=len(truth.heard_repeats),
        questions_heard=truth.questions_heard,
        details_asked=truth.details_asked,
        details_volunteered=truth.details_volunteered,
        details_total=truth.details_total,
        unrecovered=ledger.unrecovered,
        cpu_s=round(cpu_s, 2),
        broken="; ".join(_broken(call)),
        repeats=" | ".join(truth.heard_repeats),
    )


def _broken(call: Simulated) -> list[str]:
    """What a call must never do, checked."""
    ledger = call.core.ledger
    found = [f"false delivery {attempt}" for attempt in call.truth.false_deliveries]
    found += [f"{a.id} still open" for a in ledger.attempts.values() if a.outcome == "open"]
    found += [f"anomaly {seq}: {what}" for seq, what in ledger.anomalies]
    found += [f"{q.id} without a reason" for q in ledger.questions.values() if q.planned and not reason(q)]
    if not call.core.ended:
        found.append("did not end")
    if call.core.elapsed_ms > call.core.target_ms + _GRACE_MS and call.core.elapsed_ms > 0:
        found.append(f"ended {call.core.elapsed_ms - call.core.target_ms} ms after its target")
    return found
