"""`score`: how alike the two questions of each pair in a file are, and how well that fits its labels."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import one_line

if TYPE_CHECKING:
    from interviewer.matching.pair_file import PairFile
    from interviewer.matching.scorer import Scorer, Scores

COLUMN = "score"
_AT_ONCE = 2_000
_SHOWN = 20

PairsArgument = Annotated[
    Path, typer.Argument(metavar="PAIRS.csv", help="Columns q1, q2; interview, turn_a, turn_b, weight, label if there.")
]
StudyOption = Annotated[
    Path | None, typer.Option("--study", metavar="INTERVIEWS.jsonl", help="Look up what surrounds the pairs there.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "score")(score)


def score(
    session: Session,
    pairs: PairsArgument,
    scorer: Annotated[str, typer.Option("--scorer", metavar="S", help="Name of the scorer.")],
    study: StudyOption = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the rows with their scores.")] = None,
) -> None:
    """Score pairs of questions; JSON on standard output says how well the scores fit the labels."""
    from interviewer.errors import MatchError
    from interviewer.matching import thresholds
    from interviewer.matching.figures import figures
    from interviewer.matching.pair_file import read
    from interviewer.matching.scorer import scorer as by_name
    from interviewer.store.home import home

    chosen = by_name(scorer)
    found = read(pairs, study)
    if out and COLUMN in found.header:
        raise MatchError(f"{pairs} has a column {COLUMN} already: rename it or leave it out")
    scores = scored(session, chosen, found)
    if out:
        write(out, found, scores)
        session.tell(f"written to {out}")
    tell_problems(session, found)
    stored = thresholds.load_all(home(session.home).root).values()
    session.result(_summary(pairs, chosen, found, scores, out) | figures(found, scores, chosen, stored))


def scored(session: Session, scorer: "Scorer", found: "PairFile") -> "Scores":
    """A score for each pair; NaN where it cannot tell."""
    import numpy as np

    from interviewer.matching.pairs import score_pairs

    parts = []
    for start in range(0, len(found.pairs), _AT_ONCE):
        parts.append(score_pairs(scorer, found.pairs[start : start + _AT_ONCE]))
        if len(found.pairs) > _AT_ONCE:
            session.tell(f"{min(start + _AT_ONCE, len(found.pairs)):,} of {len(found.pairs):,} pairs")
    return np.concatenate(parts)


def write(out: Path, found: "PairFile", scores: "Sequence[float] | Scores") -> None:
    """The file as it was with a column of scores, empty where it cannot be told. Raises MatchError naming the file."""
    from interviewer.errors import MatchError

    try:
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*found.header, COLUMN])
            for row, value in zip(found.rows, scores, strict=True):
                writer.writerow([*row, "" if math.isnan(value) else f"{value:.9g}"])
    except OSError as error:
        raise MatchError(f"cannot write {out}: {error.strerror}") from None


def tell_problems(session: Session, found: "PairFile") -> None:
    """What was wrong in the file, line by line, at most twenty."""
    for problem in found.problems[:_SHOWN]:
        session.tell(f"line {problem.line}: {one_line(problem.what)}")
    if len(found.problems) > _SHOWN:
        session.tell(f"and {len(found.problems) - _SHOWN} more")


def _summary(pairs: Path, scorer: "Scorer", found: "PairFile", scores: "Scores", out: Path | None) -> dict[str, Any]:
    return {
        "file": str(pairs),
        "scorer": scorer.name,
        "version": scorer.version,
        "out": None if out is None else str(out),
        "n": len(found.rows),
        "unknown": sum(math.isnan(value) for value in scores),
        "with_context": sum(pair.context is not None for pair in found.pairs),
        "problems": [{"line": one.line, "what": one_line(one.what)} for one in found.problems[:_SHOWN]],
        "problems_in_all": len(found.problems),
    }
