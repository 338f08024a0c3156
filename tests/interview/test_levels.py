"""How loud both sides are: sound is let through unchanged and measured on the way."""

from typing import Any

import numpy as np
import pytest

from interviewer.audio.pcm import silence, to_bytes
from interviewer.audio.ports import OnFrame, OnPlayed, OnProblem, Reporter
from interviewer.interview.levels import Levels, loudness

LOUD = to_bytes(np.full(9_600, 32_767, dtype=np.int16))  # 400 ms at full scale


class Ends:
    """A microphone and a loudspeaker at once, worked by hand."""

    callback: Any

    def __init__(self) -> None:
        self.given: list[bytes] = []

    def start(self, callback: OnFrame | OnPlayed) -> None:
        self.callback = callback

    def play(self, response_id: str, pcm: bytes) -> None:
        self.given.append(pcm)

    def end(self, response_id: str) -> None: ...

    def stop(self, response_id: str = "") -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("amplitude", "share"),
    # 20 log10 of the amplitude over 32768, on a scale from -60 dB to 0: half of full scale is -6.02 dB.
    [(32_767, 1.0), (16_384, 1 - 6.02 / 60), (328, 1 - 39.99 / 60), (1, 0.0)],
)
def test_loudness_is_a_share_of_sixty_decibels(amplitude: int, share: float) -> None:
    assert loudness(to_bytes(np.full(960, amplitude, dtype=np.int16))) == pytest.approx(share, abs=0.001)


def test_silence_and_nothing_are_not_loud() -> None:
    assert (loudness(silence(40)), loudness(b"")) == (0.0, 0.0)


def test_the_guest_is_as_loud_as_the_last_frame_and_falls_silent_gently() -> None:
    microphone, frames = Ends(), list[bytes]()
    levels = Levels(microphone, Ends())
    levels.microphone.start(frames.append)
    microphone.callback(LOUD[:1_920])
    assert frames == [LOUD[:1_920]]
    assert levels.guest == pytest.approx(1.0, abs=0.001)
    microphone.callback(silence(40))
    assert levels.guest == pytest.approx(0.94, abs=0.001)
    for _ in range(20):
        microphone.callback(silence(40))
    assert levels.guest == 0.0
    levels.microphone.stop()
    assert levels.guest == 0.0


def test_the_voice_is_as_loud_as_what_is_played_not_as_what_has_arrived() -> None:
    speaker, reports = Ends(), list[tuple[str, int, bool]]()
    levels = Levels(Ends(), speaker)
    levels.speaker.start(lambda *report: reports.append(report))
    levels.speaker.play("r1", silence(400) + LOUD)
    levels.speaker.play("r1", silence(400))
    heard = []
    for played_ms, ended in [(250, False), (700, False), (1_200, False), (1_200, True)]:
        speaker.callback("r1", played_ms, ended)
        heard.append(levels.voice)
    assert heard == [0.0, pytest.approx(1.0, abs=0.001), 0.0, 0.0]
    assert b"".join(speaker.given) == silence(400) + LOUD + silence(400)
    assert reports == [("r1", 250, False), ("r1", 700, False), ("r1", 1_200, False), ("r1", 1_200, True)]


def test_what_an_end_has_to_say_of_its_trouble_comes_through() -> None:
    class Unplugged(Ends):
        def report_to(self, on_problem: OnProblem) -> None:
            on_problem("unplugged")

    told: list[str] = []
    for end in (Levels(Unplugged(), Ends()).microphone, Levels(Ends(), Unplugged()).speaker):
        assert isinstance(end, Reporter)
        end.report_to(told.append)
    plain = Levels(Ends(), Ends()).microphone
    assert isinstance(plain, Reporter)
    plain.report_to(told.append)
    assert told == ["unplugged", "unplugged"]
