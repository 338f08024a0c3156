"""Recordings out of kept calls and of transcripts: what a replay goes through."""

from collections.abc import Iterator
from dataclasses import replace

from interviewer.agents.planner import PLANNER, PlannerInput
from interviewer.call.clock import LONGEST_MS
from interviewer.call.inputs import Command, CommandName, decode
from interviewer.call.setup import CallSetup
from interviewer.errors import JournalError, PlanError
from interviewer.kept.imported import SOURCE
from interviewer.kept.reading import CallLog
from interviewer.kept.reverse import plan_from
from interviewer.kept.said import turn_records
from interviewer.kept.stretches import stretches
from interviewer.ledger.events import LedgerEvent
from interviewer.model.plan import Plan
from interviewer.model.recorded import Recorded
from interviewer.replay.exact import Step
from interviewer.replay.recording import Recording, Spoken
from interviewer.settings import CallSettings, Settings

SHORTEST_MS = 30_000
_MOST_PROBLEMS = 3
_KEPT_COMMANDS: tuple[CommandName, ...] = ("extend", "wrap_up", "pause", "resume")
"""What a person does to the clock. What to ask, or to skip, the agents decide anew."""


PARTS = frozenset(("setup", "rec/turn", "rec/correction", "rec/status", "rec/import", "rec/ignored", "in/command"))
"""The lines of a journal that a recording is made of."""
EXACT_PARTS = frozenset((*PARTS, "in", "ev", "end"))
"""Those that an exact replay needs."""


def recording_of_call(log: CallLog, *, plan: Plan | None = None, from_topic: bool = False) -> Recording:
    """A kept call, held or imported, with what it was begun with; its clock starts when it was live.

    `plan` takes the place of its own; without it, `from_topic` gives an imported call that of `topic_plan`. Raises
    JournalError if the journal lost what the call was begun with, PlanError for an imported one in which nobody asks.
    """
    imported = log.contents.head.get("source") == SOURCE
    hindsight = imported and plan is None and not from_topic
    if imported and plan is None and from_topic:
        plan = topic_plan(str((log.last("import") or {}).get("title") or log.call_id))
    if imported and log.begun_with is None and plan is None:
        raise PlanError(f"{log.path}: nobody asks in this conversation, so it has no plan; give one")
    live_ms = _live_ms(log)
    turns = tuple(
        Spoken(
            str(data["id"]),
            data["speaker"],
            str(data["text"] if data["speaker"] == "guest" else data["heard"]),
            max(0, int(data["started_ms"]) - live_ms),
            None if data["ended_ms"] is None else max(0, int(data["ended_ms"]) - live_ms),
            data.get("question_id"),
        )
        for data in turn_records(log)
    )
    setup = CallSetup(plan=plan) if log.begun_with is None and plan else log.setup
    setup = setup.model_copy(update={"consent": None, **({"plan": plan} if plan else {})})
    recording = Recording(
        log.call_id,
        "import" if imported else "call",
        setup,
        turns,
        timed=not imported or not (log.last("import") or {}).get("derived_times"),
        commands=tuple(_commands(log, live_ms)),
        hindsight=hindsight,
    )
    return _as_long_as_it_is(recording) if imported else recording


def with_stretches(recording: Recording, log: CallLog) -> Recording:
    """The recording of a call that was held, with when its guest spoke within each turn and when texts were there.

    `log` needs the lines that hold `stretches.HOLDING`.
    """
    live_ms = _live_ms(log)
    held = log.begun_with or recording.setup
    found = stretches(log, held.settings.voice.silence_ms)
    written: dict[str, int] = {}
    for t_ms, data in log.records("turn"):
        if data["speaker"] == "interviewer" and data["text"]:
            written.setdefault(str(data["id"]), t_ms - live_ms)
    return replace(recording, stretches=tuple(each.later(-live_ms) for each in found), written=written)


def recording_of_transcript(recorded: Recorded, settings: Settings, *, plan: Plan | None = None) -> Recording:
    """A transcript with `plan`, or with one drawn by rules, so that it is the same whatever runs the agents.

    By `replay.plan_from` it is the one that the whole conversation could have had (ReversePlanner), or one that knows
    its topic only (see `topic_plan`). Raises PlanError if nobody asks in it.
    """
    hindsight = plan is None and settings.replay.plan_from == "conversation"
    if plan is None:
        plan = (
            plan_from(recorded, topic=recorded.title).plan if hindsight else topic_plan(recorded.title or recorded.id)
        )
    turns = tuple(Spoken(t.id, t.role, t.text, t.started_ms, t.ended_ms) for t in recorded.turns)
    guest = ", ".join(recorded.guests) or "guest"
    setup = CallSetup(plan=plan, guest=guest, world="replayed", settings=settings)
    timed = all(turn.times != "words" for turn in recorded.turns)
    remarks = tuple(_remarks(recorded))
    return _as_long_as_it_is(Recording(recorded.id, "file", setup, turns, timed, hindsight=hindsight, remarks=remarks))


def _remarks(recorded: Recorded) -> Iterator[str]:
    guess = recorded.guess
    if guess.by not in ("hand", "role"):
        asks = ", ".join(recorded.interviewers) or "nobody"
        yield f"{asks} taken for the interviewer, {guess.certainty:.0%} sure ({guess.reason})"
    yield from map(str, recorded.problems[:_MOST_PROBLEMS])
    if len(recorded.problems) > _MOST_PROBLEMS:
        yield f"{len(recorded.problems) - _MOST_PROBLEMS} more like it in the file"


def topic_plan(topic: str) -> Plan:
    """The plan that the Planner's rules draw up for a topic: nothing that is said in a conversation is in it."""
    return PLANNER.rules(PlannerInput(topic=topic, target_ms=CallSettings().target_ms))


def steps(log: CallLog) -> Iterator[Step]:
    """Every input of a kept call, with the ledger events it gave. Raises JournalError, LedgerError."""
    record, events = None, list[LedgerEvent]()
    for line in log.contents.lines:
        if line.kind == "in":
            if record is not None:
                yield record, events
            try:
                record, events = decode(line.data), []
            except JournalError as error:
                raise JournalError(f"{log.path}, line {line.line_number}: {error}") from None
        elif line.kind == "ev":
            events.append(LedgerEvent.from_dict(line.data))
    if record is not None:
        yield record, events


def _live_ms(log: CallLog) -> int:
    return next((t_ms for t_ms, data in log.records("status") if data.get("status") == "live"), 0)


def _commands(log: CallLog, live_ms: int) -> Iterator[Command]:
    for line in log.contents.lines:
        if line.kind == "in" and line.data.get("type") == "command" and line.data.get("name") in _KEPT_COMMANDS:
            yield Command(max(0, line.t_ms - live_ms), line.data["name"], str(line.data.get("value", "")))


def _as_long_as_it_is(recording: Recording) -> Recording:
    """The target is the recording's length, as far as a call can be so long."""
    settings = recording.setup.settings
    target = min(LONGEST_MS, max(SHORTEST_MS, recording.duration_ms))
    call = settings.call.model_copy(update={"target_ms": target})
    chosen = settings.model_copy(update={"call": call})
    return replace(recording, setup=recording.setup.model_copy(update={"settings": chosen}))
