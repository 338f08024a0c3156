"""Teacher-forced: the real core goes through a recorded call on a virtual clock; the recording says what was said.

The core asks for replies, starts agents, waits, throttles and locks as in a live call: the rules stand there and
nowhere else. Here a service is played that says what the recording says, when it says it.
"""

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from interviewer.agents.registry import AGENTS
from interviewer.call.actions import Action, CloseConnection, Compare, Connect, Record, Send, StartJob
from interviewer.call.core import Core
from interviewer.call.inputs import (
    Answer,
    Begin,
    Compared,
    Connected,
    Disconnected,
    Frame,
    Input,
    Mic,
    Playback,
    Spent,
    Tick,
)
from interviewer.llm.backend import Backend
from interviewer.llm.meter import Meter
from interviewer.matching.compare import compare
from interviewer.replay.agreeing import Agreeing, asked_in
from interviewer.replay.gather import Gathered
from interviewer.replay.outcome import Left, Moment
from interviewer.replay.recording import Recording, Spoken, Stretch
from interviewer.replay.stretches import laid_out
from interviewer.settings import Settings

FAR_MS = 10**9
"""Longer than any call: what a recording cannot do, such as being silent for too long, is not waited for."""
PATIENCE_MS = 3_000
"""How long a recorded reply waits for the core to want one, before it is passed over."""
CLOSE_MS = 20
GRACE_MS = 30_000
"""How much longer than a transcript its call may take, at least: replies wait a little for the core, as in life."""

_SPEECH = "input_audio_buffer"
_TRANSCRIBED = "conversation.item.input_audio_transcription"
_NOT_OF_A_RECORDING = ("nudge_after_ms", "offer_pause_after_ms", "silence_ends_ms", "session_ms", "wrap_up_free")


def as_recorded(settings: Settings, target_ms: int | None = None) -> Settings:
    """Settings under which the recording alone says when anybody speaks and when it is over.

    No nudges, no patience with the service to lose, no goodbye by its words or near the end of the time. `target_ms`
    may be longer than a call can be: None leaves it as it is.
    """
    wait = dict.fromkeys(("created_ms", "first_audio_ms", "audio_gap_ms", "playback_over_ms"), FAR_MS)
    call: dict[str, Any] = dict.fromkeys(_NOT_OF_A_RECORDING, FAR_MS)
    call |= {"closing_phrases": {"en": ()}, "goodbye_within_ms": 0}
    if target_ms is not None:
        call["target_ms"] = target_ms
    return settings.model_copy(
        update={
            "wait": settings.wait.model_copy(update=wait),
            "call": settings.call.model_copy(update=call),
        }
    )


