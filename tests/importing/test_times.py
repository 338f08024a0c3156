"""Times that a file lacks are derived from the number of words, and say so."""

import pytest

from interviewer.importing.read import read_transcript
from interviewer.settings import ImportSettings
from tests.importing.conftest import Written
from tests.importing.looks import timed


def test_without_any_they_follow_the_usual_rate(written: Written) -> None:
    path = written("Anna: One two three?\nBo: One two three four five.\n")
    # At 150 words a minute a word takes 400 ms, at 60 a second.
    assert timed(path) == [("Anna", 0, 1_200, "words"), ("Bo", 1_200, 3_200, "words")]
    slow = timed(path, settings=ImportSettings(words_per_minute=60))
    assert slow == [("Anna", 0, 3_000, "words"), ("Bo", 3_000, 8_000, "words")]


def test_between_two_known_ones_they_share_the_time_by_words(written: Written) -> None:
    path = written("[0:10] Anna: Why is it?\nBo: So.\nAnna: Is it?\n[0:13] Bo: It is.\n")
    # Three, one and two words in three seconds.
    assert timed(path) == [
        ("Anna", 10_000, 11_500, "start"),
        ("Bo", 11_500, 12_000, "words"),
        ("Anna", 12_000, 13_000, "words"),
        ("Bo", 13_000, 13_800, "start"),
    ]


def test_a_long_silence_is_no_speech(written: Written) -> None:
    path = written("[0:10] Anna: Why is it?\n[9:00] Bo: It is.\n")
    # At 75 words a minute a word takes 800 ms.
    assert timed(path)[0] == ("Anna", 10_000, 12_400, "start")


def test_a_time_that_goes_back_is_told_and_derived(written: Written) -> None:
    found = read_transcript(written("[0:10] Anna: Why?\nBo: So.\n[0:05] Anna: How?\n[0:20] Bo: Like this.\n"))
    assert [str(problem) for problem in found.problems] == [
        "line 3: the time is before the one above it; it is derived"
    ]
    starts = [turn.started_ms for turn in found.turns]
    assert starts == sorted(starts)


@pytest.mark.parametrize("hours", [1, 30])
def test_hours_of_talk(written: Written, hours: int) -> None:
    cues = "".join(
        f"{stamp(minute, 0)} --> {stamp(minute, 59)}\n<v {'Anna' if minute % 2 else 'Bo'}>How is minute {minute}?\n\n"
        for minute in range(hours * 60)
    )
    found = read_transcript(written(f"WEBVTT\n\n{cues}"))
    assert (len(found.turns), found.duration_ms) == (hours * 60, hours * 3_600_000 - 500)


def stamp(minute: int, second: int) -> str:
    """In WebVTT, half a second after it."""
    return f"{minute // 60:02d}:{minute % 60:02d}:{second:02d}.500"
