"""The interviewer's voice on its way to the page: sent a little ahead of what has been played there."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from interviewer.audio.pcm import SAMPLE_BYTES, bytes_to_ms, ms_to_bytes
from interviewer.audio.ports import OnPlayed

AHEAD_MS: Final = 3_000
HELD_MS: Final = 300_000

_CHUNK_MS: Final = 480

Tell = Callable[[str, str, bytes | None], None]
"""Called with (kind, response_id, pcm): `play` with audio, `end` and `stop` without. Must not wait."""


@dataclass(slots=True)
class _Response:
    waiting: bytearray = field(default_factory=bytearray)
    sent: int = 0  # bytes
    played: int = 0  # bytes
    complete: bool = False
    end_told: bool = False

    @property
    def ahead(self) -> int:
        return self.sent - self.played


class Outbox:
    """Keeps the page at most 3 s ahead, so that a slow line holds no audio that a stop could not catch up with.

    What the page reports is what was heard; once it is gone, the rest counts as not heard. Audio for a page that
    never comes is held for 5 minutes' worth and then dropped: `dropped_ms` says how much. Safe to use from several
    threads; `on_played` is called from the one that reports, stops or ends.
    """

    def __init__(self, tell: Tell, on_played: OnPlayed) -> None:
        self._tell = tell
        self._on_played = on_played
        # Held while telling and reporting too: the page must get things in order, and nothing follows the last report.
        self._lock = threading.RLock()
        self._responses: dict[str, _Response] = {}
        self._over: set[str] = set()
        self._there = False
        self._dropped = 0

    @property
    def dropped_ms(self) -> int:
        """Milliseconds of audio that nobody came to hear."""
        return bytes_to_ms(self._dropped)

    def play(self, response_id: str, pcm: bytes) -> None:
        """Append audio to a response; ignored once it has ended."""
        with self._lock:
            if (response := self._open(response_id)) and not response.complete:
                room = ms_to_bytes(HELD_MS) - sum(len(r.waiting) for r in self._responses.values())
                response.waiting += pcm[:room]
                self._dropped += max(0, len(pcm) - room)
                self._pump()

    def end(self, response_id: str) -> None:
        """The response has all its audio."""
        with self._lock:
            if response := self._open(response_id):
                response.complete = True
                if response.sent or response.waiting:
                    self._pump()
                else:
                    self._finish(response_id)

    def stop(self, response_id: str) -> None:
        """Have the page fall silent; it reports what was heard. Without a page the last report stands."""
        with self._lock:
            if response := self._open(response_id):
                response.waiting.clear()
                response.complete = response.end_told = True
                if self._there and response.sent:
                    self._tell("stop", response_id, None)
                else:
                    self._finish(response_id)
                self._pump()

    def reported(self, response_id: str, samples: int, ended: bool) -> None:
        """The page has played so many samples of a response, and if `ended` plays no more of it."""
        with self._lock:
            if (response := self._responses.get(response_id)) is None:
                return
            heard = min(samples * SAMPLE_BYTES, response.sent)
            if heard > response.played:
                response.played = heard
                if not ended:
                    self._on_played(response_id, bytes_to_ms(heard), False)
            if ended:
                self._finish(response_id)
            self._pump()

    def page_came(self) -> None:
        """There is a page that plays."""
        with self._lock:
            self._there = True
            self._pump()

    def page_went(self) -> None:
        """It is gone: responses of which it had something are over."""
        with self._lock:
            self._there = False
            for response_id in [key for key, response in self._responses.items() if response.sent]:
                self._finish(response_id)

    def _pump(self) -> None:
        room = ms_to_bytes(AHEAD_MS) - sum(response.ahead for response in self._responses.values())
        for response_id, response in list(self._responses.items()) if self._there else ():
            while room > 0 and response.waiting:
                chunk = bytes(response.waiting[: min(room, ms_to_bytes(_CHUNK_MS))])
                del response.waiting[: len(chunk)]
                response.sent += len(chunk)
                room -= len(chunk)
                self._tell("play", response_id, chunk)
            if response.waiting or not response.complete:
                break
            if not response.end_told:
                response.end_told = True
                self._tell("end", response_id, None)

    def _finish(self, response_id: str) -> None:
        response = self._responses.pop(response_id)
        self._over.add(response_id)
        self._on_played(response_id, bytes_to_ms(response.played), True)

    def _open(self, response_id: str) -> _Response | None:
        if response_id in self._over:
            return None
        return self._responses.setdefault(response_id, _Response())
