"""Voice activity by energy: where somebody begins and stops making sound."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from interviewer.audio.pcm import FULL_SCALE, RATE, SAMPLE_BYTES, bytes_to_ms, ms_to_bytes

_PCM: Final = np.dtype("<i2")
_EXACT: Final = np.dtype(np.int64)
_WINDOW_MS: Final = 20
_ONSET: Final = 2  # loud windows in a row that begin speech: 40 ms, longer than a click
_HANG_OVER: Final = 12  # quiet windows in a row that end it: 240 ms, longer than the gap between two words


@dataclass(frozen=True, slots=True)
class Edge:
    """Speech began (`on`) or ended at `at_ms` of the audio fed so far."""

    at_ms: int
    on: bool


def level_dbfs(threshold: float) -> float:
    """The level that a threshold of 0 to 1 stands for: -60 to -12 dB below full scale."""
    return 48 * threshold - 60


class VoiceActivity:
    """Edges of speech on the audio's own time line.

    `threshold` is a level as in `level_dbfs`, so 0.5 is -36 dB: measured over windows of 20 ms.
    An edge is dated where it lies in the audio, to 20 ms, and is known later: the beginning 40 ms, the end 240 ms.
    """

    def __init__(self, threshold: float = 0.5, rate: int = RATE) -> None:
        self._window_bytes = ms_to_bytes(_WINDOW_MS, rate)
        level = 10 ** (level_dbfs(threshold) / 20) * FULL_SCALE
        self._energy = level**2 * (self._window_bytes // SAMPLE_BYTES)  # of a window at that level
        self._rate = rate
        self._unheard = b""
        self._windows = 0
        self._run = 0
        self._on = False

    @property
    def on(self) -> bool:
        """Whether somebody is speaking, as far as is known."""
        return self._on

    @property
    def quiet(self) -> bool:
        """Whether nobody is speaking, and the last 20 ms do not sound as if somebody began to."""
        return not self._on and self._run == 0

    @property
    def fed_ms(self) -> int:
        """Length of the audio fed so far, in milliseconds."""
        return self._windows * _WINDOW_MS + bytes_to_ms(len(self._unheard), self._rate)

    def feed(self, pcm: bytes) -> list[Edge]:
        """The edges that became known with `pcm`: 16-bit mono, any number of bytes."""
        if self._unheard:
            pcm = self._unheard + pcm
        rest = len(pcm) % self._window_bytes
        self._unheard = pcm[len(pcm) - rest :]
        if pcm == bytes(len(pcm)):  # a microphone that is shut or muted gives nothing else
            quiet = (self._step(loud=False) for _ in range(len(pcm) // self._window_bytes))
            return [edge for edge in quiet if edge is not None]
        step = self._window_bytes // SAMPLE_BYTES
        # One window after the other: of the two in a frame that costs a third of any way to have them together.
        signal = np.frombuffer(pcm, _PCM, (len(pcm) - rest) // SAMPLE_BYTES).astype(_EXACT)
        edges = []
        for at in range(0, len(signal), step):
            window = signal[at : at + step]
            edge = self._step(loud=int(window.dot(window)) >= self._energy)
            if edge is not None:
                edges.append(edge)
        return edges

    def _step(self, *, loud: bool) -> Edge | None:
        self._windows += 1
        self._run = self._run + 1 if loud != self._on else 0
        if self._run < (_HANG_OVER if self._on else _ONSET):
            return None
        edge = Edge((self._windows - self._run) * _WINDOW_MS, not self._on)
        self._on, self._run = edge.on, 0
        return edge
