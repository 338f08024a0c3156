"""One call with planted repeats, in one mode of the guard, and its figures."""

from collections.abc import Iterable
from typing import NamedTuple

from evals.guard.interviews import plans, reworded
from evals.guard.planted import AGAIN, ForgetfulVoice, Planting, by_hand, by_table
from interviewer.call.guidance import clean
from interviewer.call.setup import CallSetup
from interviewer.interview.planning import plan_call
from interviewer.ledger.events import LedgerEvent
from interviewer.llm.rules import Rules
from interviewer.matching.in_force import all_in_force
from interviewer.settings import Settings
from interviewer.simulate.dossier import load_all
from interviewer.simulate.run import Simulated, simulate_call
from interviewer.simulate.service import InProcess
from interviewer.simulate.truth import TrueQuestion


class GuardFigures(NamedTuple):
    """What one call came to.

    `planted`: repeats that were proposed and looked at; `stopped` of them were refused, `spoken` heard.
    `good`: other proposals that were looked at, `good_refused` of them refused; `hard` and `hard_refused`: questions
    that only resemble one that was heard. `again`: repeats that the voice made up and that were heard, `found` of them
    known after speech; `false_finds`: what was taken for a repeat and is none. `heard_repeats`: questions heard twice
    by the simulator's own account, which does not know of planted ones.
    """

    wording: str
    mode: str
    seed: int
    planted: int
    stopped: int
    spoken: int
    good: int
    good_refused: int
    hard: int
    hard_refused: int
    again: int
    found: int
    false_finds: int
    heard: int
    heard_repeats: int
    plan_delivered: int
    plan_questions: int
    details_asked: int
    broken: str


def run_one(
    wording: str, mode: str, seed: int, minutes: float, rate: float, scorer: str, threshold: float | None = None
) -> GuardFigures:
    """Run a call; all but mode and scorer depends on `wording` and the seed alone.

    "tables": repeats are reworded by tables of phrases; "model": by an AI model; "real": the plan is of real
    interviews, and the model reworded its questions; "far": likewise, half of them without a word in common;
    "ordinary": nothing is planted. `threshold`: instead of the stored one.
    """
    dossiers = load_all()
    dossier = dossiers[seed % len(dossiers)]
    guard = {"mode": mode, "scorer": scorer, "threshold": f"guard-{scorer}"}
    settings = all_in_force(Settings.load(env={}, call={"target_ms": round(minutes * 60_000)}, guard=guard))
    if threshold is not None:
        settings = settings.model_copy(update={"guard": settings.guard.model_copy(update={"value": threshold})})
    backend = Rules(settings.agents, seed)
    if wording in ("real", "far"):
        made = plans()
        plan, repeats, others = made[seed % len(made)]
        planting = Planting(backend, seed, rate, by_hand(reworded() if wording == "real" else repeats), by_hand(others))
    else:
        plan = plan_call(dossier.topic, dossier.context, settings.call.target_ms, dossier.language, backend).plan
        rate = 0.0 if wording == "ordinary" else rate
        planting = Planting(backend, seed, rate, by_hand(reworded()) if wording == "model" else by_table)
    setup = CallSetup(plan=plan, context=dossier.context, guest=dossier.guest, world="simulated", settings=settings)

    def voice(of: int) -> InProcess:
        return InProcess(lambda: ForgetfulVoice(of, rate / 2), of)

    call = simulate_call(setup, dossier, planting, seed=seed, service=voice)
    return _figures((wording, mode, seed), call, planting)


def _figures(who: tuple[str, str, int], call: Simulated, planting: Planting) -> GuardFigures:
    ledger, voiced = call.core.ledger, [q for q in call.truth.voiced if q.heard]
    proposals = [e for e in ledger.events if e.kind == "guarded"]
    planted, hard = set(map(clean, planting.planted)), set(map(clean, planting.offered))
    good = [e for e in proposals if e.evidence["text"] not in planted | hard]
    spoken = [q for q in voiced if q.key in planted]
    again = [q for q in voiced if q.key.startswith(AGAIN)]
    repeated = [e for e in ledger.repeats if not e.evidence.get("deliberate")]
    real = [*spoken, *again]
    planned = [q for q in ledger.questions.values() if q.planned]
    return GuardFigures(
        *who,
        planted=sum(e.evidence["text"] in planted for e in proposals),
        stopped=_refused(e for e in proposals if e.evidence["text"] in planted),
        spoken=len(spoken),
        good=len(good),
        good_refused=_refused(good),
        hard=sum(e.evidence["text"] in hard for e in proposals),
        hard_refused=_refused(e for e in proposals if e.evidence["text"] in hard),
        again=len(again),
        found=sum(any(_is(e, q) for e in repeated) for q in again),
        false_finds=sum(not any(_is(e, q) for q in real) for e in repeated),
        heard=len(voiced),
        heard_repeats=len(call.truth.heard_repeats),
        plan_delivered=sum(q.status == "delivered" for q in planned),
        plan_questions=len(planned),
        details_asked=call.truth.details_asked,
        broken="; ".join([*map(str, ledger.anomalies), *call.truth.false_deliveries]),
    )


def _refused(events: Iterable[LedgerEvent]) -> int:
    return sum(event.evidence["decision"] == "refused" for event in events)


def _is(event: LedgerEvent, question: TrueQuestion) -> bool:
    """Whether the event is of a sentence of this question."""
    same = event.evidence.get("response_id") == question.response_id
    return same and str(event.evidence.get("text")) in question.sentence
