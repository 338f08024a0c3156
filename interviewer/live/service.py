"""The voice service as a call meets it: dialled and hung up for the core, its frames to the core, its sound played."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from interviewer.call.inputs import Connected, Disconnected, Frame, Input
from interviewer.errors import ConnectionFailed, FrameError, InterviewerError
from interviewer.live.agenda import Agenda
from interviewer.live.clock import WallClock
from interviewer.live.line import Line
from interviewer.live.sound import Sound
from interviewer.realtime import events as wire
from interviewer.settings import VoiceSettings, WaitSettings

_SOONER: Final = 0.95  # the way to the service gives up before the core does, since it can say why

_log = logging.getLogger(__name__)


class Service:
    """Everything but `send` and `hear` belongs to the call's thread; what the line reports comes by the agenda.

    `feed` takes what the core is to know, `failed` what no further try would mend.
    """

    def __init__(
        self,
        voice: VoiceSettings,
        key: str | None,
        wait: WaitSettings,
        sound: Sound,
        *,
        clock: WallClock,
        agenda: Agenda,
        feed: Callable[[Input], None],
        failed: Callable[[InterviewerError], None],
    ) -> None:
        self._wait, self._sound, self._agenda = wait, sound, agenda
        self._feed, self._failed = feed, failed
        self._opened = False
        self._failure: InterviewerError | None = None
        self._line = Line(
            voice,
            key,
            connect_s=clock.seconds(wait.connect_ms * _SOONER),
            close_s=clock.seconds(wait.close_ms),
            report=lambda epoch, event: agenda.post(lambda t: self._reported(t, epoch, event)),
        )

    @property
    def failure(self) -> InterviewerError:
        """Why there is no session: what went wrong last, else that none came in time."""
        seconds = self._wait.connect_ms / 1_000
        late = f"the voice service gave no session within {seconds:g} s (setting wait.connect_ms)"
        return self._failure or ConnectionFailed(late)

    def dial(self, epoch: int) -> None:
        """Open the connection of this epoch; the guest is heard again once its session has our settings."""
        self._sound.gate.ready = self._opened = False
        self._line.dial(epoch)

    def send(self, event: Mapping[str, Any]) -> None:
        """Send an event, or drop it if there is no connection. From any thread."""
        try:
            self._line.send(event)
        except FrameError as error:
            _log.warning("not sent: %s", error)

    def hear(self, pcm: bytes) -> None:
        """Send a frame of the microphone, likewise."""
        try:
            self._line.send_audio(pcm)
        except FrameError as error:
            _log.warning("not sent: %s", error)

    def close(self, epoch: int) -> None:
        """Hang up; that the connection is gone is told in any case."""
        if not self._line.up:
            self._agenda.post(lambda t: self._feed(Disconnected(t, epoch, "closed by us")))
        self._line.hang_up()

    def leave(self) -> None:
        """Hang up, whoever wants to know."""
        self._line.hang_up()

    def join(self) -> None:
        """Wait until all connections are gone."""
        self._line.join()

    # -- what comes over the line ------------------------------------------------------------------------------

    def _reported(self, t_ms: int, epoch: int, event: wire.Event) -> None:
        match event:
            case wire.Opened():
                self._opened = epoch == self._line.epoch
                self._feed(Connected(t_ms, epoch))
            case wire.Frame():
                self._received(t_ms, epoch, event)
            case wire.BadFrame():
                _log.warning("left out: %s", event.error)
            case wire.Closed():
                self._disconnected(t_ms, epoch, event.reason or f"closed by {'us' if event.by_us else 'the service'}")
            case wire.Failed():
                self._broken(t_ms, epoch, event.error)

    def _received(self, t_ms: int, epoch: int, event: wire.Frame) -> None:
        # The core first: it knows how much arrived before it is told how much was played.
        frame = event.frame
        self._feed(Frame(t_ms, epoch, frame))
        if epoch != self._line.epoch:
            return
        if frame["type"] == "session.updated":
            self._sound.gate.ready, self._failure = True, None
        elif event.pcm is not None and isinstance(frame.get("response_id"), str):
            self._sound.loudspeaker.play(frame["response_id"], event.pcm)
        elif frame["type"] == "response.done" and isinstance(frame.get("response"), Mapping):
            self._sound.loudspeaker.end(str(frame["response"].get("id")))

    def _broken(self, t_ms: int, epoch: int, error: InterviewerError) -> None:
        if epoch == self._line.epoch:
            self._failure = error
        refused = epoch == self._line.epoch and not self._opened and not error.retryable
        if refused:
            self._failed(error)
        self._disconnected(t_ms, epoch, str(error), final=refused)

    def _disconnected(self, t_ms: int, epoch: int, reason: str, *, final: bool = False) -> None:
        if epoch == self._line.epoch:
            self._sound.gate.ready = False
        self._feed(Disconnected(t_ms, epoch, reason, final))
