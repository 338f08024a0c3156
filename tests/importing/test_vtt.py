"""WebVTT as the standard has it, and as meeting tools and podcasts write it."""

import io

import pytest
import webvtt
from hypothesis import given
from hypothesis import strategies as st

from interviewer.importing.captions import read_vtt
from interviewer.importing.read import read_transcript
from interviewer.settings import ImportSettings
from tests.importing.conftest import Written
from tests.importing.looks import said, timed

STANDARD = """\
WEBVTT - Bees
Kind: captions
Language: en

NOTE
This is no speech, and neither is
this line

STYLE
::cue(v[voice="Anna"]) { color: lime }

REGION
id:bees
width:40%

opening
00:01.000 --> 00:04.000 position:10%,line-left align:left size:35%
<v.first.loud Anna>What do you <i>real</i>ly hear, <00:02.500>when
the <lang sv>bikupa</lang> is <c.green>quite</c> <ruby>calm<rt>lugn</rt></ruby>?

NOTE one line --> with an arrow

00:04.000 --> 00:06.000 line:0
<v Bo>A hum.</v> <v Anna>Only that?</v>

1:00:06.000 --> 1:00:08.000
<v Bo>1 &lt; 2, Tom &amp; Jerry&rsquo;s &#8220;hum&#x201D; &unknown; &copy I <3 bees
"""

TEAMS = """\
WEBVTT

3b5f2c1a-6f0e-4d8e-9a57-0d1c2b3a4f5e/13-0
00:00:03.120 --> 00:00:06.480
<v Lindqvist, Anna>Thanks for making time.
How did it begin?</v>

3b5f2c1a-6f0e-4d8e-9a57-0d1c2b3a4f5e/13-1
00:06.480 --> 00:07.000
<v Lindqvist, Anna>With a roof?</v>

3b5f2c1a-6f0e-4d8e-9a57-0d1c2b3a4f5e/14-0
00:00:06.900 --> 00:00:12.500
<v Bo Ek (guest)>With two hives &amp; a ladder.

3b5f2c1a-6f0e-4d8e-9a57-0d1c2b3a4f5e/15-0
00:00:12.000 --> 00:00:13.000
<v Lindqvist, Anna></v>
"""

ZOOM = """\
WEBVTT

1
00:00:01.200 --> 00:00:04.000
Anna Lindqvist: How did you begin?

2
00:00:04.100 --> 00:00:09.000
Bo Ek: The short answer: by accident.

3
00:00:09.100 --> 00:00:10.000
Remember: it was 2015.
So: late.

4
00:00:10.000 --> 00:00:10.500

5
00:00:11.100 --> 00:00:12.000
Bo Ek: At 10:30 in the morning.
"""


def test_the_standard_with_notes_styles_settings_classes_and_nested_tags(written: Written) -> None:
    path = written(STANDARD, "bees.vtt")
    assert said(path) == [
        ("Anna", "What do you really hear, when the bikupa is quite calm?"),
        ("Bo", "A hum."),
        ("Anna", "Only that?"),
        ("Bo", "1 < 2, Tom & Jerry’s “hum” &unknown; &copy I <3 bees"),
    ]
    assert timed(path)[1:] == [
        ("Bo", 4_000, 6_000, "file"),
        ("Anna", 4_000, 6_000, "file"),
        ("Bo", 3_606_000, 3_608_000, "file"),
    ]
    found = read_transcript(path)
    assert [turn.lines for turn in found.turns[:2]] == [(17, 19), (23, 24)]
    assert (found.format, found.interviewers, found.guests, found.problems) == ("vtt", ("Anna",), ("Bo",), ())


