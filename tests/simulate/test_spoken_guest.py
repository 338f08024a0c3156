import queue
import threading
from collections.abc import Iterator

import pytest

from interviewer.audio.pcm import ms_to_bytes, to_bytes
from interviewer.audio.speech import Transcriber, duration_ms, synthesise
from interviewer.simulate.dossier import by_name
from interviewer.simulate.guest import Guest
from interviewer.simulate.spoken_guest import SpokenGuest
from tests.patience import PATIENCE_S

SPEED = 40.0
QUESTION = "How did you get into Bitcoin, and when was that?"
Report = tuple[str, int, bool]


class Talk:
    """A spoken guest with its microphone and loudspeaker open."""

    def __init__(self) -> None:
        dossier = by_name("bets-on-bitcoin")
        self.details = dossier.details
        self.spoken = SpokenGuest(Guest(dossier, seed=3, duration_ms=duration_ms), speed=SPEED)
        self.frames: list[bytes] = []
        self.reports: queue.SimpleQueue[Report] = queue.SimpleQueue()
        self._quiet = 0
        self.said = threading.Event()

    def heard(self, frame: bytes) -> None:
        self.frames.append(frame)
        if any(frame):
            self._quiet = 1
        elif self._quiet:
            self._quiet += 1
        if self._quiet > 25:  # a second of silence after speech
            self.said.set()

    def open(self) -> None:
        self.spoken.speaker.start(lambda *report: self.reports.put(report))
        self.spoken.microphone.start(self.heard)

    def say(self, response_id: str, text: str) -> None:
        self.spoken.speaker.play(response_id, to_bytes(synthesise(text)))
        self.spoken.speaker.end(response_id)

    def until_over(self, response_id: str) -> Report:
        while not ((report := self.reports.get(timeout=PATIENCE_S))[0] == response_id and report[2]):
            pass
        return report

    def close(self) -> None:
        self.spoken.microphone.stop()
        self.spoken.speaker.close()


@pytest.fixture
def talk() -> Iterator[Talk]:
    before = set(threading.enumerate())
    talk = Talk()
    talk.open()
    yield talk
    talk.close()
    assert set(threading.enumerate()) <= before


def test_the_guest_answers_in_sound_what_it_was_asked_in_sound(talk: Talk) -> None:
    talk.say("r1", QUESTION)
    assert talk.until_over("r1") == ("r1", duration_ms(QUESTION), True)
    assert talk.said.wait(PATIENCE_S)
    talk.close()
    assert talk.spoken.heard == [("r1", QUESTION)]
    ear = Transcriber()
    ear.feed(b"".join(talk.frames))
    answer = ear.take() or ""
    assert talk.spoken.guest.disclosures
    told = talk.spoken.guest.disclosures[0].detail_id
    assert next(detail.text for detail in talk.details if detail.id == told) in answer
    assert {len(frame) for frame in talk.frames} == {ms_to_bytes(40)}


def test_a_voice_that_falls_silent_is_heard_up_to_there(talk: Talk) -> None:
    talk.spoken.speaker.play("r1", to_bytes(synthesise(QUESTION)))
    while talk.reports.get(timeout=PATIENCE_S)[1] < 800:
        pass
    talk.spoken.speaker.stop("r1")
    _, played_ms, _ = talk.until_over("r1")
    talk.close()
    assert 800 <= played_ms < duration_ms(QUESTION)
    # 70 ms a letter; the one that was cut off is not made out.
    assert talk.spoken.heard == [("r1", QUESTION[: played_ms // 70])]


def test_replies_that_follow_each_other_closely_are_told_apart(talk: Talk) -> None:
    talk.say("r1", "That is good to know.")
    talk.say("r2", "And what came of it?")
    talk.until_over("r2")
    talk.close()
    assert talk.spoken.heard == [("r1", "That is good to know."), ("r2", "And what came of it?")]


def test_a_sound_that_is_no_speech_says_nothing_to_the_guest(talk: Talk) -> None:
    talk.spoken.speaker.play("r1", b"\x00\x20" * 24_000)
    talk.spoken.speaker.end("r1")
    assert talk.until_over("r1") == ("r1", 1_000, True)
    talk.close()
    assert talk.spoken.heard == [("r1", "")]


def test_no_frame_comes_after_the_microphone_was_stopped(talk: Talk) -> None:
    talk.say("r1", QUESTION)
    talk.spoken.microphone.stop()
    count = len(talk.frames)
    talk.until_over("r1")
    assert len(talk.frames) == count
