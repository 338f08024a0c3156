"""`doctor --audio`: the sound is tried before a call."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interviewer.audio import wav
from interviewer.audio.file import FileSpeaker
from interviewer.audio.pcm import silence, to_bytes
from interviewer.cli.ends import speaker
from interviewer.errors import AudioError
from interviewer.settings import AudioSettings
from tests.cli.conftest import Terminal


class PortAudioError(Exception):
    pass


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What PortAudio lists."""
    found = [
        {"name": "Built-in [x]", "max_input_channels": 2, "max_output_channels": 2},
        {"name": "Headset", "max_input_channels": 1, "max_output_channels": 0},
    ]
    fake = SimpleNamespace(
        query_devices=lambda: found, default=SimpleNamespace(device=(1, 0)), PortAudioError=PortAudioError
    )
    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    monkeypatch.setenv("INTERVIEWER_AUDIO__CHECK_MS", "200")
    monkeypatch.setattr("interviewer.cli.sound_checks._TONE_MS", 100)
    return found


def tried(terminal: Terminal, tmp_path: Path, peak: int) -> tuple[int, dict[str, Any], str]:
    wav.write(tmp_path / "mic.wav", to_bytes(np.full(24 * 200, peak, dtype=np.int16)) if peak else silence(200))
    ends = ["--mic", str(tmp_path / "mic.wav"), "--speaker", str(tmp_path / "out.wav")]
    done = terminal("doctor", "--audio", *ends)
    return done.exit_code, {line[8:].split(" ", 1)[0]: line for line in done.stdout.splitlines()}, done.stdout


def test_devices_are_listed_with_their_numbers_and_the_microphone_is_measured(
    terminal: Terminal, cards: list[dict[str, Any]], tmp_path: Path
) -> None:
    code, said, text = tried(terminal, tmp_path, 3_277)
    assert code == 0
    assert "0: Built-in [x] (in, out, default out)" in text
    assert "1: Headset (in, default in)" in text
    # 3,277 of 32,768 is a tenth of full scale: -20 dB.
    assert said["microphone"].startswith("ok")
    assert "speech -20 dB" in said["microphone"]
    assert said["loudspeaker"].startswith("ok")
    assert len(wav.read(tmp_path / "out.wav")) > 4_800


@pytest.mark.parametrize(("peak", "says"), [(0, "silent: "), (200, "too quiet: "), (32_767, "clipped: ")])
def test_a_microphone_that_serves_no_call_is_named_and_fails(
    terminal: Terminal, cards: list[dict[str, Any]], tmp_path: Path, peak: int, says: str
) -> None:
    code, said, _ = tried(terminal, tmp_path, peak)
    assert code == 1
    assert said["microphone"].startswith("broken")
    assert says in said["microphone"]


def test_without_portaudio_it_is_said_what_to_install(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    done = terminal("doctor", "--audio")
    assert done.exit_code == 1
    words = " ".join(done.stdout.split())
    assert "PortAudio is not installed" in words
    assert "libportaudio2" in words
    assert "use the browser's microphone in a notebook" in words


def test_no_file_but_an_older_sound_is_written_over(tmp_path: Path) -> None:
    settings = AudioSettings()
    own, text, older = tmp_path / "same.wav", tmp_path / "precious.wav", tmp_path / "older.wav"
    wav.write(own, silence(40))
    wav.write(older, silence(40))
    text.write_text("precious", encoding="utf-8")
    with pytest.raises(AudioError, match="the microphone's file"):
        speaker(str(tmp_path / "x" / ".." / "same.wav"), settings, mic=str(own))
    with pytest.raises(AudioError, match=r"precious\.wav: that is there and is no WAV file"):
        speaker(str(text), settings, mic=str(own))
    for free in (older, tmp_path / "new.wav"):
        assert isinstance(speaker(str(free), settings, mic=str(own)), FileSpeaker)
