"""Transcripts to read: plain text, podcasts' Markdown and pages, exports with a name and a time a turn, tables."""

import pytest

from interviewer.errors import TranscriptError
from interviewer.importing.read import read_transcript
from tests.importing.conftest import Written
from tests.importing.looks import said, timed

TALK = """\
Anna: Welcome! How did you come to keep bees?
Bo: My uncle left me two hives on a roof in Malmö. The bees came with the roof.
I had no idea about bees. Here is the point: none.
Anna: What did they do?
"""


def test_names_before_colons_make_turns_and_other_lines_go_on(written: Written) -> None:
    found = read_transcript(written(TALK))
    assert (found.format, found.interviewers, found.guests) == ("text", ("Anna",), ("Bo",))
    assert [turn.id for turn in found.turns] == ["t1", "t2", "t3"]
    assert found.turns[1].text.endswith("with the roof.\nI had no idea about bees. Here is the point: none.")
    assert found.turns[1].lines == (2, 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[00:00:02] Anna Berg: Why?\n[0:05] Bo: So.\n", [("Anna Berg", 2_000), ("Bo", 5_000)]),
        ("00:02 Anna Berg: Why?\n1:00:05 Bo: So.\n", [("Anna Berg", 2_000), ("Bo", 3_605_000)]),
        ("(0:02) Anna: Why?\n(0:05.5) Bo: So.\n", [("Anna", 2_000), ("Bo", 5_500)]),
        ("Anna: [0:02] Why?\nBo: (0:05) So.\n", [("Anna", 2_000), ("Bo", 5_000)]),
        ("Speaker 1: 00:00:02\nWhy?\n\nSpeaker 2: 00:00:05\nSo.\n", [("Speaker 1", 2_000), ("Speaker 2", 5_000)]),
        ("I: [0:02] Why?\nR: [0:05] So.\n", [("I", 2_000), ("R", 5_000)]),
        ("甲：[0:02] 为什么？\n乙：[0:05] 因为。\n", [("甲", 2_000), ("乙", 5_000)]),
    ],
)
def test_times_beside_names(written: Written, text: str, expected: list[tuple[str, int]]) -> None:
    turns = read_transcript(written(text)).turns
    assert [(turn.speaker, turn.started_ms) for turn in turns[:2]] == expected
    assert turns[0].text in ("Why?", "为什么？")


def test_a_time_in_a_sentence_is_none(written: Written) -> None:
    path = written("Anna: 10:30 was when?\nBo: At 10:30 it was.\n12:15 came later.\n")
    assert said(path) == [("Anna", "10:30 was when?"), ("Bo", "At 10:30 it was.\n12:15 came later.")]


CHANGELOG = """\
**Ada Stone:** How did it begin? \\[laughter\\]

**Bo Ek:** \\[03:50\\] With a roof; see [the picture](https://example.org/a) of *two* hives.

Ask yourself: is it \\_safe\\_?

\\[08:00\\] It was.

**Ada Stone:** And then?
"""

BITCOIN = """\
---
title: Hives – two of them
transcript_by: Somebody
speakers:
  - Bo Ek
date: 2019-01-20
---
## The beginning

Ada: Is it? Is it? Is it true?

Bo: Does it matter? Why? How so? Who asks? It is: yes.
"""


def test_markdown_of_changelog(written: Written) -> None:
    path = written(CHANGELOG, "talk.md")
    assert said(path) == [
        ("Ada Stone", "How did it begin? [laughter]"),
        ("Bo Ek", "With a roof; see the picture of two hives.\nAsk yourself: is it _safe_?\nIt was."),
        ("Ada Stone", "And then?"),
    ]
    found = read_transcript(path)
    assert (found.turns[1].started_ms, found.turns[1].times, found.turns[1].lines) == (230_000, "start", (3, 7))
    assert found.turns[2].started_ms > 480_000


def test_markdown_of_bitcointranscripts_names_the_guest_in_its_header(written: Written) -> None:
    found = read_transcript(written(BITCOIN, "talk.md"))
    assert [(turn.speaker, turn.lines) for turn in found.turns] == [("Ada", (10, 10)), ("Bo", (12, 12))]
    assert (found.title, found.interviewers, found.guests) == ("Hives – two of them", ("Ada",), ("Bo",))
    assert (found.guess.by, found.guess.certainty) == ("name", 0.95)


@pytest.mark.parametrize("header", ["!!timestamp x", "a: [", "- 1", "x: !!python/object:os.system {}", "title: [1]"])
def test_a_header_that_is_none_does_no_harm(written: Written, header: str) -> None:
    path = written(f"---\n{header}\n---\n{TALK}", "talk.md")
    assert [name for name, _ in said(path)] == ["Anna", "Bo", "Anna"]


