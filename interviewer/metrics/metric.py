"""What a metric is: what one call adds to it, and from that the figure of any number of calls."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from inspect import cleandoc
from typing import Literal

from interviewer.metrics.comparing import unpaired
from interviewer.metrics.record import CallFacts
from interviewer.metrics.statistics import Difference, Estimate, Kind, lacking, paired, ratio
from interviewer.settings import MetricSettings

Unit = Literal["share", "score", "words", "bits", "ms", "times", "a call", "USD a call"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What one call adds: the figure is the sum of `top` over the sum of `bottom`; `n`: observations behind it."""

    top: float
    bottom: float
    n: int


Told = Tally | str
"""A tally, or why the call has none."""

NO_QUESTION = "no question was heard"
NO_GUEST = "the guest said nothing"
NO_LEDGER = "no ledger: nothing is known of attempts or of a plan"
NO_ENGLISH = "the rules read English, and this is none"
NO_TIMES = "the times were not recorded"


@dataclass(frozen=True)
class Metric:
    """A figure of the questions of calls; calling it gives the estimate of one call or of several.

    `name` is its identity, `label` for people, `of` what `n` counts; `least`: how many are enough, where that is not
    `metrics.least`. `doc`: formula, source, and how it was checked.
    """

    name: str
    label: str
    unit: Unit
    of: str
    kind: Kind
    tally: Callable[[CallFacts, MetricSettings], Told]
    least: int | None = None

    @property
    def doc(self) -> str:
        """Formula, source and validation."""
        return cleandoc(self.tally.__doc__ or "")

    def __call__(self, calls: CallFacts | Sequence[CallFacts], settings: MetricSettings | None = None) -> Estimate:
        """The figure with its interval. Raises SettingsError for a scorer or threshold that does not fit."""
        chosen = settings or MetricSettings()
        told = [self.tally(call, chosen) for call in ([calls] if isinstance(calls, CallFacts) else calls)]
        return self.estimate(told, chosen.least)

    def estimate(self, told: Sequence[Told], least: int) -> Estimate:
        """The figure of tallies that were made."""
        least = self.least or least
        known = [each for each in told if isinstance(each, Tally)]
        found = ratio(
            [each.top for each in known],
            [each.bottom for each in known],
            counts=[each.n for each in known],
            kind=self.kind,
            least=least,
        )
        if not found.calls:
            return lacking(_reasons(told) or "no call")
        if found.enough:
            left = _reasons(told) if len(known) < len(told) else ""
            return replace(found, why="; ".join(part for part in (found.why, left) if part))
        return lacking(f"only {found.n} of at least {least} {self.of}", found.n, found.calls)

    def compare(
        self,
        first: Sequence[CallFacts],
        second: Sequence[CallFacts],
        settings: MetricSettings | None = None,
        *,
        pairs: bool = False,
    ) -> Difference:
        """The first group less the second; with `pairs`, call by call: entry k of both is of the same guest or source.

        Raises MetricError if paired groups differ in length, SettingsError as above.
        """
        chosen = settings or MetricSettings()
        one, other = ([self.tally(call, chosen) for call in group] for group in (first, second))
        return self.difference(one, other, chosen.least, pairs=pairs)

    def sides(
        self, first: Sequence[Told], second: Sequence[Told], least: int, *, pairs: bool = False
    ) -> tuple[Estimate, Estimate]:
        """The figure of each group; with `pairs` the mean of its calls, of the pairs in which both have one."""
        one, other = _in_pairs(first, second) if pairs else (first, second)
        return self.estimate(one or first, least), self.estimate(other or second, least)

    def difference(
        self, first: Sequence[Told], second: Sequence[Told], least: int, *, pairs: bool = False
    ) -> Difference:
        """The same of tallies that were made; none if one of the groups has fewer than `least` observations.

        Where neither group has an event, or each has every one, nothing spreads, and the ends of the groups' own
        intervals, by the rule of three, say how far they may be apart.
        """
        least = self.least or least
        if pairs:
            found = paired(*([_rate(each) for each in group] for group in (first, second)))
        else:
            found = unpaired(*(part for group in (first, second) for part in _columns(group)))
        counted = _in_pairs(first, second) if pairs else (first, second)
        n = min(sum(each.n for each in _known(group)) for group in counted)
        if found.enough and n < least:
            why = f"only {n} of at least {least} {self.of}"
            return replace(found, value=None, low=None, high=None, p=None, enough=False, why=why)
        if not found.enough or found.low is not None or self.kind == "ratio":
            return found
        one, other = (ratio(*_columns(group), kind=self.kind) for group in (first, second))
        if one.low is None or one.high is None or other.low is None or other.high is None:
            return found
        return replace(found, low=one.low - other.high, high=one.high - other.low, why="")


def _in_pairs(first: Sequence[Told], second: Sequence[Told]) -> tuple[list[Told], list[Told]]:
    """The rates of the pairs of calls that both have one, each call as much as any other."""
    sides: tuple[list[Told], list[Told]] = ([], [])
    for both in zip(first, second, strict=True):
        known = [each for each in both if isinstance(each, Tally) and each.bottom > 0]
        if len(known) == len(both):
            for side, each in zip(sides, known, strict=True):
                side.append(Tally(each.top / each.bottom, 1, each.n))
    return sides


def _known(group: Sequence[Told]) -> list[Tally]:
    return [each for each in group if isinstance(each, Tally) and each.bottom > 0]


def _rate(told: Told) -> float:
    return told.top / told.bottom if isinstance(told, Tally) and told.bottom else float("nan")


def _columns(group: Sequence[Told]) -> tuple[list[float], list[float]]:
    known = [each for each in group if isinstance(each, Tally)]
    return [each.top for each in known], [each.bottom for each in known]


def _reasons(told: Sequence[Told]) -> str:
    """Why calls have no tally, each reason with how many of them if there are several calls."""
    found = Counter(each for each in told if isinstance(each, str))
    if len(told) == 1:
        return next(iter(found), "")
    return "; ".join(f"{reason} ({count} of {len(told)} calls)" for reason, count in found.most_common())
