"""`runs` and `compare`: the replays there are, and two of them held against each other."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli.session import Session, command
from interviewer.cli.text import counted, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from interviewer.lab.comparing import Comparison

_SHOWN = 5
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="Its id, a prefix only it has, or `last`.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "runs")(runs)
    command(app, "compare")(compare)


def runs(session: Session) -> None:
    """List the runs of replays, oldest first."""
    from interviewer.cli.tables import table

    frame = session.kept.runs()
    found = json.loads(frame.to_json(orient="records", date_format="iso", date_unit="s"))
    if session.json:
        session.result({"runs": found})
        return
    if not found:
        session.show("No run yet. `interviewer replay` makes one.")
        return
    shown = table("run", "kind", "configuration", "recordings", "failed", "status", right=("recordings", "failed"))
    for run in found:
        counts = str(run["recordings"]), str(run["failures"])
        shown.add_row(run["run_id"], run["kind"], one_line(run["configuration"] or ""), *counts, run["status"])
    session.show(shown)


def compare(
    session: Session,
    a: RunArgument,
    b: RunArgument,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html|md", help="Write a page to pass on.")
    ] = None,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Nothing that was said, planned or proposed, only figures.")
    ] = False,
) -> None:
    """Compare two runs, A and B: figures by paired differences, and where they choose otherwise."""
    from interviewer.lab.comparing import compare_kept
    from interviewer.lab.comparison_report import write_report

    store = session.kept
    found = compare_kept(store.home, a, b)
    if report:
        write_report(found, report, store.home, text=not no_text)
        session.tell(f"written to {report}")
    if session.json:
        session.result(found.to_dict(text=not no_text))
    elif not report:
        session.show(*_told(found, text=not no_text))


def _told(found: "Comparison", *, text: bool) -> "Iterator[RenderableType]":
    from interviewer.cli.tables import paragraph, table
    from interviewer.lab.comparison_report import lacking, shown_difference, shown_estimate, shown_p

    yield paragraph(f"A: {found.a.run_id}   B: {found.b.run_id}   {found.kind}", "bold")
    yield paragraph(f"Shows {found.claim}.", "dim")
    only = f"{len(found.only_a)} in A only, {len(found.only_b)} in B only"
    yield f"{counted(len(found.shared), 'recording')} in both, {only}"
    if found.caution:
        yield paragraph(found.caution, "dim")
    if found.differing:
        named = f": {one_line(', '.join(found.differing))}" if text else ""
        yield paragraph(f"{len(found.differing)} left out, not saying the same in both{named}")
    figures = table("measure", "A", "B", "A - B", "p (Holm)")
    for each in found.measures:
        about = f"{each.measure.name}, {each.measure.unit}"
        values = shown_estimate(each.a), shown_estimate(each.b), shown_difference(each.difference), shown_p(each)
        figures.add_row(about, *values)
    yield figures
    for why in filter(None, lacking(found)):
        yield paragraph(f"Not enough: {why}.", "dim")
    for name, one, other in found.told_settings(text=text):
        yield paragraph(f"{name}: {one} in A, {other} in B", "dim")
    of = f" of {counted(found.moments, 'turn')}" if found.moments else ""
    yield f"They choose otherwise at {len(found.divergences)}{of}."
    for parted in found.divergences[:_SHOWN] if text else ():
        yield paragraph(f"\n{one_line(parted.recording)}, {parted.turn}", "bold")
        for name, choice in (("A", parted.a), ("B", parted.b)):
            yield paragraph(f"  {name}: {one_line(choice.text) or '(nothing)'}")
        if parted.asked:
            yield paragraph(f"  recording: {one_line(parted.asked)}", "dim")
    if text and len(found.divergences) > _SHOWN:
        yield paragraph(f"\n... {len(found.divergences) - _SHOWN} more; --report or --json has them", "dim")
