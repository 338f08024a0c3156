"""A loudspeaker on a virtual clock: plays what arrives at the speed of speech and says how far it got."""

from collections import deque
from dataclasses import dataclass

REPORT_EVERY_MS = 250


@dataclass(frozen=True, slots=True)
class Progress:
    """`played_ms` of a response's audio were heard; `ended`: no more of it will be."""

    t_ms: int
    response_id: str
    played_ms: int
    ended: bool
    first: bool = False


@dataclass(slots=True)
class _Track:
    response_id: str
    arrived_ms: int = 0
    played_ms: int = 0
    complete: bool = False
    started: bool = False
    reported_ms: int = 0


class Player:
    """Plays responses one after the other. A gap in what arrives is a gap in what is heard."""

    def __init__(self) -> None:
        self._queue: deque[_Track] = deque()
        self._closed: set[str] = set()
        self._at_ms = 0
        self._out: list[Progress] = []

    def audio(self, t_ms: int, response_id: str, audio_ms: int) -> None:
        """More of a response arrived."""
        self.advance(t_ms)
        if response_id in self._closed:
            return
        track = next((t for t in self._queue if t.response_id == response_id), None)
        if track is None:
            track = _Track(response_id)
            self._queue.append(track)
        track.arrived_ms += audio_ms
        self._start(t_ms)

    def complete(self, t_ms: int, response_id: str) -> None:
        """Nothing more of this response arrives."""
        self.advance(t_ms)
        for track in self._queue:
            if track.response_id == response_id:
                track.complete = True
        self._finish(t_ms)

    def stop(self, t_ms: int, response_id: str) -> None:
        """Play no more of it, now or later."""
        self.advance(t_ms)
        self._closed.add(response_id)
        for track in list(self._queue):
            if track.response_id == response_id:
                self._queue.remove(track)
                self._out.append(Progress(t_ms, response_id, track.played_ms, ended=True))
        self._start(t_ms)

    def advance(self, t_ms: int) -> None:
        """Let time pass."""
        while self._at_ms < t_ms:
            step = min(self._next_ms or t_ms, t_ms) if self._queue else t_ms
            self._play(max(step, self._at_ms))
            if step >= t_ms:
                break
        self._at_ms = max(self._at_ms, t_ms)

    @property
    def deadline(self) -> int | None:
        """When there is something to report if nothing else happens; now if something is."""
        return self._at_ms if self._out else self._next_ms

    @property
    def _next_ms(self) -> int | None:
        if not self._queue:
            return None
        track = self._queue[0]
        left = min(track.arrived_ms, track.reported_ms + REPORT_EVERY_MS) - track.played_ms
        return self._at_ms + left if left > 0 else None

    def take(self) -> list[Progress]:
        """Reports since the last call."""
        out, self._out = self._out, []
        return out

    @property
    def playing(self) -> str | None:
        """The response being played."""
        return self._queue[0].response_id if self._queue and self._queue[0].started else None

    def _play(self, t_ms: int) -> None:
        track = self._queue[0] if self._queue else None
        if track is None:
            self._at_ms = t_ms
            return
        track.played_ms = min(track.arrived_ms, track.played_ms + t_ms - self._at_ms)
        self._at_ms = t_ms
        if track.played_ms >= track.reported_ms + REPORT_EVERY_MS:
            track.reported_ms = track.played_ms
            self._out.append(Progress(t_ms, track.response_id, track.played_ms, ended=False))
        self._finish(t_ms)

    def _start(self, t_ms: int) -> None:
        track = self._queue[0] if self._queue else None
        if track and not track.started and track.arrived_ms:
            track.started = True
            self._out.append(Progress(t_ms, track.response_id, 0, ended=False, first=True))

    def _finish(self, t_ms: int) -> None:
        while self._queue and self._queue[0].complete and self._queue[0].played_ms >= self._queue[0].arrived_ms:
            track = self._queue.popleft()
            self._closed.add(track.response_id)
            self._out.append(Progress(t_ms, track.response_id, track.played_ms, ended=True))
        self._start(t_ms)
