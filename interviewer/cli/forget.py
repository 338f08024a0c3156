"""`forget`: a call removed from everywhere."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import clean, counted
from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.kept.belongings import Belongings


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "forget")(forget)


def forget(
    session: Session,
    call: Annotated[
        str | None, typer.Argument(metavar="[CALL]", help="Its id, a prefix only it has, or `last`.")
    ] = None,
    expired: Annotated[
        bool, typer.Option("--expired", help="Every call whose time is over (setting keep.retention_days).")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Forget a call: database, journal, sound, drafts, exports, recorded runs, and records that quote it."""
    from interviewer.kept.forget import as_plain, due, what_goes
    from interviewer.kept.forget import forget as remove

    if (call is None) == (not expired):
        raise typer.BadParameter("say which call, or --expired")
    store = session.store
    calls = [each.call_id for each in due(store)] if call is None else [call]
    found = [what_goes(store, each) for each in calls]
    if not session.json:
        for one in found:
            session.show(*_told(one))
    if found and not yes:
        _ask(len(found))
    for one in found:
        remove(store, one.call_id)
    if session.json:
        session.result({"forgotten": [as_plain(one) for one in found]})
    elif found:
        session.show(f"Forgotten: {counted(len(found), 'call')}. Copies made elsewhere, and backups, are not reached.")
    else:
        session.show("No call is due to be forgotten.")


def _ask(count: int) -> None:
    if not sys.stdin.isatty():
        raise InterviewerError("nothing was forgotten: it cannot be undone, so say --yes")
    typer.confirm(f"Forget {counted(count, 'call')}? It cannot be undone.", abort=True, err=True)


def _told(found: "Belongings") -> list[str]:
    from interviewer.kept.remains import UNFOUND

    lines = [f"Call {found.call_id}: its rows in the database, and"]
    lines += [f"  {path}" for path in (*found.files, *found.exports)]
    lines += [f"  {path}, its rows" for path in found.runs]
    for each in (*found.cassette, *found.quoting):
        lines.append(f"  {each.path}, {counted(len(each.lines), 'record')}: {_numbers(each.lines)}")
    if found.named or found.tables:
        lines.append("They quote it, too, and are left as they are:")
        lines += [f"  {path}" for path in found.named]
        lines += [f"  table {name} of the database" for name in found.tables]
    if found.later:
        lines.append("Later calls of its interview go on from it, are left as they are, and keep of it:")
        lines += [*(f"  {one.told()}" for one in found.later), f"{UNFOUND}."]
    if found.closed:
        lines.append("They cannot be looked into, and are left as they are; delete those that hold it:")
        lines += [f"  {path}" for path in found.closed]
    return [clean(line) for line in lines]


def _numbers(lines: tuple[int, ...]) -> str:
    return ", ".join(map(str, lines[:8])) + (" ..." if len(lines) > 8 else "")