@pytest.mark.parametrize("mark", ["", "\ufeff", "\n \n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_teams(written: Written, mark: str, line_end: str) -> None:
    path = written(mark + TEAMS.replace("\n", line_end), "meeting.vtt")
    assert said(path) == [
        ("Lindqvist, Anna", "Thanks for making time. How did it begin? With a roof?"),
        ("Bo Ek (guest)", "With two hives & a ladder."),
    ]
    assert timed(path) == [("Lindqvist, Anna", 3_120, 7_000, "file"), ("Bo Ek (guest)", 6_900, 12_500, "file")]


def test_zoom_names_before_a_colon_but_not_every_colon_has_a_name(written: Written) -> None:
    path = written(ZOOM, "GMT20261130.transcript.vtt")
    assert said(path) == [
        ("Anna Lindqvist", "How did you begin?"),
        ("Bo Ek", "The short answer: by accident. Remember: it was 2015. So: late. At 10:30 in the morning."),
    ]
    found = read_transcript(path)
    assert [str(problem) for problem in found.problems] == ["line 12: no speaker is named here; the one before goes on"]
    assert found.duration_ms == 12_000


def test_a_podcast_names_a_speaker_only_where_it_changes(written: Written) -> None:
    text = (
        "WEBVTT\n\n00:00.000 --> 00:05.000\n<v Jo>How so?\n\n00:05.000 --> 00:06.000\n<v Tom>Well.\n\n"
        "00:06.000 --> 00:07.500\nIt grew.\n"
    )
    assert said(written(text)) == [("Jo", "How so?"), ("Tom", "Well. It grew.")]
    assert timed(written(text))[1] == ("Tom", 5_000, 7_500, "file")


def test_cues_stay_apart_if_they_are_to_or_after_a_silence(written: Written) -> None:
    path = written(TEAMS, "meeting.vtt")
    apart = ImportSettings(merge=False)
    assert [name for name, _ in said(path, settings=apart)] == ["Lindqvist, Anna"] * 2 + ["Bo Ek (guest)"]
    text = "WEBVTT\n\n" + "".join(f"00:0{n}.000 --> 00:0{n}.500\n<v Jo>{n}\n\n" for n in (1, 2, 4))
    text += "00:05.000 --> 00:06.000\n<v Bo>Five\n"
    assert said(written(text), settings=ImportSettings(merge_gap_ms=500)) == [
        ("Jo", "1 2"),
        ("Jo", "4"),
        ("Bo", "Five"),
    ]


def test_a_wrong_time_is_told_and_its_text_kept(written: Written) -> None:
    text = (
        "WEBVTT\n\nsoon --> later\n<v Jo>One two.\n\n00:09.000 --> 00:08.000\n<v Bo>Three.\n\n"
        "00:75.000 --> 01:80.000\n<v Jo>Four.\n"
    )
    found = read_transcript(written(text))
    assert [turn.text for turn in found.turns] == ["One two.", "Three.", "Four."]
    assert [problem.line for problem in found.problems] == [3, 6, 9]
    assert "ends before it begins" in found.problems[1].text
    assert found.turns[1].times == "start"


def test_a_cue_with_another_arrow_is_told_and_its_text_kept(written: Written) -> None:
    text = "WEBVTT\n\n00:01.000 -> 00:02.000\n<v Anna>Why?\n\n00:03.000 --> 00:04.000\n<v Bo>For honey -> all of it."
    found = read_transcript(written(text, "talk.vtt"))
    assert [turn.text for turn in found.turns] == ["Why?", "For honey -> all of it."]
    assert [(problem.line, "kept without" in problem.text) for problem in found.problems] == [(3, True)]


def test_a_line_of_spaces_between_cues_is_put_up_with(written: Written) -> None:
    text = "WEBVTT\n\n1\n00:01.000 --> 00:02.000\nAnna: Why 2?\n \n2\n00:02.000 --> 00:03.000\nBo: In\n2015\n"
    assert said(written(text)) == [("Anna", "Why 2?"), ("Bo", "In 2015")]


def test_cues_out_of_order_are_put_in_order(written: Written) -> None:
    text = "WEBVTT\n\n00:05.000 --> 00:06.000\n<v Bo>Later.\n\n00:01.000 --> 00:02.000\n<v Jo>First?\n"
    found = read_transcript(written(text))
    assert [turn.text for turn in found.turns] == ["First?", "Later."]
    assert "in order" in str(found.problems[0])


def test_right_to_left_names_and_text(written: Written) -> None:
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\nדנה: איך התחלת?\n\n00:02.000 --> 00:03.000\nיוסי: במקרה.\n\n"
        "00:03.000 --> 00:04.000\nדנה: ומה אז?\n"
    )
    assert said(written(text)) == [("דנה", "איך התחלת?"), ("יוסי", "במקרה."), ("דנה", "ומה אז?")]
    assert read_transcript(written(text)).interviewers == ("דנה",)


_LINES = st.text(alphabet="abc <>&;:/.vtiw\t1", min_size=1, max_size=12)
_STAMPS = st.integers(0, 3_599_999)


@st.composite
def _files(draw: st.DrawFn) -> str:
    parts = ["WEBVTT", ""]
    for _ in range(draw(st.integers(1, 5))):
        start, end = sorted((draw(_STAMPS), draw(_STAMPS)))
        stamps = [f"{at // 60_000:02d}:{at // 1000 % 60:02d}.{at % 1000:03d}" for at in (start, end)]
        parts += draw(st.sampled_from([[], ["NOTE x", ""], ["7"], ["STYLE", "a { b }", ""]]))
        parts += [
            f"{stamps[0]} --> {stamps[1]}{draw(st.sampled_from(['', ' line:0']))}",
            *draw(st.lists(_LINES, max_size=3)),
            "",
        ]
    return "\n".join(parts)


@given(_files())
def test_cues_are_those_that_another_parser_finds(text: str) -> None:
    theirs = [
        (webvtt_ms(cue.start), webvtt_ms(cue.end), cue.raw_text.split())
        for cue in webvtt.WebVTT.from_buffer(io.StringIO(text)).captions
    ]
    ours: dict[int, tuple[int | None, int | None, str]] = {}
    for piece in read_vtt(text.replace("<", "(").replace(">", ")").replace("--)", "-->").replace("&", "+")).pieces:
        before = ours.get(piece.line, (0, 0, ""))[2]
        name = f"{piece.speaker}: " if piece.speaker else ""
        ours[piece.line] = (piece.start_ms, piece.end_ms, f"{before} {name}{piece.text}")
    kept = [(start, end, "".join(words)) for start, end, words in theirs if words]
    assert [(start, end, "".join(words.split())) for start, end, words in ours.values()] == [
        (start, end, words.replace("<", "(").replace(">", ")").replace("&", "+")) for start, end, words in kept
    ]


def webvtt_ms(stamp: str) -> int:
    """Their `hh:mm:ss.mmm` in ms."""
    hours, minutes, seconds = stamp.split(":")
    return round((int(hours) * 3_600 + int(minutes) * 60 + float(seconds)) * 1000)
