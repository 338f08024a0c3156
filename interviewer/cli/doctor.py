"""`doctor`: what this machine has and lacks."""

from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.session import Session, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from interviewer.cli.checks import Check


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "doctor")(doctor)


def doctor(
    session: Session,
    models: Annotated[
        bool, typer.Option("--models", help="Ask each model that an agent runs on for one word.")
    ] = False,
    audio: Annotated[
        bool, typer.Option("--audio", help="List the sound cards, measure the microphone, play a tone.")
    ] = False,
    mic: Annotated[
        str | None, typer.Option("--mic", metavar="DEVICE|FILE", help="What --audio listens to, as for `call`.")
    ] = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", metavar="DEVICE|FILE", help="What --audio plays on, as for `call`.")
    ] = None,
) -> None:
    """Say what this machine has, what it lacks, and what to do about it. Fails if the demo cannot run.

    With --models it fails, too, if a backend of the agents does not work, with --audio if the sound does not.
    """
    from interviewer.cli.checks import TRIED, checks
    from interviewer.cli.model_checks import model_checks

    found: list[Check] = []
    for check in chain(
        checks(session.home),
        model_checks(session.settings) if models else (),
        _sound(session, mic, speaker) if audio else (),
    ):
        found.append(check)
        if not session.json:
            session.show(_line(check))
    ready = not any(check.needed and check.state != "ok" for check in found)
    working = not any(check.name in TRIED and check.state not in ("ok", "warning") for check in found)
    if session.json:
        session.result({"demo_can_run": ready, "checks": [check.to_dict() for check in found]})
    else:
        session.show("\nThe demo can run: interviewer demo" if ready else "\nThe demo cannot run yet.")
    if not (ready and working):
        raise typer.Exit(1)


def _sound(session: Session, mic: str | None, speaker: str | None) -> "Iterator[Check]":
    from interviewer.cli.sound_checks import sound_checks

    yield from sound_checks(session.settings, mic, speaker, session.tell)


def _line(check: "Check") -> "RenderableType":
    from rich.text import Text

    from interviewer.cli.tables import Hanging
    from interviewer.cli.text import clean, without_secrets

    style = "green" if check.state == "ok" else "red" if check.needed else "yellow"
    label = Text(f"{check.state:<8}", style, end="").append(f"{check.name:<12}", "bold")
    said = Text(without_secrets(clean(check.found)))
    return Hanging(label, said.append(f"\n{check.advice}", "dim") if check.advice else said)
