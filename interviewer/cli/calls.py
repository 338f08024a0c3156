"""`list` and `show`: the calls there are, and one of them."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import counted
from interviewer.errors import NotFound

if TYPE_CHECKING:
    from rich.console import RenderableType

    from interviewer.kept.reading import CallLog
    from interviewer.store.store import Store

CallArgument = Annotated[str, typer.Argument(metavar="CALL", help="Its id, a prefix only it has, or `last`.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "list")(list_calls)
    command(app, "show")(show)


def list_calls(session: Session) -> None:
    """List the calls of this home, oldest first."""
    from interviewer.store.lost import lost_in

    store = session.kept
    frame, unreadable = store.calls(), store.unreadable()
    calls = json.loads(frame.to_json(orient="records", date_format="iso", date_unit="s"))
    lost_lines = lost_in(store.home.journals)
    for call in calls:
        call["lost"] = lost_lines.get(store.home.journal(call["call_id"]).name, 0)
    if session.json:
        lost = [{"file": str(path), "problem": problem} for path, problem in unreadable]
        session.result({"calls": calls, "unreadable": lost})
    elif not calls:
        session.show("No call yet. `interviewer demo` makes one.")
    else:
        from interviewer.cli.tables import call_table

        session.show(call_table(calls))
    for call_id in store.half_forgotten():
        session.warn(f"forgetting call {call_id} was interrupted; finish it: interviewer forget {call_id}")
    for _, problem in unreadable:
        session.warn(f"a journal could not be taken in: {problem}")


def show(
    session: Session,
    call: CallArgument,
    ledger: Annotated[bool, typer.Option("--ledger", help="Every event of the question ledger.")] = False,
    question: Annotated[
        str | None, typer.Option("--question", metavar="Q", help="What became of one question.")
    ] = None,
    transcript: Annotated[bool, typer.Option("--transcript", help="What was said, and how much was heard.")] = False,
    essay: Annotated[bool, typer.Option("--essay", help="The essay, the latest draft of it.")] = False,
    draft: Annotated[
        int | None, typer.Option("--draft", metavar="N", min=1, help="With --essay: an earlier draft.")
    ] = None,
) -> None:
    """Show a call, or the parts of it asked for."""
    from interviewer.kept.reading import CallLog

    store = session.kept
    log = CallLog.read(store.journal_path(call))
    _warn_of_damage(session, log)
    parts: dict[str, Any] = {}
    if transcript:
        parts["turns"] = _turns(log)
    if question is not None:
        parts["question"] = _question(log, question)
    if ledger:
        parts["ledger"] = [{**event.to_dict(), "at_ms": log.clock.at(event.t_ms)} for event in log.events]
    if essay or draft:
        parts |= _essay(store, log, draft)
    if session.json:
        session.result({"call_id": log.call_id, **parts} if parts else _report(store, log))
    elif parts:
        session.show(*(piece for name, part in parts.items() for piece in _pieces(name, part)))
    else:
        from interviewer.cli.telling import tell_report

        session.show(*tell_report(log, _report(store, log)))


def _warn_of_damage(session: Session, log: "CallLog") -> None:
    places = len(log.contents.damaged)
    if places:
        first = log.contents.damaged[0]
        where = f"line {first.line_number}: {first.reason}"
        session.warn(f"{log.path} is damaged in {counted(places, 'place')}; {where}; more: interviewer verify")


def _report(store: "Store", log: "CallLog") -> dict[str, Any]:
    from interviewer.interview.report import call_report
    from interviewer.kept.drafts import drafts

    paths = [draft.path for draft in drafts(log, store.home) if draft.path.exists()]
    return call_report(log, paths[-1] if paths else None)


def _essay(store: "Store", log: "CallLog", version: int | None) -> dict[str, Any]:
    from interviewer.kept.drafts import draft

    chosen = draft(log, store.home, version)
    own = chosen.expressions()
    facts = {
        "version": chosen.version,
        "style": chosen.style,
        "expressions_kept": list(own.kept),
        "expressions_lost": list(own.lost),
        "untraced": [traced.sentence for traced in chosen.trace() if traced.flagged],
        "sentences_from": [{"call": call, "sentences": count} for call, count in chosen.sources().items()],
    }
    return {"essay": chosen.essay.markdown, "draft": facts}


def _draft(facts: dict[str, Any]) -> "Iterator[RenderableType]":
    """What there is to know of a draft: which it is, what it keeps, and what in it nobody said."""
    from interviewer.cli.tables import paragraph
    from interviewer.cli.telling import expressions

    own = expressions(len(facts["expressions_kept"]), len(facts["expressions_lost"]))
    yield paragraph(f"Draft {facts['version']}, {facts['style']}; expressions: {own}", "dim")
    calls = {each["call"]: each["sentences"] for each in facts["sentences_from"]}
    if calls.keys() - {None}:
        told = (f"{n} from {'this call' if call is None else f'call {call}'}" for call, n in calls.items())
        yield paragraph(f"Its sentences: {', '.join(told)}", "dim")
    for sentence in facts["untraced"]:
        yield paragraph(f"⚠ not found in the talk: {sentence}", "bold yellow")


def _turns(log: "CallLog") -> list[dict[str, Any]]:
    from interviewer.interview.report import turn_reports

    return turn_reports(log)


def _question(log: "CallLog", question_id: str) -> dict[str, Any]:
    from interviewer.interview.report import question_report
    from interviewer.ledger.views import why

    question = log.ledger.questions.get(question_id)
    if question is None:
        raise NotFound(
            f"call {log.call_id} has no question {question_id!r}; there are: {', '.join(log.ledger.questions)}"
        )
    return {**question_report(log, question), "why": why(log.ledger, question_id, log.clock.at).splitlines()}


def _pieces(name: str, part: Any) -> "list[RenderableType]":
    from interviewer.cli import tables

    if name == "turns":
        return list(tables.transcript(part))
    if name == "ledger":
        return [tables.ledger_table(part)]
    if name == "essay":
        return [tables.paragraph(part)]
    if name == "draft":
        return list(_draft(part))
    return [tables.paragraph(part["text"], "bold"), *(tables.paragraph(line) for line in part["why"])]
