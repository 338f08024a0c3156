"""WAV files: anything 16-bit and uncompressed in, 24 kHz mono out."""

import io
import wave
from pathlib import Path

import numpy as np

from interviewer.audio.pcm import RATE, SAMPLE_BYTES, Samples, samples, to_bytes
from interviewer.errors import AudioError

_CONVERT = "convert it, for example: ffmpeg -i INPUT -ac 1 -ar 24000 -sample_fmt s16 OUTPUT.wav"


def read(path: Path) -> bytes:
    """The file's sound as PCM, 24 kHz mono.

    Channels are averaged. Another rate is converted by linear interpolation: good enough for speech, but above
    24 kHz nothing removes what lies over 12 kHz, so a bright recording should be converted with a proper tool.
    Raises AudioError if the file is missing, not WAV, compressed or not 16-bit.
    """
    try:
        with path.open("rb") as plain, wave.open(plain) as file:
            width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
            data = file.readframes(file.getnframes())
    except FileNotFoundError:
        raise AudioError(f"{path}: no such audio file") from None
    except OSError as error:
        raise AudioError(f"{path}: cannot be read: {error.strerror or error}") from None
    except wave.Error as error:
        raise AudioError(f"{path}: not an uncompressed WAV file ({error}); {_CONVERT}") from None
    except EOFError:
        raise AudioError(f"{path}: the file is cut off before its sound begins") from None
    if width != SAMPLE_BYTES:
        raise AudioError(f"{path}: {8 * width} bits a sample, 16 are needed; {_CONVERT}")
    if rate <= 0:
        raise AudioError(f"{path}: its header says {rate} Hz; {_CONVERT}")
    return to_bytes(_resampled(_mono(samples(data), channels), rate))


def is_sound(path: Path) -> bool:
    """Whether a file begins as a WAV file does, or is empty. Raises AudioError if it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise AudioError(f"{path}: cannot be read: {error.strerror or error}") from None
    return not head or (head[:4] == b"RIFF" and head[8:] == b"WAVE")


def write(path: Path, pcm: bytes) -> None:
    """Write `pcm` (24 kHz mono) as a WAV file, over an older one. Raises AudioError if that cannot be done."""
    try:
        path.write_bytes(encoded(pcm))
    except OSError as error:
        raise AudioError(f"{path}: cannot be written: {error.strerror or error}") from None


def encoded(pcm: bytes) -> bytes:
    """A WAV file that holds `pcm`, 24 kHz mono."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(SAMPLE_BYTES)
        file.setframerate(RATE)
        file.writeframes(pcm)
    return content.getvalue()


def _mono(signal: Samples, channels: int) -> Samples:
    if channels == 1:
        return signal
    whole = len(signal) - len(signal) % channels
    mixed: Samples = signal[:whole].reshape(-1, channels).mean(axis=1).astype(np.int16)
    return mixed


def _resampled(signal: Samples, rate: int) -> Samples:
    if rate == RATE or not len(signal):
        return signal
    wanted = np.arange(len(signal) * RATE // rate) * (rate / RATE)
    converted: Samples = np.round(np.interp(wanted, np.arange(len(signal)), signal)).astype(np.int16)
    return converted
