"""`recover`: what a crash left behind, put right."""

import contextlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import clock, counted

if TYPE_CHECKING:
    from interviewer.kept.recover import Recovered


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "recover")(recover)


def recover(
    session: Session,
    call: Annotated[
        str | None, typer.Argument(metavar="[CALL]", help="Its id, a prefix, or `last`; else every interrupted call.")
    ] = None,
    close: Annotated[
        bool, typer.Option("--close", help="Bring it to its end: notes, analysis and essay from what was said.")
    ] = False,
) -> None:
    """Put right what a crash left of a call. It can be resumed then, or closed with --close."""
    from interviewer.kept.recover import recover as put_right
    from interviewer.kept.recover import unfinished
    from interviewer.llm.router import Router

    store = session.store
    calls = [store.resolve(call)] if call is not None else unfinished(store)
    with contextlib.closing(Router(session.settings)) as backend:
        found = [put_right(store, each, close=close, backend=backend) for each in calls]
    if session.json:
        session.result({"calls": [_plain(one) for one in found]})
    elif not found:
        session.show("No call was interrupted.")
    for one in found if not session.json else ():
        session.show(*_told(one))


def _plain(found: "Recovered") -> dict[str, object]:
    facts = asdict(found)
    return {
        **facts,
        "journal": str(found.journal),
        "restored": [str(path) for path in found.restored],
        "essay_path": str(found.essay_path) if found.essay_path else None,
    }


def _told(found: "Recovered") -> list[str]:
    lines = [f"Call {found.call_id}: {counted(found.turns, 'turn')}, up to {clock(found.reached_ms)}."]
    if found.torn:
        lines.append(f"Its last line was torn; what stood there is in {found.journal.name}.torn.")
    if found.rejoined:
        lines.append(f"{counted(found.rejoined, 'line')} came back from the temp folder.")
    if found.lost:
        lines.append(f"{counted(found.lost, 'line')} of it cannot come back: no disk took them.")
    lines += [f"Restored: {path}" for path in found.restored]
    if found.damaged:
        lines.append(f"Its journal is damaged in {counted(found.damaged, 'place')}: interviewer verify {found.call_id}")
    if found.closed:
        lines.append(f"Closed ({found.closed}). Essay: {found.essay_path or 'none'}")
    elif found.interrupted:
        lines.append(f"It was interrupted. Close it: interviewer recover {found.call_id} --close")
        resume = f"Go on with it: interviewer call --resume {found.call_id}"
        lines.append(f"It cannot be resumed: {found.why_not}" if found.why_not else resume)
    else:
        lines.append("It has come to its end; nothing is left to do.")
    return lines