OTTER = """\
Bees on roofs

Anna Lindqvist  0:03  
How did you begin?

Bo Ek  0:09  
By accident. We met at 10:30
and so on.

More of it.

Bo Ek  0:30  
And more.

Anna Lindqvist  1:02:05  
And then?

Transcribed by https://otter.ai
"""  # noqa: W291  the export has these spaces


def test_otter(written: Written) -> None:
    path = written(OTTER)
    assert said(path) == [
        ("Anna Lindqvist", "How did you begin?"),
        ("Bo Ek", "By accident. We met at 10:30\nand so on.\nMore of it.\nAnd more."),
        ("Anna Lindqvist", "And then?"),
    ]
    assert [(turn.started_ms, turn.times) for turn in read_transcript(path).turns] == [
        (3_000, "start"),
        (9_000, "start"),
        (3_725_000, "start"),
    ]


def test_others_put_the_time_in_brackets(written: Written) -> None:
    path = written("Anna (00:01):\nHow did you begin?\nBo (00:04):\nBy accident (10:30).\n")
    assert said(path) == [("Anna", "How did you begin?"), ("Bo", "By accident (10:30).")]


PAGE = """\
<!doctype html><html><head><title>Bees &amp; roofs</title><style>p { x: "<cite>" }</style></head><body>
<cite>Kevin:</cite>
<time>0:00</time>
<p>
  We have 5 &lt; 6 &#39;hives&#39;, why?
</p>
<!-- <p>not this</p> -->
<script>document.write("<p>nor this</p>")</script>
<p><cite>Alban :</cite> <time>0:09</time> You're <b>trig</b>gering a < b.</p>
<p>And more.</p>
</body></html>
"""


def test_a_page_of_podcasting(written: Written) -> None:
    path = written(PAGE, "talk.html")
    assert said(path) == [("Kevin", "We have 5 < 6 'hives', why?"), ("Alban", "You're triggering a < b. And more.")]
    found = read_transcript(path)
    assert [(turn.started_ms, turn.times, turn.lines) for turn in found.turns] == [
        (0, "start", (4, 6)),
        (9_000, "start", (9, 10)),
    ]
    assert found.title == "Bees & roofs"


@pytest.mark.parametrize(
    "table",
    [
        'speaker,start,end,text\nAnna,0.5,2,"Why, bees?"\nBo,00:00:02.5,3,"Two\nlines"\n',
        'Speaker;Start Time;End Time;Text\nAnna;0,5;2;"Why, bees?"\nBo;2,5;3;"Two\nlines"\n',
        '\nName\tstarted_ms\tended_ms\tUtterance\nAnna\t500\t2000\tWhy, bees?\nBo\t2500\t3000\t"Two\nlines"\n',
    ],
)
def test_tables_with_named_columns(written: Written, table: str) -> None:
    path = written(table, "talk.csv")
    assert said(path) == [("Anna", "Why, bees?"), ("Bo", "Two\nlines")]
    assert timed(path) == [("Anna", 500, 2_000, "file"), ("Bo", 2_500, 3_000, "file")]


def test_a_table_without_a_text_tells_its_columns(written: Written) -> None:
    with pytest.raises(TranscriptError, match=r"talk\.csv, line 1: .* there are: speaker, note"):
        read_transcript(written("speaker,note\nAnna,x\n", "talk.csv"))


def test_a_table_that_breaks_off_is_named_with_its_line(written: Written) -> None:
    with pytest.raises(TranscriptError, match=r"talk\.csv, line \d+: not the table"):
        read_transcript(written('speaker,text\nAnna,Why?\nBo,"' + "x" * 200_000, "talk.csv"))


@pytest.mark.parametrize("text", ["Just a page of prose.\nAnother line.\n", "Anna: I talk alone.\n", "", " \n\n"])
def test_what_is_no_transcript_is_named(written: Written, text: str) -> None:
    with pytest.raises(TranscriptError, match=r"talk\.txt: it is no transcript"):
        read_transcript(written(text))


def test_somebody_who_speaks_alone_is_a_transcript(written: Written) -> None:
    alone = "Robert: I speak alone about my orchard.\nRobert: And then the bees left.\n"
    assert [turn.role for turn in read_transcript(written(alone)).turns] == ["guest"]
    told = read_transcript(written("Robert: I talk alone.\n"), speakers={"robert": "guest"})
    assert told.guests == ("Robert",)


def test_a_name_before_one_line_of_prose_makes_no_transcript_but_is_named(written: Written) -> None:
    with pytest.raises(TranscriptError, match=r"one name alone, 'Robert'.*guest=Robert"):
        read_transcript(written("Robert: I talk alone.\n"))


def test_a_line_break_in_a_page_parts_words(written: Written) -> None:
    page = "<html><body><cite>Anna:</cite><p>Why<br>so<br/>late?</p><cite>Bo:</cite><p>It was.</p></body></html>"
    assert read_transcript(written(page, "talk.html")).turns[0].text == "Why so late?"
