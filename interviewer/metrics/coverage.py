"""How much of the plan was chosen, asked and answered, and whether questions aim at what is missing."""

from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import Ledger
from interviewer.ledger.state import QuestionState
from interviewer.metrics.metric import NO_LEDGER, NO_QUESTION, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

_DONE = ("delivered", "covered", "answered")


def _selected(call: CallFacts, _: MetricSettings) -> Told:
    """Weight of the plan's questions that the Orchestrator chose, over the weight of all; weights 3, 2, 1 by priority.

    Sources: SparkMe, the essays. The database's view `coverage` has the same.
    """
    return _covered(call, [question.id for question in _planned(call) if question.attempts])


def _delivered(call: CallFacts, _: MetricSettings) -> Told:
    """Weight of the plan's questions that were asked and heard to the end, over the weight of all; as above."""
    return _covered(call, [question.id for question in _planned(call) if question.status == "delivered"])


def _answered(call: CallFacts, _: MetricSettings) -> Told:
    """Weight of the plan's questions that the guest answered, asked or not, over the weight of all; as above."""
    return _covered(call, [question.id for question in _planned(call) if question.answered])


def _targeting(call: CallFacts, _: MetricSettings) -> Told:
    """Questions heard at items of the plan that were neither asked nor answered before, over all questions heard.

    Source: the SparkMe fork (targeting precision).
    """
    if call.ledger is None:
        return NO_LEDGER
    if not call.ledger.heard:
        return NO_QUESTION
    return Tally(_hits(call.ledger), len(call.ledger.heard), len(call.ledger.heard))


def _hits(ledger: Ledger) -> int:
    done: set[str] = set()
    seen: set[tuple[object, ...]] = set()
    hits = 0
    for event in ledger.events:
        question = ledger.questions.get(event.question_id or "")
        if event.kind == "heard":
            place = tuple(event.evidence.get(name) for name in ("response_id", "item_id", "start"))
            hits += bool(question and question.planned and question.id not in done and place not in seen)
            seen.add(place)
            if question:
                done.add(question.id)
        elif question and (event.kind in _DONE or _known(event)):
            done.add(question.id)
    return hits


def _known(event: LedgerEvent) -> bool:
    """Whether an earlier call of the chain had asked it."""
    return event.kind == "carried" and event.evidence.get("status") == "delivered"


def _planned(call: CallFacts) -> list[QuestionState]:
    return [question for question in call.ledger.questions.values() if question.planned] if call.ledger else []


def _covered(call: CallFacts, ids: list[str]) -> Told:
    planned = _planned(call)
    if call.ledger is None or not planned:
        return NO_LEDGER
    weights = {question.id: 4 - question.priority for question in planned}
    return Tally(sum(weights[each] for each in ids), sum(weights.values()), len(planned))


SELECTED = Metric("coverage_selected", "Coverage, chosen", "share", "plan questions", "share", _selected)
DELIVERED = Metric("coverage_delivered", "Coverage, asked", "share", "plan questions", "share", _delivered)
ANSWERED = Metric("coverage_answered", "Coverage, answered", "share", "plan questions", "share", _answered)
TARGETING = Metric("targeting", "Aimed at what is missing", "share", "questions", "share", _targeting)
