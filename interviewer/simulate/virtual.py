"""A whole call on a virtual clock: core, service, loudspeaker, guest and agents coupled in one loop."""

import contextlib
import heapq
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from interviewer.agents.registry import AGENTS
from interviewer.call.actions import (
    Action,
    CloseConnection,
    Compare,
    Connect,
    End,
    Microphone,
    Send,
    StartJob,
    StopPlayback,
)
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
    Resumed,
    Spent,
    Tick,
    encode,
)
from interviewer.call.lines import line_of
from interviewer.errors import InterviewerError
from interviewer.llm.backend import Backend
from interviewer.llm.meter import Meter
from interviewer.matching.compare import compare
from interviewer.simulate.guest import Guest
from interviewer.simulate.player import Player
from interviewer.simulate.service import CONNECT_MS, Service

CLOSE_MS = 20
LATE_MS = 80  # what was on its way when the connection went arrives this much later
_STEPS_AT_ONCE = 10_000

Write = Callable[[str, int, dict[str, Any]], Any]


def _nowhere(_kind: str, _t_ms: int, _data: dict[str, Any]) -> None:
    """Where a call's records go when nobody keeps them."""


class Watcher(Protocol):
    """Someone who looks on while the call runs."""

    def saw(self, core: Core, actions: list[Action]) -> None:
        """Called after every step that did something."""


