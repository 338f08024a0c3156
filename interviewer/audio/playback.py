"""The queue in front of a loudspeaker: what comes next, and how much of each response was heard."""

import threading
from dataclasses import dataclass, field

from interviewer.audio.pcm import bytes_to_ms, ms_to_bytes
from interviewer.audio.ports import OnPlayed


@dataclass(slots=True)
class _Response:
    waiting: bytearray = field(default_factory=bytearray)
    taken: int = 0  # bytes handed to the loudspeaker
    last: int = 0  # where in all that was pulled the last of them lies
    reported: int = 0
    complete: bool = False


class Playback:
    """Audio by response, pulled by whatever sets the pace: a device's callback or a clock.

    What was pulled counts as heard `latency_ms` later, on the time line of the pulls. Safe to use from several
    threads; `on_played` is called from the thread that pulls or stops, one call at a time.
    """

    def __init__(self, on_played: OnPlayed, *, latency_ms: int = 0) -> None:
        self._on_played = on_played
        self._latency = ms_to_bytes(latency_ms)
        # Held while reporting too, so that no report follows the last one; the callback may call back into here.
        self._lock = threading.RLock()
        self._pulled = 0
        self._responses: dict[str, _Response] = {}
        self._over: set[str] = set()

    def lag(self, latency_ms: int) -> None:
        """What is pulled from now on is heard so much later."""
        with self._lock:
            self._latency = ms_to_bytes(latency_ms)

    def play(self, response_id: str, pcm: bytes) -> None:
        """Append `pcm` to the response, unless it has ended."""
        with self._lock:
            if (response := self._open(response_id)) and not response.complete:
                response.waiting += pcm

    def end(self, response_id: str) -> None:
        """The response has all its audio."""
        with self._lock:
            if response := self._open(response_id):
                response.complete = True

    def stop(self, response_id: str) -> None:
        """Drop what is unplayed of the response, report what was heard; nothing if it is already over."""
        with self._lock:
            if response := self._open(response_id):
                self._finish(response_id, self._heard(response))

    def pull(self, size: int) -> bytes:
        """The next `size` bytes for the loudspeaker, filled up with silence."""
        with self._lock:
            if not self._responses:
                self._pulled += size
                return bytes(size)
            pulled = bytearray()
            for response in self._responses.values():
                part = response.waiting[: size - len(pulled)]
                del response.waiting[: len(part)]
                pulled += part
                if part:
                    response.taken += len(part)
                    response.last = self._pulled + len(pulled)
                if response.waiting or not response.complete:
                    break
            self._pulled += size
            self._report()
        return bytes(pulled) + bytes(size - len(pulled))

    def _report(self) -> None:
        for response_id, response in list(self._responses.items()):
            heard = self._heard(response)
            if response_id in self._over:  # stopped by the callback just now
                continue
            if response.complete and not response.waiting and heard == response.taken:
                self._finish(response_id, heard)
            elif heard > response.reported:
                response.reported = heard
                self._on_played(response_id, bytes_to_ms(heard), False)

    def _finish(self, response_id: str, heard: int) -> None:
        del self._responses[response_id]
        self._over.add(response_id)
        self._on_played(response_id, bytes_to_ms(heard), True)

    def _open(self, response_id: str) -> _Response | None:
        if response_id in self._over:
            return None
        return self._responses.setdefault(response_id, _Response())

    def _heard(self, response: _Response) -> int:
        still_under_way = max(0, response.last - (self._pulled - self._latency))
        return max(0, response.taken - still_under_way)
