"""Where in the session's sound the service heard an item, and when that was by our clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from interviewer.call.hub import Hub

_LATE_MS: Final = 1_000


@dataclass(slots=True)
class Stretch:
    """One item in a session's sound: its place, in ms from the sound's beginning, and when we were told of it."""

    start_ms: int | None = None
    end_ms: int | None = None
    start_told_ms: int = 0
    end_told_ms: int = 0

    @property
    def late(self) -> bool:
        """Whether one of its two ends was told of long after it was spoken, by how far apart the two stand."""
        if self.start_ms is None or self.end_ms is None:
            return False
        sound_ms = self.end_ms - self.start_ms
        return abs(self.end_told_ms - self.start_told_ms - sound_ms) > min(_LATE_MS, sound_ms // 2)


class SoundClock:
    """The service counts the sound that we send, from when the guest may be heard; its events may come late.

    A place in the sound that cannot have been sent yet, or an end that is before its start, tells nothing.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._epoch = 0
        self._behind_ms = 0
        self._shut_ms: int | None = None

    def microphone(self, on: bool) -> None:
        """Sound begins to be sent, or stops: what is not sent is not counted."""
        now = self._hub.now
        if on and self._epoch != self._hub.epoch:
            self._epoch, self._behind_ms = self._hub.epoch, now
        elif on and self._shut_ms is not None:
            self._behind_ms += now - self._shut_ms
        self._shut_ms = None if on else self._shut_ms if self._shut_ms is not None else now

    def started(self, stretch: Stretch, frame: Mapping[str, Any]) -> None:
        """Takes `audio_start_ms`, with the padding that the service adds."""
        stretch.start_ms, stretch.start_told_ms = self._place(frame.get("audio_start_ms")), self._hub.now

    def stopped(self, stretch: Stretch, frame: Mapping[str, Any]) -> None:
        """Takes `audio_end_ms`; an item that was told of in time sets the clock, as some sound may have been lost."""
        end = self._place(frame.get("audio_end_ms"))
        if end is None or (stretch.start_ms is not None and end <= stretch.start_ms):
            return
        stretch.end_ms, stretch.end_told_ms = end, self._hub.now
        if stretch.start_ms is not None and not stretch.late:
            self._behind_ms = min(stretch.start_told_ms - stretch.start_ms, self._hub.now - end)

    def at(self, place_ms: int) -> int:
        """When a place in the sound was spoken, in ms since the call was begun."""
        return place_ms + self._behind_ms

    def told_late(self, stretch: Stretch) -> tuple[int, int] | None:
        """When an item was spoken, in ms since the call was begun, if we were told of it late."""
        if not stretch.late or stretch.start_ms is None or stretch.end_ms is None:
            return None
        return self.at(stretch.start_ms), self.at(stretch.end_ms)

    def _place(self, told: Any) -> int | None:
        # type(), not isinstance(): True is no place.
        return told if type(told) is int and 0 <= told <= self._hub.now else None
