"""The call as a pure state machine: one input in, actions and the next deadline out."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from interviewer.call.actions import Action, CloseConnection, End, Send
from interviewer.call.after import After
from interviewer.call.attempts import Attempts
from interviewer.call.carrying import carry, opening_question
from interviewer.call.clock import Clock
from interviewer.call.closing import Closing
from interviewer.call.commands import Commands
from interviewer.call.conversation import Conversation
from interviewer.call.cycle import Cycles
from interviewer.call.floor import Floor
from interviewer.call.guard import Guard
from interviewer.call.hearing import Hearing, heard_text
from interviewer.call.hub import Hub, earliest
from interviewer.call.inputs import (
    Answer,
    Begin,
    Command,
    Compared,
    Connected,
    Disconnected,
    Frame,
    Input,
    Mic,
    Playback,
    PlaybackFailed,
    Resumed,
    Spent,
    Tick,
)
from interviewer.call.jobs import Jobs
from interviewer.call.link import Link
from interviewer.call.listening import Listening
from interviewer.call.replies import Replies, Reply
from interviewer.call.setup import CallSetup
from interviewer.call.shapes import misshapen
from interviewer.ledger.events import CARRIED
from interviewer.ledger.fold import Ledger
from interviewer.matching.scorer import Scorer, scorer
from interviewer.model.decision import Phase
from interviewer.model.notes import Notes
from interviewer.model.turn import Said, Turn


class Core:
    """A call. Give it inputs in order of time with `step`; give it a Tick when `deadline` is reached.

    It does no I/O, reads no clock, never sleeps: the same inputs give the same actions, always.
    """

    def __init__(self, setup: CallSetup, scoring: Scorer | None = None, *, measures: bool = True) -> None:
        """Without `measures` nobody wants to know how large prompts are, and they are not made for it."""
        chosen = scoring or scorer(setup.settings.match.scorer)
        self._hub = hub = Hub(setup)
        self._clock = Clock(hub)
        self._conversation = Conversation(hub)
        self._attempts = Attempts(hub, self._clock)
        self._replies = Replies(hub, self)
        self._jobs = Jobs(hub, measures=measures)
        self._guard = Guard(hub, self._attempts)
        self._hearing = Hearing(hub, self._attempts, chosen, self._jobs, self._guard)
        self._closing = Closing(hub, self._clock)
        self._floor = Floor(hub, self._clock, self._conversation, self._attempts, self._replies, self._closing)
        self._cycles = Cycles(hub, self._clock, self._conversation, self._attempts, self._jobs, chosen, self._guard)
        self._after = After(hub, self._conversation, self._cycles, self._jobs)
        self._link = Link(hub)
        self._listening = Listening(
            hub,
            self._conversation,
            self._attempts,
            self._replies,
            self._hearing,
            self._closing,
            self._floor,
            self._cycles,
        )
        self._commands = Commands(
            hub,
            self._clock,
            self._attempts,
            self._closing,
            self._floor,
            self._cycles,
            self._listening,
            self._conversation,
        )
        self.ended = False
        self._deadline: int | None = None
        self._told = False
        self._rests_until_ms: float = 0

    # -- what drivers and views read ---------------------------------------------------------------------------

    @property
    def setup(self) -> CallSetup:
        """What the call was begun with."""
        return self._hub.setup

    @property
    def ledger(self) -> Ledger:
        """The question ledger so far."""
        return self._hub.ledger

    @property
    def turns(self) -> list[Turn]:
        """The turns so far, in the order of the conversation, with names put right."""
        return self._conversation.turns

    @property
    def notes(self) -> Notes:
        """The notes so far."""
        return self._cycles.notes

    @property
    def phase(self) -> Phase:
        """The phase now."""
        return self._clock.phase

    @property
    def elapsed_ms(self) -> int:
        """The call's own clock."""
        return self._clock.elapsed

    def elapsed_at(self, t_ms: int) -> int:
        """What that clock showed at an earlier moment of the record: connecting and pauses do not count."""
        return self._clock.at(t_ms)

    @property
    def target_ms(self) -> int:
        """The length the call aims at now."""
        return self._clock.target_ms

    @property
    def paused(self) -> bool:
        """Whether the clock stands still."""
        return self._clock.paused

    @property
    def unfinished(self) -> dict[str, tuple[str, str]]:
        """By turn id, the words so far of what is being said or written down, and how much of them was heard."""
        found = {turn_id: (words, words) for turn_id, words in self._conversation.partial_texts()}
        reply = self._replies.active
        if reply is not None and reply.text and (turn_id := self._conversation.turn_of_response(reply.response_id)):
            found[turn_id] = (reply.text, heard_text(reply))
        right = self._hub.names.text
        return {turn_id: (right(words), right(heard)) for turn_id, (words, heard) in found.items()}

    @property
    def said_goodbye(self) -> bool:
        """Whether nobody will be answered any more: a goodbye counted, or the call is at its end."""
        return self._closing.over or self._after.began or self.ended

    @property
    def deadline(self) -> int | None:
        """When the core needs a Tick if nothing else comes; None once it waits for nothing."""
        if self.ended:
            return None
        if self._after.began:
            return self._jobs.deadline
        if not self._told:
            self._deadline, self._told = self._next_ms(), True
        return self._deadline

    def _look_ahead(self) -> None:
        """All is seen to that is due by now: until when nothing will be."""
        self._deadline, self._told = self._next_ms(), True
        # After a goodbye some things are seen to at the next input, without a deadline.
        self._rests_until_ms = 0 if self._closing.over else inf if self._deadline is None else self._deadline

    def _next_ms(self) -> int | None:
        return earliest(
            self._clock.deadline,
            self._attempts.updates.deadline,
            self._replies.deadline,
            self._jobs.deadline,
            self._cycles.deadline,
            self._floor.deadline,
            self._closing.deadline,
            self._link.deadline,
            self._listening.deadline,
            self._guard.deadline,
        )

    # -- one step ----------------------------------------------------------------------------------------------

    def step(self, record: Input) -> list[Action]:
        """Take one input and return what to do. An input after the end does nothing."""
        if self.ended:
            return []
        hub = self._hub
        hub.now = max(hub.now, record.t_ms)
        if type(record) is Frame and record.epoch == hub.epoch and self._link.up:
            kind = record.frame.get("type")
            handler = _FAST.get(kind) if type(kind) is str else None
            if handler is not None:
                self._told = False
                if not self._replies.sounds:
                    self._rests_until_ms = 0
                self._handle(handler, record.frame)
                return self._took()
        rests = hub.now < self._rests_until_ms
        if not rests:
            self._due()
        _INPUTS[type(record)](self, record)
        passes = not hub.acted and _passes(record)
        if passes and rests:
            return []
        if not passes:
            self._told, self._rests_until_ms = False, 0
        self._go_on()
        actions = self._took()
        if passes and not actions:
            self._look_ahead()
        self.ended = bool(actions) and any(type(action) is End for action in actions)
        return actions

    def _took(self) -> list[Action]:
        """The step's actions; after one that has any, nobody knows what is due next."""
        actions = self._hub.take()
        if actions:
            self._told, self._rests_until_ms = False, 0
        return actions

    def _due(self) -> None:
        self._jobs.due()
        if self._after.began:
            return
        self._guard.due()
        self._attempts.updates.due()
        self._replies.due()
        self._floor.due()
        self._cycles.due()
        self._closing.due()
        if self._closing.ending:
            self._link.stop()
        elif self._link.due():
            self._closing.close("the connection could not be made")
        self._listening.due()

    def _go_on(self) -> None:
        if self._after.began:
            return
        phase = self._clock.observe()
        if phase == "wrap_up":
            self._cycles.lock()
        elif phase is not None:
            self._cycles.unlock()
            self._floor.unlocked()
        self._closing.observe()
        if self._clock.paused_for_good:
            self._closing.close("paused for too long")
        if self._link.unanswered and self._attempts.updates.in_flight is None:
            self._open_session()
        self._floor.settle()
        if self._link.ageing and not self._closing.over and self._may_renew():
            self._renew()
        if self._closing.closed:
            self._finish()

    def _may_renew(self) -> bool:
        """Whether nobody would notice a new session: best while the end of a reply is still being played."""
        if not self._floor.quiet or self._conversation.waiting or not self._attempts.replaceable:
            return False
        left = self._replies.left_to_play
        return self._link.aged if left is None else left >= self._hub.settings.call.renew_needs_ms

    def _renew(self) -> None:
        self._hub.record("status", status="renewing", epoch=self._hub.epoch)
        self._attempts.drop()
        self._replies.drop()
        self._hub.online = False
        self._hub.act(CloseConnection(self._hub.epoch))
        self._link.renew()

    def _finish(self) -> None:
        self._replies.abandon()
        self._hearing.settle()
        self._guard.stop()
        self._attempts.drop()
        self._link.stop()
        self._listening.stop()
        self._after.begin(self._closing.reason)

    # -- inputs ------------------------------------------------------------------------------------------------

    def _begin(self, record: Begin) -> None:
        if self._hub.epoch:
            return
        self._link.unix_s = record.unix_s
        for section in self._hub.setup.plan.sections:
            for q in section.questions:
                self._hub.log(
                    "question",
                    q.id,
                    text=q.text,
                    priority=q.priority,
                    planned=True,
                    source="plan",
                    role=q.role,
                    section_id=section.id,
                )
        self._guard.begin()
        carry(self._hub)
        self._hub.record("status", status="connecting")
        self._link.connect()

    def _resumed(self, record: Resumed) -> None:
        """Nothing that was under way goes on by itself: it is given up here, and begun again where it is needed."""
        self._hub.record("status", status="resumed", epoch=self._hub.epoch, close=record.close)
        if self._after.began:
            self._jobs.restart()
            return
        self._link.unix_s = max(0, record.unix_s - self._hub.now // 1_000)
        self._link.gone()
        self._hub.online = False
        self._replies.abandon("the program stopped")
        self._attempts.drop()
        self._floor.interrupted()
        if record.close or self._closing.over:
            if not self._closing.over:
                self._closing.reason = "interrupted"
            self._closing.close()
            self._closing.disconnected()
            return
        self._commands.start_over()
        self._jobs.restart()
        self._link.connect()

    def _connected(self, record: Connected) -> None:
        if record.epoch == self._hub.epoch:
            self._link.connected()

    def _disconnected(self, record: Disconnected) -> None:
        if record.epoch != self._hub.epoch or not self._hub.epoch:
            self._hub.record("ignored", what="disconnect of an old connection", epoch=record.epoch)
            return
        self._closing.disconnected()
        if self._closing.closed:
            self._link.up = self._hub.online = False
            return
        if not self._link.up:
            self._hub.record("ignored", what="disconnect of an old connection", epoch=record.epoch)
            return
        self._link.up = self._hub.online = False
        self._replies.drop()
        self._attempts.drop()
        self._floor.disconnected()
        # A goodbye whose audio is all here is still heard out; anything else is worth a new connection.
        if self._closing.over and self._replies.active is not None:
            return
        again = not record.final and not self._closing.over and self._link.lost(record.reason)
        if not again:
            self._closing.close(record.reason if record.final else "disconnected")
            self._closing.disconnected()

    def _frame(self, record: Frame) -> None:
        if record.epoch != self._hub.epoch or not self._link.up:
            self._hub.record("ignored", what="frame of an old connection", type=record.frame.get("type"))
            return
        kind = record.frame.get("type")
        handler = _FRAMES.get(kind) if type(kind) is str else None
        if handler is not None:
            self._handle(handler, record.frame)
        elif not isinstance(kind, str):
            self._hub.record("ignored", what="malformed frame", type=str(kind)[:80], detail="no type")

    def _handle(self, handler: "Callable[[Core, Mapping[str, Any]], None]", frame: Mapping[str, Any]) -> None:
        if wrong := misshapen(frame):
            self._hub.record("ignored", what="malformed frame", type=str(frame.get("type")), detail=wrong)
            return
        try:
            handler(self, frame)
        except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as problem:
            self._hub.record(
                "ignored", what="malformed frame", type=str(frame.get("type")), detail=type(problem).__name__
            )

    def _mic(self, record: Mic) -> None:
        self._floor.mic(record.on)

    def _playback(self, record: Playback) -> None:
        self._replies.played(record.response_id, record.played_ms, ended=record.ended)

    def _playback_failed(self, record: PlaybackFailed) -> None:
        self._replies.playback_failed(record.response_id, record.reason)

    def _answer(self, record: Answer) -> None:
        self._jobs.answer(record)

    def _compared(self, record: Compared) -> None:
        self._guard.take(record)

    def _command(self, record: Command) -> None:
        self._commands.run(record)

    def _spent(self, record: Spent) -> None:
        """A used-up budget leads the voice to its goodbye, as a person's click would."""
        self._hub.record("budget", state=record.state, note=record.note)
        if record.state == "used_up" and not self._closing.over:
            self._clock.wrap_up()

    def _tick(self, _: Tick) -> None:
        return

    # -- frames ------------------------------------------------------------------------------------------------

    def _session_created(self, frame: Mapping[str, Any]) -> None:
        if self._link.ready or self._closing.over:
            self._hub.record("ignored", what="session.created again")
            return
        self._link.created(frame.get("session"))
        self._open_session()

    def _open_session(self) -> None:
        again = self._clock.ready_ms is not None
        if not again:
            first = opening_question(self._hub)
            returning = first.status in CARRIED or first.reconstructed is not None
            self._attempts.select(
                first.id,
                first.text,
                self._hub.now,
                kind="opening",
                returning=returning,
                source="plan",
                phase="opening",
            )
        offer = self._attempts.next
        guidance = self._attempts.compose(offer.kind if offer else "free", offer)
        self._attempts.updates.open(guidance, offer.attempt_id if offer else None)

    def _session_updated(self, frame: Mapping[str, Any]) -> None:
        if not self._attempts.updates.updated(frame):
            self._hub.record("ignored", what="session.updated that echoes nothing of ours in flight")
        elif not self._link.ready:
            self._ready()

    def _ready(self) -> None:
        first, planned = self._clock.ready_ms is None, self._link.renewing
        self._link.now_ready()
        self._clock.start()
        self._cycles.begin()
        self._hub.record("status", status="live", epoch=self._hub.epoch)
        self._hub.online = True
        self._floor.session_began()
        self._commands.microphone()
        self._attempts.updates.go_on()
        if first:
            self._floor.want("opening")
        else:
            playing = self._replies.active
            turn_id = self._conversation.turn_of_response(playing.response_id) if playing else None
            for event in self._link.seeds(self._conversation.window(), turn_id):
                self._hub.act(Send(event))
            if not planned or self._floor.missed(self._link.began_ms):
                self._floor.want("resume")

    def _error(self, frame: Mapping[str, Any]) -> None:
        error = frame.get("error") or {}
        event_id, code = str(error.get("event_id") or ""), str(error.get("code") or error.get("type") or "error")
        taken = event_id and (self._attempts.updates.refused(event_id, code) or self._replies.refused(event_id, code))
        if not taken:
            self._hub.record("ignored", what="error of the service", code=code)

    # -- the listener of replies -------------------------------------------------------------------------------

    def reply_started(self, reply: Reply) -> None:
        """A response is bound: its turn stands in the conversation, its attempt has started."""
        assert reply.response_id is not None
        self._conversation.interviewer_started(reply.response_id, reply.question_id)
        if reply.attempt_id:
            self._hearing.settle()
            self._attempts.start(
                reply.attempt_id,
                reply.response_id,
                basis=reply.basis,
                epoch=reply.epoch,
                revision=reply.revision,
                stale_ms=reply.stale_ms,
            )
        self._cycles.catch_up()

    def reply_progressed(self, reply: Reply) -> None:
        """The transcript is final, or more was played."""
        if reply.done_ms == self._hub.now and reply.response_id and reply.items:
            last = next(reversed(reply.items))
            self._conversation.interviewer_said(reply.response_id, last, reply.text)
            self._closing.said(reply)
        self._hearing.progress(reply)

    def reply_over(self, reply: Reply) -> None:
        """Nothing more comes of it."""
        self._hearing.over(reply)
        heard = heard_text(reply)
        if reply.response_id:
            self._conversation.interviewer_over(reply.response_id, heard)
            self._tell_heard(reply.response_id, heard)
        self._write_reply(reply)
        self._closing.reply_over(reply)
        self._floor.reply_over(reply)
        self._cycles.catch_up()

    def _tell_heard(self, response_id: str, heard: str) -> None:
        turn_id = self._conversation.turn_of_response(response_id)
        if turn_id is None or not self._hub.online:
            return  # the next session is told with all the rest
        if event := self._link.seed_heard(Said(turn_id, "interviewer", self._hub.names.text(heard))):
            self._hub.act(Send(event))

    def _write_reply(self, reply: Reply) -> None:
        self._hub.record(
            "reply",
            number=reply.number,
            kind=reply.kind,
            response_id=reply.response_id,
            attempt_id=reply.attempt_id,
            question_id=reply.question_id,
            status=reply.status,
            reason=reply.reason,
            requested_ms=reply.requested_ms,
            created_ms=reply.created_ms,
            first_audio_ms=reply.first_audio_ms,
            done_ms=reply.done_ms,
            ended_ms=self._hub.now,
            played_ms=reply.played_ms,
            total_ms=reply.total_ms,
            stale_ms=reply.stale_ms,
            text=reply.text,
            basis=reply.basis,
            usage=dict(reply.usage) if reply.usage else None,
        )


_INPUTS: dict[type[Input], Callable[[Core, Any], None]] = {
    Begin: Core._begin,
    Resumed: Core._resumed,
    Connected: Core._connected,
    Disconnected: Core._disconnected,
    Frame: Core._frame,
    Mic: Core._mic,
    Playback: Core._playback,
    PlaybackFailed: Core._playback_failed,
    Answer: Core._answer,
    Compared: Core._compared,
    Command: Core._command,
    Spent: Core._spent,
    Tick: Core._tick,
}
_PARTIAL = "conversation.item.input_audio_transcription.delta"
_FRAMES: dict[str, Callable[[Core, Mapping[str, Any]], None]] = {
    "session.created": Core._session_created,
    "session.updated": Core._session_updated,
    "input_audio_buffer.speech_started": lambda core, frame: core._listening.speech_started(frame),
    "input_audio_buffer.speech_stopped": lambda core, frame: core._listening.speech_stopped(frame),
    "input_audio_buffer.committed": lambda core, frame: core._listening.committed(frame),
    "input_audio_buffer.timeout_triggered": lambda core, frame: core._listening.timed_out(frame),
    _PARTIAL: lambda core, frame: core._listening.transcript_delta(frame),
    "conversation.item.input_audio_transcription.completed": lambda core, frame: core._listening.transcribed(frame),
    "conversation.item.input_audio_transcription.failed": lambda core, frame: core._listening.transcript_failed(frame),
    "response.created": lambda core, frame: core._replies.created(frame),
    "response.output_audio_transcript.done": lambda core, frame: core._replies.transcript(frame),
    "response.output_text.done": lambda core, frame: core._replies.transcript(frame),
    "response.done": lambda core, frame: core._replies.done(frame),
    "error": Core._error,
}


def _passes(record: Input) -> bool:
    """Whether an input that brings no action changes nothing that is waited for, as nearly all of a call do not.

    What was played of a reply, words of a transcript that is not final, and events that the core does not know.
    """
    if type(record) is Frame:
        kind = record.frame.get("type")
        return type(kind) is str and (kind not in _FRAMES or kind == _PARTIAL)
    return type(record) is Playback


_FAST: dict[str, Callable[[Core, Mapping[str, Any]], None]] = {
    "response.output_audio.delta": lambda core, frame: core._replies.audio(frame),
    "response.output_audio_transcript.delta": lambda core, frame: core._replies.words(frame),
    "response.output_text.delta": lambda core, frame: core._replies.words(frame),
}
