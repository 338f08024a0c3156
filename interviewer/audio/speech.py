"""A synthetic voice whose sound carries its text, and the ear that reads it back.

Each UTF-8 byte is one syllable of 70 ms. Its first half says the high four bits, its second half the low four:
two tones each, one of four "first formants" and one of four "second formants". The halves use different second
formants and only the second one hums, so it sounds like consonant and vowel, and whoever joins in the middle finds
the start of a byte. All tones are multiples of 1/35 ms: orthogonal over a half.

Nothing precedes or follows the text, so what was played so far says the text so far. There is no checksum, since a
cut-off utterance would lose it; another sound is told by its spectrum. In this voice nearly all energy of a half
syllable lies in two known tones of like strength, of a consonant and then of a vowel. No human does that for long.
"""

import codecs
import functools
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from interviewer.audio.pcm import FULL_SCALE, RATE, SAMPLE_BYTES, Samples, samples

SPEECH_MS_PER_BYTE: Final = 70
"""About 150 words a minute of English."""

_HALF: Final = RATE * SPEECH_MS_PER_BYTE // 2_000
_FIRST: Final = np.array([11, 15, 19, 23])  # 314 to 657 Hz, in multiples of 1/35 ms
_SECOND: Final = np.array([[34, 39, 44, 49], [60, 67, 74, 81]])  # consonant 971 to 1400 Hz, vowel 1714 to 2314 Hz
_BAND: Final = slice(8, 110)  # 229 to 3114 Hz: without the hum, and all that is judged
_HUM: Final = 4  # 114 Hz
_AMPLITUDE: Final = 0.13  # of full scale, each tone
_SOFT: Final = b" \t\n.,;:!?-'\"()"  # said at 0.4 of it: the listener hears words

_STEPS: Final = 8  # positions per half syllable at which the ear listens
_HOP: Final = _HALF // _STEPS
_MARGIN: Final = bytes(2 * _HOP * SAMPLE_BYTES)  # a syllable may lack this much (8 ms) at either end of the stretch
_BATCH: Final = 4_096  # positions heard at once: 14 MB
_SILENCE: Final = 1e-6  # mean square of full scale (-60 dB) below which nothing is said
_PURE: Final = 0.6  # least share of the energy in the two tones
_TWIST: Final = 3.0  # largest ratio of the energies of the two tones
_BACKGROUND: Final = 40.0  # 16 dB: this much below the voice is not listened to
_READ: Final = 0.7  # least share of what is louder that must lie in syllables


def duration_ms(text: str) -> int:
    """Length of `synthesise(text)` in milliseconds: 70 per UTF-8 byte, 0 for an empty text."""
    return len(_utf8(text)) * SPEECH_MS_PER_BYTE


def synthesise(text: str) -> Samples:
    """`text` as sound: int16 mono at 24 kHz, shape (24 * duration_ms(text),).

    Its level is about -18 dB below full scale, 8 dB less in spaces and punctuation.
    """
    return _syllables()[np.frombuffer(_utf8(text), dtype=np.uint8)].reshape(-1)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@functools.cache
def _syllables() -> NDArray[np.int16]:
    """The sound of every byte, shape (256, 1680)."""
    seconds = np.arange(_HALF) / RATE
    edge = np.minimum(np.minimum(seconds / 0.005, seconds[::-1] / 0.008), 1.0)
    envelope = 0.5 - 0.5 * np.cos(np.pi * edge)
    phase = 2 * np.pi * np.arange(_HALF) / _HALF
    halves = []
    for vowel in (0, 1):
        tones = np.sin(np.outer(_FIRST, phase))[:, None] + np.sin(np.outer(_SECOND[vowel], phase))[None, :]
        hum = 0.5 * vowel * np.sin(_HUM * phase)
        halves.append(((tones + hum) * envelope * (0.8 + 0.2 * vowel)).reshape(16, _HALF))
    byte = np.arange(256)
    loud = np.where(np.isin(byte, np.frombuffer(_SOFT, dtype=np.uint8)), 0.4, 1.0)
    sound = np.concatenate([halves[0][byte >> 4], halves[1][byte & 15]], axis=1)
    return (sound * loud[:, None] * _AMPLITUDE * FULL_SCALE).astype(np.int16)


@dataclass(frozen=True, slots=True)
class _Heard:
    """Half syllables heard at n successive positions, each taken for a consonant and for a vowel."""

    energy: NDArray[np.float32]  # (n,) in the judged band
    purity: NDArray[np.float32]  # (2, n) share of it in the two tones; 0 if it cannot be this voice
    nibble: NDArray[np.uint8]  # (2, n)


