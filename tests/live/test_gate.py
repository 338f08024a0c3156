"""The guest's voice on its way in: nothing of it is lost, and what nobody speaks in is sent in fewer pieces."""

from collections.abc import Iterator

import numpy as np
import pytest

from interviewer.audio.pcm import ms_to_bytes, silence, to_bytes
from interviewer.audio.ports import OnFrame
from interviewer.live.gate import Gate

FRAME_MS = 40


class Source:
    """A microphone that hears what it is told to."""

    def start(self, on_frame: OnFrame) -> None:
        self._on_frame = on_frame

    def stop(self) -> None:
        pass

    def hear(self, pcm: bytes) -> None:
        size = ms_to_bytes(FRAME_MS)
        for at in range(0, len(pcm), size):
            self._on_frame(pcm[at : at + size])


def speech(ms: int) -> bytes:
    """A tone well above the threshold, without a single sample of silence at its ends."""
    at = np.arange(ms * 24) + 1
    return to_bytes((8_000 * np.sin(2 * np.pi * 440 * at / 24_000 + 0.5)).astype(np.int16))


@pytest.fixture
def sent() -> list[bytes]:
    return []


@pytest.fixture
def source(sent: list[bytes]) -> Iterator[Source]:
    source = Source()
    gate = Gate(source, threshold=0.5, send=sent.append, on_edge=lambda _: None, settled_ms=1_000, piece_ms=80)
    gate.start()
    gate.on = gate.ready = True
    yield source
    gate.stop()


def lengths_ms(pieces: list[bytes]) -> list[int]:
    return [len(piece) // 48 for piece in pieces]


def test_speech_and_the_silence_that_ends_a_turn_go_frame_by_frame(source: Source, sent: list[bytes]) -> None:
    source.hear(speech(2_000) + silence(1_000))
    assert lengths_ms(sent) == [40] * 75


def test_in_a_long_silence_two_frames_go_together_and_nothing_is_lost(source: Source, sent: list[bytes]) -> None:
    said = speech(400) + silence(3_000) + speech(400)
    source.hear(said)
    assert b"".join(sent) == said
    # Quiet is known 240 ms after the speech; for one second more each frame is sent by itself.
    assert lengths_ms(sent)[:40] == [40] * 40
    assert lengths_ms(sent)[42:60] == [80] * 18
    assert lengths_ms(sent)[-9:] == [40] * 9


def test_the_first_sound_after_a_silence_does_not_wait(source: Source, sent: list[bytes]) -> None:
    source.hear(silence(3_040))
    assert sum(lengths_ms(sent)) == 3_000  # one waits for another
    source.hear(speech(40))
    assert sent[-1] == silence(40) + speech(40)


def test_what_waits_is_dropped_as_the_microphone_is_shut(source: Source, sent: list[bytes]) -> None:
    gate = Gate(source, threshold=0.5, send=sent.append, on_edge=lambda _: None, settled_ms=0, piece_ms=80)
    gate.start()
    gate.on = gate.ready = True
    source.hear(silence(40))
    gate.on = False
    source.hear(silence(40))
    gate.on = True
    source.hear(speech(40))
    assert sent == [speech(40)]
