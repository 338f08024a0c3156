"""Whether calls end when they should."""

from interviewer.metrics.metric import Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings


def _length_error(call: CallFacts, _: MetricSettings) -> Told:
    """(length - target) / target of a call, on average: above 0 they run over. Source: ours."""
    if not call.target_ms:
        return "no length was aimed at"
    if call.elapsed_ms is None:
        return "it did not come to its end"
    return Tally((call.elapsed_ms - call.target_ms) / call.target_ms, 1, 1)


def _early_goodbyes(call: CallFacts, _: MetricSettings) -> Told:
    """Closing phrases that the interviewer said before the end was near, for each call. Source: ours."""
    if call.early_goodbyes is None:
        return "nobody listened for a goodbye"
    return Tally(call.early_goodbyes, 1, 1)


LENGTH_ERROR = Metric("length_error", "Length over what was aimed at", "share", "calls", "ratio", _length_error, 1)
EARLY_GOODBYES = Metric("early_goodbyes", "Goodbyes too early", "a call", "calls", "events", _early_goodbyes, 1)
