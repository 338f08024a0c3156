"""What is said of a microphone and a loudspeaker before a call."""

import threading

import numpy as np
import pytest

from interviewer.audio.level import Level, Verdict, listen, play, tone
from interviewer.audio.pcm import samples, silence, to_bytes
from interviewer.audio.playback import Playback
from interviewer.audio.ports import OnFrame, OnPlayed
from interviewer.errors import AudioError
from interviewer.settings import AudioSettings


def sine(peak: float, ms: int = 1_000) -> bytes:
    """A tone whose peaks reach this share of full scale, and beyond 1 are cut off."""
    seconds = np.arange(ms * 24) / 24_000
    return to_bytes(np.clip(peak * 32_767 * np.sin(2 * np.pi * 500 * seconds), -32_768, 32_767).astype(np.int16))


def verdict(pcm: bytes) -> Verdict:
    audio = AudioSettings()
    level = Level.of(pcm)
    return level.verdict(vad_threshold=0.5, silent_dbfs=audio.silent_dbfs, clipped=audio.clipped_share)


def test_a_level_is_given_in_decibels_below_full_scale() -> None:
    # A sine at half of full scale: peak 20 log10(.5) = -6.0, mean square 3.0 dB less. Silence counts as -100.
    level = Level.of(sine(0.5, 500) + silence(500))
    assert (level.speech_dbfs, level.noise_dbfs, level.peak_dbfs) == pytest.approx((-9.0, -100, -6.0), abs=0.1)
    assert level.clipped == 0


@pytest.mark.parametrize(
    ("peak", "says"),
    # Voice activity at 0.5 notices -36 dB: a sine of peak 0.0224 has that level; -70 dB of peak are 0.0003.
    [(0.5, "ok"), (0.025, "ok"), (0.02, "too quiet"), (0.001, "too quiet"), (0.0002, "silent"), (1.5, "clipped")],
)
def test_each_level_has_its_verdict(peak: float, says: Verdict) -> None:
    assert verdict(sine(peak)) == says


def test_speech_with_long_pauses_is_judged_by_the_speech() -> None:
    assert verdict(sine(0.2, 500) + silence(2_500)) == "ok"


def test_no_sound_at_all_has_no_level() -> None:
    with pytest.raises(AudioError, match="no sound came"):
        Level.of(silence(10))


class Stuck:
    """A microphone and a loudspeaker that open and do nothing more."""

    def __init__(self) -> None:
        self.closed = 0

    def start(self, _: object) -> None:
        return

    def stop(self, *_: str) -> None:
        self.closed += 1

    close = stop

    def play(self, response_id: str, pcm: bytes) -> None:
        return

    def end(self, response_id: str) -> None:
        return


class Prompt(Stuck):
    """Both at once; all sound is there, and played, in no time."""

    playback: Playback

    def start(self, on: OnFrame | OnPlayed) -> None:  # type: ignore[override]
        self.on = on

    def play(self, response_id: str, pcm: bytes) -> None:
        self.playback = Playback(self.on)  # type: ignore[arg-type]
        self.playback.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        self.playback.end(response_id)
        self.heard = self.playback.pull(48_000)


def test_a_microphone_is_listened_to_for_as_long_as_asked_and_closed() -> None:
    microphone = Prompt()
    threading.Timer(0.05, lambda: [microphone.on(sine(0.5, 40)) for _ in range(6)]).start()  # type: ignore[call-arg, arg-type]
    assert listen(microphone, 200)[: 200 * 48] == (sine(0.5, 40) * 6)[: 200 * 48]
    assert microphone.closed == 1


def test_a_tone_is_played_to_its_end() -> None:
    speaker = Prompt()
    play(speaker, tone(500))
    assert speaker.closed == 1
    assert speaker.heard[:24_000] == tone(500)
    heard = samples(tone(1_000)).astype(float)
    assert 20 * np.log10(np.sqrt((heard[2_400:-2_400] ** 2).mean()) / 32_768) == pytest.approx(-20, abs=0.1)
    crossings = np.count_nonzero(np.diff(np.signbit(heard)))
    assert crossings == pytest.approx(880, abs=3)


def test_devices_that_open_and_do_nothing_are_told_from_those_that_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.audio.level._PATIENCE_MS", 50)
    stuck = Stuck()
    with pytest.raises(AudioError, match=r"the microphone opened and gave 0 ms of sound in 0\.1 s"):
        listen(stuck, 50)
    with pytest.raises(AudioError, match="the loudspeaker opened and played 0 of 40 ms"):
        play(stuck, tone(40))
    assert stuck.closed == 2
