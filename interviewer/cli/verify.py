"""`verify`: a call held against its own journal."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from interviewer.cli.calls import CallArgument
from interviewer.cli.session import Session, command
from interviewer.cli.text import clean
from interviewer.errors import LedgerError, StoreError

if TYPE_CHECKING:
    from interviewer.kept.verify import Verified


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "verify")(verify)


def verify(session: Session, call: CallArgument) -> None:
    """Hold a call against its journal.

    The ledger is folded again, the inputs are fed to a fresh core, and the two are compared event for event.
    """
    from interviewer.kept.verify import verify as compare

    found = compare(session.kept, call)
    if found.forgotten_at is not None:
        _say_forgotten(session, found)
        return
    if not found.ok:
        raise LedgerError(f"call {found.call_id} does not agree with its journal:\n" + "\n".join(found.problems))
    if session.json:
        session.result(
            {"call_id": found.call_id, "inputs": found.inputs, "events": found.events, "questions": found.questions}
        )
    else:
        session.show(
            f"Call {found.call_id} agrees with its journal: {found.inputs} inputs give the same {found.events} ledger "
            f"events again, and the database says the same of all {found.questions} questions."
        )


def _say_forgotten(session: Session, found: "Verified") -> None:
    from interviewer.kept.remains import UNFOUND

    day = f"{found.forgotten_at:%Y-%m-%d}"
    if not found.ok:
        left = "\n".join(found.problems)
        raise StoreError(
            f"call {found.call_id} was forgotten on {day}, and this is still there; forget it again:\n{left}"
        )
    beside = [str(path) for path in found.beside]
    if session.json:
        later = [{**asdict(one), "path": str(one.path)} for one in found.later]
        session.result({"call_id": found.call_id, "forgotten": day, "look_at": beside, "later_calls": later})
        return
    session.show(
        f"Call {found.call_id} was forgotten on {day}, and nothing of it is left that can be found: no row, no file of "
        "its own under this home. The guest's words alone, and copies elsewhere, are not looked for."
    )
    if found.later:
        told = (f"  {one.told()}" for one in found.later)
        session.show("Later calls of its interview keep of it:", *(clean(line) for line in told), f"{UNFOUND}.")
    if beside:
        session.show(
            *(clean(line) for line in ("These others hold its id or lines of it, or cannot be looked into:", *beside))
        )
