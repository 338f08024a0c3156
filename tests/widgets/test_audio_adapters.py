"""The two ends without a kernel and a page: messages go in where ipywidgets delivers them."""

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from interviewer.audio.pcm import ms_to_bytes, silence
from interviewer.audio.ports import MicrophoneSource, Reporter, SpeakerSink
from interviewer.errors import AudioError
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.problems import PROBLEMS

FRAME = b"\1\2" * 960


class Rig:
    """A widget whose page is the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.audio = BrowserAudio()
        self.now = 100.0
        self.told: list[tuple[dict[str, Any], bytes]] = []
        monkeypatch.setattr(self.audio._page, "_now", lambda: self.now)
        monkeypatch.setattr(self.audio._page, "_publish", self._publish)
        self.frames: list[bytes] = []
        self.reports: list[tuple[str, int, bool]] = []

    def _publish(self, content: dict[str, Any], buffers: list[bytes] | None) -> None:
        self.told.append((content, b"".join(buffers or ())))

    def send(self, *events: object, page: str = "a", pcm: bytes = b"", **more: object) -> None:
        content = {"page": page, "events": list(events), **more}
        self.audio._handle_custom_msg(content, [memoryview(pcm)] if pcm else [])

    def claim(self, page: str = "a", *, force: bool = False) -> None:
        self.send({"kind": "claim", "force": force}, page=page)

    def played(self, response: str, ms: int, *, ended: bool = False, page: str = "a") -> None:
        self.send({"kind": "played", "response": response, "samples": 24 * ms, "ended": ended}, page=page)

    def kinds(self, page: str = "a") -> list[str]:
        """What this page was told since the last time."""
        told = [content["kind"] for content, _ in self.told if content["page"] == page]
        self.told.clear()
        return told

    def sent_ms(self, response: str) -> int:
        """How much of a response the page has been sent."""
        return sum(len(pcm) for content, pcm in self.told if content.get("response") == response) // ms_to_bytes(1)

    def begin(self) -> None:
        microphone: MicrophoneSource = self.audio.microphone
        speaker: SpeakerSink = self.audio.speaker
        microphone.start(self.frames.append)
        speaker.start(lambda *report: self.reports.append(report))


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch)
    yield made
    made.audio.microphone.stop()
    made.audio.speaker.close()
    made.audio.close()


def test_frames_come_once_the_page_has_the_sound_and_until_the_stop(rig: Rig) -> None:
    rig.begin()
    rig.send(pcm=FRAME)
    assert rig.frames == []
    rig.claim()
    rig.send(pcm=FRAME)
    rig.send(pcm=FRAME * 3, dropped=7)
    assert rig.frames == [FRAME] * 4
    assert (rig.audio.frames, rig.audio.dropped_frames) == (4, 7)
    rig.audio.microphone.stop()
    rig.send(pcm=FRAME)
    assert len(rig.frames) == 4


def test_a_page_hears_whether_the_microphone_is_wanted(rig: Rig) -> None:
    rig.claim()
    assert rig.told == [({"kind": "yours", "page": "a", "listen": False}, b"")]
    rig.begin()
    rig.audio.microphone.stop()
    assert rig.told[1:] == [({"kind": "listen", "page": "a", "on": on}, b"") for on in (True, False)]
    rig.kinds()
    rig.audio.speaker.close()
    assert rig.kinds() == ["over"]
    assert "browser-audio" not in {thread.name for thread in threading.enumerate()}


def test_what_the_page_has_played_is_reported_and_never_more_than_it_was_sent(rig: Rig) -> None:
    rig.begin()
    rig.claim()
    rig.audio.speaker.play("r", silence(500))
    rig.played("r", 250)
    rig.played("r", 200)
    rig.audio.speaker.end("r")
    rig.played("r", 9_000, ended=True)
    rig.played("r", 9_000, ended=True)
    assert rig.reports == [("r", 250, False), ("r", 500, True)]


def test_the_page_is_sent_three_seconds_ahead_of_what_it_has_played(rig: Rig) -> None:
    rig.begin()
    rig.claim()
    rig.audio.speaker.play("r", silence(8_000))
    rig.audio.speaker.end("r")
    rig.audio.speaker.play("next", silence(200))
    assert rig.sent_ms("r") == 3_000
    rig.played("r", 1_000)
    assert rig.sent_ms("r") == 4_000
    rig.played("r", 6_000)
    assert rig.sent_ms("r") == 7_000  # 4 s were there to be played
    rig.played("r", 7_000)
    assert (rig.sent_ms("r"), rig.sent_ms("next")) == (8_000, 200)
    assert [kind for kind in rig.kinds() if kind != "play"] == ["yours", "end"]


def test_a_stop_drops_what_was_not_sent_and_the_page_says_what_was_heard(rig: Rig) -> None:
    rig.begin()
    rig.claim()
    rig.audio.speaker.play("r", silence(8_000))
    rig.kinds()
    rig.audio.speaker.stop("r")
    rig.audio.speaker.play("r", silence(100))
    assert rig.kinds() == ["stop"]
    assert rig.reports == []
    rig.played("r", 700, ended=True)
    rig.audio.speaker.stop("r")
    assert rig.reports == [("r", 700, True)]


def test_without_a_page_nothing_is_heard_and_a_late_one_plays_what_waits(rig: Rig) -> None:
    rig.begin()
    rig.audio.speaker.play("never", silence(400))
    rig.audio.speaker.stop("never")
    rig.audio.speaker.play("waits", silence(400))
    rig.audio.speaker.end("silent")
    assert rig.reports == [("never", 0, True), ("silent", 0, True)]
    rig.claim()
    assert (rig.sent_ms("never"), rig.sent_ms("waits")) == (0, 400)


def test_what_nobody_comes_to_hear_is_given_up_after_five_minutes_worth(rig: Rig) -> None:
    rig.begin()
    for number in range(6):
        rig.audio.speaker.play(str(number), silence(60_000))
    assert rig.audio.speaker.dropped_ms == 60_000


def test_a_page_that_closes_has_heard_what_it_reported(rig: Rig) -> None:
    rig.begin()
    rig.claim()
    rig.audio.speaker.play("r", silence(2_000))
    rig.played("r", 300)
    rig.send({"kind": "bye"})
    assert rig.reports == [("r", 300, False), ("r", 300, True)]
    assert rig.audio.problem_code == "page_gone"
    assert not rig.audio.is_open


def test_whoever_was_speaking_falls_silent_when_the_page_closes(rig: Rig) -> None:
    rig.begin()
    rig.claim()
    rig.send(pcm=FRAME)
    rig.send({"kind": "bye"})
    assert b"".join(rig.frames) == FRAME + silence(2_000)


def test_a_second_page_is_refused_until_it_takes_over(rig: Rig) -> None:
    rig.begin()
    rig.claim("a")
    rig.kinds()
    rig.claim("b")
    rig.send(page="b", pcm=FRAME)
    rig.send({"kind": "bye"}, page="b")
    assert rig.kinds("b") == ["refused", "taken"]
    assert rig.frames == []
    rig.audio.speaker.play("r", silence(400))
    rig.claim("b", force=True)
    rig.send(page="b", pcm=FRAME)
    rig.played("r", 500, ended=True, page="a")
    assert rig.reports == [("r", 0, True)]
    assert rig.frames == [FRAME]
    assert rig.kinds("a") == ["play", "taken"]


def test_a_silent_page_is_named_and_loses_the_sound_after_ten_seconds(rig: Rig) -> None:
    rig.begin()
    rig.claim()
    rig.audio.speaker.play("r", silence(500))
    rig.now += 4
    rig.audio._glance()
    assert rig.audio.problem_code == "page_silent"
    rig.send(pcm=FRAME)
    assert rig.audio.problem_code == ""
    rig.now += 11
    rig.audio._glance()
    assert rig.audio.problem_code == "page_gone"
    assert rig.reports == [("r", 0, True)]
    rig.kinds()
    rig.send(pcm=FRAME)
    assert rig.kinds() == ["again"]


def test_a_page_that_never_comes_or_is_not_started_is_named(rig: Rig) -> None:
    told: list[str] = []
    reporter = rig.audio.microphone
    assert isinstance(reporter, Reporter)
    reporter.report_to(told.append)
    rig.begin()
    rig.now += 9
    rig.audio._glance()
    assert rig.audio.problem_code == ""
    rig.now += 2
    rig.audio._glance()
    assert rig.audio.problem_code == "not_shown"
    rig.send({"kind": "here"})
    rig.audio._glance()
    assert rig.audio.problem_code == "not_started"
    rig.claim()
    rig.now += 2
    rig.audio._glance()
    assert rig.audio.problem_code == ""
    assert told == [PROBLEMS["not_shown"], PROBLEMS["not_started"], ""]


def test_a_problem_of_the_page_has_a_sentence_and_a_hopeless_one_ends_the_start(rig: Rig) -> None:
    rig.send({"kind": "problem", "code": "permission_denied"})
    assert rig.audio.problem == PROBLEMS["permission_denied"]
    with pytest.raises(AudioError, match="not allowed"):
        rig.begin()
    rig.send({"kind": "problem", "code": "<script>"})
    assert rig.audio.problem_code == "permission_denied"
    rig.claim()
    assert rig.audio.problem == ""


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"page": 1, "events": []},
        {"page": "a", "events": "claim"},
        {"page": "a", "events": [None, 3, {}, {"kind": "claim", "force": "yes"}, {"kind": "played", "samples": "9"}]},
        {"page": "a", "events": [], "dropped": "many"},
    ],
)
def test_a_malformed_message_changes_nothing(rig: Rig, content: object) -> None:
    rig.begin()
    rig.claim()
    rig.audio.speaker.play("r", silence(500))
    rig.audio._handle_custom_msg(content, [memoryview(b"\0" * 100)])
    assert (rig.frames, rig.reports, rig.audio.dropped_frames, rig.audio.problem_code) == ([], [], 0, "")


def test_threads_change_faster_while_the_sound_is_in_use_and_then_as_before(rig: Rig) -> None:
    before = sys.getswitchinterval()
    rig.begin()
    assert sys.getswitchinterval() <= 0.001
    rig.audio.microphone.stop()
    assert sys.getswitchinterval() <= 0.001
    rig.audio.speaker.close()
    assert sys.getswitchinterval() == before


def test_long_names_of_devices_are_cut(rig: Rig) -> None:
    rig.claim()
    rig.send({"kind": "state", "muted": True, "device": "<b>" + 300 * "x"})
    assert rig.audio.device == "<b>" + 197 * "x"
    assert rig.audio.muted
