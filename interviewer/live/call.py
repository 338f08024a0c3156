"""A call as it happens: the core on a thread of its own, with a real clock, a real socket and real audio.

One thread owns the core. All that happens (the service's frames, what was played, edges of speech, agents' answers,
clicks) reaches it through one queue, in order and dated on arrival; it waits on that queue until the core's deadline.
Sound goes past the core: from the microphone straight to the service, from the service straight to the loudspeaker.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.audio.recording import Recording
from interviewer.call.actions import (
    Action,
    CancelJob,
    CloseConnection,
    Compare,
    Connect,
    End,
    Microphone,
    Record,
    Send,
    StartJob,
    StopPlayback,
)
from interviewer.call.core import Core
from interviewer.call.inputs import (
    Answer,
    Begin,
    Command,
    CommandName,
    Compared,
    Frame,
    Input,
    Mic,
    Playback,
    Resumed,
    Spent,
    Tick,
    check_command,
    encode,
)
from interviewer.call.lines import line_of
from interviewer.errors import AudioError, InterviewerError
from interviewer.keys import needs_key, require_key
from interviewer.live.agenda import Agenda
from interviewer.live.clock import WallClock
from interviewer.live.desk import Desk
from interviewer.live.scribe import Scribe, Write
from interviewer.live.service import Service
from interviewer.live.sound import Sound
from interviewer.llm.backend import Backend, OnText, Ran
from interviewer.llm.meter import Meter
from interviewer.settings import VoiceSettings, WaitSettings

_log = logging.getLogger(__name__)


class LiveCall:
    """Runs a call once, in real time, or `speed` times faster against a service and audio that run so too.

    `error` says why it failed, None while it has not; `reason` is what the core gave for the end; `sound_problem` is
    what keeps a microphone or loudspeaker from working just now, `keep_problem` what keeps the call from being kept as
    usual; they are empty if nothing does.
    """

    def __init__(
        self,
        core: Core,
        *,
        voice: VoiceSettings,
        microphone: MicrophoneSource,
        speaker: SpeakerSink,
        backend: Backend,
        write: Write,
        key: str | None = None,
        speed: float = 1.0,
        on_actions: Callable[[Core, list[Action]], None] | None = None,
        half_duplex: bool = False,
        wait: WaitSettings | None = None,
        meter: Meter | None = None,
        resumes_ms: int | None = None,
        recording: Recording | None = None,
        on_text: OnText | None = None,
        keeps: Callable[[], str] = lambda: "",
    ) -> None:
        """`write` may raise JournalError: the call then goes on unrecorded.

        `on_actions` is called on the call's thread after every step that did something; it must not wait.
        `half_duplex`: while the voice is being played the service hears silence; for devices without echo
        cancellation. `wait` holds the limits of connecting and closing; take them from the core's settings.
        `resumes_ms`: the core was folded again up to this moment of a call that was interrupted, and goes on from it.
        `meter` prices the voice and, once the budget is used up, leads the call to its close.
        `recording` keeps the sound; its `error` says if that failed.
        `on_text` is told of the essay while it is written, each time as far as it goes, on another thread.
        `keeps` says what keeps the call from being kept as usual, as `keep_problem`; empty if nothing does.
        """
        self.core = core
        self.error: InterviewerError | None = None
        self.reason = ""
        self.sound_problem = ""
        self._voice, self._key, self._wait = voice, key, wait or WaitSettings()
        self._scribe, self._on_actions, self._meter = Scribe(write), on_actions, meter
        self._keeps = keeps
        self._clock, self._resumes_ms = WallClock(speed), resumes_ms
        self._agenda = Agenda(self._clock)
        self._now = 0
        self._deadline: int | None = None
        self._sound = Sound(
            microphone,
            speaker,
            voice=voice,
            half_duplex=half_duplex,
            recording=recording,
            send=lambda pcm: self._service.hear(pcm),
            on_edge=lambda on: self._agenda.post(lambda t: self._feed(Mic(t, on))),
            on_played=self._played,
            on_problem=self._sound_problem,
        )
        self._gate, self._speaker = self._sound.gate, self._sound.loudspeaker
        self._desk = Desk(backend, lambda *answer: self._agenda.post(lambda t: self._answered(t, *answer)), on_text)
        self._service: Service
        self._end_wanted = False
        self._stopped = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="live-call", daemon=True)

    @property
    def journal_error(self) -> InterviewerError | None:
        """Why the rest of the call is not recorded; None while all is."""
        return self._scribe.error

    @property
    def keep_problem(self) -> str:
        """What happened to the call's record, and where it is kept meanwhile; empty while all is well."""
        lost = f"{self._scribe.error}; the rest of the call is not kept. " if self._scribe.error else ""
        return f"{lost}{self._keeps()}".strip()

    # -- for everybody -----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin, and return at once. Raises MissingKey if the service asks for a key and there is none."""
        key = self._key or (require_key() if needs_key(self._voice) else None)
        self._service = Service(
            self._voice,
            key,
            self._wait,
            self._sound,
            clock=self._clock,
            agenda=self._agenda,
            feed=self._told,
            failed=self._failed,
        )
        self._thread.start()

    def command(self, name: CommandName, value: str = "") -> None:
        """Do what was clicked; see `Command`. Raises InterviewerError if there is no such command or value."""
        check_command(name, value)
        self._agenda.post(lambda t: self._clicked(t, name, value))

    def look(self, see: Callable[[Core, int], object]) -> None:
        """Have `see` look at the core, soon, on the call's thread; not once the call is over. It must not wait.

        It is also given how long ago, in ms, the core took its last step: so much is its clock behind.
        """
        self._agenda.post(lambda t: see(self.core, max(0, t - self._now)))

    def remark(self, kind: str, data: Mapping[str, Any]) -> None:
        """Write into the call's record what happened around the call and is no part of it."""
        self._agenda.post(lambda t: self._scribe.note("rec", max(t, self._now), {"kind": kind, "data": dict(data)}))

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the call is over, at most `timeout` seconds; whether it is."""
        return self._over.wait(timeout)

    def stop(self) -> None:
        """Hang up at once: no goodbye, no analysis, no essay; `command("end")` has them. The journal stays as it is."""
        self._agenda.post(self._stop)

    def join(self) -> None:
        """Wait until the call is over and all its threads are gone; not at all if it was never started."""
        if self._thread.ident is not None:
            self._thread.join()

    # -- the thread --------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._begin()
            while not (self.core.ended or self._stopped):
                self._next()
        # Whatever goes wrong, the microphone must not stay open.
        except Exception as problem:
            _log.exception("the call stopped")
            self._failed(InterviewerError(f"the call stopped: {type(problem).__name__}: {problem}"))
        finally:
            try:
                self._release()
                self._service.leave()
            finally:
                self._over.set()
        self._service.join()
        self._desk.close()

    def _begin(self) -> None:
        self._clock.start(self._resumes_ms or 0)
        try:
            self._sound.start(lambda: self._clock.now_ms)
        except AudioError as error:
            self._failed(error)
        unix_s = int(time.time())
        self._feed(Begin(0, unix_s) if self._resumes_ms is None else Resumed(self._resumes_ms, unix_s))
        if self.error:
            self._feed(Command(self._now, "end"))
        self._deadline = self.core.deadline

    def _next(self) -> None:
        """Wait for the next thing to happen or to become due, and let it."""
        t_ms, happen = self._agenda.next(self._deadline)
        # What came while a deadline passed may be dated a moment before it.
        t_ms = max(self._now, t_ms)
        if happen:
            happen(t_ms)
        deadline = self.core.deadline
        if deadline is not None and deadline <= t_ms:
            self._feed(Tick(t_ms))
            deadline = self.core.deadline
        self._deadline = deadline

    def _feed(self, record: Input) -> None:
        self._now = record.t_ms
        self._scribe.note("in", record.t_ms, encode(record))
        actions = self.core.step(record)
        # All of it is written down before any of it can be seen or heard.
        for action in actions:
            if line := line_of(action, self._now):
                self._scribe.note(*line)
        for action in actions:
            if do := _DO.get(type(action)):
                do(self, action)
        if actions and self._on_actions:
            try:
                self._on_actions(self.core, actions)
            except Exception:
                _log.exception("whoever looks on at the call failed")

    def _failed(self, error: InterviewerError) -> None:
        self.error = self.error or error

    def _stop(self, _: int) -> None:
        self._stopped = True

    def _release(self) -> None:
        for error in self._sound.release():
            self._failed(error)

    def _sound_problem(self, problem: str) -> None:
        self.sound_problem = problem
        self.remark("sound", {"problem": problem})

    # -- what happens ------------------------------------------------------------------------------------------

    def _told(self, record: Input) -> None:
        """The service's news; a reply that cost something is priced."""
        if not self._meter or not isinstance(record, Frame):
            self._feed(record)
            return
        self._feed(replace(record, frame=self._meter.priced(record.frame)))
        self._mind_the_budget(record.t_ms)

    def _played(self, response_id: str, played_ms: int, ended: bool) -> None:
        self._agenda.post(lambda t: self._feed(Playback(t, response_id, played_ms, ended)))

    def _clicked(self, t_ms: int, name: CommandName, value: str) -> None:
        self._end_wanted = self._end_wanted or name == "end"
        self._feed(Command(t_ms, name, value))

    def _answered(self, t_ms: int, job_id: str, began_ms: int, ran: Ran) -> None:
        """A latency that was drawn and not waited for is still to come."""
        ready_ms = max(t_ms, began_ms + ran.latency_ms)
        self._agenda.later(ready_ms, lambda t: self._feed(Answer.of(t, job_id, ran)))
        self._mind_the_budget(t_ms)

    def _mind_the_budget(self, t_ms: int) -> None:
        if self._meter and (state := self._meter.news()):
            _log.warning("budget of the call: %s", self._meter.budget)
            self._feed(Spent(t_ms, state, str(self._meter.budget)))

    # -- what the core wants -----------------------------------------------------------------------------------

    def _connect(self, action: Connect) -> None:
        if self.error is None:
            self._service.dial(action.epoch)

    def _send(self, action: Send) -> None:
        self._service.send(action.event)

    def _close(self, action: CloseConnection) -> None:
        self._service.close(action.epoch)

    def _conversation_over(self) -> None:
        """Nobody speaks any more, though the call goes on: the agents that read all of it come now."""
        if not (self._gate.ready or self._end_wanted):
            self._failed(self._service.failure)
        self._release()

    def _start(self, action: StartJob) -> None:
        self._desk.start(self._now, action)

    def _compare(self, action: Compare) -> None:
        self._desk.compare(action, lambda *said: self._agenda.post(lambda t: self._feed(Compared(t, *said))))

    def _cancel(self, action: CancelJob) -> None:
        self._desk.cancel(action.job_id)

    def _stop_playback(self, action: StopPlayback) -> None:
        self._speaker.stop(action.response_id)

    def _microphone(self, action: Microphone) -> None:
        self._gate.on = action.on

    def _record(self, action: Record) -> None:
        self._end_wanted = self._end_wanted or action.kind == "goodbye"
        if action.kind == "status" and action.data["status"] == "closing":
            self._conversation_over()

    def _end(self, action: End) -> None:
        self.reason = action.reason


_DO: dict[type[Action], Callable[[LiveCall, Any], None]] = {
    Connect: LiveCall._connect,
    Send: LiveCall._send,
    CloseConnection: LiveCall._close,
    StartJob: LiveCall._start,
    Compare: LiveCall._compare,
    CancelJob: LiveCall._cancel,
    StopPlayback: LiveCall._stop_playback,
    Microphone: LiveCall._microphone,
    Record: LiveCall._record,
    End: LiveCall._end,
}
