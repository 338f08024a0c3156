"""The way of an attempt: chosen, acknowledged, started, said, heard; and of the words, said and heard."""

from collections.abc import Callable

from interviewer.ledger.events import STAGES, Kind
from interviewer.metrics.metric import NO_LEDGER, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

_NAMES: dict[Kind, str] = {
    "accepted": "Acknowledged of chosen",
    "started": "Started of acknowledged",
    "generated": "Said of started",
    "delivered": "Heard of said",
}


def _stage(stage: Kind) -> Callable[[CallFacts, MetricSettings], Told]:
    before = STAGES[STAGES.index(stage) - 1]

    def tally(call: CallFacts, _: MetricSettings) -> Told:
        if call.ledger is None:
            return NO_LEDGER
        attempts = call.ledger.attempts.values()
        reached = sum(before in attempt.evidence for attempt in attempts)
        return Tally(sum(stage in attempt.evidence for attempt in attempts), reached, reached)

    tally.__doc__ = (
        f"Attempts that reached {stage}, over those that reached {before}.\n\n    Source: the essays; livekit agents, "
        "pull request 589, parts the same stages. The database's view `delivery_funnel` has the same.\n    "
    )
    return tally


def _words(call: CallFacts, _: MetricSettings) -> Told:
    """Words of the interviewer that were heard, over those that were generated. Source: the essays."""
    if call.generated_words is None:
        return NO_LEDGER
    heard = min(call.spoken("interviewer"), call.generated_words)
    return Tally(heard, call.generated_words, call.generated_words)


FUNNEL = tuple(
    Metric(f"funnel_{stage}", label, "share", "attempts", "share", _stage(stage)) for stage, label in _NAMES.items()
)
WORDS_HEARD = Metric("words_heard", "Words heard of generated", "share", "words", "share", _words)
