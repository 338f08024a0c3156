"""How leading questions are, by a judge's ratings, put right by ratings of people where there are some."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from interviewer.errors import MetricError
from interviewer.metrics.metric import Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.metrics.statistics import Estimate, lacking, ratio
from interviewer.model.counting import counted
from interviewer.settings import MetricSettings

LEAST_RATED = 30
"""Ratings by people and judge of the same questions that a calibration needs."""
LEVELS = (1, 2, 3, 4, 5)
NOT_RATED = "no question was rated: there is no model behind the judge, or it could not tell"
UNCALIBRATED = "uncalibrated: not held against ratings of people"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What people give, on average, where the judge gives 1 to 5; never falling. `n`: questions it was made of."""

    means: tuple[float, ...]
    n: int

    @classmethod
    def of(cls, judged: Sequence[int], people: Sequence[float]) -> "Calibration":
        """From both ratings of the same questions, by isotonic regression (Barlow et al. 1972: pool what falls).

        A level that the judge never gave has the mean of its neighbours. Raises MetricError for fewer than 30
        questions, lists of different length, or ratings that are none.
        """
        if len(judged) != len(people) or not {*judged} <= {*LEVELS} or not all(1 <= each <= 5 for each in people):
            raise MetricError(
                "a calibration needs two lists of one length: the judge's 1 to 5, and people's within 1 to 5"
            )
        if len(judged) < LEAST_RATED:
            raise MetricError(f"{counted(len(judged), 'question')} rated by both: a calibration needs {LEAST_RATED}")
        pools: list[tuple[float, int, list[int]]] = []
        for level in sorted({*judged}):
            given = [mean for rating, mean in zip(judged, people, strict=True) if rating == level]
            pools.append((sum(given), len(given), [level]))
            while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
                later, earlier = pools.pop(), pools.pop()
                pools.append((earlier[0] + later[0], earlier[1] + later[1], earlier[2] + later[2]))
        known = {level: total / count for total, count, levels in pools for level in levels}
        return cls(tuple(_between(level, known) for level in LEVELS), len(judged))


def leading(
    ratings: Sequence[Sequence[int | None]], calibration: Calibration | None = None, least: int = 5
) -> Estimate:
    """The mean rating of the questions of calls, each call's own in a list; None: the judge could not tell.

    1 leaves every answer open, 5 states it (SparkMe). Without a calibration `why` says that nobody knows how far the
    judge agrees with people.
    """
    known = [told for call in ratings if isinstance(told := _told(call, calibration), Tally)]
    if not known:
        return lacking(NOT_RATED)
    found = ratio([each.top for each in known], [each.bottom for each in known], least=least)
    unrated = sum(map(len, ratings)) - sum(each.n for each in known)
    notes = [found.why, f"{counted(unrated, 'question')} not rated" if unrated else ""]
    notes.append("" if calibration else UNCALIBRATED)
    return replace(found, why="; ".join(filter(None, notes)))


def leading_metric(ratings: Mapping[str, Sequence[int | None]], calibration: Calibration | None = None) -> Metric:
    """The same as a metric like any other, for calls whose ratings are given by their ids: `measure(..., more=)`."""

    def tally(call: CallFacts, _: MetricSettings) -> Told:
        return _told(ratings.get(call.id, ()), calibration)

    tally.__doc__ = leading.__doc__
    label = "How leading, 1 to 5" if calibration else "How leading, 1 to 5, uncalibrated"
    return Metric("leading", label, "score", "questions", "ratio", tally)


def _told(ratings: Sequence[int | None], calibration: Calibration | None) -> Told:
    known = [each for each in ratings if each is not None]
    right: Mapping[int, float] = dict(zip(LEVELS, calibration.means if calibration else LEVELS, strict=True))
    return Tally(sum(right[each] for each in known), len(known), len(known)) if known else NOT_RATED


def _between(level: int, known: Mapping[int, float]) -> float:
    if level in known:
        return known[level]
    below = [known[each] for each in known if each < level]
    above = [known[each] for each in known if each > level]
    near = [*([below[-1]] if below else []), *([above[0]] if above else [])]
    return sum(near) / len(near)
