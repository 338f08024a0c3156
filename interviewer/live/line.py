"""The way to the voice service: one connection after another, told apart by their epochs."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from interviewer.realtime.connection import Connection
from interviewer.realtime.events import Closed, Event, Failed
from interviewer.settings import VoiceSettings


class Line:
    """Dials and hangs up without waiting. `report(epoch, event)` comes from the connections' own threads."""

    def __init__(
        self,
        voice: VoiceSettings,
        key: str | None,
        *,
        connect_s: float,
        close_s: float,
        report: Callable[[int, Event], None],
    ) -> None:
        self._voice, self._key = voice, key
        self._connect_s, self._close_s = connect_s, close_s
        self._report = report
        self._connection: Connection | None = None
        self._ended: set[int] = set()
        self._hanging_up: list[threading.Thread] = []
        self.epoch = 0

    @property
    def up(self) -> bool:
        """Whether the latest connection still has its end to report."""
        return self._connection is not None and self.epoch not in self._ended

    def dial(self, epoch: int) -> None:
        """Open the connection of this epoch; the one before it is closed."""
        self.hang_up()

        def report(event: Event) -> None:
            if isinstance(event, Closed | Failed):
                self._ended.add(epoch)
            self._report(epoch, event)

        self.epoch = epoch
        self._connection = Connection(self._voice, on_event=report, key=self._key, connect_timeout_s=self._connect_s)
        self._connection.start()

    def send(self, event: Mapping[str, Any]) -> None:
        """Send an event over the latest connection; without one it is dropped. Raises FrameError if it is too large."""
        if self._connection is not None:
            self._connection.send(event)

    def send_audio(self, pcm: bytes) -> None:
        """Send a frame of the microphone, likewise."""
        if self._connection is not None:
            self._connection.send_audio(pcm)

    def hang_up(self) -> None:
        """Close the latest connection, in the background."""
        connection, self._connection = self._connection, None
        if connection is not None:
            thread = threading.Thread(target=connection.close, args=(self._close_s,), name="voice-hang-up", daemon=True)
            self._hanging_up.append(thread)
            thread.start()

    def join(self) -> None:
        """Wait until what was hung up is gone."""
        for thread in self._hanging_up:
            thread.join()
