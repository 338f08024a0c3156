"""`score`: how alike the two questions of each pair in a file are, and how well that fits its labels."""

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from interviewer.cli.session import Session, command
from interviewer.cli.text import counted, one_line

if TYPE_CHECKING:
    from interviewer.matching.pair_file import PairFile
    from interviewer.matching.pair_labels import Question
    from interviewer.matching.scorer import Scorer, Scores
    from interviewer.matching.studies import StudyScores

COLUMN = "score"
_SHOWN = 20
_LIKEST, _WIDEST = 10, 90

PairsArgument = Annotated[
    Path, typer.Argument(metavar="PAIRS.csv", help="Columns q1, q2; interview, turn_a, turn_b, weight, label if there.")
]
StudyOption = Annotated[
    Path | None,
    typer.Option("--study", metavar="INTERVIEWS.jsonl", help="Look up what surrounds the pairs there; or a folder."),
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
    """Score pairs of questions, and say how well the scores fit the labels."""
    from interviewer.matching import thresholds
    from interviewer.matching.figures import figures
    from interviewer.matching.pair_file import read
    from interviewer.matching.scorer import scorer as by_name
    from interviewer.store.home import home

    chosen = by_name(scorer)
    question = question_of(chosen)
    found = read(pairs, study, question)
    if out:
        free(pairs, found, COLUMN)
    given = scored(session, chosen, found)
    if out:
        write(out, found, {COLUMN: shown(given.scores)})
        session.tell(f"written to {out}")
    tell_problems(session, found)
    if all(math.isnan(value) for value in given.scores):
        context = any(pair.context is not None for pair in found.pairs)
        session.tell(
            f"{chosen.name} could tell nothing of any pair{'' if context else '; without --study it has no context'}"
        )
    stored = thresholds.load_all(home(session.home).root).values()
    summary = _summary(pairs, found, given, out) | {"scorer": chosen.name, "question": question}
    _tell(session, found, given, summary | figures(found, given, chosen.name, stored))


def question_of(scorer: "Scorer") -> "Question":
    """What a scorer's score is an answer to, and so what labels are read as."""
    return "unwanted" if scorer.name == "unwanted" else "same"


def scored(session: Session, scorer: "Scorer", found: "PairFile") -> "StudyScores":
    """A score for each pair; NaN where it cannot tell. Says if it has to do without the sentence model."""
    import numpy as np

    from interviewer.matching.studies import StudyScores, score_by_study, unread

    if missing := getattr(scorer, "missing", ""):
        session.tell(f"{scorer.name} goes by words alone: {one_line(missing)}")
    given = score_by_study(scorer, found.pairs, found.studies, found.asked)
    nothing = unread(scorer, found.pairs)
    lost = int(sum(nothing & [bool(pair.q1 and pair.q2) for pair in found.pairs]))
    if lost:
        session.tell(f"{counted(lost, 'pair')} without a score: {scorer.name} has no word left of a question")
    return StudyScores(np.where(nothing, np.nan, given.scores), given.versions)


def free(path: Path, found: "PairFile", *columns: str) -> None:
    """Raises MatchError naming a column that is to be written and is there already."""
    from interviewer.errors import MatchError

    for name in columns:
        if name in found.header:
            raise MatchError(f"{path} has a column {name} already: rename it or leave it out")


def shown(scores: "Sequence[float] | Scores") -> list[str]:
    """Scores as cells, empty where they cannot be told."""
    return ["" if math.isnan(value) else f"{value:.9g}" for value in scores]


def write(out: Path, found: "PairFile", columns: Mapping[str, Sequence[str]]) -> None:
    """The file as it was with further columns. Raises MatchError naming the file."""
    from interviewer.errors import MatchError

    try:
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*found.header, *columns])
            for row, *cells in zip(found.rows, *columns.values(), strict=True):
                writer.writerow([*row, *cells])
    except OSError as error:
        raise MatchError(f"cannot write {out}: {error.strerror}") from None


def tell_problems(session: Session, found: "PairFile") -> None:
    """What was wrong in the file, line by line, at most twenty."""
    for problem in found.problems[:_SHOWN]:
        session.tell(f"line {problem.line}: {one_line(problem.what)}")
    if len(found.problems) > _SHOWN:
        session.tell(f"and {len(found.problems) - _SHOWN} more")


def _tell(session: Session, found: "PairFile", given: "StudyScores", told: dict[str, Any]) -> None:
    from interviewer.cli.fits import fit, heading
    from interviewer.cli.tables import table

    if session.json:
        session.result(told)
        return
    made = table("score", "label", "earlier", "later", right=("score",))
    made.title = "The likest pairs"
    known = [at for at, value in enumerate(given.scores) if not math.isnan(value)]
    for at in sorted(known, key=lambda at: -given.scores[at])[:_LIKEST]:
        label = {True: "yes", False: "no", None: ""}[found.labels[at]]
        pair = found.pairs[at]
        made.add_row(f"{given.scores[at]:.3f}", label, *(Text(_short(text)) for text in (pair.q1, pair.q2)))
    parts = [made] if known else []
    positive = "unwanted" if told["question"] == "unwanted" else "ask for the same"
    session.show(heading(told, "pair"), *fit(told, positive), *parts)


def _short(text: str) -> str:
    shown = one_line(text)
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 1]}…"


def _summary(pairs: Path, found: "PairFile", given: "StudyScores", out: Path | None) -> dict[str, Any]:
    return {
        "file": str(pairs),
        "version": " and ".join(given.versions),
        "out": None if out is None else str(out),
        "n": len(found.rows),
        "unknown": sum(math.isnan(value) for value in given.scores),
        "with_context": sum(pair.context is not None for pair in found.pairs),
        "problems": [{"line": one.line, "what": one_line(one.what)} for one in found.problems[:_SHOWN]],
        "problems_in_all": len(found.problems),
    }
