"""PCM as it is on the wire: 16-bit little-endian mono at 24 kHz."""

import base64
import binascii
import hashlib

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import AudioError

RATE = 24_000
SAMPLE_BYTES = 2
FULL_SCALE = 32_768

Samples = NDArray[np.int16]


def bytes_to_ms(count: int, rate: int = RATE) -> int:
    """Length in whole milliseconds of `count` bytes, rounded down."""
    return count * 1_000 // (rate * SAMPLE_BYTES)


def ms_to_bytes(ms: int, rate: int = RATE) -> int:
    """Bytes of `ms` milliseconds, whole samples only, rounded down."""
    return ms * rate // 1_000 * SAMPLE_BYTES


def silence(ms: int, rate: int = RATE) -> bytes:
    """`ms` milliseconds of digital silence."""
    return bytes(ms_to_bytes(ms, rate))


def digest(pcm: bytes) -> str:
    """First 16 hex digits of the SHA-256 of `pcm`: stands in for audio wherever audio is not kept."""
    return hashlib.sha256(pcm).hexdigest()[:16]


def to_base64(pcm: bytes) -> str:
    """The text that carries `pcm` in a frame."""
    return base64.b64encode(pcm).decode("ascii")


def from_base64(text: str) -> bytes:
    """The bytes that `text` carries. Raises AudioError if it is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise AudioError(f"audio is not valid base64: {error}") from None


def samples(pcm: bytes) -> Samples:
    """`pcm` as int16 samples, shape (n,); a trailing half sample is dropped."""
    whole = len(pcm) // SAMPLE_BYTES
    return np.frombuffer(pcm, dtype="<i2", count=whole).astype(np.int16, copy=False)


def to_bytes(signal: Samples) -> bytes:
    """int16 samples of shape (n,) as PCM bytes."""
    return signal.astype("<i2", copy=False).tobytes()
