import pytest

from interviewer.audio.pcm import bytes_to_ms, silence, to_bytes
from interviewer.audio.speech import synthesise
from interviewer.simulate.microphone import Microphone
from interviewer.simulate.player import Player


def lengths(frames: list[bytes]) -> list[int]:
    return [bytes_to_ms(len(frame)) for frame in frames]


def test_speech_comes_in_frames_of_40_ms_at_its_own_place_in_unbroken_sound() -> None:
    microphone = Microphone(500)
    before = list(microphone.begin(1_713, "Hi!"))
    assert lengths(before) == [1_213]
    during = list(microphone.take(1_713 + 130))
    assert lengths(during) == [40, 40, 40]
    rest = list(microphone.end(1_713 + 210))
    assert lengths(rest) == [40, 40, 10]
    after = list(microphone.take(25_000))
    assert lengths(after) == [10_000, 10_000, 3_077]
    sound = b"".join(before + during + rest + after)
    assert sound == silence(1_213) + to_bytes(synthesise("Hi!")) + silence(23_077)


def test_a_guest_cut_short_falls_silent_at_that_millisecond() -> None:
    microphone = Microphone(0)
    sound = b"".join([*microphone.begin(0, "Hello."), *microphone.end(95), *microphone.take(200)])
    assert sound == to_bytes(synthesise("Hello."))[: 95 * 48] + silence(105)


@pytest.mark.parametrize("later_ms", [0, 700])
def test_what_was_heard_of_a_stopped_reply_is_to_be_told_at_once(later_ms: int) -> None:
    player = Player()
    player.audio(1_000, "resp_1", 5_000)
    player.advance(1_100)
    player.take()
    player.audio(1_100, "resp_2", 5_000)
    player.stop(1_100 + later_ms, "resp_1")
    assert player.deadline == 1_100 + later_ms
    assert [(p.response_id, p.played_ms) for p in player.take() if p.ended] == [("resp_1", 100 + later_ms)]
