"""One channel of a recording: pieces of sound put on the call's line of time."""

from collections import deque
from typing import Final

import numpy as np

from interviewer.audio.pcm import RATE, SAMPLE_BYTES, Samples, samples

LATE_MS: Final = 3_000
"""How long a piece waits for those after it, which tell whether it was late; later ones lose their beginning."""

_SLACK: Final = RATE * 20 // 1_000  # so far sound and time may part before silence is put in or sound left out
_FEW: Final = 10  # of fewer pieces all may have been late by chance:
_JITTER: Final = RATE * 100 // 1_000  # by so much


class Track:
    """Sound that arrives in order, each piece with the moment at which its last sample was heard.

    Arrival jitters and stalls while the sound itself goes on evenly, so a piece follows the one before it without a
    gap unless it and all that came within the next 3 s say that there was one. Positions count samples from the call's
    beginning; the sound lies within 20 ms of the earliest that its arrival allows.
    """

    def __init__(self, begin: int = 0) -> None:
        """`begin`: the position before which there is nothing."""
        self._waiting: deque[tuple[int, Samples]] = deque()
        self._placed: deque[Samples] = deque()
        self._end = begin  # where the next piece would lie
        self._taken = begin

    def add(self, t_ms: int, pcm: bytes) -> None:
        """`pcm` was heard, to its end at `t_ms`."""
        if len(pcm) >= SAMPLE_BYTES:
            self._waiting.append((_position(t_ms), samples(pcm)))

    def settle(self, t_ms: int) -> int:
        """Place what arrived by `t_ms`, with silence up to there; the position up to which the channel is known."""
        until = _position(t_ms)
        while self._waiting and self._waiting[0][0] <= until:
            self._place()
        begins = self._end + max(0, self._gap()) if self._waiting else until
        self._silence(min(until, begins) - self._end)
        return self._end

    def take(self, position: int) -> Samples:
        """What lies between the last take and `position`, which is known."""
        wanted = position - self._taken
        self._taken = position
        parts = []
        while wanted > 0:
            piece = self._placed.popleft()
            if len(piece) > wanted:
                self._placed.appendleft(piece[wanted:])
            parts.append(piece[:wanted])
            wanted -= len(parts[-1])
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int16)

    def _place(self) -> None:
        gap = self._gap()
        chance = _JITTER if len(self._waiting) < _FEW else _SLACK
        _, piece = self._waiting.popleft()
        if gap > chance:
            self._silence(gap)
        elif gap < -_SLACK:
            piece = piece[-gap:]
        self._append(piece)

    def _gap(self) -> int:
        """How far the sound that waits, if it went on here, would be behind its arrival: the least of 3 s of it."""
        last, end = self._waiting[0][0] + _position(LATE_MS), self._end
        gaps = []
        for arrived, piece in self._waiting:
            if arrived > last:
                break
            end += len(piece)
            gaps.append(arrived - end)
        return min(gaps)

    def _silence(self, count: int) -> None:
        if count > 0:
            self._append(np.zeros(count, dtype=np.int16))

    def _append(self, piece: Samples) -> None:
        if len(piece):
            self._placed.append(piece)
            self._end += len(piece)


def _position(t_ms: int) -> int:
    return t_ms * RATE // 1_000
