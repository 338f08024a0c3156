"""SRT, as players take it and as podcasts publish it."""

import pytest

from interviewer.importing.read import read_transcript
from tests.importing.conftest import Written
from tests.importing.looks import said, timed

PODCAST = """\
1
00:00:00,179 --> 00:00:02,399
Vera: When you first get
started, it's

2
00:00:02,400 --> 00:00:04,799
almost {\\an8}<i>guarant</i>eed &amp; fine.

3
00:00:05,000 --> 00:00:06,000
- Gil: Is it?
- Vera: 5 < 6, <font color="#fff">really</font>.

4
00:00:06,000 --> 00:00:06,500

5
01:00:05,500 --> 01:00:07,000
Gil: 42
"""


def test_names_lines_tags_and_empty_cues(written: Written) -> None:
    path = written(PODCAST, "talk.srt")
    assert said(path) == [
        ("Vera", "When you first get started, it's almost guaranteed & fine."),
        ("Gil", "Is it?"),
        ("Vera", "5 < 6, really."),
        ("Gil", "42"),
    ]
    assert timed(path) == [
        ("Vera", 179, 4_799, "file"),
        ("Gil", 5_000, 6_000, "file"),
        ("Vera", 5_000, 6_000, "file"),
        ("Gil", 3_605_500, 3_607_000, "file"),
    ]
    found = read_transcript(path)
    assert (found.format, found.interviewers, found.turns[0].lines) == ("srt", ("Gil",), (2, 8))


@pytest.mark.parametrize("between", ["", "\n", "\n \n\n"])
def test_missing_and_doubled_blank_lines(written: Written, between: str) -> None:
    cues = (
        "1\n00:00:01,000 --> 00:00:02,000\nAnna: How many?\n",
        "2\n00:00:02,000 --> 00:00:03,000\nBo: First\n\nsecond\n",
        "3\n00:00:03.000 --> 00:00:04.000\nAnna: Really?\n",
    )
    assert said(written(between.join(cues))) == [
        ("Anna", "How many?"),
        ("Bo", "First second"),
        ("Anna", "Really?"),
    ]


def test_without_names_all_of_it_is_one_person_s_and_the_reader_is_told(written: Written) -> None:
    found = read_transcript(
        written("1\n00:00:01,000 --> 00:00:02,000\nHow so?\n\n2\n00:00:02,000 --> 00:00:03,000\nSo.\n")
    )
    assert [(turn.speaker, turn.role, turn.text) for turn in found.turns] == [
        ("Unknown speaker", "guest", "How so? So.")
    ]
    assert (found.guess.by, found.guess.certainty, found.interviewers) == ("nothing", 0.0, ())
    assert "names no speaker" in str(found.problems[0])


def test_speech_that_overlaps_keeps_its_times(written: Written) -> None:
    path = written(
        "1\n00:00:01,000 --> 00:00:09,000\nAnna: How did it begin?\n\n2\n00:00:02,000 --> 00:00:03,000\nBo: Mm.\n\n"
        "3\n00:00:08,500 --> 00:00:12,000\nBo: By accident.\n"
    )
    assert timed(path) == [("Anna", 1_000, 9_000, "file"), ("Bo", 2_000, 12_000, "file")]
