"""`style`, `write` and `correct`: a guest's voice, drafts in it, and names put right."""

import contextlib
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from interviewer.cli.calls import CallArgument
from interviewer.cli.drafting import Drafting
from interviewer.cli.session import Session, command

if TYPE_CHECKING:
    from interviewer.kept.drafts import Draft


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "style")(style)
    command(app, "write")(write)
    command(app, "correct")(correct)


def style(
    session: Session,
    guest: Annotated[str, typer.Argument(metavar="GUEST", help="The guest's name, as `list` shows it.")],
) -> None:
    """Show how a guest speaks, from their own calls: what the Writer keeps to."""
    from interviewer.cli.tables import voice_lines
    from interviewer.kept.style import style_guide
    from interviewer.llm.router import Router

    settings = session.settings
    with contextlib.closing(Router(settings)) as backend:
        guide = style_guide(session.store, guest, backend=backend, settings=settings.style)
    if session.json:
        session.result({"guest": guest, **guide.model_dump(mode="json")})
    else:
        session.show(*voice_lines(guide))


def write(
    session: Session,
    call: CallArgument,
    style: Annotated[
        Literal["standard", "punchy", "reflective"], typer.Option("--style", help="How it is to read.")
    ] = "standard",
) -> None:
    """Write another draft of a call, in the guest's voice; the drafts there are stay as they are."""
    from interviewer.kept.drafts import write_draft
    from interviewer.llm.router import Router

    drafting = Drafting(session)
    with contextlib.closing(Router(session.settings)) as backend:
        written = write_draft(session.store, call, backend, style=style, on_text=drafting.take)
    if session.json:
        session.result(_facts(written))
    else:
        drafting.finish(written.essay.markdown)
        session.tell(*_summary(written))


def correct(
    session: Session,
    call: CallArgument,
    wrong: Annotated[str, typer.Argument(metavar="WRONG", help="The name as it was heard.")],
    right: Annotated[str, typer.Argument(metavar="RIGHT", help="The name as it is.")],
) -> None:
    """Put a mis-heard name right: in the transcripts of all calls of the interview, and in every draft from now on."""
    from interviewer.kept.drafts import correct as put_right

    call_id = put_right(session.store, call, wrong, right)
    if session.json:
        session.result({"call_id": call_id, "wrong": wrong, "right": right})
    else:
        session.show(f"{wrong} is {right} now; `interviewer write {call_id}` makes a draft that says so.")


def _facts(draft: "Draft") -> dict[str, object]:
    kept = draft.expressions()
    flagged = [traced.sentence for traced in draft.trace() if traced.flagged]
    return {
        "call_id": draft.call_id,
        "version": draft.version,
        "style": draft.style,
        "path": str(draft.path),
        "title": draft.essay.title,
        "expressions_kept": kept.share,
        "flagged": flagged,
    }


def _summary(draft: "Draft") -> list[str]:
    from interviewer.cli.text import one_line

    kept = draft.expressions()
    lines = [f"Draft {draft.version} ({draft.style}): {draft.path}"]
    if kept.share is not None:
        lines.append(f"It keeps {len(kept.kept)} of {len(kept.kept) + len(kept.lost)} of the guest's own expressions.")
    flagged = [traced.sentence for traced in draft.trace() if traced.flagged]
    lines += [f"Not found in the talk: {one_line(sentence)}" for sentence in flagged]
    return lines
