"""Who talks, and how turns meet: shares of words, gaps and overlaps."""

import numpy as np

from interviewer.metrics.metric import NO_GUEST, NO_TIMES, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

ONE_SIDE = "only one side speaks"


def _talk_share(call: CallFacts, _: MetricSettings) -> Told:
    """Words of the guest over all words; of the interviewer those that were heard. Sources: AnnoMI, MITI."""
    guest, interviewer = call.spoken("guest"), call.spoken("interviewer")
    if not guest:
        return NO_GUEST
    return Tally(guest, guest + interviewer, len(call.turns)) if interviewer else ONE_SIDE


def _gap_median(call: CallFacts, _: MetricSettings) -> Told:
    """The median of a call's gaps, averaged over calls: ms from a turn's end to the start of the other side's next.

    Below 0 they overlap. Source: the literature on turn-taking, in which people's median is about 200 ms (Stivers et
    al. 2009).
    """
    found = gaps(call)
    return found if isinstance(found, str) else Tally(float(np.median(found)), 1, len(found))


def _gap_p95(call: CallFacts, _: MetricSettings) -> Told:
    """The 95th percentile of a call's gaps in ms, averaged over calls; of fewer than 20 gaps it is near the longest."""
    found = gaps(call)
    return found if isinstance(found, str) else Tally(float(np.percentile(found, 95)), 1, len(found))


def _overlaps(call: CallFacts, _: MetricSettings) -> Told:
    """Changes of speaker at which the next began before the other had ended, over all changes of speaker."""
    found = gaps(call)
    return found if isinstance(found, str) else Tally(sum(gap < 0 for gap in found), len(found), len(found))


def gaps(call: CallFacts) -> list[int] | str:
    """Time in ms from each turn's end to the start of the next if the other side speaks it, or why there are none.

    A pause between them does not count.
    """
    if not call.timed:
        return NO_TIMES
    found = [
        after.started_ms - before.ended_ms
        for before, after in zip(call.turns, call.turns[1:], strict=False)
        if before.speaker != after.speaker and before.ended_ms is not None and after.started_ms is not None
    ]
    changes = any(one.speaker != call.turns[0].speaker for one in call.turns)
    return found or (NO_TIMES if changes else ONE_SIDE)


TALK_SHARE = Metric("talk_share", "The guest's share of words", "share", "turns", "share", _talk_share)
GAP_MEDIAN = Metric("gap_median", "Gap between turns, median", "ms", "changes of speaker", "ratio", _gap_median)
GAP_P95 = Metric("gap_p95", "Gap between turns, 95th percentile", "ms", "changes of speaker", "ratio", _gap_p95)
OVERLAPS = Metric("overlaps", "Overlaps", "share", "changes of speaker", "share", _overlaps)
