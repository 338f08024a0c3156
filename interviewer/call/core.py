"""The call as a pure state machine: one input in, actions and the next deadline out."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from interviewer.call.actions import Action, CloseConnection, End, Microphone, Send
from interviewer.call.after import After
from interviewer.call.attempts import Attempts
from interviewer.call.clock import Clock
from interviewer.call.closing import Closing
from interviewer.call.conversation import INAUDIBLE, Conversation, GuestItem
from interviewer.call.cycle import Cycles
from interviewer.call.floor import Floor
from interviewer.call.hearing import Hearing, heard_text
from interviewer.call.hub import Hub, earliest
from interviewer.call.inputs import (
    Answer,
    Begin,
    Command,
    Connected,
    Disconnected,
    Frame,
    Input,
    Mic,
    Playback,
    PlaybackFailed,
    Tick,
)
from interviewer.call.jobs import Jobs
from interviewer.call.link import Link
from interviewer.call.replies import Replies, Reply
from interviewer.call.requests import guest_request
from interviewer.call.setup import CallSetup
from interviewer.call.shapes import misshapen
from interviewer.call.sieve import Sieve
from interviewer.ledger.fold import Ledger
from interviewer.matching.scorer import Scorer, scorer
from interviewer.model.decision import Phase
from interviewer.model.notes import Notes
from interviewer.model.turn import Turn


class Core:
    """A call. Give it inputs in order of time with `step`; give it a Tick when `deadline` is reached.

    It does no I/O, reads no clock, never sleeps: the same inputs give the same actions, always.
    """

    def __init__(self, setup: CallSetup, scoring: Scorer | None = None) -> None:
        chosen = scoring or scorer(setup.settings.match.scorer)
        self._hub = hub = Hub(setup)
        self._clock = Clock(hub)
        self._conversation = Conversation(hub)
        self._attempts = Attempts(hub, self._clock)
        self._replies = Replies(hub, self)
        self._hearing = Hearing(hub, self._attempts, chosen)
        self._closing = Closing(hub, self._clock)
        self._floor = Floor(hub, self._clock, self._conversation, self._attempts, self._replies, self._closing)
        self._jobs = Jobs(hub)
        self._cycles = Cycles(hub, self._clock, self._conversation, self._attempts, self._jobs, chosen)
        self._after = After(hub, self._conversation, self._cycles, self._jobs)
        self._link = Link(hub)
        self._sieve = Sieve(hub)
        self._muted = False
        self.ended = False

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
        """The turns so far, in the order of the conversation."""
        return [entry.turn for entry in self._conversation.entries]

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

    @property
    def target_ms(self) -> int:
        """The length the call aims at now."""
        return self._clock.target_ms

    @property
    def deadline(self) -> int | None:
        """When the core needs a Tick if nothing else comes; None once it waits for nothing."""
        if self.ended:
            return None
        if self._after.began:
            return self._jobs.deadline
        return earliest(
            self._clock.deadline,
            self._attempts.updates.deadline,
            self._replies.deadline,
            self._jobs.deadline,
            self._cycles.deadline,
            self._floor.deadline,
            self._closing.deadline,
            self._link.deadline,
            self._transcript_deadline,
        )

    # -- one step ----------------------------------------------------------------------------------------------

    def step(self, record: Input) -> list[Action]:
        """Take one input and return what to do. An input after the end does nothing."""
        if self.ended:
            return []
        self._hub.now = max(self._hub.now, record.t_ms)
        if type(record) is Frame and record.epoch == self._hub.epoch and self._link.up:
            kind = record.frame.get("type")
            handler = _FAST.get(kind) if type(kind) is str else None
            if handler is not None:
                self._handle(handler, record.frame)
                return self._hub.take()
        self._due()
        _INPUTS[type(record)](self, record)
        self._go_on()
        actions = self._hub.take()
        self.ended = any(type(action) is End for action in actions)
        return actions

    def _due(self) -> None:
        self._jobs.due()
        if self._after.began:
            return
        self._attempts.updates.due()
        self._replies.due()
        self._floor.due()
        self._cycles.due()
        self._closing.due()
        if self._closing.ending:
            self._link.stop()
        elif self._link.due():
            self._closing.close("the connection could not be made")
        if self._floor.overdue_item:
            self._commit(self._floor.overdue_item)
        for item in self._conversation.waiting:
            if self._hub.now >= (item.committed_ms or 0) + self._hub.settings.wait.transcript_ms:
                self._unclear(item)

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

    @property
    def _transcript_deadline(self) -> int | None:
        waits = [item.committed_ms or 0 for item in self._conversation.waiting]
        return min(waits) + self._hub.settings.wait.transcript_ms if waits else None

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
        self._attempts.drop()
        self._link.stop()
        for item in self._conversation.unfinished:
            self._conversation.cut_off(item.id)
        for item in self._conversation.waiting:
            self._unclear(item)
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
        self._hub.record("status", status="connecting")
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
        except (KeyError, TypeError, AttributeError) as problem:
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

    def _command(self, record: Command) -> None:
        if self._closing.over or self._after.began:
            self._hub.record("ignored", what="command after the goodbye", name=record.name)
            return
        _COMMANDS[record.name](self, record.value)

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
            first = self._hub.setup.plan.questions[0]
            self._attempts.select(first.id, first.text, self._hub.now, kind="opening", source="plan", phase="opening")
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
        self._microphone()
        self._attempts.updates.go_on()
        if first:
            self._floor.want("opening")
        else:
            for event in self._link.seeds(self._conversation.window()):
                self._hub.act(Send(event))
            if not planned or self._floor.missed(self._link.began_ms):
                self._floor.want("resume")

    def _speech_started(self, frame: Mapping[str, Any]) -> None:
        if not self._closing.over:
            reply = self._replies.active
            self._floor.guest_started(frame["item_id"])
            self._sieve.started(frame["item_id"], frame, reply)

    def _speech_stopped(self, frame: Mapping[str, Any]) -> None:
        if not self._closing.over:
            self._floor.guest_stopped(frame["item_id"])
            if item := self._conversation.item(frame["item_id"]):
                self._sieve.stopped(item, frame)

    def _timed_out(self, frame: Mapping[str, Any]) -> None:
        self._sieve.idle(frame["item_id"])

    def _committed(self, frame: Mapping[str, Any]) -> None:
        if self._closing.over:
            self._hub.record("ignored", what="speech after the goodbye", item_id=frame["item_id"])
            return
        if self._sieve.is_idle(frame["item_id"]):
            self._hub.record("ignored", what="silence the service broke", item_id=frame["item_id"])
            return
        self._commit(frame["item_id"])

    def _commit(self, item_id: str) -> None:
        known = self._conversation.item(item_id)
        if known is not None and known.committed_ms is not None:
            self._floor.committed_again(known)
            return
        self._closing.guest_turn_ended()
        self._floor.guest_committed(item_id, brief=known is not None and self._sieve.brief(known))

    def _transcript_delta(self, frame: Mapping[str, Any]) -> None:
        self._conversation.heard_partly(frame["item_id"], frame["delta"])

    def _transcribed(self, frame: Mapping[str, Any]) -> None:
        text, item = frame["transcript"], self._conversation.item(frame["item_id"])
        if item is None:
            return
        if item.committed_ms is None:
            self._commit(item.id)
        why = self._sieve.why_not(item, text, frame)
        if not text.strip():
            self._unclear(item, noise=item.unheard or (item.unheard is None and (item.doubtful or item.backchannel)))
        elif why:
            if self._conversation.set_aside(item.id, why):
                self._hub.record("ignored", what=why, item_id=item.id, text=text)
        elif self._conversation.transcribed(item.id, text):
            self._floor.understood(item.id)
            self._guest_said(item.id, text)

    def _transcript_failed(self, frame: Mapping[str, Any]) -> None:
        if item := self._conversation.item(frame["item_id"]):
            if item.committed_ms is None:
                self._commit(item.id)
            self._unclear(item)

    def _unclear(self, item: GuestItem, *, noise: bool = False) -> None:
        """No words will come of it: noise is no turn, speech is an inaudible one."""
        if noise or (item.unheard is not False and self._sieve.brief(item)):
            if self._conversation.set_aside(item.id, "noise"):
                self._hub.record("ignored", what="noise", item_id=item.id)
        elif self._conversation.inaudible(item.id):
            self._floor.not_understood(item.id)

    def _guest_said(self, item_id: str, text: str) -> None:
        turn = self._conversation.turn_of(item_id)
        kind = guest_request(text)
        if kind and turn and text != INAUDIBLE:
            self._guest_request(kind, turn.id, text)
        elif turn:
            self._hearing.answered(turn.id, text)
        if turn and turn.state == "final":
            self._cycles.run()

    def _guest_request(self, kind: str, turn_id: str, text: str) -> None:
        question_id = self._question_before(turn_id)
        self._hub.record("request", kind=kind, turn=turn_id, question_id=question_id, text=text)
        self._cycles.requests.append(f"{kind}: {question_id}" if question_id else kind)
        if kind in ("stop", "goodbye"):
            self._closing.want(f"guest: {kind}")
            self._floor.make_way()
        elif question_id and kind in ("skip", "answered"):
            self._mark(question_id, "declined" if kind == "skip" else "claimed", turn_id)
            waiting = self._attempts.next
            if waiting and waiting.question_id == question_id and not waiting.requested:
                self._attempts.release(waiting, "declined")

    def _mark(self, question_id: str, kind: Literal["declined", "claimed"], turn_id: str) -> None:
        question = self._hub.ledger.questions[question_id]
        if (question.declined if kind == "declined" else question.claimed) is None:
            self._hub.log(kind, question_id, turn=turn_id)

    def _question_before(self, turn_id: str) -> str | None:
        """The question that a guest's turn speaks to: that of the last reply of which something was heard."""
        for turn in self._conversation.asked_before(turn_id):
            if turn.question_id:
                return turn.question_id
            for heard in self._hub.ledger.heard:
                if heard.evidence.get("response_id") == turn.response_id and heard.question_id:
                    return heard.question_id
        return None

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
        self._write_reply(reply)
        self._closing.reply_over(reply)
        self._floor.reply_over(reply)
        self._cycles.catch_up()

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

    # -- commands ----------------------------------------------------------------------------------------------

    def _wrap_up(self, _: str) -> None:
        self._clock.wrap_up()

    def _extend(self, value: str) -> None:
        try:
            self._clock.extend(int(value))
        except ValueError:
            self._hub.record("ignored", what="extend without milliseconds", value=value[:40])
            return
        self._closing.extended()

    def _skip(self, _: str) -> None:
        if self._attempts.next and self._attempts.replaceable:
            self._attempts.release(self._attempts.next, "declined", detail="skipped at the screen")
            self._attempts.send()

    def _ask(self, text: str) -> None:
        self._cycles.ask(text)

    def _end(self, _: str) -> None:
        self._closing.close("ended at the screen")

    def _pause(self, _: str) -> None:
        self._clock.pause()
        self._microphone()

    def _resume(self, _: str) -> None:
        self._clock.resume()
        self._floor.resumed()
        self._microphone()

    def _mute(self, _: str) -> None:
        self._muted = True
        self._microphone()

    def _unmute(self, _: str) -> None:
        self._muted = False
        self._microphone()

    def _microphone(self) -> None:
        self._hub.act(Microphone(on=not (self._muted or self._clock.paused)))

    def _type(self, text: str) -> None:
        item_id = f"typed_{self._hub.count('typed')}"
        content = [{"type": "input_text", "text": text}]
        item = {"id": item_id, "type": "message", "role": "user", "content": content}
        if self._hub.online:
            self._hub.act(Send({"type": "conversation.item.create", "item": item}))
        self._conversation.guest_typed(item_id, text)
        self._closing.guest_turn_ended()
        self._floor.guest_typed()
        self._guest_said(item_id, text)


