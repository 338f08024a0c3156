"""The four kinds of replay of one recording, named and never mixed: exact, teacher-forced, prefix and simulated."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.errors import PlanError, ReplayError
from interviewer.kept.recordings import (
    EXACT_PARTS,
    PARTS,
    recording_of_call,
    recording_of_transcript,
    steps,
    with_stretches,
)
from interviewer.kept.stretches import HOLDING
from interviewer.lab.configuration import Configuration, ConfiguredBackend
from interviewer.lab.run_rows import call_of
from interviewer.lab.sources import Source
from interviewer.replay.agreeing import Agreeing, held_against
from interviewer.replay.exact import fold_steps
from interviewer.replay.gather import Gathered
from interviewer.replay.outcome import FURTHER, HINDSIGHT, KINDS, Difference, Disclosure, Kind, Replayed
from interviewer.replay.recording import Recording, with_settings
from interviewer.replay.teacher import Rehearsal
from interviewer.simulate.from_turns import dossier_of, pieces_of
from interviewer.simulate.run import simulate_call

_DERIVED = "times that its file does not tell are derived from the number of words"
MOST_DIFFERENCES = 1_000
"""Differences of one call that are kept; further ones are counted."""


def _exact(source: Source, configuration: Configuration) -> Replayed:
    if source.origin != "call":
        others = ", ".join(kind for kind in KINDS if kind != "exact")
        raise ReplayError(
            f"{source.id}: a transcript has no inputs of which an exact replay is made; it can be {others}"
        )
    log = source.log(EXACT_PARTS)
    own = recording_of_call(log)
    recording = with_settings(own, configuration.settings) if configuration.settings else own
    if configuration.agents_backend:
        kept = recording.setup.settings
        agents = kept.agents.model_copy(update={"backend": configuration.agents_backend})
        recording = with_settings(recording, kept.model_copy(update={"agents": agents}))
    core, gathered = Core(recording.setup, measures=False), Gathered()
    inputs = list(steps(log))
    differences: list[Difference] = []
    further = 0
    for difference in fold_steps(core, inputs, gathered):
        if len(differences) < MOST_DIFFERENCES:
            differences.append(difference)
        else:
            further += 1
    notes = [f"{damage.reason} (line {damage.line_number})" for damage in log.contents.damaged]
    notes += [f"{further} {FURTHER}"] if further else []
    return _result(
        recording,
        "exact",
        gathered,
        inputs=len(inputs),
        ended=log.end_reason or "it has not ended",
        ended_ms=max((line.t_ms for line in log.contents.lines), default=0),
        differences=tuple(differences),
        notes=tuple(notes),
    )


def _forced(source: Source, configuration: Configuration) -> Replayed:
    recording, backend = _recording(source, configuration), _backend(source, configuration)
    with backend as runs:
        rehearsal = Rehearsal(recording, runs, prefix=configuration.kind == "prefix")
        rehearsal.run()
    rehearsal.gathered.reused |= backend.reused
    return _result(
        recording,
        configuration.kind,
        rehearsal.gathered,
        recorded=rehearsal.recorded,
        by=rehearsal.by,
        moments=tuple(rehearsal.moments),
        inputs=rehearsal.inputs,
        ended=rehearsal.ended,
        ended_ms=rehearsal.now,
        left=rehearsal.left,
        notes=(*_about(recording), *rehearsal.notes),
    )


def _simulated(source: Source, configuration: Configuration) -> Replayed:
    recording, backend = _recording(source, configuration), _backend(source, configuration)
    said = [turn.said for turn in recording.turns]
    dossier = dossier_of(said, topic=recording.setup.plan.topic, name=recording.id, source=source.id)
    told = {piece.detail.id: piece for piece in pieces_of(said)}
    setup = recording.setup.model_copy(update={"world": "simulated"})
    gathered = Gathered()
    with backend as runs:
        call = simulate_call(setup, dossier, runs, seed=configuration.seed, watcher=_Onlooker(gathered))
    gathered.reused |= backend.reused
    disclosures = (
        Disclosure(d.detail_id, told[d.detail_id].turn, told[d.detail_id].detail.text, d.t_ms, d.asked, d.question)
        for d in call.disclosures
    )
    return _result(
        recording,
        "simulated",
        gathered,
        against=gathered.turns,
        inputs=0,
        ended=call.reason,
        ended_ms=call.ended_ms,
        disclosures=tuple(disclosures),
        details=len(dossier.details),
        truth=call.truth.summary(),
        notes=_about(recording),
    )


REPLAYS: Mapping[Kind, Callable[[Source, Configuration], Replayed]] = {
    "exact": _exact,
    "teacher-forced": _forced,
    "prefix": _forced,
    "simulated": _simulated,
}


def _backend(source: Source, configuration: Configuration) -> ConfiguredBackend:
    return ConfiguredBackend(configuration, call_of(source.id, source.origin) or "")


def _recording(source: Source, configuration: Configuration) -> Recording:
    assert configuration.settings is not None
    settings = configuration.settings
    if source.origin == "file":
        recorded = source.recorded(settings.importing)
        recording = recording_of_transcript(recorded, settings, plan=configuration.plan)
    else:
        log, from_topic = source.log(PARTS, HOLDING), settings.replay.plan_from == "topic"
        recording = with_settings(recording_of_call(log, plan=configuration.plan, from_topic=from_topic), settings)
        recording = with_stretches(recording, log)
    if not any(turn.speaker == "guest" and turn.text.strip() for turn in recording.turns):
        raise PlanError(f"{source.id}: the guest says nothing in it, so there is nothing to decide upon")
    return recording


def _about(recording: Recording) -> tuple[str, ...]:
    """What is to be known of a recording before its figures are believed."""
    hindsight = (HINDSIGHT,) if recording.hindsight else ()
    return (*hindsight, *recording.remarks, *(() if recording.timed else (_DERIVED,)))


class _Onlooker:
    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered

    def saw(self, _: Core, actions: list[Action]) -> None:
        self._gathered.saw(actions)


def _result(
    recording: Recording,
    kind: Kind,
    gathered: Gathered,
    *,
    recorded: Sequence[Any] | None = None,
    against: Sequence[Any] | None = None,
    by: Agreeing | None = None,
    **rest: Any,
) -> Replayed:
    """`against`: the turns that decisions are held against; default: those of the recording. `by`: what says how."""
    recorded = recording.turns if recorded is None else recorded
    by = by or Agreeing.of(recording.setup.settings.replay)
    return Replayed(
        source=recording.id,
        origin=recording.origin,
        kind=kind,
        setup=recording.setup,
        turns=gathered.turns,
        recorded=tuple(recorded),
        decisions=held_against(gathered.decisions(), recorded if against is None else against, by),
        moments=rest.pop("moments", ()),
        events=tuple(gathered.events),
        runs=gathered.runs,
        records=gathered.records,
        seconds=0.0,
        **rest,
    )
