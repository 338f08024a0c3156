"""`plan`: draw up a plan, to read and to change before the call, from a topic or from a recorded conversation."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.transcripts import read_facts, read_lines
from interviewer.model.recorded import Format

if TYPE_CHECKING:
    from interviewer.model.plan import Plan
    from interviewer.model.recorded import Recorded
    from interviewer.model.reverse import ReversePlan
    from interviewer.model.turn import Speaker

_REMEDY = "If it is wrong, say who asks with --interviewer NAME."


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "plan")(plan)


def plan(
    session: Session,
    topic: Annotated[str, typer.Argument(metavar="[TOPIC]", help="What the interview is about.")] = "",
    context: Annotated[str, typer.Option("--context", metavar="TEXT", help="Who the guest is, in their words.")] = "",
    minutes: Annotated[float | None, typer.Option("--minutes", metavar="M", help="Length, 0.5 to 60.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write it there, as YAML.")] = None,
    transcript: Annotated[
        Path | None, typer.Option("--from", metavar="TRANSCRIPT", help="Draw it up from what was asked there.")
    ] = None,
    interviewer: Annotated[
        list[str] | None,
        typer.Option(
            "--interviewer", metavar="NAME", help="With --from: who asks; else it is guessed. May be repeated."
        ),
    ] = None,
    read_as: Annotated[
        Format | None, typer.Option("--format", help="With --from: what kind of file, if it is taken for another.")
    ] = None,
    which: Annotated[
        str, typer.Option("--which", metavar="ID", help="With --from: which one, where a file holds several.")
    ] = "",
) -> None:
    """Draw up a plan and show it, or write it to a file that `call --plan` takes."""
    from interviewer.importing.read import read_transcript
    from interviewer.interview.demo import as_long_as
    from interviewer.interview.planning import plan_call
    from interviewer.kept.reverse import plan_from
    from interviewer.llm.router import Router

    if not topic and transcript is None:
        raise typer.BadParameter("give a topic, or a transcript with --from")
    settings = session.settings if minutes is None else as_long_as(session.settings, minutes)
    with contextlib.closing(Router(settings)) as backend:
        if transcript is not None:
            asking: dict[str, Speaker] = dict.fromkeys(interviewer or (), "interviewer")
            recorded = read_transcript(
                transcript, which=which, speakers=asking, format=read_as, settings=settings.importing
            )
            session.tell(*read_lines(recorded, _REMEDY))
            found = plan_from(recorded, topic=topic, backend=backend)
            _hand_out(session, found.plan, out, found, recorded)
        else:
            _hand_out(session, plan_call(topic, context, settings.call.target_ms, "en", backend).plan, out)


def _hand_out(
    session: Session,
    drawn: "Plan",
    out: Path | None,
    found: "ReversePlan | None" = None,
    recorded: "Recorded | None" = None,
) -> None:
    from interviewer.cli.tables import plan_lines
    from interviewer.interview.plan_file import save_plan

    if out:
        save_plan(drawn, out)
        session.tell(f"written to {out}")
    asked = {place.question_id: place.turn for place in found.asked} if found else {}
    if session.json:
        read = {"transcript": read_facts(recorded)} if recorded else {}
        session.result({**(found or drawn).model_dump(mode="json"), **read})
    elif not out:
        session.show(*plan_lines(drawn, asked))