class Transcriber:
    """Reads one stretch of sound back to its text, as it comes in.

    The stretch may start anywhere in or before the speech, hold silence and gaps, and be fed in pieces of any size.
    Memory grows by 14 bytes for every 4 ms fed; the sound itself is not kept.
    """

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._unheard = _MARGIN
        self._heard: list[_Heard] = []

    def feed(self, pcm: bytes) -> None:
        """Listen to `pcm`: 16-bit mono at 24 kHz, any number of bytes."""
        self._unheard += pcm
        signal = samples(self._unheard)
        count = max(0, (len(signal) - _HALF) // _HOP + 1)
        for at in range(0, count, _BATCH):
            self._heard.append(_listen(signal[at * _HOP :], min(_BATCH, count - at)))
        self._unheard = self._unheard[count * _HOP * SAMPLE_BYTES :]

    def take(self) -> str | None:
        """The text of the stretch, which ends here; the next `feed` starts another.

        None if the sound is not this voice: silence, noise, a human. A byte damaged on the way shows as U+FFFD.
        """
        self.feed(_MARGIN)
        heard = self._heard
        self._reset()
        return _text(heard) if heard else None


def _listen(signal: Samples, count: int) -> _Heard:
    windows = np.lib.stride_tricks.sliding_window_view(signal, _HALF)[::_HOP][:count]
    spectrum = np.fft.rfft(windows.astype(np.float32) / FULL_SCALE)
    power = spectrum.real**2 + spectrum.imag**2
    # A tone with soft edges also fills the neighbours of its bin; the closest other tone is four bins away.
    tones = power[:, 1:-1] + power[:, :-2] + power[:, 2:]
    energy = power[:, _BAND].sum(axis=1)
    rows = np.arange(count)
    first = tones[:, _FIRST - 1]
    low = first.argmax(axis=1)
    low_energy = first[rows, low]
    purity, nibble = np.zeros((2, count), np.float32), np.zeros((2, count), np.uint8)
    for vowel in (0, 1):
        second = tones[:, _SECOND[vowel] - 1]
        high = second.argmax(axis=1)
        high_energy = second[rows, high]
        # Parseval: a mean square m over N samples has N * N * m / 2 in the positive frequencies.
        ours = (energy > _SILENCE * _HALF**2 / 2) & (
            np.maximum(low_energy, high_energy) < _TWIST * np.minimum(low_energy, high_energy)
        )
        purity[vowel] = np.where(ours, (low_energy + high_energy) / np.maximum(energy, 1e-12), 0)
        nibble[vowel] = low << 2 | high
    return _Heard(energy, purity, nibble)


def _text(heard: list[_Heard]) -> str | None:
    purity = np.concatenate([part.purity for part in heard], axis=1)
    nibble = np.concatenate([part.nibble for part in heard], axis=1)
    energy = np.concatenate([part.energy for part in heard])
    at = np.array(_starts(purity), dtype=np.intp)
    if not len(at):
        return None
    level = np.median(energy[at])
    # A bang counts no more than a voice, and what is far below the voice not at all.
    weight = np.where(energy < level / _BACKGROUND, 0, np.minimum(energy, level))
    # Every moment is part of `_STEPS` overlapping halves, and of one that was read.
    if (weight[at].sum() + weight[at + _STEPS].sum()) * _STEPS < _READ * weight.sum():
        return None
    data = (nibble[0, at] << 4 | nibble[1, at + _STEPS]).tobytes()
    # A decoder that is not told of the end keeps back a character whose last bytes were never played.
    return codecs.getincrementaldecoder("utf-8")("replace").decode(data).lstrip("\ufffd") or None


def _starts(purity: NDArray[np.float32]) -> list[int]:
    """Positions of the syllables: those that do not overlap and are purest in sum.

    Gaps cost nothing, so sound that was lost or delayed on the way moves what follows without harm.
    """
    if purity.shape[1] <= _STEPS:
        return []
    consonant, vowel = purity[0, :-_STEPS], purity[1, _STEPS:]
    gain = np.where(np.minimum(consonant, vowel) > _PURE, consonant + vowel - 2 * _PURE, -1.0).tolist()
    length = 2 * _STEPS
    best = [0.0] * (len(gain) + length)
    for position, value in enumerate(gain):
        end = position + length
        best[end] = max(best[end - 1], best[position] + value)
    starts, end = [], len(best) - 1
    while end >= length:
        if best[end] == best[end - 1]:
            end -= 1
        else:
            end -= length
            starts.append(end)
    return starts[::-1]
