"""`metrics`: how good the questions of calls are, and whether two groups of calls differ."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.leading import rated
from interviewer.cli.session import Session, command
from interviewer.cli.text import counted
from interviewer.errors import MetricError, NotFound

if TYPE_CHECKING:
    from rich.table import Table

    from interviewer.metrics.measuring import Compared
    from interviewer.metrics.metric import Metric
    from interviewer.metrics.record import CallFacts
    from interviewer.metrics.statistics import Estimate
    from interviewer.settings import MetricSettings
    from interviewer.store.store import Store

_NAMED = 6
_NOT_ENOUGH = "not enough"
_ABOUT = ("label", "unit", "of")


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "metrics")(metrics)


def metrics(
    session: Session,
    calls: Annotated[list[str], typer.Argument(metavar="CALL...", help="Ids, prefixes of several, `last`, or `all`.")],
    against: Annotated[
        list[str] | None, typer.Option("--against", metavar="CALL", help="Compare with these; may be given repeatedly.")
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="The calls of both groups belong together one by one, in this order.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="METRIC", help="This metric; may be given repeatedly.")
    ] = None,
    world: Annotated[
        str | None, typer.Option("--world", metavar="W", help="Of these calls the real, simulated.")
    ] = None,
    scorer: Annotated[str | None, typer.Option("--scorer", metavar="S", help="Tells whether questions repeat.")] = None,
    threshold: Annotated[
        str | None, typer.Option("--threshold", metavar="T", help="Stored threshold of it, or a score.")
    ] = None,
    leading: Annotated[
        bool,
        typer.Option("--leading", help="Have a model rate how leading each question is: a run of the agent judge."),
    ] = False,
    calibration: Annotated[
        Path | None,
        typer.Option("--calibration", metavar="FILE.csv", help="Ratings by judge and people that put the judge right."),
    ] = None,
) -> None:
    """Measure the questions of calls, or compare those of two groups of calls."""
    from interviewer.lab.measured_store import of_store
    from interviewer.metrics.every import METRICS
    from interviewer.metrics.measuring import compare, measure

    if pairs and not against:
        raise typer.BadParameter("there are pairs only with --against", param_hint="--pairs")
    if calibration and not leading:
        raise typer.BadParameter("it puts the ratings of --leading right", param_hint="--calibration")
    store = session.kept
    chosen = _settings(session, store, scorer, threshold)
    named = [_named(store, given) for given in (calls, against) if given]
    if pairs and len(named[0]) != len(named[1]):
        raise MetricError(f"calls in pairs: there are {len(named[0])} against {len(named[1])}")
    groups = [_facts(of_store(store, ids, lambda error: session.warn(f"left out: {error}")), world) for ids in named]
    if pairs:
        groups = _whole_pairs(session, named, groups)
    for group in groups:
        _one_world([*group])
    if len(groups) > 1 and (both := {call.id for call in groups[0]} & {call.id for call in groups[1]}):
        raise MetricError(f"{min(both)} is in both groups: a call cannot be compared with itself")
    more = [rated(session, groups, calibration)] if leading else []
    about = METRICS | {metric.name: metric for metric in more}
    if len(groups) == 1:
        found = measure(groups[0], chosen, only or (), more)
        _tell(session, groups, chosen, about, {n: each.to_dict() for n, each in found.items()}, _table(found, about))
        return
    told = compare(groups[0], groups[1], chosen, pairs=pairs, names=only or (), more=more)
    _tell(session, groups, chosen, about, {n: each.to_dict() for n, each in told.items()}, _comparison(told, about))


def _settings(session: Session, store: "Store", scorer: str | None, threshold: str | None) -> "MetricSettings":
    """Those of the session with what the options say; a stored threshold as the number it stands for."""
    from interviewer.lab.measured_store import in_numbers

    given = {name: value for name, value in (("scorer", scorer), ("threshold", threshold)) if value is not None}
    return in_numbers(store, session.settings.with_(metrics=given).metrics)


def _named(store: "Store", names: Sequence[str]) -> list[str]:
    """The calls that these names name, each once, oldest first within a name. Raises NotFound."""
    ids = [str(call) for call in store.calls()["call_id"]]
    found: dict[str, None] = {}
    for name in names:
        several = ids if name == "all" else [call for call in ids if name and call.startswith(name)]
        if name == "all" and not ids:
            raise NotFound("there is no call yet; `interviewer demo` makes one")
        found |= dict.fromkeys(several or [store.resolve(name)])
    return list(found)


def _facts(calls: "Sequence[CallFacts]", world: str | None) -> "list[CallFacts]":
    kept = [call for call in calls if world in (None, call.world)]
    if not kept:
        raise NotFound(f"of these calls none is {world}: {_worlds(calls)}" if calls else "no call is left to measure")
    return kept


def _whole_pairs(
    session: Session, named: Sequence[Sequence[str]], groups: "Sequence[Sequence[CallFacts]]"
) -> "list[list[CallFacts]]":
    """The calls of the pairs that are whole: one whose other half is left out is left out too, and named."""
    kept = [{call.id: call for call in group} for group in groups]
    pairs = [
        pair for pair in zip(*named, strict=True) if all(one in side for one, side in zip(pair, kept, strict=True))
    ]
    for one, other in zip(*named, strict=True):
        if (one in kept[0]) != (other in kept[1]):
            session.warn(f"left out: the pair {one} and {other}, of which one cannot be used")
    if not pairs:
        raise NotFound("no pair of calls is left to measure")
    return [[side[pair[at]] for pair in pairs] for at, side in enumerate(kept)]


def _one_world(calls: "Sequence[CallFacts]") -> None:
    if len({call.world for call in calls}) > 1:
        raise MetricError(
            f"figures of different worlds are not put together: {_worlds(calls)}; choose one with --world"
        )


def _worlds(calls: "Sequence[CallFacts]") -> str:
    return ", ".join(f"{count} {world}" for world, count in Counter(call.world for call in calls).most_common())


def _tell(
    session: Session,
    groups: "Sequence[Sequence[CallFacts]]",
    settings: "MetricSettings",
    about: "Mapping[str, Metric]",
    found: dict[str, dict[str, Any]],
    table: "Table",
) -> None:
    if session.json:
        ids = dict(zip(("calls", "against"), ([call.id for call in group] for group in groups), strict=False))
        told = {name: {part: getattr(about[name], part) for part in _ABOUT} | found[name] for name in found}
        session.result({**ids, "settings": settings.model_dump(mode="json"), "metrics": told})
        return
    sides = " against ".join(f"{counted(len(group), 'call')}, {group[0].world}" for group in groups)
    lines = [f"{sides}; intervals of 95 % resample calls."]
    if len(groups) > 1:  # of `A --against B C` the last is in the first group, which is easily mistaken
        lines += [f"{name}: {_ids(group)}" for name, group in zip(("first", "second"), groups, strict=True)]
    session.show(table, "\n".join(lines))


def _ids(group: "Sequence[CallFacts]") -> str:
    named = [call.id for call in group[:_NAMED]]
    return ", ".join([*named, f"{len(group) - _NAMED} more"] if len(group) > _NAMED else named)


def _table(found: "dict[str, Estimate]", about: "Mapping[str, Metric]") -> "Table":
    from interviewer.cli.tables import table
    from interviewer.metrics.statistics import ONE_CALL

    made = table("metric", "value", "95 % interval", "n", "of", "note", right=("value", "n"))
    if all(each.calls <= 1 for each in found.values()):
        made.caption = ONE_CALL
        found = {name: replace(each, why=_without(each.why, ONE_CALL)) for name, each in found.items()}
    for name, each in found.items():
        metric = about[name]
        value = shown(each.value, metric.unit) if each.enough else _NOT_ENOUGH
        made.add_row(metric.label, value, _interval(each.low, each.high, metric.unit), str(each.n), metric.of, each.why)
    return made


def _without(why: str, part: str) -> str:
    return "; ".join(each for each in why.split("; ") if each != part)


def _comparison(found: "dict[str, Compared]", about: "Mapping[str, Metric]") -> "Table":
    from interviewer.cli.tables import table

    made = table("metric", "first", "second", "difference", "95 % interval", "p", "Holm", "note")
    for name, each in found.items():
        metric, gap = about[name], each.difference
        sides = [shown(side.value, metric.unit) if side.enough else _NOT_ENOUGH for side in (each.first, each.second)]
        apart = shown(gap.value, metric.unit) if gap.enough else _NOT_ENOUGH
        ps = [f"{p:.3g}" if p is not None else "" for p in (gap.p, each.holm)]
        note = "; ".join(dict.fromkeys(part for part in (gap.why, each.first.why, each.second.why) if part))
        made.add_row(metric.label, *sides, apart, _interval(gap.low, gap.high, metric.unit), *ps, note)
    return made


def shown(value: float | None, unit: str) -> str:
    """A figure for people, with its unit."""
    if value is None:
        return ""
    if unit == "share":
        return f"{100 * value:.1f} %"
    if unit == "ms":
        return f"{value:.0f} ms"
    return f"{value:.2f} {unit}" if unit in ("times", "bits", "words") else f"{value:.3g}"


def _interval(low: float | None, high: float | None, unit: str) -> str:
    return "" if low is None or high is None else f"{shown(low, unit)} to {shown(high, unit)}"
