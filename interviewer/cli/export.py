"""`export`: a call as files to take away."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from interviewer.cli.calls import CallArgument
from interviewer.cli.session import Session, command


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "export")(export)


def export(
    session: Session,
    call: CallArgument,
    to: Annotated[
        Literal["md", "json", "csv", "parquet", "vtt", "flac", "wav"], typer.Option("--to", help="What kind of file.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PATH", help="A folder, or a file if it is one (not csv, parquet).")
    ] = None,
) -> None:
    """Write a call to files: to read, as data, as subtitles, as sound if that was kept."""
    from interviewer.interview.clips import take_away
    from interviewer.store.export import export as write

    store = session.kept
    call_id = store.resolve(call)
    place = out or Path(call_id if to in ("csv", "parquet") else ".")
    match to:
        case "flac" | "wav":
            written = take_away(store, call_id, to, place)
        case _:
            written = write(store, call_id, to, place)
    files = [str(path.absolute()) for path in written]
    if session.json:
        session.result({"call_id": call_id, "files": files})
    else:
        session.show(*files)
