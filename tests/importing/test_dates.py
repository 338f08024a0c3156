"""When a conversation was held, as formats and recorders' file names tell it."""

import json
from datetime import UTC, datetime

import pytest

from interviewer.importing.dates import date_of
from interviewer.importing.read import read_transcript, read_transcripts
from tests.importing.conftest import Written

TALK = "Anna: How did it begin?\n\nBo: With two hives.\n\nAnna: And then?\n\nBo: A third.\n"
CUE = "00:01.000 --> 00:04.000\n<v Anna>How did it begin?\n\n00:05.000 --> 00:06.000\n<v Bo>With two hives.\n"
SEGMENTS = [{"speaker": "Anna", "startTime": 0.5, "endTime": 2.0, "body": "How did it begin?"}]
OTTER = "Bees\nMon, Mar 02, 2026 3:10PM • 25:44\n\nAnna  0:12\nHow did it begin?\n\nBo  0:15\nWith two hives.\n"
PAGE = (
    '<html><head><meta property="article:published_time" content="2026-03-02T12:00:00Z"></head>'
    "<cite>Bo:</cite><p>A hum.</p>"
)


@pytest.mark.parametrize(
    ("text", "name", "day", "reason"),
    [
        (f"WEBVTT\n\nNOTE Recorded: 2026-03-02\n\n{CUE}", "talk.vtt", "2026-03-02", "a line above the talk"),
        (f"WEBVTT\nDate: March 2nd, 2026\n\n{CUE}", "talk.vtt", "2026-03-02", "a line above the talk"),
        (f"WEBVTT\n\n{CUE}", "Weekly-20260302_140003-Meeting Recording.vtt", "2026-03-02", "the file's name"),
        (f"---\ntitle: Bees\ndate: 2026-03-02 14:00\n---\n{TALK}", "talk.md", "2026-03-02", "the file's date"),
        (f"Date: 2 March 2026\n\n{TALK}", "talk-2020-01-01.txt", "2026-03-02", "a line above the talk"),
        (OTTER, "bees.txt", "2026-03-02", "a line above the talk"),
        (PAGE, "talk.html", "2026-03-02", "the file's published_time"),
        (TALK, "2026.03.02 Bo.txt", "2026-03-02", "the file's name"),
    ],
)
def test_a_file_tells_its_date(written: Written, text: str, name: str, day: str, reason: str) -> None:
    found = read_transcript(written(text, name)).dated
    assert found is not None
    assert (f"{found.at:%Y-%m-%d}", found.reason) == (day, reason)
    assert found.at.tzinfo is not None


def test_points_in_time_keep_their_zone(written: Written) -> None:
    zoom = written(f"WEBVTT\n\n{CUE}", "GMT20260302-140003_Recording.transcript.vtt")
    ours = written(f"WEBVTT\n\n{CUE}", "c-20260302-140003-1f09ab12.vtt")
    podcast = written(json.dumps({"pubDate": "Mon, 02 Mar 2026 15:00:03 +0100", "segments": SEGMENTS}), "talk.json")
    for path in (zoom, ours, podcast):
        dated = read_transcript(path).dated
        assert dated is not None
        assert dated.at == datetime(2026, 3, 2, 14, 0, 3, tzinfo=UTC)


def test_every_conversation_of_a_file_has_its_own(written: Written) -> None:
    turns = [{"speaker": "Anna", "text": "How so?"}, {"speaker": "Bo", "text": "It hums."}]
    lines = [{"id": "a", "date": "2026-03-02", "turns": turns}, {"id": "b", "turns": turns}]
    found = read_transcripts([written("\n".join(map(json.dumps, lines)), "talks-2025-01-01.jsonl")]).good
    assert [f"{one.dated.at:%Y-%m-%d}" for one in found if one.dated] == ["2026-03-02", "2025-01-01"]


def test_a_line_with_the_date_is_nobodys_speech(written: Written) -> None:
    found = read_transcript(written(f"Date: 2 March 2026\n{TALK}"))
    assert [turn.speaker for turn in found.turns] == ["Anna", "Bo", "Anna", "Bo"]


@pytest.mark.parametrize(
    "text",
    ["", "3/1/2026", "2026-13-01", "31 February 2026", "2026", "00:04", "Marble 2, 2026", "9" * 300, 20260302, None],
)
def test_what_is_no_date_or_could_be_two_is_none(text: object) -> None:
    assert date_of(text) is None


@pytest.mark.parametrize("name", ["talk.txt", "take 12345678.txt", "2026-02-30.txt", "20261301.txt", "room 2026.txt"])
def test_numbers_in_a_name_that_are_no_day_are_none(written: Written, name: str) -> None:
    assert read_transcript(written(TALK, name)).dated is None


@pytest.mark.parametrize(
    ("text", "hour"),
    [("Mar 2, 2026 3:10PM", 15), ("Monday, March 2, 2026 at 12:10 a.m.", 0), ("2 Mar 2026 12:10 pm", 12)],
)
def test_hours_are_told_on_either_clock(text: str, hour: int) -> None:
    found = date_of(text)
    assert found is not None
    assert (found.day, found.month, found.hour, found.minute) == (2, 3, hour, 10)
