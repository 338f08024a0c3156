"""FLAC files of two channels that can be read while they grow, and after a crash.

Every block of sound is in the file as soon as it is full (4,096 samples, 171 ms), and about once a second the header is
told how much there is, so that whatever reads FLAC can read what was written when the power failed.
"""

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from interviewer.audio.pcm import RATE, Samples
from interviewer.errors import AudioError

CHANNELS: Final = 2

_BLOCK: Final = 4_096  # samples of a block as libFLAC makes them by default
_COUNT_AT: Final = 18  # RFC 9639, 8.2: rate (20 bits), channels - 1 (3), bits - 1 (5), count of samples (36)
_FIXED: Final = RATE << 44 | (CHANNELS - 1) << 41 | (16 - 1) << 36
_PART: Final = 10 * RATE
_UNKNOWN: Final = 1 << 40  # libsndfile gives a larger count than any file can hold for a header without one


class FlacWriter:
    """A new file of 16-bit sound at 24 kHz. Raises AudioError, naming the file, if it is there or cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._samples = self._told = 0
        soundfile = _soundfile()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._sink = _Sink(path)
        except OSError as error:
            raise AudioError(f"{path}: the call's sound cannot be kept: {error.strerror or error}") from None
        self._file = soundfile.SoundFile(
            self._sink, "w", samplerate=RATE, channels=CHANNELS, format="FLAC", subtype="PCM_16"
        )

    def write(self, sound: Samples) -> None:
        """Append samples of shape (n, 2). Raises AudioError if the disk is full."""
        for at in range(0, len(sound), RATE):
            self._append(sound[at : at + RATE])

    def _append(self, sound: Samples) -> None:
        self._file.write(sound)
        self._samples += len(sound)
        # What the encoder still gathers is not there for a reader; it looks one sample beyond a block.
        there = max(0, self._samples - 1) // _BLOCK * _BLOCK
        if there >= self._told + RATE:
            self._told = there
            self._sink.overwrite(_COUNT_AT, (_FIXED | there).to_bytes(8, "big"))
        self._check()

    def close(self) -> None:
        """Write what is left; a file without any sound is taken away. Raises AudioError as `write` does."""
        self._file.close()
        self._sink.close()
        if not self._samples:
            self._path.unlink(missing_ok=True)
        self._check()

    def _check(self) -> None:
        if error := self._sink.error:
            raise AudioError(f"{self._path}: no more of the call's sound is kept: {error.strerror or error}")


def read(path: Path, from_ms: int = 0, to_ms: int | None = None) -> Samples:
    """The sound from one moment to another, as far as it is there: int16, shape (n, 2), 24 kHz.

    Raises AudioError if the file is missing, damaged or not one of ours.
    """
    with opened(path) as file:
        there = count(file)
        begin = min(there, max(0, from_ms) * RATE // 1_000)
        end = there if to_ms is None else min(there, max(begin, to_ms * RATE // 1_000))
        file.seek(begin)
        sound: NDArray[np.int16] = file.read(end - begin, dtype="int16", always_2d=True)
    return sound


def length_ms(path: Path) -> int:
    """How much sound a file holds, in ms. Raises AudioError as `read` does."""
    with opened(path) as file:
        return count(file) * 1_000 // RATE


def to_wav(path: Path, target: Path) -> None:
    """Write all of it as a WAV file of two channels. Raises AudioError as `read` does, or if `target` cannot be."""
    soundfile = _soundfile()
    with opened(path) as file:
        left = count(file)
        try:
            with soundfile.SoundFile(target, "w", RATE, CHANNELS, subtype="PCM_16", format="WAV") as out:
                while left > 0:
                    sound = file.read(min(left, _PART), dtype="int16", always_2d=True)
                    out.write(sound)
                    left -= len(sound) or left
        except soundfile.SoundFileError as error:
            raise AudioError(f"{target}: cannot be written: {error}") from None


def count(file: Any) -> int:
    """Samples in an open file; 0 if its header has not been told of any yet."""
    frames = int(file.frames)
    return 0 if frames > _UNKNOWN else frames


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Any]:
    """The file as a `soundfile.SoundFile`; its errors become AudioError."""
    soundfile = _soundfile()
    if not path.is_file():
        raise AudioError(f"{path}: no such audio file")
    try:
        with soundfile.SoundFile(path) as file:
            if (file.samplerate, file.channels) != (RATE, CHANNELS):
                raise AudioError(f"{path}: {file.channels} channels at {file.samplerate} Hz; calls have 2 at {RATE}")
            yield file
    except soundfile.SoundFileError as error:
        raise AudioError(f"{path}: cannot be read: {error}") from None


class _Sink:
    """What libsndfile writes to: it is told of no error, since it would not say which; `error` has the first."""

    def __init__(self, path: Path) -> None:
        self._raw = io.FileIO(path, "xb")
        self.error: OSError | None = None

    def write(self, data: bytes) -> int:
        left = memoryview(data)
        try:
            while left and self.error is None:
                left = left[self._raw.write(left) or 0 :]
        except OSError as error:
            self.error = error
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def overwrite(self, offset: int, data: bytes) -> None:
        at = self.tell()
        self.seek(offset)
        self.write(data)
        self.seek(at)

    def close(self) -> None:
        try:
            self._raw.close()
        except OSError as error:
            self.error = self.error or error


def _soundfile() -> Any:
    try:
        import soundfile
    except (ImportError, OSError) as error:
        raise AudioError(
            f"libsndfile is missing ({error}): install the package soundfile again, or libsndfile from the system"
        ) from None
    return soundfile
