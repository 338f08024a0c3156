"""How loud a microphone is, and whether a loudspeaker plays: tried out before a call."""

import threading
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from interviewer.audio.pcm import FULL_SCALE, RATE, bytes_to_ms, samples, to_bytes
from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.audio.vad import level_dbfs
from interviewer.errors import AudioError

Verdict = Literal["ok", "clipped", "too quiet", "silent"]

TONE_HZ: Final = 440
TONE_DBFS: Final = -20

_WINDOW: Final = RATE * 20 // 1_000
_FLOOR: Final = 1e-5  # -100 dB: less than one bit of sixteen
_FULL: Final = 32_760  # samples beyond this have hit the end of the scale
_PATIENCE_MS: Final = 3_000  # that a device may take beyond the time it is tried for


@dataclass(frozen=True, slots=True)
class Level:
    """Of some sound, in dB below full scale (0 is the loudest there can be).

    `speech_dbfs` is the level that a tenth of its windows of 20 ms exceed, `noise_dbfs` the one that nine tenths do;
    `clipped` is the share of samples at the end of the scale.
    """

    speech_dbfs: float
    noise_dbfs: float
    peak_dbfs: float
    clipped: float

    @classmethod
    def of(cls, pcm: bytes) -> "Level":
        """Of 16-bit mono at 24 kHz. Raises AudioError if it is shorter than 20 ms."""
        signal = samples(pcm).astype(np.float64)
        windows = signal[: len(signal) // _WINDOW * _WINDOW].reshape(-1, _WINDOW)
        if not len(windows):
            raise AudioError("no sound came: at least 20 ms are needed to tell its level")
        loud, quiet = np.percentile(np.sqrt((windows**2).mean(axis=1)), [90, 10])
        peak = np.abs(signal).max()
        return cls(_dbfs(loud), _dbfs(quiet), _dbfs(peak), float((np.abs(signal) >= _FULL).mean()))

    def verdict(self, *, vad_threshold: float, silent_dbfs: float, clipped: float) -> Verdict:
        """What it is worth for a call: `too quiet` is speech that voice activity with this threshold does not notice.

        `silent_dbfs` and `clipped` are the settings audio.silent_dbfs and audio.clipped_share.
        """
        if self.clipped > clipped:
            return "clipped"
        if self.peak_dbfs < silent_dbfs:
            return "silent"
        return "too quiet" if self.speech_dbfs < level_dbfs(vad_threshold) else "ok"


def listen(microphone: MicrophoneSource, ms: int) -> bytes:
    """What a microphone hears in `ms` milliseconds: PCM. It is opened and closed.

    Raises AudioError if it cannot be opened or gives less than that in 3 s more.
    """
    heard = bytearray()
    enough = threading.Event()

    def frame(pcm: bytes) -> None:
        heard.extend(pcm)
        if bytes_to_ms(len(heard)) >= ms:
            enough.set()

    microphone.start(frame)
    try:
        if not enough.wait((ms + _PATIENCE_MS) / 1_000):
            got = bytes_to_ms(len(heard))
            raise AudioError(f"the microphone opened and gave {got} ms of sound in {(ms + _PATIENCE_MS) / 1_000:g} s")
    finally:
        microphone.stop()
    return bytes(heard)


def play(speaker: SpeakerSink, pcm: bytes) -> None:
    """Play through a loudspeaker, to the end. It is opened and closed.

    Raises AudioError if it cannot be opened or does not come to the end in 3 s more than the sound is long.
    """
    over = threading.Event()
    played = 0

    def report(_: str, played_ms: int, ended: bool) -> None:
        nonlocal played
        played = played_ms
        if ended:
            over.set()

    speaker.start(report)
    try:
        speaker.play("check", pcm)
        speaker.end("check")
        length_ms = bytes_to_ms(len(pcm))
        if not over.wait((length_ms + _PATIENCE_MS) / 1_000):
            raise AudioError(f"the loudspeaker opened and played {played} of {length_ms} ms")
    finally:
        speaker.close()


def tone(ms: int) -> bytes:
    """A tone of 440 Hz at -20 dB, with soft edges of 20 ms: PCM."""
    seconds = np.arange(ms * RATE // 1_000) / RATE
    edge = np.minimum(np.minimum(seconds, seconds[::-1]) / 0.02, 1.0)
    peak = 2**0.5 * 10 ** (TONE_DBFS / 20) * FULL_SCALE
    return to_bytes((np.sin(2 * np.pi * TONE_HZ * seconds) * edge * peak).astype(np.int16))


def _dbfs(amplitude: float) -> float:
    return round(float(20 * np.log10(max(amplitude / FULL_SCALE, _FLOOR))), 1)
