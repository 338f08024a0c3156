"""`pairs`: draw pairs of questions to label, from one's own calls or from transcripts."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import counted, one_line


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "pairs")(pairs)


def pairs(
    session: Session,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="Write the pairs there.")],
    transcripts: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="A transcript instead of the calls of the home. May be repeated."),
    ] = None,
    calls: Annotated[
        list[str] | None, typer.Option("--call", metavar="CALL", help="Only this call. May be repeated.")
    ] = None,
    count: Annotated[int, typer.Option("--n", metavar="N", help="How many pairs.")] = 200,
    scorer: Annotated[str, typer.Option("--scorer", metavar="S", help="What says how alike they look.")] = "tfidf",
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed draws the same pairs.")] = 0,
) -> None:
    """Draw pairs of questions by strata, with weights, into a file to label."""
    from interviewer.lab.sampling import from_files, from_store, write
    from interviewer.matching.sampling import draw
    from interviewer.matching.scorer import scorer as by_name

    if transcripts and calls:
        raise typer.BadParameter("give --call or --from, not both")
    found = from_files(transcripts) if transcripts else from_store(session.kept, calls or ())
    drawn = draw(found, count, by_name(scorer), seed)
    study = write(drawn, out)
    strata = Counter(one.stratum for one in drawn)
    session.tell(
        f"{counted(len(drawn), 'pair')} from {counted(len(found), 'interview')}, written to {one_line(str(out))}"
    )
    session.tell(f"the interviews they are from: {one_line(str(study))}")
    if session.json:
        session.result(
            {"file": str(out), "study": str(study), "pairs": len(drawn), "strata": dict(sorted(strata.items()))}
        )
