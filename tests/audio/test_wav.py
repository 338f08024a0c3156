import wave
from pathlib import Path

import numpy as np
import pytest

from interviewer.audio import wav
from interviewer.audio.pcm import samples
from interviewer.errors import AudioError


def make(path: Path, data: bytes, *, rate: int = 24_000, channels: int = 1, width: int = 2) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, width, rate, 0, "NONE", ""))
        file.writeframes(data)
    return path


def test_round_trip(tmp_path: Path) -> None:
    pcm = np.arange(-500, 500, dtype="<i2").tobytes()
    wav.write(tmp_path / "a.wav", pcm)
    assert wav.read(tmp_path / "a.wav") == pcm


def test_channels_are_averaged(tmp_path: Path) -> None:
    stereo = np.array([[100, 300], [-10, 30]], dtype="<i2").tobytes()
    assert samples(wav.read(make(tmp_path / "a.wav", stereo, channels=2))).tolist() == [200, 10]


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100, 48_000])
def test_another_rate_keeps_length_and_pitch(tmp_path: Path, rate: int) -> None:
    signal = 10_000 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)
    got = samples(wav.read(make(tmp_path / "a.wav", signal.astype("<i2").tobytes(), rate=rate)))
    assert len(got) == 24_000
    assert np.abs(np.fft.rfft(got)).argmax() == 440  # one second: bins are hertz


def test_linear_interpolation_goes_half_way(tmp_path: Path) -> None:
    path = make(tmp_path / "a.wav", np.array([0, 100, 200], dtype="<i2").tobytes(), rate=12_000)
    assert samples(wav.read(path)).tolist() == [0, 50, 100, 150, 200, 200]


def test_an_empty_recording_is_no_error(tmp_path: Path) -> None:
    assert wav.read(make(tmp_path / "a.wav", b"", rate=8_000)) == b""


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(AudioError, match=r"gone\.wav: no such audio file"):
        wav.read(tmp_path / "gone.wav")


def test_a_folder_and_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(AudioError, match="cannot be read"):
        wav.read(tmp_path)
    with pytest.raises(AudioError, match="cannot be written"):
        wav.write(tmp_path / "no" / "folder.wav", b"")


@pytest.mark.parametrize("data", [b"ID3\x04 not a wav at all", b"", b"RIFF\x24\x00\x00\x00WAVE"])
def test_not_a_wav(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.wav").write_bytes(data)
    with pytest.raises(AudioError, match=r"a\.wav: "):
        wav.read(tmp_path / "a.wav")


def test_compressed_and_8_bit_files_say_how_to_convert(tmp_path: Path) -> None:
    plain = make(tmp_path / "mulaw.wav", bytes(100)).read_bytes()
    (tmp_path / "mulaw.wav").write_bytes(plain[:20] + b"\x07\x00" + plain[22:])  # format tag 7: mu-law
    with pytest.raises(AudioError, match=r"mulaw\.wav: not an uncompressed.*ffmpeg"):
        wav.read(tmp_path / "mulaw.wav")
    with pytest.raises(AudioError, match=r"8 bits a sample.*ffmpeg"):
        wav.read(make(tmp_path / "b.wav", bytes(100), width=1))
