"""`import`: transcripts from elsewhere, kept as calls."""

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import counted, one_line
from interviewer.cli.transcripts import read_facts, read_lines, roles
from interviewer.model.recorded import Format

if TYPE_CHECKING:
    from interviewer.kept.imported import Imported, Imports

_REMEDY = "If it is wrong, forget the call and import it again with --as interviewer=NAME."


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "import")(import_)


def import_(
    session: Session,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Transcripts, of any format that is read.")],
    given: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="ROLE=NAME", help="interviewer=NAME or guest=NAME; else guessed. Repeatable."),
    ] = None,
    read_as: Annotated[
        Format | None, typer.Option("--format", help="What kind of file, if it is taken for another.")
    ] = None,
    topic: Annotated[str, typer.Option("--topic", metavar="T", help="What they are about, else guessed.")] = "",
    guest: Annotated[
        str, typer.Option("--guest", metavar="NAME", help="Who the guest is; their other calls then count as theirs.")
    ] = "",
    language: Annotated[
        str, typer.Option("--language", metavar="L", help="What they speak, such as de; else told by their words.")
    ] = "",
    interview: Annotated[
        str | None,
        typer.Option("--interview", metavar="I", help="Put them among the calls of this interview: an id, or `last`."),
    ] = None,
    date: Annotated[
        datetime | None,
        typer.Option(
            "--date", formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M"], help="When they were held, else as the file says, or now."
        ),
    ] = None,
) -> None:
    """Keep transcripts as calls; what cannot be read is named, and the others go in."""
    from interviewer.kept.imported import import_files

    found = import_files(
        session.store,
        files,
        speakers=roles(given or ()),
        format=read_as,
        topic=topic,
        guest=guest,
        language=language,
        interview=interview,
        date=date,
        settings=session.settings,
    )
    for one in found.calls:
        session.tell(*_told(one))
    if session.json:
        session.result(_facts(found))
    else:
        fresh = [one for one in found.calls if not one.before]
        session.show(*(one.call_id for one in fresh))
        session.tell(f"{counted(len(fresh), 'conversation')} imported of {counted(len(files), 'file')}")
    for failure in found.failures:
        session.warn(f"interviewer: {failure}")
    if found.failures:
        raise typer.Exit(1)


def _told(one: "Imported") -> list[str]:
    if one.before:
        return [f"{one.recorded.file}: imported before, as call {one.call_id}; forget that to import it anew"]
    settled = [
        f"{name.capitalize()}: {one_line(each.value)} ({one_line(each.reason)}; --{name} says it)."
        for name, each in (("topic", one.topic), ("language", one.language), ("date", one.date))
        if each and not each.said
    ]
    return [f"Call {one.call_id}", *(f"  {line}" for line in [*read_lines(one.recorded, _REMEDY), *settled])]


def _facts(found: "Imports") -> dict[str, Any]:
    def told(one: "Imported") -> dict[str, Any]:
        known = (("topic", one.topic), ("language", one.language), ("date", one.date))
        settled = {name: asdict(each) for name, each in known if each}
        return {"call_id": one.call_id, "file": one.recorded.file, **settled, **read_facts(one.recorded)}

    return {
        "imported": [told(one) for one in found.calls if not one.before],
        "before": [told(one) for one in found.calls if one.before],
        "failed": [
            {"file": str(each.path) if each.path else None, "line": each.line, "problem": each.problem}
            for each in found.failures
        ],
    }
