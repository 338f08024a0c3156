"""Recorded sound, fetched for the purpose from Debian's packages: sentences and words of a speaker, noises, music.

A room is a synthetic one: white noise that dies away, its first milliseconds left silent, convolved with the recording.
"""

import subprocess
import wave
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evals.clients.environment import CannotInstall

RATE: Final = 24_000
PACKAGES: Final = {
    "asterisk-core-sounds-en-wav": "speech, Allison Smith, CC BY-SA 3.0",
    "alsa-utils": "speech and noise of the sound card test, GPL 2",
    "sound-icons": "instruments, animals, glass, GPL 2",
}
_SPEECH: Final = "asterisk-core-sounds-en-wav/usr/share/asterisk/sounds/en_US_f_Allison"
_ICONS: Final = "sound-icons/usr/share/sounds/sound-icons"
_ALSA: Final = "alsa-utils/usr/share/sounds/alsa"
_SPOKEN_DBFS: Final = -23.0  # loudness of speech near a microphone, as broadcasters set it (EBU R 128)

Sound = NDArray[np.float32]
"""24 kHz mono, full scale 1."""


def fetch(folder: Path) -> Path:
    """Download and unpack the packages; gives the folder. Raises CannotInstall."""
    for package in PACKAGES:
        try:
            subprocess.run(["apt-get", "-qq", "download", package], cwd=folder, capture_output=True, check=True)
            archive = next(folder.glob(f"{package}_*.deb"))
            subprocess.run(["dpkg-deb", "-x", str(archive), str(folder / package)], capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError, StopIteration) as error:
            raise CannotInstall(f"{package} of Debian cannot be had here: {error}") from None
    return folder


def sentences(folder: Path, count: int) -> list[Path]:
    """Recorded sentences of 2 to 5 s, spread over all there are."""
    return _spread([p for p in _wavs(folder / _SPEECH) if 2.0 <= _seconds(p) <= 5.0], count)


def words(folder: Path, count: int) -> list[Path]:
    """Recorded single words of at most 0.8 s, as short as answers can be."""
    places = [p for p in _wavs(folder / _SPEECH) if p.parent.name in ("digits", "letters", "phonetic")]
    places += [folder / _SPEECH / f"{name}.wav" for name in ("added", "calling", "hello", "sorry", "goodbye")]
    return _spread([p for p in places if 0.3 <= _seconds(p) <= 0.9], count)


def noises(folder: Path, count: int) -> list[Path]:
    """Recorded sounds that nobody speaks."""
    return _spread([folder / _ALSA / "Noise.wav", *_wavs(folder / _ICONS)], count)


def load(path: Path) -> Sound:
    """A WAV file as sound. Raises ValueError for a format it cannot read."""
    with wave.open(str(path)) as file:
        if file.getsampwidth() != 2:
            raise ValueError(f"{path} is not 16-bit")
        raw = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").reshape(-1, file.getnchannels())
        rate = file.getframerate()
    mono = raw.mean(axis=1) / 32_768
    at = np.arange(round(len(mono) * RATE / rate)) * rate / RATE
    return np.asarray(np.interp(at, np.arange(len(mono)), mono), dtype=np.float32)


def at_level(sound: Sound, gain_db: float = 0.0) -> Sound:
    """The sound at the level of speech near a microphone, and `gain_db` above; loudness is taken where there is any."""
    loud = sound[np.abs(sound) > 0.01 * (np.abs(sound).max() or 1.0)]
    rms = float(np.sqrt((loud**2).mean())) if len(loud) else 1.0
    scaled: Sound = np.clip(sound * (10 ** ((_SPOKEN_DBFS + gain_db) / 20) / rms), -1, 1).astype(np.float32)
    return scaled


def in_room(sound: Sound, decay_s: float, seed: int) -> Sound:
    """The sound as a synthetic room of this reverberation time sends it back, 5 ms late, at the same level."""
    draw = np.random.default_rng(seed)
    length = int(RATE * decay_s)
    response = draw.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    late = np.zeros(RATE * 5 // 1_000)
    size = len(sound) + length
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)
    return np.concatenate([late, wet]).astype(np.float32)


def mix(*sounds: Sound) -> Sound:
    """All at once, from the same moment."""
    total = np.zeros(max(map(len, sounds)), dtype=np.float32)
    for sound in sounds:
        total[: len(sound)] += sound
    return np.clip(total, -1, 1)


def _wavs(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.wav"))


def _seconds(path: Path) -> float:
    with wave.open(str(path)) as file:
        return float(file.getnframes()) / float(file.getframerate())


def _spread(paths: Sequence[Path], count: int) -> list[Path]:
    step = max(1, len(paths) // count)
    return list(paths[::step][:count])
