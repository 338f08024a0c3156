"""`plan`: draw up a plan, to read and to change before the call."""

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from interviewer.cli.session import Session, command


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "plan")(plan)


def plan(
    session: Session,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="What the interview is about.")],
    context: Annotated[str, typer.Option("--context", metavar="TEXT", help="Who the guest is, in their words.")] = "",
    minutes: Annotated[float | None, typer.Option("--minutes", metavar="M", help="Length, 0.5 to 60.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write it there, as YAML.")] = None,
) -> None:
    """Draw up a plan and show it, or write it to a file that `call --plan` takes."""
    from interviewer.cli.tables import plan_lines
    from interviewer.interview.demo import as_long_as
    from interviewer.interview.plan_file import save_plan
    from interviewer.interview.planning import plan_call
    from interviewer.llm.router import Router

    settings = session.settings if minutes is None else as_long_as(session.settings, minutes)
    with contextlib.closing(Router(settings)) as backend:
        drawn = plan_call(topic, context, settings.call.target_ms, "en", backend).plan
    if out:
        save_plan(drawn, out)
        session.tell(f"written to {out}")
    if session.json:
        session.result(drawn.model_dump(mode="json"))
    elif not out:
        session.show(*plan_lines(drawn))
