"""What two runs are compared by: one figure a recording each, and for which kinds of replay it may be claimed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from interviewer.lab.measured import of_replayed
from interviewer.ledger.fold import fold
from interviewer.matching.text import words
from interviewer.metrics.answers import PROBING
from interviewer.metrics.closing import LENGTH_ERROR
from interviewer.metrics.coverage import ANSWERED, DELIVERED
from interviewer.metrics.form import MULTI_PART, OPEN
from interviewer.metrics.metric import Metric, Tally
from interviewer.metrics.repetition import RE_ASKED
from interviewer.metrics.statistics import Estimate, mean, ratio
from interviewer.metrics.talk import TALK_SHARE
from interviewer.metrics.uptake import FOLLOW_UP, UPTAKE
from interviewer.replay.outcome import Kind, Moment, Replayed, Run

_CHOICES: Final = frozenset[Kind](("teacher-forced", "prefix"))
_LED: Final = frozenset[Kind](("teacher-forced", "prefix", "simulated"))
_ANSWERED: Final = frozenset[Kind](("simulated",))
_PREFIX: Final = frozenset[Kind](("prefix",))
_EXACT: Final = frozenset[Kind](("exact",))
_ALL: Final = frozenset[Kind](("exact", "teacher-forced", "prefix", "simulated"))


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of a replayed recording; None where it has none. `better`: 1 if more is, -1 if less is, 0: neither.

    `tested`: whether a difference may be held against chance; one of the machine's time says nothing of the runs.
    """

    name: str
    about: str
    unit: str
    better: int
    kinds: frozenset[Kind]
    of: Callable[[Replayed], float | None]
    tested: bool = True


def measures(kind: Kind) -> tuple[Measure, ...]:
    """The measures that a replay of this kind can back; where answers follow the questions, theirs as well."""
    own = tuple(measure for measure in MEASURES if kind in measure.kinds)
    return (*own, *_QUALITY) if kind in _ANSWERED else own


def estimate(measure: Measure, results: Sequence[Replayed]) -> Estimate:
    """The mean over recordings, with its interval."""
    values = [measure.of(result) for result in results]
    if measure.unit != "share":
        return mean([or_nan(value) for value in values])
    known = [value for value in values if value is not None]
    return ratio(known, [1] * len(known), kind="share")


def run_estimates(run: Run) -> dict[str, Estimate]:
    """Every measure of a run by itself."""
    return {measure.name: estimate(measure, run.results) for measure in measures(run.kind)}


def or_nan(value: float | None) -> float:
    """NaN where there is no figure, as the statistics want it."""
    return float("nan") if value is None else value


def _share(hits: int, of: int) -> float | None:
    return hits / of if of else None


def _agreement(result: Replayed) -> float | None:
    told = [moment.agrees for moment in _choices(result) if moment.agrees is not None]
    return _share(sum(told), len(told))


def _offered(result: Replayed) -> float | None:
    choices = _choices(result)
    return _share(sum(bool(moment.offered) for moment in choices), len(choices))


def _choices(result: Replayed) -> list[Moment]:
    """The turns of a prefix end where it left the recording, that turn included."""
    last = result.left.t_ms if result.left else None
    return [moment for moment in result.moments if last is None or moment.t_ms <= last]


def _planned(result: Replayed) -> float | None:
    planned = {question.id for question in result.setup.plan.questions}
    asked = [moment.question_id in planned for moment in _choices(result) if moment.offered]
    return _share(sum(asked), len(asked))


def _length(result: Replayed) -> float | None:
    sizes = [len(words(moment.offered)) for moment in _choices(result) if moment.offered]
    return sum(sizes) / len(sizes) if sizes else None


def _refused(result: Replayed) -> float | None:
    made = [decided.outcome == "refused" for decided in result.decisions if decided.text]
    return _share(sum(made), len(made))


def _followed(result: Replayed) -> float | None:
    return 1.0 if result.left is None else _share(result.left.turns, result.left.turns_total)


def _covered(result: Replayed) -> float | None:
    """Share of the plan's weight (3, 2 or 1 a question) that was taken up at least once."""
    ledger = fold(result.events)
    weights = {q.id: 4 - q.priority for q in result.setup.plan.questions}
    taken = sum(weights[q.id] for q in ledger.questions.values() if q.id in weights and q.attempts)
    return _share(taken, sum(weights.values()))


def _details(result: Replayed) -> float | None:
    return _share(sum(told.asked for told in result.disclosures), result.details)


def _repeats(result: Replayed) -> float | None:
    return None if result.truth is None else float(result.truth.get("heard_repeats", 0))


def _differing(result: Replayed) -> float | None:
    return float(result.differences_total)


def _quality(metric: Metric) -> Measure:
    """A metric of questions that were heard, of one call."""

    def of(result: Replayed) -> float | None:
        told = metric.tally(of_replayed(result), result.setup.settings.metrics)
        return told.top / told.bottom if isinstance(told, Tally) and told.bottom else None

    return Measure(metric.name, metric.label, metric.unit, 0, _ANSWERED, of)


def _cost(result: Replayed) -> float | None:
    costs = [run.cost_usd for run in result.runs]
    return sum(cost for cost in costs if cost is not None) if None not in costs else None


def _latency(result: Replayed) -> float | None:
    waits = [run.latency_ms for run in result.runs if run.agent == "orchestrator"]
    return sum(waits) / len(waits) if waits else None


MEASURES: Final = (
    Measure("agreement", "turns at which the recording asked what was chosen", "share", 0, _CHOICES, _agreement),
    Measure("offered", "turns with a question at hand when the interviewer spoke", "share", 1, _CHOICES, _offered),
    Measure("planned", "of the questions at hand, those of the plan", "share", 0, _CHOICES, _planned),
    Measure("length", "words of a question at hand", "words", -1, _CHOICES, _length),
    Measure("followed", "turns before the first choice that leaves the recording", "share", 0, _PREFIX, _followed),
    Measure("refused", "proposals not taken up: heard before, or unfit for the phase", "share", -1, _LED, _refused),
    Measure("selected", "weight of the planned questions that were chosen", "share", 1, _LED, _covered),
    Measure("details", "hidden details that were brought out by asking", "share", 1, _ANSWERED, _details),
    Measure("repeats", "questions that the guest heard again", "a call", -1, _ANSWERED, _repeats),
    Measure("differences", "ledger events that come out otherwise", "a call", -1, _EXACT, _differing),
    Measure("latency", "the Orchestrator's time to answer", "ms", -1, _LED, _latency),
    Measure("cost", "agents, by the table of prices", "USD a call", -1, _LED, _cost),
    Measure(
        "seconds", "processor time of the replay itself", "s a call", -1, _ALL, lambda result: result.seconds, False
    ),
)
_QUALITY: Final = tuple(
    _quality(metric)
    for metric in (
        RE_ASKED,
        DELIVERED,
        ANSWERED,
        UPTAKE,
        FOLLOW_UP,
        OPEN,
        MULTI_PART,
        TALK_SHARE,
        PROBING,
        LENGTH_ERROR,
    )
)
