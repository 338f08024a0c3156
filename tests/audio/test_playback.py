from interviewer.audio.pcm import silence
from interviewer.audio.playback import Playback

FRAME = 1_920  # bytes of 40 ms
Report = tuple[str, int, bool]


class Deck:
    """A playback and its reports."""

    def __init__(self, latency_ms: int = 0) -> None:
        self.reports: list[Report] = []
        self.playback = Playback(lambda *report: self.reports.append(report), latency_ms=latency_ms)

    def after(self, pulls: int) -> list[Report]:
        """The reports that so many frames bring."""
        del self.reports[:]
        for _ in range(pulls):
            self.playback.pull(FRAME)
        return self.reports


def test_plays_what_it_was_given_then_silence() -> None:
    deck = Deck()
    deck.playback.play("r1", b"\1\0" * 1_000)
    assert deck.playback.pull(FRAME) == b"\1\0" * 960
    assert deck.playback.pull(FRAME) == b"\1\0" * 40 + bytes(FRAME - 80)


def test_reports_progress_and_the_end_only_when_no_more_comes() -> None:
    deck = Deck()
    deck.playback.play("r1", silence(100))
    assert deck.after(4) == [("r1", 40, False), ("r1", 80, False), ("r1", 100, False)]
    deck.playback.play("r1", silence(40))
    deck.playback.end("r1")
    assert deck.after(2) == [("r1", 140, True)]


def test_heard_is_later_than_pulled() -> None:
    deck = Deck(latency_ms=60)
    deck.playback.play("r1", silence(80))
    deck.playback.end("r1")
    assert deck.after(5) == [("r1", 20, False), ("r1", 60, False), ("r1", 80, True)]


def test_stop_reports_what_was_heard_and_late_audio_is_ignored() -> None:
    deck = Deck(latency_ms=60)
    deck.playback.play("r1", silence(1_000))
    deck.after(5)
    deck.playback.stop("r1")
    assert deck.reports[-1] == ("r1", 140, True)
    deck.playback.play("r1", b"\1\0" * 960)
    deck.playback.end("r1")
    deck.playback.stop("r1")
    assert deck.playback.pull(FRAME) == bytes(FRAME)
    assert len([report for report in deck.reports if report[2]]) == 1


def test_stop_before_any_audio() -> None:
    deck = Deck()
    deck.playback.stop("r1")
    assert deck.reports == [("r1", 0, True)]


def test_a_response_without_audio_ends_unheard() -> None:
    deck = Deck()
    deck.playback.end("r1")
    assert deck.after(1) == [("r1", 0, True)]


def test_responses_follow_each_other_without_a_gap() -> None:
    deck = Deck()
    deck.playback.play("r1", b"\1\0" * 240)
    deck.playback.play("r2", b"\2\0" * 960)
    assert deck.playback.pull(FRAME)[480:] == bytes(FRAME - 480)  # r1 may still get more
    deck.playback.end("r1")
    assert deck.playback.pull(FRAME) == b"\2\0" * 960
    assert deck.reports == [("r1", 10, False), ("r1", 10, True), ("r2", 40, False)]


def test_the_callback_may_stop_what_is_being_reported() -> None:
    reports: list[Report] = []

    def on_played(response_id: str, played_ms: int, ended: bool) -> None:
        reports.append((response_id, played_ms, ended))
        if response_id == "r1":
            playback.stop("r2")

    playback = Playback(on_played)
    playback.play("r1", silence(20))
    playback.end("r1")
    playback.play("r2", silence(100))
    playback.pull(FRAME)
    playback.pull(FRAME)
    assert reports == [("r1", 20, True), ("r2", 20, True)]
