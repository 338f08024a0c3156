"""What of the agents' proposals was asked in the end, and on how old a guidance the voice spoke."""

from collections.abc import Callable

from interviewer.metrics.metric import NO_LEDGER, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

_AGENTS = {
    "planner": ("Planner", ("plan",)),
    "note_taker": ("Note-Taker", ("gap", "contradiction")),
    "researcher": ("Researcher", ("research",)),
}


def _adoption(agent: str) -> Callable[[CallFacts, MetricSettings], Told]:
    name, sources = _AGENTS[agent]

    def tally(call: CallFacts, _: MetricSettings) -> Told:
        if call.ledger is None:
            return NO_LEDGER
        proposed = {p.question_id or p.text for p in call.proposals if p.source in sources}
        if not proposed:
            return f"nothing of the {name}'s was proposed"
        asked = {heard.question_id for heard in call.ledger.heard}
        asked |= {q.id for q in call.ledger.questions.values() if q.status == "delivered" or q.covered}
        return Tally(len(proposed & asked), len(proposed), len(proposed))

    tally.__doc__ = (
        f"Questions of the {name}'s that were heard, over those that the Orchestrator proposed; each counts once.\n\n"
        "    Source: the SparkMe fork (adoption).\n    "
    )
    return tally


def _stale(call: CallFacts, _: MetricSettings) -> Told:
    """Replies under guidance made before the guest's last turn ended, over all replies under guidance.

    Ours. That is no fault: a cycle runs while the guest still speaks. By how much is `stale_ms` of the table replies.
    """
    if not call.replies:
        return "no reply is known"
    ages = [reply.stale_ms for reply in call.replies if reply.stale_ms is not None]
    return Tally(sum(age > 0 for age in ages), len(ages), len(ages))


ADOPTION = tuple(
    Metric(f"adoption_{agent}", f"Asked of the {name}'s", "share", "proposals", "share", _adoption(agent))
    for agent, (name, _sources) in _AGENTS.items()
)
STALE = Metric("stale_guidance", "On older guidance", "share", "replies", "share", _stale)