_INPUTS: dict[type[Input], Callable[[Core, Any], None]] = {
    Begin: Core._begin,
    Connected: Core._connected,
    Disconnected: Core._disconnected,
    Frame: Core._frame,
    Mic: Core._mic,
    Playback: Core._playback,
    PlaybackFailed: Core._playback_failed,
    Answer: Core._answer,
    Command: Core._command,
    Tick: Core._tick,
}
_FRAMES: dict[str, Callable[[Core, Mapping[str, Any]], None]] = {
    "session.created": Core._session_created,
    "session.updated": Core._session_updated,
    "input_audio_buffer.speech_started": Core._speech_started,
    "input_audio_buffer.speech_stopped": Core._speech_stopped,
    "input_audio_buffer.committed": Core._committed,
    "input_audio_buffer.timeout_triggered": Core._timed_out,
    "conversation.item.input_audio_transcription.delta": Core._transcript_delta,
    "conversation.item.input_audio_transcription.completed": Core._transcribed,
    "conversation.item.input_audio_transcription.failed": Core._transcript_failed,
    "response.created": lambda core, frame: core._replies.created(frame),
    "response.output_audio_transcript.done": lambda core, frame: core._replies.transcript(frame),
    "response.output_text.done": lambda core, frame: core._replies.transcript(frame),
    "response.done": lambda core, frame: core._replies.done(frame),
    "error": Core._error,
}
_FAST: dict[str, Callable[[Core, Mapping[str, Any]], None]] = {
    "response.output_audio.delta": lambda core, frame: core._replies.audio(frame),
    "response.output_audio_transcript.delta": lambda core, frame: core._replies.words(frame),
    "response.output_text.delta": lambda core, frame: core._replies.words(frame),
}
_COMMANDS: dict[str, Callable[[Core, str], None]] = {
    "wrap_up": Core._wrap_up,
    "extend": Core._extend,
    "skip": Core._skip,
    "ask": Core._ask,
    "end": Core._end,
    "pause": Core._pause,
    "resume": Core._resume,
    "mute": Core._mute,
    "unmute": Core._unmute,
    "type": Core._type,
}
