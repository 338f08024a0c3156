"""How figures change in the course of calls."""

from collections.abc import Sequence
from dataclasses import replace

from interviewer.matching.deictic import deictic
from interviewer.metrics.answers import BITS
from interviewer.metrics.form import LENGTH, OPEN
from interviewer.metrics.metric import NO_QUESTION, Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.metrics.repetition import MAX_SIMILARITY, likeness
from interviewer.metrics.statistics import Estimate
from interviewer.metrics.uptake import UPTAKE
from interviewer.settings import MetricSettings

PARTS = 5
OVER_TIME = (MAX_SIMILARITY, UPTAKE, OPEN, LENGTH, BITS)


def over_time(
    calls: Sequence[CallFacts], settings: MetricSettings | None = None, parts: int = PARTS
) -> dict[str, list[Estimate]]:
    """Some metrics by name, for each of `parts` equal stretches of the calls' turns, in order.

    A question belongs to the stretch of its turn; what lies before counts as heard before. Turns and not minutes, since
    transcripts often have no times. Raises SettingsError as the metrics do.
    """
    chosen = settings or MetricSettings()
    return {
        metric.name: [
            metric.estimate(tallies(metric, calls, chosen, part, parts), chosen.least) for part in range(parts)
        ]
        for metric in OVER_TIME
    }


def tallies(
    metric: Metric, calls: Sequence[CallFacts], settings: MetricSettings, part: int, parts: int = PARTS
) -> list[Told]:
    """What one of the stretches, by its number from 0, of each call adds to one of OVER_TIME."""
    return [_tally(metric, call, settings, part, parts) for call in calls]


def _tally(metric: Metric, call: CallFacts, settings: MetricSettings, part: int, parts: int) -> Told:
    def inside(turn: int) -> bool:
        return turn * parts // len(call.turns) == part

    if metric is not MAX_SIMILARITY:
        return metric.tally(replace(call, questions=tuple(q for q in call.questions if inside(q.turn))), settings)
    best = likeness(call, settings)
    if best is None:
        return NO_QUESTION
    turns = [question.turn for question in call.questions if not deictic(question.text)]
    later = [score for score, turn in zip(best[1:], turns[1:], strict=True) if inside(turn)]
    return Tally(float(sum(later)), len(later), len(later)) if later else NO_QUESTION
