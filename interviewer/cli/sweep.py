"""`sweep`: many recordings under many configurations."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.session import INTERRUPTED, Session, command
from interviewer.cli.text import counted, one_line, played_back

if TYPE_CHECKING:
    from interviewer.lab.sweep import Swept


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "sweep")(sweep)


def sweep(
    session: Session,
    grid: Annotated[Path, typer.Argument(metavar="GRID.yaml", help="Configurations, or settings to vary.")],
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE...", help="Files, folders, patterns, calls, `last`, or `all` calls.")
    ],
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="How many at a time.")] = 1,
    executor: Annotated[
        str, typer.Option("--executor", metavar="E", help="threads, processes, dask, or a Dask scheduler's tcp://...")
    ] = "",
    tape: Annotated[
        Path | None, typer.Option("--tape", metavar="FILE", help="Agents' runs that have not changed come from it.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="All of it in new runs, also what is done.")] = False,
) -> None:
    """Replay recordings under every configuration of a grid. The same command again does what is left."""
    from interviewer.lab.grid import Grid
    from interviewer.lab.sweep import sweep as go

    found = go(
        sources,
        Grid.load(grid, session.settings),
        store=session.store,
        jobs=jobs,
        executor=executor,
        tape=tape,
        again=again,
        progress=not session.quiet and sys.stderr.isatty(),
    )
    if session.json:
        session.result(_facts(found))
    else:
        session.show(*(f"{run_id}  {one_line(name)}" for name, run_id in found.runs.items()))
        pair = list(found.runs.values())[:2]
        compare = f"; compare: interviewer compare {' '.join(pair)}" if len(pair) == 2 else ""
        before = f", {found.before} were there before" if found.before else ""
        session.tell(f"{counted(found.done, 'replay')} in {found.seconds:.1f} s{before}{compare}")
        if any(back for agents in found.reused.values() for back, _ in agents.values()):
            session.tell(
                *(f"Played back, {one_line(name)}: {played_back(agents)}" for name, agents in found.reused.items())
            )
    for damaged in found.damaged:
        session.warn(f"interviewer: {damaged}; left out and made again")
    for name, failed in found.failures:
        session.warn(f"interviewer: {one_line(name)}: {failed.problem}" if name else f"interviewer: {failed.problem}")
    if found.stopped:
        session.warn("interviewer: stopped; what was done is kept, and the same command goes on with it")
        raise typer.Exit(INTERRUPTED)
    if found.failures:
        raise typer.Exit(1)


def _facts(found: "Swept") -> dict[str, Any]:
    return {
        "sweep": found.sweep_id,
        "runs": found.runs,
        "done": found.done,
        "before": found.before,
        "failures": [
            {"configuration": name, "source": failed.source, "error": failed.error, "problem": failed.problem}
            for name, failed in found.failures
        ],
        "reused": {
            name: {agent: {"played_back": back, "made": anew} for agent, (back, anew) in agents.items()}
            for name, agents in found.reused.items()
        },
        "seconds": round(found.seconds, 3),
        "stopped": found.stopped,
    }
