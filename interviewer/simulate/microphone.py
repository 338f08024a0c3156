"""The guest's microphone on a virtual clock: an unbroken stream of frames, speech where the guest speaks."""

from collections.abc import Iterator
from typing import Final

from interviewer.audio.pcm import ms_to_bytes, to_bytes
from interviewer.audio.speech import synthesise

FRAME_MS: Final = 40
SILENCE_MS: Final = 10_000
"""Longest frame of silence: nothing in it wants to be known early."""


class Microphone:
    """Sound from `start_ms` on, handed out as time passes."""

    def __init__(self, start_ms: int) -> None:
        self._at_ms = start_ms
        self._speech: bytes | None = None

    @property
    def at_ms(self) -> int:
        """Up to when the sound was handed out."""
        return self._at_ms

    @property
    def speaking(self) -> bool:
        """Whether the guest speaks."""
        return self._speech is not None

    def begin(self, t_ms: int, text: str) -> Iterator[bytes]:
        """The guest begins to say something; gives the frames before it."""
        yield from self._take(t_ms)
        self._speech = to_bytes(synthesise(text))

    def end(self, t_ms: int) -> Iterator[bytes]:
        """The guest falls silent; gives the frames before that, the last of them as short as need be."""
        yield from self._take(t_ms)
        self._speech = None

    def take(self, t_ms: int) -> Iterator[bytes]:
        """The frames up to `t_ms`: silence in as few as may be, speech in whole frames of 40 ms."""
        yield from self._take(t_ms - (t_ms - self._at_ms) % FRAME_MS if self.speaking else t_ms)

    def _take(self, t_ms: int) -> Iterator[bytes]:
        while self._at_ms < t_ms:
            size_ms = min(t_ms - self._at_ms, FRAME_MS if self.speaking else SILENCE_MS)
            self._at_ms += size_ms
            yield self._frame(ms_to_bytes(size_ms))

    def _frame(self, size: int) -> bytes:
        if self._speech is None:
            return bytes(size)
        frame, self._speech = self._speech[:size], self._speech[size:]
        return frame + bytes(size - len(frame))
