"""Every metric of a group of calls, and of two groups side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interviewer.errors import MetricError
from interviewer.metrics.every import METRICS
from interviewer.metrics.metric import Metric, Told
from interviewer.metrics.record import CallFacts
from interviewer.metrics.statistics import Difference, Estimate, holm
from interviewer.settings import MetricSettings


@dataclass(frozen=True, slots=True)
class Compared:
    """A metric of two groups; in pairs each side is the mean of its calls, as the difference is.

    `holm`: p put right for all metrics that were compared; None where there is no p.
    """

    first: Estimate
    second: Estimate
    difference: Difference
    holm: float | None

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "difference": self.difference.to_dict(),
            "holm": self.holm,
        }


def measure(
    calls: Sequence[CallFacts],
    settings: MetricSettings | None = None,
    names: Sequence[str] = (),
    more: Sequence[Metric] = (),
) -> dict[str, Estimate]:
    """The metrics of these names, else all, and `more`, by name.

    Raises MetricError listing the names there are; SettingsError.
    """
    chosen = settings or MetricSettings()
    return {metric.name: metric(calls, chosen) for metric in (*_named(names), *more)}


def compare(
    first: Sequence[CallFacts],
    second: Sequence[CallFacts],
    settings: MetricSettings | None = None,
    *,
    pairs: bool = False,
    names: Sequence[str] = (),
    more: Sequence[Metric] = (),
) -> dict[str, Compared]:
    """Each metric of both groups, first less second, with p put right by Holm over all that have one.

    `pairs`: call k of both groups is of one guest or source. Raises MetricError if paired groups differ in length or a
    name is unknown; SettingsError.
    """
    if pairs and len(first) != len(second):
        raise MetricError(f"calls in pairs: there are {len(first)} against {len(second)}")
    chosen = settings or MetricSettings()
    found: dict[str, tuple[Estimate, Estimate, Difference]] = {}
    for metric in (*_named(names), *more):
        told: tuple[list[Told], list[Told]] = ([], [])
        for group, calls in zip(told, (first, second), strict=True):
            group += [metric.tally(call, chosen) for call in calls]
        sides = metric.sides(*told, chosen.least, pairs=pairs)
        found[metric.name] = (*sides, metric.difference(*told, chosen.least, pairs=pairs))
    right = holm({name: gap.p for name, (_, _, gap) in found.items() if gap.p is not None})
    return {name: Compared(*each, right.get(name)) for name, each in found.items()}


def _named(names: Sequence[str]) -> list[Metric]:
    if unknown := [name for name in names if name not in METRICS]:
        raise MetricError(f"there is no metric {unknown[0]!r}; there are: {', '.join(METRICS)}")
    return [METRICS[name] for name in names] or list(METRICS.values())
