"""The simulated service's ear: sound in, the guest's voice out, as edges with the text that was said."""

from dataclasses import dataclass
from typing import Final

from interviewer.audio.pcm import RATE, SAMPLE_BYTES, bytes_to_ms, ms_to_bytes
from interviewer.audio.speech import Transcriber
from interviewer.audio.vad import VoiceActivity

LONGEST_MS: Final = 120_000
"""Longer sound without a pause is cut here, so that noise that never ends costs neither memory nor time."""

_SLICE: Final = ms_to_bytes(20)
_MS: Final = RATE // 1_000 * SAMPLE_BYTES
_KEPT: Final = ms_to_bytes(100)  # longer than it takes to know that a voice began


@dataclass(frozen=True, slots=True)
class Heard:
    """The guest's voice began (`on`) or stopped at `at_ms` of the sound fed so far.

    Where it stops, `text` is what was said, None if the sound carries none, as a human voice's does.
    """

    at_ms: int
    on: bool
    text: str | None = None


class Ear:
    """Listens to one stream of PCM (16-bit mono, 24 kHz).

    Where digital silence borders on a voice the edge is dated to the millisecond, in noise to 20 ms. A beginning is
    known 40 ms later, an end 240 ms later; shorter pauses belong to the voice.
    """

    def __init__(self, threshold: float = 0.5) -> None:
        """`threshold`: as `VoiceActivity` takes it; may be changed, for what is said from then on."""
        self.threshold = threshold
        self._activity = VoiceActivity(threshold)
        self._base = 0  # where in the stream, in bytes, the activity began to listen
        self._fed = 0
        self._part = b""
        self._last_sound = 0
        self._on_at = 0
        self._recent = b""
        self._reader = Transcriber()

    @property
    def on(self) -> bool:
        """Whether somebody is speaking, as far as is known."""
        return self._activity.on

    @property
    def fed_ms(self) -> int:
        """Length of the sound fed so far."""
        return bytes_to_ms(self._fed)

    def feed(self, pcm: bytes) -> list[Heard]:
        """Listen to `pcm`, of any length; gives the edges that became known."""
        waiting = self._part + pcm
        start, at = self._fed - len(self._part), 0
        self._fed += len(pcm)
        found: list[Heard] = []
        while len(piece := waiting[at : at + _SLICE]) == _SLICE:
            if skipped := self._silence_before(piece, start + at):
                at += skipped
                self._listen_from(start + at)
            else:
                found += self._hear(piece, start + at)
                at += _SLICE
        self._part = piece
        return found

    def cut(self) -> str | None:
        """What is being said, up to now; the voice that goes on begins anew."""
        self._reader.feed(self._part)
        self._part = b""
        return self._take(self._fed)

    def _silence_before(self, piece: bytes, at: int) -> int:
        """Bytes to pass over, so that the windows of the voice activity begin where the voice does."""
        silent = len(piece) - len(piece.lstrip(b"\0"))
        silent -= silent % _MS
        fresh = self._base == at
        return silent if not self.on and (fresh or silent == _SLICE) else 0

    def _listen_from(self, at: int) -> None:
        self._activity, self._base, self._recent = VoiceActivity(self.threshold), at, b""

    def _hear(self, piece: bytes, at: int) -> list[Heard]:
        if sound := piece.rstrip(b"\0"):
            self._last_sound = at + -(-len(sound) // _MS) * _MS
        edges = self._activity.feed(piece)
        if self.on or edges:
            self._reader.feed(self._recent + piece)
            self._recent = b""
        else:
            self._recent = (self._recent + piece)[-_KEPT:]
        end = at + len(piece)
        known = [self._began(edge.at_ms) if edge.on else self._ended(edge.at_ms, end) for edge in edges]
        return known or self._long(end)

    def _began(self, at_ms: int) -> Heard:
        self._on_at = self._base + ms_to_bytes(at_ms)
        return Heard(bytes_to_ms(self._on_at), True)

    def _ended(self, at_ms: int, end: int) -> Heard:
        at = self._base + ms_to_bytes(at_ms)
        if self._last_sound <= at + _SLICE:
            at = self._last_sound
        return Heard(bytes_to_ms(at), False, self._take(end))

    def _long(self, end: int) -> list[Heard]:
        if not self.on or end - self._on_at < ms_to_bytes(LONGEST_MS):
            return []
        return [Heard(bytes_to_ms(end), False, self._take(end))]

    def _take(self, end: int) -> str | None:
        text = self._reader.take()
        self._listen_from(end)
        return text
