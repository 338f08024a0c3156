"""How loud both sides are right now, heard in passing: the microphone as it comes, the voice as it is played."""

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from interviewer.audio.overheard import Overheard
from interviewer.audio.pcm import FULL_SCALE, ms_to_bytes, samples
from interviewer.audio.ports import MicrophoneSource, OnFrame, OnProblem, Reporter, SpeakerSink

FLOOR_DB: Final = -60.0
"""dB of full scale that show as nothing."""

_STEP_MS = 40
_FALL = 0.06  # of the scale a frame: a level that is looked at a few times a second must not fall into every pause
_STEP_BYTES = ms_to_bytes(_STEP_MS)
_KEPT = 4  # responses whose loudness is remembered; hardly two overlap


def loudness(pcm: bytes) -> float:
    """Root mean square of PCM as a share of a scale of decibels: 0 at -60 dB of full scale or below, 1 at 0 dB."""
    signal = samples(pcm).astype(np.float32)
    if not len(signal):
        return 0.0
    level = float(np.sqrt(np.mean(signal * signal))) / FULL_SCALE
    return max(0.0, 1 - 20 * float(np.log10(max(level, 1e-9))) / FLOOR_DB)


@dataclass(slots=True)
class _Voiced:
    pcm: bytearray = field(default_factory=bytearray)
    steps: list[float] = field(default_factory=list)


class Levels:
    """Lets sound through between a call and its ends, and knows its level: `guest` and `voice`, each 0 to 1."""

    def __init__(self, microphone: MicrophoneSource, speaker: SpeakerSink) -> None:
        self.microphone = _Ear(microphone, self)
        self.speaker = _Mouth(speaker, self)
        self.guest = 0.0
        self.voice = 0.0


class _Ear:
    """A `MicrophoneSource` that is listened to."""

    def __init__(self, source: MicrophoneSource, levels: Levels) -> None:
        self._source, self._levels = source, levels

    def report_to(self, on_problem: OnProblem) -> None:
        """See `Reporter.report_to`; of one that notices nothing nothing comes."""
        if isinstance(self._source, Reporter):
            self._source.report_to(on_problem)

    def start(self, on_frame: OnFrame) -> None:
        """See `MicrophoneSource.start`."""

        def heard(pcm: bytes) -> None:
            self._levels.guest = max(loudness(pcm), self._levels.guest - _FALL)
            on_frame(pcm)

        self._source.start(heard)

    def stop(self) -> None:
        """See `MicrophoneSource.stop`."""
        self._source.stop()
        self._levels.guest = 0.0


class _Mouth(Overheard):
    """A `SpeakerSink` whose loudness is shown."""

    def __init__(self, sink: SpeakerSink, levels: Levels) -> None:
        super().__init__(sink)
        self._levels = levels
        self._lock = threading.Lock()
        self._voiced: dict[str, _Voiced] = {}
        self._order: deque[str] = deque()

    def played(self, response_id: str, played_ms: int, ended: bool) -> None:
        self._levels.voice = 0.0 if ended else self._level(response_id, played_ms)

    def close(self) -> None:
        super().close()
        self._levels.voice = 0.0

    def given(self, response_id: str, pcm: bytes) -> None:
        with self._lock:
            if response_id not in self._voiced:
                self._voiced[response_id] = _Voiced()
                self._order.append(response_id)
                if len(self._order) > _KEPT:
                    del self._voiced[self._order.popleft()]
            voiced = self._voiced[response_id]
            voiced.pcm += pcm
            while len(voiced.pcm) >= _STEP_BYTES:
                voiced.steps.append(loudness(bytes(voiced.pcm[:_STEP_BYTES])))
                del voiced.pcm[:_STEP_BYTES]

    def _level(self, response_id: str, played_ms: int) -> float:
        with self._lock:
            steps = self._voiced[response_id].steps if response_id in self._voiced else []
            last = min(played_ms // _STEP_MS, len(steps))
            # Reports come every quarter of a second; the loudest moment since the one before is what was noticed.
            return max(steps[max(0, last - 250 // _STEP_MS) : last], default=0.0)
