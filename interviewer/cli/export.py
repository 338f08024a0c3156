"""`export`: a call as files to take away."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from interviewer.cli.calls import CallArgument
from interviewer.cli.session import Session, command
from interviewer.errors import StoreError

_REDACTED = (
    "Redacted: {found}. Names are found by their capitals and by --name; what is in lower case, begins every sentence "
    "it is in, or tells who somebody is without a name is not found. Read it before you pass it on."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "export")(export)


def export(
    session: Session,
    call: CallArgument,
    to: Annotated[
        Literal["md", "json", "csv", "parquet", "vtt", "flac", "wav"], typer.Option("--to", help="What kind of file.")
    ],
    redact: Annotated[
        bool, typer.Option("--redact", help="Put marks such as [NAME 1] in place of names and numbers.")
    ] = False,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="N", help="With --redact: a name to replace; more than once.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PATH", help="A folder, or a file if it is one (not csv, parquet).")
    ] = None,
) -> None:
    """Write a call to files: to read, as data, as subtitles, as sound if that was kept."""
    from interviewer.kept.clips import take_away
    from interviewer.store.export import export as write
    from interviewer.store.export import redaction_of

    store = session.kept
    call_id = store.resolve(call)
    place = out or Path(call_id if to in ("csv", "parquet") else ".")
    match to:
        case "flac" | "wav":
            if redact:
                raise StoreError("sound cannot be redacted: a voice is a name")
            written = take_away(store, call_id, to, place)
        case _:
            redaction = redaction_of(store, call_id, name or ()) if redact else None
            written = write(store, call_id, to, place, redaction=redaction)
            if redaction is not None:
                session.warn(_REDACTED.format(found=_counted(redaction.counts)))
    files = [str(path.absolute()) for path in written]
    if session.json:
        session.result({"call_id": call_id, "files": files})
    else:
        session.show(*files)


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "nothing"
