"""`tune`: choose a threshold by cost from labelled pairs, and keep it under a name."""

import math
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.score import PairsArgument, StudyOption, scored, tell_problems
from interviewer.cli.session import Session, command

if TYPE_CHECKING:
    from interviewer.matching.pair_file import PairFile
    from interviewer.matching.thresholds import Threshold

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "tune")(tune)


def tune(
    session: Session,
    pairs: PairsArgument,
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
) -> None:
    """Choose a threshold from labelled pairs at the cost and prevalence given, and store it."""
    import numpy as np

    from interviewer.matching import tuning
    from interviewer.matching.pair_file import read
    from interviewer.matching.scorer import scorer as by_name
    from interviewer.matching.split import linked
    from interviewer.store.home import home

    chosen = by_name(scorer)
    found = read(pairs, study)
    tell_problems(session, found)
    _refuse_clashes(pairs, found)
    kept = [at for at, label in enumerate(found.labels) if label is not None]
    groups = found.groups if any(found.groups) else linked(found.pairs, [label is True for label in found.labels])
    result = tuning.tune(
        scored(session, chosen, found)[kept],
        np.array([found.labels[at] for at in kept], dtype=np.bool_),
        [groups[at] for at in kept],
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        weights=[found.weights[at] for at in kept],
    )
    threshold = _threshold(
        name=name or _UNSAFE.sub("-", f"{scorer}-{pairs.stem}")[:64],
        scorer=chosen.name,
        version=chosen.version,
        value=result.value,
        low=result.low,
        high=result.high,
        corpus=f"{pairs.name}: {len(kept)} labelled pairs in {len({groups[at] for at in kept})} groups",
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        fold_spread=result.fold_spread,
        created=date.today(),
    )
    place = _keep(threshold, out, home(session.home).root)
    worth = {"precision": result.precision, "recall": result.recall, "flagged": result.flagged, "cost": result.cost}
    left_out = {key: None if math.isnan(value) else value for key, value in worth.items()}
    session.result({"file": str(place), "threshold": threshold.model_dump(mode="json"), "folds_left_out": left_out})


def _refuse_clashes(pairs: Path, found: "PairFile") -> None:
    from interviewer.errors import MatchError

    clash = next((one for one in found.problems if "differently" in one.what), None)
    if clash is not None:
        raise MatchError(f"{pairs}, line {clash.line}: {clash.what}: settle them before a threshold is chosen")


def _threshold(**fields: object) -> "Threshold":
    from pydantic import ValidationError

    from interviewer.errors import MatchError
    from interviewer.matching.thresholds import Threshold

    try:
        return Threshold.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise MatchError(f"--{first['loc'][0]} {first['input']!r}: {first['msg']}") from None


def _keep(threshold: "Threshold", out: Path | None, home: Path) -> Path:
    from interviewer.errors import MatchError
    from interviewer.matching import thresholds

    if out is None:
        return thresholds.save(threshold, home)
    try:
        out.write_text(f"[\n{threshold.model_dump_json(indent=2)}\n]\n", encoding="utf-8")
    except OSError as error:
        raise MatchError(f"cannot write {out}: {error.strerror}") from None
    return out
