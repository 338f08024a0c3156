"""Where in the session's sound the service heard an item, and when that was by our clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from interviewer.call.hub import Hub

_LATE_MS: Final = 1_000


@dataclass(slots=True)
class Stretch:
    """One item's place in a session's sound, in ms from its beginning; None where the service does not tell."""

    start_ms: int | None = None
    end_ms: int | None = None


class SoundClock:
    """The service counts the sound of a session, and its events may come late.

    How far its count is behind our clock is told by the quickest of its events. A place in sound that cannot have been
    sent yet, or an end that is before its start, tells nothing.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lag: tuple[int, int] | None = None

    def start(self, frame: Mapping[str, Any]) -> int | None:
        """`audio_start_ms` of an event, in ms of the session's sound, with the padding that the service adds."""
        return self._place(frame.get("audio_start_ms"))

    def end(self, frame: Mapping[str, Any], start_ms: int | None) -> int | None:
        """`audio_end_ms` of an event, in ms of the session's sound."""
        told = frame.get("audio_end_ms")
        return self._place(told) if start_ms is None or (type(told) is int and told > start_ms) else None

    def at(self, place_ms: int) -> int:
        """When a place in the sound was spoken, in ms since the call was begun."""
        return place_ms + (self._lag[1] if self._lag is not None else 0)

    def told_late(self, stretch: Stretch) -> tuple[int, int] | None:
        """When an item was spoken, if the service told of it long after; it may tell of several at once then."""
        if stretch.start_ms is None or stretch.end_ms is None:
            return None
        began, ended = self.at(stretch.start_ms), self.at(stretch.end_ms)
        return (began, ended) if ended < self._hub.now - _LATE_MS else None

    def _place(self, told: Any) -> int | None:
        # type(), not isinstance(): True is no place.
        if type(told) is not int or not 0 <= told <= self._hub.now:
            return None
        lag, epoch = self._hub.now - told, self._hub.epoch
        if self._lag is None or self._lag[0] != epoch or lag < self._lag[1]:
            self._lag = (epoch, lag)
        return told
