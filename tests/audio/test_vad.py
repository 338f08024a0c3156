import numpy as np
import pytest

from interviewer.audio.pcm import Samples, to_bytes
from interviewer.audio.speech import synthesise
from interviewer.audio.vad import Edge, VoiceActivity


def loud(ms: int, level: int = 3_000) -> Samples:
    return np.full(24 * ms, level, dtype=np.int16)


def quiet(ms: int) -> Samples:
    return loud(ms, 0)


def edges(*parts: Samples, frame_bytes: int = 1_920, threshold: float = 0.5) -> list[Edge]:
    pcm = to_bytes(np.concatenate(parts))
    ear = VoiceActivity(threshold)
    return [edge for at in range(0, len(pcm), frame_bytes) for edge in ear.feed(pcm[at : at + frame_bytes])]


@pytest.mark.parametrize("frame_bytes", [1_920, 960, 333, 100_000])
def test_edges_lie_where_the_sound_begins_and_ends(frame_bytes: int) -> None:
    assert edges(quiet(400), loud(1_000), quiet(600), frame_bytes=frame_bytes) == [Edge(400, True), Edge(1_400, False)]


def test_a_gap_between_words_is_not_an_end() -> None:
    assert edges(loud(500), quiet(200), loud(500), quiet(600)) == [Edge(0, True), Edge(1_200, False)]


def test_a_longer_gap_is() -> None:
    found = edges(loud(500), quiet(300), loud(500), quiet(600))
    assert found == [Edge(0, True), Edge(500, False), Edge(800, True), Edge(1_300, False)]


def test_a_click_is_not_speech() -> None:
    assert edges(quiet(400), loud(20), quiet(400)) == []


def test_threshold_is_a_level() -> None:
    # 0.5 is -36 dB below full scale: 32768 * 10 ** (-36 / 20) = 519
    assert edges(loud(400, 510)) == []
    assert edges(loud(400, 530)) == [Edge(0, True)]
    # 0.25 is -48 dB: 130
    assert edges(loud(400, 140), threshold=0.25) == [Edge(0, True)]


def test_the_simulated_voice_is_one_stretch_even_in_noise() -> None:
    voice = synthesise("Well — you know, it was late, and nobody had slept... so I called her. Twice!")
    sound = np.concatenate([quiet(1_000), voice, quiet(1_000)])
    noise = np.random.default_rng(3).normal(0, 300, len(sound)).astype(np.int16)
    start, end = edges(sound + noise)
    assert (start.on, end.on) == (True, False)
    assert abs(start.at_ms - 1_000) <= 20
    assert abs(end.at_ms - (1_000 + len(voice) // 24)) <= 40


def test_it_knows_how_much_it_was_fed() -> None:
    ear = VoiceActivity()
    ear.feed(to_bytes(loud(70)))
    assert (ear.fed_ms, ear.on) == (70, True)
