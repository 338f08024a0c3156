"""`replay`: recordings through the agents again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli.session import INTERRUPTED, Session, command
from interviewer.cli.text import clock, counted, one_line, played_back
from interviewer.cli.transcripts import roles
from interviewer.replay.outcome import CLAIMS, FURTHER, HINDSIGHT, KINDS

if TYPE_CHECKING:
    from interviewer.lab.configuration import Configuration
    from interviewer.lab.sources import Sources
    from interviewer.replay.outcome import AgentRun, Difference, Failed, Replayed, Run
    from interviewer.store.store import Store

_DIFFERENCES = 3


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "replay")(replay)


def replay(
    session: Session,
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE...", help="Files, folders, patterns, calls, `last`, or `all` calls.")
    ],
    kind: Annotated[str, typer.Option("--kind", metavar="K", help=f"{', '.join(KINDS)}.")] = "teacher-forced",
    backend: Annotated[
        str | None, typer.Option("--backend", metavar="B", help="What runs all agents: rules, openai, compatible ...")
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(
            "--plan", metavar="FILE", help="In place of each recording's own; `topic`: drawn from its topic alone."
        ),
    ] = None,
    tape: Annotated[
        Path | None, typer.Option("--tape", metavar="FILE", help="Agents' runs that have not changed come from it.")
    ] = None,
    as_: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="ROLE=NAME", help="interviewer=NAME or guest=NAME in files; else guessed."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Draws latencies of rules, and the guest.")] = 0,
) -> None:
    """Replay calls and transcripts under the settings of now.

    Exact replays keep each call's own settings unless --config is given. The run is kept. Ctrl-C keeps what was done.
    """
    from interviewer.interview.plan_file import load_plan
    from interviewer.lab.configuration import Configuration
    from interviewer.lab.sources import find_sources

    given, store = session.settings, session.store
    from_topic = plan == Path("topic")
    if from_topic:
        given = given.with_(replay={"plan_from": "topic"})
    configuration = Configuration.of(
        kind,
        None if kind == "exact" and session.config is None else given,
        backend,  # type: ignore[arg-type]  # a name that is none is an error of its own
        plan=load_plan(plan) if plan and not from_topic else None,
        tape=tape,
        seed=seed,
        root=store.home.root,
    )
    for damaged in configuration.tape.damaged if configuration.tape else ():
        session.warn(f"interviewer: {damaged}; left out and made again")
    found = find_sources(sources, store, given, roles(as_ or ())).some()
    run = _replayed(session, store, found, configuration)
    if session.json:
        session.result(_facts(run))
    elif session.quiet:
        session.show(run.run_id)
    else:
        session.show(*_told(run))
    for failed in run.failures:
        session.warn(f"interviewer: {failed.problem}")
    broken, late, sound = _agent_runs(run)
    if broken:
        session.warn(f"interviewer: {_of_broken(broken, late, sound)}")
    if run.stopped:
        session.warn(f"interviewer: stopped; what was done is kept as run {run.run_id}")
        raise typer.Exit(INTERRUPTED)
    if run.failures or (broken and not sound):
        raise typer.Exit(1)


def _agent_runs(run: "Run") -> tuple[list["AgentRun"], int, int]:
    """The runs of agents that failed; how many came too late; how many served."""
    runs = [each for one in run.results for each in one.runs]
    broken, sound = [each for each in runs if each.outcome == "error"], sum(each.outcome == "ok" for each in runs)
    return broken, len(runs) - len(broken) - sound, sound


def _of_broken(broken: list["AgentRun"], late: int, sound: int) -> str:
    total = len(broken) + late + sound
    many = f"{len(broken)} of {counted(total, 'run')} of agents failed"
    many += "" if sound else ", and none served" if late else ": all"
    why = one_line(broken[0].error)
    return f"{many}; the figures are of what stood in for them; the first: {why}"


def _replayed(session: Session, store: "Store", found: "Sources", configuration: "Configuration") -> "Run":
    """Replay and keep, result by result; of what was kept only a summary stays in memory."""
    import time
    from dataclasses import replace

    from tqdm import tqdm

    from interviewer.lab.kept_runs import RunKeeper
    from interviewer.lab.replaying import begun, replays
    from interviewer.replay.outcome import Failed, reuse

    run = begun(configuration)
    results: list[Replayed] = []
    failures = list(found.failures)
    began, stopped = time.perf_counter(), False
    with RunKeeper.begin(store.home, run) as keeper:
        for failed in failures:
            keeper.add(failed)
        try:
            progress = tqdm(found.good, unit="call", disable=session.quiet or None, leave=False)
            for source, result in zip(progress, replays(found.good, configuration), strict=False):
                keeper.add(result, source.origin)
                if isinstance(result, Failed):
                    failures.append(result)
                else:
                    results.append(_summary(result))
        except KeyboardInterrupt:
            stopped = True
        seconds = time.perf_counter() - began
        keeper.finish(seconds, stopped=stopped)
    store.ingest_all()
    told = tuple(results)
    return replace(run, results=told, failures=tuple(failures), stopped=stopped, seconds=seconds, reused=reuse(told))


def _summary(result: "Replayed") -> "Replayed":
    """What is told of a result, without what was said."""
    from dataclasses import replace

    return replace(result, turns=(), events=(), records=(), decisions=result.decisions[:0])


def _told(run: "Run") -> list[str]:
    lines = [one_line("; ".join([f"{one.source}: {_what(one)}", *_noted(one)])) for one in run.results]
    lines += [f"  {line}" for one in run.results for line in _differences(one)]
    total_ms = sum(one.ended_ms for one in run.results)
    spent = sum(one.seconds for one in run.results)
    speed = f", {total_ms / 1_000 / spent:,.0f} times real time" if spent else ""
    lines.append(
        f"\nRun {run.run_id}: {counted(len(run.results), 'recording')} replayed, {run.kind}, "
        f"in {run.seconds:.1f} s{speed}; {counted(len(run.failures), 'failure')}; seed {run.seed}"
    )
    if any(back for back, _ in run.reused.values()):
        lines.append(f"Played back: {played_back(run.reused)}")
    lines.append(f"What it can show: {CLAIMS[run.kind]}.")
    if known := sum(one.hindsight for one in run.results):
        lines.append(f"Of {counted(known, 'recording')}: {HINDSIGHT}. --plan topic or --plan FILE knows none of it.")
    return lines


def _what(one: "Replayed") -> str:
    if one.kind == "exact":
        if not one.differences:
            return f"{one.inputs} inputs give the same ledger"
        first = one.differences[0]
        return f"{counted(one.differences_total, 'difference')}, from input {first.input} ({first.input_type}) on"
    if one.kind == "simulated":
        asked = sum(told.asked for told in one.disclosures)
        return f"{asked} details asked, {len(one.disclosures) - asked} volunteered, of {one.details}"
    compared = [moment for moment in one.moments if moment.agrees is not None]
    agree = sum(bool(moment.agrees) for moment in compared)
    text = f"the recording asks what was chosen in {agree} of {len(compared)} replies"
    if one.left is not None:
        text += f"; left at {one.left.turn}, {clock(one.left.t_ms)}, after {one.left.turns} of {one.left.turns_total}"
    return text


def _noted(one: "Replayed") -> list[str]:
    """What else is to be known of it; hindsight, and how many differences there are, stand elsewhere."""
    return [note for note in one.notes if note != HINDSIGHT and not note.endswith(FURTHER)]


def _differences(one: "Replayed") -> list[str]:
    lines = [f"input {each.input} at {clock(each.t_ms)}: {_difference(each)}" for each in one.differences]
    more = one.differences_total - _DIFFERENCES
    return [*lines[:_DIFFERENCES], f"and {more} more"] if more > 0 else lines


def _difference(each: "Difference") -> str:
    event = each.stored or each.fresh
    assert event is not None
    about = one_line(f"{event.kind} {event.question_id or ''}")
    if each.fresh is None or each.stored is None:
        return f"{about}: {'no longer there' if each.fresh is None else 'new'}"
    return f"{about}: " + "; ".join(
        one_line(f"{name} {before!r} before, {now!r} now") for name, before, now in each.fields
    )


def _facts(run: "Run") -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "kind": run.kind,
        "claim": CLAIMS[run.kind],
        "seconds": round(run.seconds, 3),
        "stopped": run.stopped,
        "seed": run.seed,
        "plan": run.plan,
        "tape": run.tape,
        "reused": {agent: {"played_back": back, "made": made} for agent, (back, made) in run.reused.items()},
        "results": [_fact(one) for one in run.results],
        "failures": [_failure(failed) for failed in run.failures],
        "agent_runs": sum(len(one.runs) for one in run.results),
        "agent_runs_failed": len(_agent_runs(run)[0]),
    }


def _fact(one: "Replayed") -> dict[str, Any]:
    compared = [moment for moment in one.moments if moment.agrees is not None]
    return {
        "source": one.source,
        "origin": one.origin,
        "replies": len(one.moments),
        "compared": len(compared),
        "agree": sum(bool(moment.agrees) for moment in compared),
        "inputs": one.inputs,
        "differences": [_differing(each) for each in one.differences[:_DIFFERENCES]],
        "differences_total": one.differences_total,
        "left": None
        if one.left is None
        else {"turn": one.left.turn, "after": one.left.turns, "of": one.left.turns_total},
        "details": one.details,
        "asked": sum(told.asked for told in one.disclosures),
        "volunteered": sum(not told.asked for told in one.disclosures),
        "ended": one.ended,
        "ended_ms": one.ended_ms,
        "cpu_seconds": round(one.seconds, 4),
        "notes": list(one.notes),
    }


def _differing(each: "Difference") -> dict[str, Any]:
    return {
        "input": each.input,
        "input_type": each.input_type,
        "t_ms": each.t_ms,
        "stored": each.stored.to_dict() if each.stored else None,
        "fresh": each.fresh.to_dict() if each.fresh else None,
    }


def _failure(failed: "Failed") -> dict[str, str]:
    return {"source": failed.source, "type": failed.error, "message": failed.problem}
