"""`tune`: choose a threshold by cost from labelled pairs, and keep it under a name."""

import math
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.fits import percent
from interviewer.cli.score import StudyOption, question_of, scored, tell_problems
from interviewer.cli.session import Session, command
from interviewer.cli.text import counted, one_line

if TYPE_CHECKING:
    from interviewer.matching.pair_file import PairFile
    from interviewer.matching.thresholds import Threshold

# Below so many, one pair more or less moves precision or recall by more than five points.
_FEW = 20
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "tune")(tune)


def tune(
    session: Session,
    pairs: Annotated[
        Path | None, typer.Argument(metavar="LABELS.csv", help="Columns q1, q2, label; and those that score reads.")
    ] = None,
    scorer: Annotated[str, typer.Option("--scorer", metavar="S", help="Name of the scorer.")] = "jaccard",
    study: StudyOption = None,
    cost_ratio: Annotated[float, typer.Option("--cost-ratio", metavar="C", help="A miss costs C false flags.")] = 10.0,
    prevalence: Annotated[
        float, typer.Option("--prevalence", metavar="P", help="Share that is the same where it will be used, 0 to 1.")
    ] = 0.04,
    name: Annotated[str | None, typer.Option("--name", metavar="N", help="Name to keep it under.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it there as JSON, not into the home.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over one of your own of the same name.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="Only list the thresholds there are.")] = False,
) -> None:
    """Choose a threshold from labelled pairs at the cost and prevalence given, and store it."""
    from interviewer.matching import thresholds
    from interviewer.store.home import home

    root = home(session.home).root
    if listed:
        _list(session, list(thresholds.load_all(root).values()))
        return
    if pairs is None:
        raise typer.BadParameter("name a file of labelled pairs, or give --list", param_hint="LABELS.csv")
    name = name if name is not None else _UNSAFE.sub("-", f"{scorer}-{pairs.stem}")[:64]
    if out is None:
        thresholds.free(name, root, replace=replace)
    threshold, left_out = _chosen(session, pairs, scorer, study, cost_ratio, prevalence, name)
    place = _keep(threshold, out, root, replace=replace)
    if session.json:
        session.result({"file": str(place), "threshold": threshold.model_dump(mode="json"), "folds_left_out": left_out})
    else:
        session.show("\n".join(_told(threshold, place, left_out)))


def _told(one: "Threshold", place: Path, worth: Mapping[str, float | None]) -> list[str]:
    """What was chosen, by what, what it is worth, and how it is used."""
    shares = [
        f"{name} {percent(worth[name])}" for name in ("precision", "recall", "flagged") if worth[name] is not None
    ]
    never = one.prevalence * one.cost_ratio  # what it costs to flag nothing
    against = (
        f"; it costs {worth['cost'] / never:.2f} of what flagging nothing costs" if worth["cost"] is not None else ""
    )
    if one.scorer == "contains":
        use = f"match.contains: {one.name}"
    elif one.scorer == "unwanted":
        use = f"threshold {one.name}"
    else:
        use = (
            f"guard.threshold: {one.name} with guard.scorer: {one.scorer}; or match.threshold and match.scorer likewise"
        )
    return [
        f"{one.name}: above {one.value:.3f} (90 %: {one.low:.3f} to {one.high:.3f}), by {one_line(one.scorer)}/"
        f"{one_line(one.version)}",
        f"Chosen on {one_line(one.corpus)}, for a miss that costs {one.cost_ratio:g} false flags and "
        f"{percent(one.prevalence)} that are the same.",
        f"On the folds left out: {', '.join(shares)}{against}.",
        f"Kept in {one_line(str(place))}; in the settings: {use}",
    ]


def _chosen(
    session: Session,
    pairs: Path,
    scorer: str,
    study: Path | None,
    cost_ratio: float,
    prevalence: float,
    name: str,
) -> tuple["Threshold", dict[str, float | None]]:
    """The threshold, and what it is worth on the folds it was not chosen on."""
    import numpy as np

    from interviewer.errors import MatchError
    from interviewer.matching import tuning
    from interviewer.matching.pair_file import read
    from interviewer.matching.scorer import scorer as by_name
    from interviewer.matching.split import linked

    chosen = by_name(scorer)
    found = read(pairs, study, question_of(chosen))
    tell_problems(session, found)
    _refuse_clashes(pairs, found)
    kept = [at for at, label in enumerate(found.labels) if label is not None]
    if not kept:
        raise MatchError(f"{pairs}: no pair has a label yet; `label` says yes or no")
    groups = found.groups if any(found.groups) else linked(found.pairs, [label is True for label in found.labels])
    given = scored(session, chosen, found)
    same = np.array([found.labels[at] for at in kept], dtype=np.bool_)
    try:
        result = tuning.tune(
            given.scores[kept],
            same,
            [groups[at] for at in kept],
            prevalence=prevalence,
            cost_ratio=cost_ratio,
            weights=[found.weights[at] for at in kept],
        )
    except MatchError as error:
        raise MatchError(f"{pairs}: {error}") from None
    among = len({groups[at] for at in kept})
    _tell_few(session, pairs, int(same.sum()), int((~same).sum()))
    threshold = _threshold(
        name=_UNSAFE.sub("-", f"{scorer}-{pairs.stem}")[:64] if name is None else name,
        scorer=chosen.name,
        version=_one_version(pairs, given.versions),
        value=result.value,
        low=result.low,
        high=result.high,
        corpus=f"{pairs.name}: {counted(len(kept), 'labelled pair')} in {counted(among, 'group')}",
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        fold_spread=result.fold_spread,
        created=date.today(),
    )
    worth = {"precision": result.precision, "recall": result.recall, "flagged": result.flagged, "cost": result.cost}
    return threshold, {key: None if math.isnan(value) else value for key, value in worth.items()}


def _tell_few(session: Session, pairs: Path, positive: int, negative: int) -> None:
    if min(positive, negative) < _FEW:
        session.warn(
            f"{one_line(str(pairs))}: only {counted(positive, 'positive pair')} and "
            f"{counted(negative, 'negative pair')}: with fewer than {_FEW} of a kind the threshold is a guess"
        )


def _one_version(pairs: Path, versions: tuple[str, ...]) -> str:
    from interviewer.errors import MatchError

    if len(versions) > 1:
        raise MatchError(
            f"{pairs}: some pairs are of a known study and some are not, so they were scored by "
            f"{' and by '.join(versions)}; a threshold belongs to one: tune them apart"
        )
    return versions[0]


def _list(session: Session, found: "list[Threshold]") -> None:
    from rich.table import Table

    if session.json:
        session.result({"thresholds": [one.model_dump(mode="json") for one in sorted(found, key=lambda one: one.name)]})
        return
    table = Table(box=None, pad_edge=False)
    for title in ("name", "scorer", "above", "from", "to", "miss = C false", "at", "made"):
        table.add_column(title, no_wrap=title not in ("scorer", "miss = C false"), overflow="fold")
    for one in sorted(found, key=lambda one: one.name):
        figures = [f"{value:.3f}".replace("-0.000", "0.000") for value in (one.value, one.low, one.high)]
        by = [f"{one.cost_ratio:g}", f"{one.prevalence:.1%}", one.created.isoformat()]
        table.add_row(one.name, one_line(f"{one.scorer}/{one.version}"), *figures, *by)
    session.console.print(table)


def _refuse_clashes(pairs: Path, found: "PairFile") -> None:
    from interviewer.errors import MatchError

    clash = next((one for one in found.problems if "differently" in one.what), None)
    if clash is not None:
        raise MatchError(f"{pairs}, line {clash.line}: {clash.what}: settle them before a threshold is chosen")


def _threshold(**fields: Any) -> "Threshold":
    from pydantic import ValidationError

    from interviewer.errors import MatchError
    from interviewer.matching.thresholds import Threshold

    try:
        return Threshold.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise MatchError(f"--{first['loc'][0]} {first['input']!r}: {first['msg']}") from None


def _keep(threshold: "Threshold", out: Path | None, home: Path, *, replace: bool) -> Path:
    from interviewer.errors import MatchError
    from interviewer.lab.threshold_file import keep

    if out is None:
        return keep(threshold, home, replace=replace)
    try:
        out.write_text(f"[\n{threshold.model_dump_json(indent=2)}\n]\n", encoding="utf-8")
    except OSError as error:
        raise MatchError(f"cannot write {out}: {error.strerror}") from None
    return out
