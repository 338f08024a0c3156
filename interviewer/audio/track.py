"""One channel of a recording: pieces of sound put on the call's line of time."""

from collections import deque
from typing import Final

import numpy as np
from numpy.typing import NDArray

from interviewer.audio.pcm import RATE, SAMPLE_BYTES, Samples, samples

LATE_MS: Final = 3_000
"""How long a piece waits for those after it, which tell whether it was late; what comes later lies later."""

_SLACK: Final = RATE * 20 // 1_000  # so far sound and time may part before silence is put in or left out
_FEW: Final = 10  # of fewer pieces all may have been late by chance:
_JITTER: Final = RATE * 100 // 1_000  # by so much
_LOST: Final = RATE * 200 // 1_000  # so much must be missing before silence is put amid sound
_QUIET: Final = 128  # of 32768, -48 dB: nobody speaks below it
_PAUSE: Final = RATE // 2  # of quiet is left to every pause


class Track:
    """Sound that arrives in order, each piece with the moment at which its last sample was heard.

    Arrival jitters and stalls while the sound itself goes on evenly, so a piece follows the one before it without a
    gap unless it and all that came within the next 3 s say that there was one. No sound is ever left out: what comes
    more than 3 s late, or faster than time goes by, lies later, and is made up for in the next pause longer than half
    a second. Silence under 200 ms, too, is put in only where there is quiet. Positions count samples from the call's
    beginning; but for that the sound lies within 20 ms of the earliest that its arrival allows.
    """

    def __init__(self, begin: int = 0) -> None:
        """`begin`: the position before which there is nothing."""
        self._waiting: deque[tuple[int, Samples]] = deque()
        self._placed: deque[Samples] = deque()
        self._end = begin  # where the next piece would lie
        self._taken = begin
        self._quiet = _PAUSE  # how much of it is at the end

    def add(self, t_ms: int, pcm: bytes) -> None:
        """`pcm` was heard, to its end at `t_ms`."""
        if len(pcm) >= SAMPLE_BYTES:
            self._waiting.append((_position(t_ms), samples(pcm)))

    def settle(self, t_ms: int) -> int:
        """Place what arrived by `t_ms`, with silence up to there; the position up to which the channel is known."""
        until = _position(t_ms)
        while self._waiting and self._waiting[0][0] <= until:
            self._place()
        begins = self._end + self._missing() if self._waiting else until
        self.silence(min(until, begins))
        return self._end

    def silence(self, position: int) -> None:
        """Nothing more comes before `position`."""
        if (count := position - self._end) > 0:
            self._placed.append(np.zeros(count, dtype=np.int16))
            self._end += count
            self._quiet += count

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
        self.silence(self._end + self._missing())
        _, piece = self._waiting.popleft()
        self._append(_without_quiet(piece, -gap, _PAUSE - self._quiet) if gap < -_SLACK else piece)

    def _missing(self) -> int:
        """How much silence is to be put in before what waits."""
        chance = _JITTER if len(self._waiting) < _FEW else _SLACK
        gap = self._gap()
        return gap if gap > (chance if self._quiet else max(chance, _LOST)) else 0

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

    def _append(self, piece: Samples) -> None:
        if len(piece):
            self._placed.append(piece)
            self._end += len(piece)
            loud = _loud(piece)
            self._quiet = len(piece) - 1 - int(loud[-1]) if len(loud) else self._quiet + len(piece)


def _loud(piece: Samples) -> NDArray[np.intp]:
    return np.flatnonzero((piece > _QUIET) | (piece < -_QUIET))


def _without_quiet(piece: Samples, most: int, keep: int) -> Samples:
    """Without the quiet at its beginning: at most `most` samples, and all but `keep` of them."""
    loud = _loud(piece)
    quiet = int(loud[0]) if len(loud) else len(piece)
    return piece[max(0, min(most, quiet - max(0, keep))) :]


def _position(t_ms: int) -> int:
    return t_ms * RATE // 1_000