class VirtualCall:
    """Runs a call as fast as the machine can. Ties in time are broken in a fixed order, so runs repeat exactly."""

    def __init__(
        self,
        core: Core,
        service: Service,
        guest: Guest,
        backend: Backend,
        *,
        write: Write | None = None,
        watcher: Watcher | None = None,
        resumes_ms: int | None = None,
        meter: Meter | None = None,
    ) -> None:
        """`resumes_ms`: the core was folded again up to this moment of a call that was interrupted.

        `meter` tells the core what is spent of the budget.
        """
        self.core = core
        self.service = service
        self.guest = guest
        self.player = Player()
        self._backend = backend
        self._write = write or _nowhere
        self._watcher = watcher
        self._meter = meter
        self._resumes_ms = resumes_ms
        self._now = resumes_ms or 0
        self._still = 0
        self._epoch = 0
        self._up = False
        self._mic_open = False
        self._guest_on = False
        self._heard_by_service = False
        self._spoke_ms = 0
        self._missed_ms = 0
        self._scheduled: list[tuple[int, int, Input]] = []
        self._count = 0
        self.played: dict[str, int] = {}
        self.reason = ""

    @property
    def now(self) -> int:
        """The virtual time, ms since the call was begun."""
        return self._now

    def run(self) -> None:
        """Run to the end. Raises InterviewerError if nothing is left to wait for before the end."""
        self._feed(Begin(0) if self._resumes_ms is None else Resumed(self._resumes_ms))
        self._feed(Mic(self._now, on=False))  # from the start this microphone tells when somebody speaks
        while not self.core.ended:
            self.step()

    def step(self) -> None:
        """Go to the next moment at which something happens, and let it."""
        waits = (
            self.service.deadline,
            self.player.deadline,
            self.guest.deadline,
            self._scheduled[0][0] if self._scheduled else None,
            self.core.deadline,
        )
        due = [t for t in waits if t is not None]
        if not due:
            raise InterviewerError(f"the call stands still at {self._now} ms: nobody waits for anything")
        self._go_to(min(due))
        self._service_moves()
        self._player_moves()
        self._guest_moves()
        while self._scheduled and self._scheduled[0][0] <= self._now:
            self._feed(heapq.heappop(self._scheduled)[2])
        deadline = self.core.deadline
        if deadline is not None and deadline <= self._now:
            self._feed(Tick(self._now))

    def _go_to(self, t_ms: int) -> None:
        self._still = 0 if t_ms > self._now else self._still + 1
        if self._still > _STEPS_AT_ONCE:
            raise InterviewerError(f"the call stands still at {self._now} ms: somebody waits for a moment that is past")
        self._now = max(self._now, t_ms)

    # -- the world ---------------------------------------------------------------------------------------------

    def _service_moves(self) -> None:
        self.service.advance(self._now)
        self._frames()

    def _frames(self) -> None:
        if (why := self.service.lost) is not None:
            self._lost(why)
        if not self._up:
            self.service.take()
        while self._up and (frames := self.service.take()):
            for frame in frames:
                epoch = self._epoch
                # The core first: it knows how much arrived before it is told how much was played.
                self._feed(Frame(self._now, epoch, frame))
                if epoch == self._epoch:
                    self._to_player(frame)

    def _to_player(self, frame: Mapping[str, Any]) -> None:
        with contextlib.suppress(KeyError, TypeError, AttributeError):  # a frame of the wrong shape plays nothing
            if frame["type"] == "response.output_audio.delta":
                self.player.audio(self._now, frame["response_id"], frame["audio_ms"])
            elif frame["type"] == "response.done":
                self.player.complete(self._now, frame["response"]["id"])

    def _lost(self, why: str) -> None:
        """The connection went: what was on its way comes afterwards, under the old epoch."""
        if not self._up:
            return
        for frame in self.service.take():
            self._later(self._now + LATE_MS, Frame(self._now + LATE_MS, self._epoch, frame))
        self._feed(Disconnected(self._now, self._epoch, why))

    def _player_moves(self) -> None:
        self.player.advance(self._now)
        for progress in self.player.take():
            self.played[progress.response_id] = progress.played_ms
            if progress.first:
                self.guest.voice_started(self._now)
            elif progress.ended and progress.played_ms:
                text, finished = self._heard(progress.response_id, progress.played_ms)
                self.guest.voice_ended(self._now, text, finished)
            self._feed(Playback(self._now, progress.response_id, progress.played_ms, progress.ended))

    def _heard(self, response_id: str, played_ms: int) -> tuple[str, bool]:
        parts, left, finished = [], played_ms, True
        for voiced in self.service.voiced:
            if voiced.response_id == response_id and voiced.total_ms:
                share = min(left, voiced.total_ms) / voiced.spoken_ms(len(voiced.text))
                parts.append(voiced.text[: round(len(voiced.text) * share)])
                left = max(0, left - voiced.total_ms)
                finished = finished and share >= 1.0
        return " ".join(parts), finished

    def _guest_moves(self) -> None:
        self.guest.advance(self._now)
        for edge in self.guest.take():
            self._guest_on = edge.on
            self._feed(Mic(self._now, edge.on))
            self._spoke_ms = self._now if edge.on else self._spoke_ms
            if edge.on and self._mic_open:
                self._listen()
            elif not edge.on and self._heard_by_service:
                self._heard_by_service = False
                self.service.voice(self._now, False, self._caught(edge.text or ""))
            self._frames()

    def _listen(self) -> None:
        """The service begins to hear the guest, who may have begun to speak before."""
        if self._up and not self._heard_by_service:
            self._heard_by_service, self._missed_ms = True, self._now - self._spoke_ms
            self.service.voice(self._now, True, self.guest.saying)

    def _caught(self, text: str) -> str:
        """What the service heard of it: the whole, or what came after it began to hear."""
        whole_ms = self._now - self._spoke_ms
        words = text.split()
        return " ".join(words[len(words) * self._missed_ms // whole_ms :]) if self._missed_ms and whole_ms else text

    def _microphone(self, on: bool) -> None:
        self._mic_open = on
        if on and self._guest_on:
            self._listen()
        if not on and self._heard_by_service:
            # The audio stops in the middle of a word: what the service has of it is not to be made out.
            self._heard_by_service = False
            self.service.voice(self._now, False, None)

    # -- the core ----------------------------------------------------------------------------------------------

    def _feed(self, record: Input) -> None:
        if type(record) is Disconnected and record.epoch == self._epoch:
            self._up = self._heard_by_service = False
        self._write("in", record.t_ms, encode(record))
        actions = self.core.step(record)
        for action in actions:
            if line := line_of(action, self._now):
                self._write(*line)
        for action in actions:
            if do := _DO.get(type(action)):
                do(self, action)
        if actions and self._watcher:
            self._watcher.saw(self.core, actions)

    def _later(self, t_ms: int, record: Input) -> None:
        self._count += 1
        heapq.heappush(self._scheduled, (t_ms, self._count, record))

    def _connect(self, action: Connect) -> None:
        self._epoch = action.epoch
        opened = self._now + CONNECT_MS
        self._heard_by_service = False
        self.service.connect(opened)
        self._up = self.service.lost is None
        if self._up:
            self._later(opened, Connected(opened, action.epoch))
        else:
            self._later(opened, Disconnected(opened, action.epoch, self.service.lost or ""))

    def _send(self, action: Send) -> None:
        if self._up:
            self.service.receive(self._now, action.event)

    def _close(self, action: CloseConnection) -> None:
        closed = self._now + CLOSE_MS
        self._later(closed, Disconnected(closed, action.epoch, "closed by us"))

    def _start(self, action: StartJob) -> None:
        ran = self._backend.run(AGENTS[action.agent], action.data, action.job_id)
        ready = self._now + ran.latency_ms
        self._later(ready, Answer.of(ready, action.job_id, ran))
        if self._meter and (state := self._meter.news()):
            self._later(ready, Spent(ready, state, str(self._meter.budget)))

    def _compare(self, action: Compare) -> None:
        self._later(self._now, Compared(self._now, action.number, *compare(action.scorer, action.rows, action.columns)))

    def _stop(self, action: StopPlayback) -> None:
        self.player.stop(self._now, action.response_id)

    def _mic(self, action: Microphone) -> None:
        self._microphone(action.on)

    def _end(self, action: End) -> None:
        self.reason = action.reason


_DO: dict[type[Action], Callable[[VirtualCall, Any], None]] = {
    Connect: VirtualCall._connect,
    Send: VirtualCall._send,
    CloseConnection: VirtualCall._close,
    StartJob: VirtualCall._start,
    Compare: VirtualCall._compare,
    StopPlayback: VirtualCall._stop,
    Microphone: VirtualCall._mic,
    End: VirtualCall._end,
}