class Rehearsal:
    """One recording gone through by one core. `moments`: what would have been asked at each reply of the recording.

    With `prefix` it ends where what was chosen is not what the recording asks: `left` says where. A guest's words come
    when they came in the call, stretch by stretch of a turn and, where cycles may run on them, bit by bit. Of a
    transcript nobody knows when, and a turn's words come whole when it is over.
    """

    def __init__(self, recording: Recording, backend: Backend, *, prefix: bool = False) -> None:
        settings = recording.setup.settings
        layout = laid_out(recording, settings.match.fastest_ms_per_char, settings.call.backchannel_ms)
        self.recorded = layout.turns
        ends_ms = self.recorded[-1].ended_ms or 0 if self.recorded else 0
        replies = sum(turn.speaker == "interviewer" for turn in self.recorded)
        grace_ms = max(GRACE_MS, 2 * replies * settings.call.reply_wait_ms)
        chosen = as_recorded(settings, None if recording.origin == "call" else ends_ms + grace_ms)
        setup = recording.setup.model_copy(update={"settings": chosen, "world": "replayed"})
        self.core = Core(setup, measures=False)
        self.gathered = Gathered()
        self.moments: list[Moment] = []
        self.left: Left | None = None
        self.notes: list[str] = []
        self.inputs = 0
        self.now = 0
        self.ended = ""
        self._backend = backend
        self._meter = Meter.of(backend, settings.voice)
        self._prefix = prefix
        self.by = Agreeing.of(settings.replay)
        self._lag_ms, self._silence_ms = settings.replay.transcript_ms, settings.voice.silence_ms
        self._after = settings.replay.after
        self._over = self._begun = False
        self._inbox: deque[Input] = deque()
        self._deadline: int | None = None
        self._later: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._epoch = 0
        self._place = 0
        self._free_ms = 0
        self._wanted: dict[str, Any] | None = None
        self._speaking = False
        self._unwritten: list[dict[str, Any]] = []
        self._commands = recording.commands
        self._layout = layout
        self._partial = settings.cycle.on_partial_text

    def run(self) -> None:
        """Go through the recording to its end, to the core's own, or to where a prefix leaves it."""
        self._feed(Begin(0))
        self._deadline = self.core.deadline
        for command in self._commands:
            self._at(command.t_ms, lambda command=command: self._feed(command))  # type: ignore[misc]
        while not self._over:
            self._step()

    # -- time ------------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        waits = [self._next_turn_ms, self._later[0][0] if self._later else None, self._deadline]
        due = [t_ms for t_ms in waits if t_ms is not None]
        if not due:
            self._finish("the recording ends")
            return
        self.now = max(self.now, min(due))
        while self._later and self._later[0][0] <= self.now and not self._over:
            heapq.heappop(self._later)[2]()
        turn_ms = self._next_turn_ms
        if turn_ms is not None and turn_ms <= self.now and not self._over:
            self._next_turn()
        self._deadline = self.core.deadline
        if self._deadline is not None and self._deadline <= self.now and not self._over:
            self._feed(Tick(self.now))
            self._deadline = self.core.deadline

    def _at(self, t_ms: int, do: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._later, (t_ms, self._count, do))

    # -- the recording ---------------------------------------------------------------------------------------------

    @property
    def _next_turn_ms(self) -> int | None:
        if self._speaking or self._place >= len(self.recorded) or self.core.said_goodbye:
            return None
        turn = self.recorded[self._place]
        start = max(turn.started_ms, self._free_ms)
        if turn.speaker == "interviewer" and self._wanted is None:
            return start + PATIENCE_MS
        return start

    def _next_turn(self) -> None:
        turn = self.recorded[self._place]
        self._place += 1
        if turn.speaker == "guest":
            self._guest(turn)
        elif self._wanted is None:
            self.notes.append(f"{turn.id}: the core wanted no reply here, and what was said is left out")
            self._past()
        else:
            self._reply(turn, self._wanted)

    def _past(self) -> None:
        if self._place == len(self.recorded):
            self._at(self.now + self._lag_ms, lambda: self._finish("the recording ends"))

    def _guest(self, turn: Spoken) -> None:
        self._speaking = True
        if stretches := self._layout.within.get(turn.id):
            self._as_told(turn, [each.later(self.now - turn.started_ms) for each in stretches])
            return
        item = {"item_id": f"guest_{turn.id}"}
        self._guest_starts(item)
        self._at(self.now + _length(turn), lambda: self._guest_ends(turn, item))

    def _guest_starts(self, item: dict[str, str]) -> None:
        self._feed(Mic(self.now, on=True))
        self._frame({"type": f"{_SPEECH}.speech_started", **item})
        self._give_way()

    def _as_told(self, turn: Spoken, stretches: Sequence[Stretch]) -> None:
        """A guest's turn as the service told of it when the call was held."""
        for number, told in enumerate(stretches, 1):
            self._stretch(told, {"item_id": f"guest_{turn.id}_{number}"}, over=number == len(stretches))
        if self._place == len(self.recorded):
            self._at(max(told.written_ms for told in stretches) + 1, lambda: self._finish("the recording ends"))

    def _stretch(self, told: Stretch, item: dict[str, str], *, over: bool) -> None:
        self._at(told.started_ms, partial(self._guest_starts, item))
        self._at(told.quiet_ms, partial(self._guest_quiet, over=over))
        self._at(told.stopped_ms, partial(self._frame, {"type": f"{_SPEECH}.speech_stopped", **item}))
        self._at(told.committed_ms, partial(self._frame, {"type": f"{_SPEECH}.committed", **item}))
        for t_ms, word in told.words if self._partial else ():
            self._at(t_ms, partial(self._frame, {"type": f"{_TRANSCRIBED}.delta", "delta": word, **item}))
        self._will_write(told.written_ms, told.text, item)

    def _guest_quiet(self, *, over: bool) -> None:
        if over:
            self._speaking = False
            self._free_ms = self.now
        self._feed(Mic(self.now, on=False))

    def _guest_ends(self, turn: Spoken, item: dict[str, str]) -> None:
        self._guest_quiet(over=True)
        following = self.recorded[self._place].started_ms if self._place < len(self.recorded) else FAR_MS
        committed_ms = min(self.now + self._silence_ms, max(self.now, following))
        self._at(committed_ms, lambda: self._committed(item))
        self._will_write(committed_ms + self._lag_ms, turn.text, item)
        if self._place == len(self.recorded):
            self._at(committed_ms + self._lag_ms + 1, lambda: self._finish("the recording ends"))

    def _committed(self, item: dict[str, str]) -> None:
        self._frame({"type": f"{_SPEECH}.speech_stopped", **item})
        self._frame({"type": f"{_SPEECH}.committed", **item})

    def _will_write(self, t_ms: int, text: str, item: dict[str, str]) -> None:
        words = {"type": f"{_TRANSCRIBED}.completed", "transcript": text, **item}
        self._unwritten.append(words)
        self._at(t_ms, lambda: self._write_down(words))

    def _write_down(self, words: dict[str, Any]) -> None:
        self._unwritten.remove(words)
        self._frame(words)

    def _give_way(self) -> None:
        """The guest goes on where the core wanted a reply: the core has given it up, and the service owns up to it."""
        if self._wanted is not None:
            response, self._wanted = self._wanted, None
            self._frame({"type": "response.created", "response": response})
            self._frame({"type": "response.done", "response": {**response, "status": "cancelled"}})

    def _reply(self, turn: Spoken, response: dict[str, Any]) -> None:
        self._wanted = None
        if not self._heed(turn, response["metadata"]):
            return
        self._speaking = True
        length, of = _length(turn), {"response_id": response["id"], "item_id": f"voice_{turn.id}"}
        self._frame({"type": "response.created", "response": response})
        self._frame({"type": "response.output_audio.delta", "audio_ms": length, **of})
        words = {"type": "response.output_audio_transcript.done", "transcript": turn.text, **of}
        done = {"type": "response.done", "response": {**response, "status": "completed"}}
        if (written_ms := min(length - 1, self._layout.written.get(turn.id, 0))) > 0:
            self._at(self.now + written_ms, lambda: self._frames(words, done))
        else:
            self._frames(words, done)
        self._feed(Playback(self.now, response["id"], 1))
        for number, told in enumerate(self._layout.over.get(turn.id, ()), 1):
            self._stretch(told.later(self.now), {"item_id": f"guest_over_{turn.id}_{number}"}, over=False)
        self._at(self.now + length, lambda: self._played(response["id"], length))

    def _played(self, response_id: str, length: int) -> None:
        self._speaking = False
        self._free_ms = self.now
        self._feed(Playback(self.now, response_id, length, ended=True))
        self._past()

    def _heed(self, turn: Spoken, metadata: dict[str, str]) -> bool:
        """Hold what was chosen for this reply against what the recording asks. False: a prefix ends here."""
        asked, kind, question = asked_in(turn.text), metadata["kind"], metadata.get("question")
        attempt = self.core.ledger.attempts.get(metadata.get("attempt", ""))
        offered = str(attempt.value("selected", "text") or "") if attempt else ""
        score = self.by.score(offered, turn.text)
        agrees = None if score is None else score >= self.by.agrees
        decision = int(attempt.value("selected", "decision") or 0) if attempt else 0
        self.moments.append(
            Moment(
                turn=turn.id,
                t_ms=self.now,
                kind=kind,
                phase=self.core.phase,
                question_id=question,
                offered=offered,
                decision=decision,
                asked=asked,
                score=score,
                agrees=agrees,
            )
        )
        # A voice that was left free may ask what it likes; one that left the question out was to ask it all the same.
        same = agrees or (agrees is None and turn.question_id is not None and turn.question_id == question)
        if not self._prefix or not self._begins(turn.text, agrees) or not offered or same:
            return True
        for words in list(self._unwritten):  # the answer before it is still the recording's own
            self._write_down(words)
        total = sum(one.speaker == "interviewer" for one in self.recorded)
        self.left = Left(turn.id, self.now, offered, asked, score, len(self.moments) - 1, total)
        self._over, self.ended = True, "the choice left the recording"
        return False

    def _begins(self, spoken: str, agrees: bool | None) -> bool:
        """Whether the interview has begun: greetings, "can you hear me?" and such come before its first question."""
        if not self._begun:
            planned = (question.text for question in self.core.setup.plan.questions)
            scores = (self.by.score(text, spoken) for text in planned)
            self._begun = bool(agrees) or any(score is not None and score >= self.by.agrees for score in scores)
        return self._begun

    def _finish(self, why: str) -> None:
        if not self._over and not self.core.said_goodbye:
            self._feed(Disconnected(self.now, self._epoch, why, final=True))

    # -- the core --------------------------------------------------------------------------------------------------

    def _frames(self, *frames: dict[str, Any]) -> None:
        for frame in frames:
            self._frame(frame)

    def _frame(self, frame: dict[str, Any]) -> None:
        self._feed(Frame(self.now, self._epoch, frame))

    def _feed(self, record: Input) -> None:
        """Give the core an input, and then what its actions bring about at once."""
        if self._over:
            return
        self._inbox.append(record if record.t_ms == self.now else replace(record, t_ms=self.now))
        if len(self._inbox) > 1:
            return
        while self._inbox and not self._over:
            actions = self.core.step(self._inbox[0])
            self.inputs += 1
            self.gathered.saw(actions)
            for action in actions:
                if do := _DO.get(type(action)):
                    do(self, action)
            self._inbox.popleft()
        self._inbox.clear()

    def _connect(self, action: Connect) -> None:
        self._epoch = action.epoch
        self._inbox.append(Connected(self.now, action.epoch))
        self._inbox.append(Frame(self.now, action.epoch, {"type": "session.created", "session": {}}))

    def _send(self, action: Send) -> None:
        event = action.event
        if event["type"] == "session.update":
            echo = {"instructions": event["session"]["instructions"]}
            self._inbox.append(Frame(self.now, self._epoch, {"type": "session.updated", "session": echo}))
        elif event["type"] == "response.create":
            self._wanted = {"id": f"response_{event['event_id']}", "metadata": event["response"]["metadata"]}

    def _close(self, action: CloseConnection) -> None:
        closed = Disconnected(self.now + CLOSE_MS, action.epoch, "closed by us")
        self._at(closed.t_ms, lambda: self._feed(closed))

    def _start(self, action: StartJob) -> None:
        if self.core.said_goodbye and not self._after:
            return
        ran = self._backend.run(AGENTS[action.agent], action.data, action.job_id)
        ready = self.now + ran.latency_ms
        self._at(ready, lambda: self._feed(Answer.of(ready, action.job_id, ran)))
        if self._meter and (state := self._meter.news()):
            spent = Spent(ready, state, str(self._meter.budget))
            self._at(ready, lambda: self._feed(spent))

    def _compare(self, action: Compare) -> None:
        self._inbox.append(Compared(self.now, action.number, *compare(action.scorer, action.rows, action.columns)))

    def _recorded(self, action: Record) -> None:
        if action.kind == "status" and action.data["status"] == "after":
            self.ended = str(action.data["reason"])
            left = len(self.recorded) - self._place
            if left:
                self.notes.append(f"the core ends the call ({self.ended}) with {left} turns of the recording to come")
            self._over = not self._after
        elif action.kind == "status" and action.data["status"] == "done":
            self._over = True


def _length(turn: Spoken) -> int:
    return (turn.ended_ms or turn.started_ms) - turn.started_ms


_DO: dict[type[Action], Callable[[Rehearsal, Any], None]] = {
    Connect: Rehearsal._connect,
    Send: Rehearsal._send,
    CloseConnection: Rehearsal._close,
    StartJob: Rehearsal._start,
    Compare: Rehearsal._compare,
    Record: Rehearsal._recorded,
}
