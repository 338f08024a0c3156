"""`contains`: whether each utterance in a file contains the planned question beside it, and how well that tells."""

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.score import free, shown, tell_problems, write
from interviewer.cli.session import Session, command
from interviewer.cli.text import one_line

if TYPE_CHECKING:
    from interviewer.matching.contains import Finding
    from interviewer.matching.pair_file import PairFile
    from interviewer.settings import MatchSettings

TEXTS = ("planned", "utterance")
COLUMNS = ("score", "verdict")
_AT_ONCE = 2_000

FileArgument = Annotated[
    Path,
    typer.Argument(metavar="FILE.csv", help="Columns planned, utterance; label, weight if there."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "contains")(contains)


def contains(
    session: Session,
    file: FileArgument,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the rows with verdicts.")] = None,
) -> None:
    """Say of each utterance whether it asks the planned question, and how well that fits the labels."""
    import numpy as np

    from interviewer.matching import thresholds
    from interviewer.matching.contains import Judgement
    from interviewer.matching.figures import figures
    from interviewer.matching.pair_file import read
    from interviewer.matching.studies import StudyScores
    from interviewer.store.home import home

    folder = home(session.home).root
    judgement = Judgement.of(_settings(session), folder)
    found = read(file, question="contains", texts=TEXTS)
    if out:
        free(file, found, *COLUMNS)
    verdicts = _found(session, judgement.find, found)
    scores = np.array([one.score for one in verdicts], dtype=np.float64)
    if out:
        write(out, found, dict(zip(COLUMNS, (shown(scores), [one.verdict for one in verdicts]), strict=True)))
        session.tell(f"written to {out}")
    tell_problems(session, found)
    version = judgement.scorer.version
    stored = thresholds.load_all(folder).values()
    _tell(
        session,
        {
            "file": str(file),
            "scorer": "contains",
            "version": version,
            "question": "contains",
            "out": None if out is None else str(out),
            "n": len(found.rows),
            "unknown": sum(math.isnan(value) for value in scores),
            "grey_band": {"no_below": judgement.no, "yes_above": judgement.yes},
            "verdicts": dict(sorted(Counter(one.verdict for one in verdicts).items())),
            "reasons": dict(Counter(one.reason for one in verdicts if one.reason).most_common()),
            "by_verdict": _by_verdict(found, verdicts),
            "problems": [{"line": one.line, "what": one.what} for one in found.problems[:20]],
            "problems_in_all": len(found.problems),
        }
        | figures(found, StudyScores(scores, (version,)), "contains", stored),
    )


def _tell(session: Session, told: dict[str, Any]) -> None:
    from interviewer.cli.fits import fit, heading
    from interviewer.cli.tables import table

    if session.json:
        session.result(told)
        return
    band = told["grey_band"]
    made = table("verdict", "rows", "labelled yes", "labelled no", right=("rows", "labelled yes", "labelled no"))
    for verdict, labelled in told["by_verdict"].items():
        made.add_row(verdict, str(told["verdicts"].get(verdict, 0)), str(labelled["true"]), str(labelled["false"]))
    why = [f"{count} because {one_line(reason)}" for reason, count in told["reasons"].items()]
    lines = [
        f"yes above {band['yes_above']:.3f}, no at or below {band['no_below']:.3f}, else unconfirmed.",
        *([f"Why not yes or no: {'; '.join(why)}."] if why else []),
    ]
    session.show(heading(told, "utterance"), made, *lines, *fit(told, "ask the planned question"))


def _settings(session: Session) -> "MatchSettings":
    from interviewer.errors import SettingsError

    given = session.settings.match
    if not isinstance(given.contains, str):
        raise SettingsError(
            f"match.contains: {given.contains} is a score for match.scorer; `contains` needs the name of a stored grey "
            "band of the scorer contains (`tune --list`)"
        )
    return given


def _found(session: Session, find: Any, found: "PairFile") -> "list[Finding]":
    verdicts: list[Finding] = []
    for start in range(0, len(found.pairs), _AT_ONCE):
        verdicts += [find(pair.q1, pair.q2) for pair in found.pairs[start : start + _AT_ONCE]]
        if len(found.pairs) > _AT_ONCE:
            session.tell(f"{len(verdicts):,} of {len(found.pairs):,} pairs")
    return verdicts


def _by_verdict(found: "PairFile", verdicts: "list[Finding]") -> dict[str, dict[str, int]]:
    """Of each verdict how many labelled pairs are true questions and how many are not."""
    counted: dict[str, dict[str, int]] = {name: {"true": 0, "false": 0} for name in ("yes", "unconfirmed", "no")}
    for verdict, label in zip(verdicts, found.labels, strict=True):
        if label is not None:
            counted[verdict.verdict]["true" if label else "false"] += 1
    return counted
