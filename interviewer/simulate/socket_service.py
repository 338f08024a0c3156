"""The voice service reached over a real socket, on a virtual clock: PCM both ways, through our own client."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from interviewer.audio.pcm import to_base64
from interviewer.errors import ConnectionFailed
from interviewer.realtime.connection import BadFrame, Closed, Connection, Event, Failed, Frame
from interviewer.realtime.engine import Brain, Faults, Taken, Voiced
from interviewer.settings import VoiceSettings
from interviewer.simulate.clocks import HandedClock
from interviewer.simulate.hosted import Hosted
from interviewer.simulate.line import Line
from interviewer.simulate.microphone import FRAME_MS, Microphone
from interviewer.simulate.server import SimulatorServer

SOUND_EVERY_MS: Final = 280
"""So often sound goes out while the guest speaks or has just stopped: seven frames, and less than the service waits."""

_PATIENCE_S: Final = 30.0


class OverSocket:
    """A server on a thread and a client on another, in lock-step: time stands while a message is on its way.

    The service hears the guest as sound alone, and gives sound; only the truth of what was voiced comes straight from
    the server's engines. Raises ConnectionFailed when the connection breaks.
    """

    def __init__(self, brain: Callable[[], Brain], seed: int, faults: Faults | None = None) -> None:
        self._clock = HandedClock()
        server = SimulatorServer(seed=seed, clock=self._clock, brain=lambda _: brain(), faults=faults)
        self._hosted = Hosted(server).start()
        self._ails = faults is not None
        self._settings = VoiceSettings(url=self._hosted.server.url)
        self._voiced: list[Sequence[Voiced]] = []
        self._inbox = _Inbox()
        self._taken: list[Sequence[Taken]] = []
        self._connection: Connection | None = None
        self._line: Line
        self._microphone: Microphone
        self._sent = 0
        self._settled = True
        self._service_deadline: int | None = None
        self._sound_deadline: int | None = None

    def connect(self, t_ms: int) -> None:
        """Dial anew; the service's time is `t_ms` from then on."""
        self._hang_up()
        self._clock.hand(t_ms)
        self._inbox, self._sent = _Inbox(), 0
        self._connection = Connection(self._settings, on_event=self._inbox.put, connect_timeout_s=_PATIENCE_S)
        self._connection.start()
        if not self._came(1):
            return
        line = self._hosted.server.line(len(self._voiced))
        if line is None:
            raise ConnectionFailed("the simulated service closed a new connection")
        self._line = line
        self._voiced.append(line.voiced)
        self._taken.append(line.taken)
        self._microphone = Microphone(t_ms)
        self._sound_deadline = None
        self._settle()

    def receive(self, t_ms: int, event: Mapping[str, Any]) -> None:
        """Send a client event, after all sound up to now."""
        self._hand(t_ms)
        self._hear(self._microphone.take(t_ms))
        self._send(event)

    def voice(self, t_ms: int, on: bool, text: str | None = None) -> None:
        """The guest begins to say `text`, or stops: from now on the microphone hears that."""
        self._hand(t_ms)
        self._hear(self._microphone.begin(t_ms, text or "") if on else self._microphone.end(t_ms))
        # The service must know of a beginning before it would announce it.
        self._sound_deadline = t_ms + (FRAME_MS if on else SOUND_EVERY_MS)

    def advance(self, t_ms: int) -> None:
        """Let time pass; nothing goes over the socket unless something is due."""
        due_ms = self.deadline
        if due_ms is None or t_ms < due_ms:
            return
        self._hand(t_ms)
        self._hear(self._microphone.take(t_ms))
        if self._sound_deadline is not None and t_ms >= self._sound_deadline:
            self._sound_deadline = t_ms + SOUND_EVERY_MS if self._microphone.speaking else None
        self._settle()

    @property
    def deadline(self) -> int | None:
        """When the service or the microphone has something to do, or now if frames wait to be taken."""
        self._settle_if_needed()
        if self._inbox.waiting:
            return self._clock.at_ms
        times = [t_ms for t_ms in (self._service_deadline, self._sound_deadline) if t_ms is not None]
        return min(times, default=None)

    def take(self) -> list[dict[str, Any]]:
        """The frames that have come; none is on its way any more."""
        self._settle_if_needed()
        return self._inbox.take()

    @property
    def lost(self) -> str | None:
        """Why the connection is gone."""
        self._settle_if_needed()
        return self._inbox.broken or None

    @property
    def taken(self) -> list[Taken]:
        """What all engines of the server took from the guest."""
        return list(chain.from_iterable(self._taken))

    @property
    def voiced(self) -> list[Voiced]:
        """What all engines of the server voiced."""
        self._settle_if_needed()
        return list(chain.from_iterable(self._voiced))

    def close(self) -> None:
        """Hang up and end the server."""
        self._hang_up()
        self._hosted.close()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close(_PATIENCE_S)

    def _hand(self, t_ms: int) -> None:
        self._settle_if_needed()
        self._clock.hand(t_ms)

    def _hear(self, frames: Iterable[bytes]) -> None:
        for pcm in frames:
            self._send({"type": "input_audio_buffer.append", "audio": to_base64(pcm)})

    def _send(self, event: Mapping[str, Any]) -> None:
        assert self._connection is not None
        self._connection.send(event)
        self._sent += 1
        self._settled = False

    def _settle_if_needed(self) -> None:
        if not self._settled:
            self._settle()

    def _settle(self) -> None:
        """Wait until the service has dealt with all we sent and we have all that it answered."""
        progress = self._hosted.run(self._line.settle(self._sent))
        self._settled = True
        if self._came(progress.sent) and progress.over and self._ails:
            self._inbox.wait_for_end()
        self._service_deadline = None if progress.over else progress.deadline

    def _came(self, count: int) -> bool:
        """Wait for so many frames; False if a connection that may break did."""
        try:
            self._inbox.wait(count)
        except ConnectionFailed:
            if not self._ails or not self._inbox.broken:
                raise
            self._settled = True
            self._service_deadline = self._sound_deadline = None
            return False
        return True


class _Inbox:
    """What the connection reported, from its thread."""

    def __init__(self) -> None:
        self._came = threading.Condition()
        self._count = 0
        self._frames: list[dict[str, Any]] = []
        self.broken = ""

    @property
    def waiting(self) -> bool:
        """Whether there is something to take."""
        return bool(self._frames)

    def put(self, event: Event) -> None:
        with self._came:
            match event:
                case Frame():
                    self._count += 1
                    self._frames.append(event.frame)
                case BadFrame():
                    self._count += 1
                case Failed():
                    self.broken = str(event.error)
                case Closed():
                    self.broken = f"closed with {event.code} {event.reason}"
            self._came.notify_all()

    def wait(self, count: int) -> None:
        """Until so many frames have come in all."""
        with self._came:
            came = self._came.wait_for(lambda: self._count >= count or self.broken, _PATIENCE_S)
            if self._count < count:
                why = self.broken if came else f"nothing came for {_PATIENCE_S:g} s"
                raise ConnectionFailed(f"the connection to the simulated service failed: {why}")

    def wait_for_end(self) -> None:
        """Until the connection has reported its end."""
        with self._came:
            self._came.wait_for(lambda: bool(self.broken), _PATIENCE_S)

    def take(self) -> list[dict[str, Any]]:
        with self._came:
            frames, self._frames = self._frames, []
        return frames
