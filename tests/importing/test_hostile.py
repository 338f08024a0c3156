"""Whatever the bytes, a file is read or refused by name, in a time that grows with its size."""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.errors import TranscriptError
from interviewer.importing.read import read_transcript
from interviewer.model.recorded import Format, Recorded

_PARTS = st.sampled_from(
    [
        *(
            "WEBVTT",
            "NOTE",
            "STYLE",
            "1",
            "-->",
            "00:00:01.000 --> 00:00:02,5",
            "99:99.9 --> 1",
            "00:01.000 --> 00:00.500",
        ),
        *("<v Anna>", "</v>", "<v>", "<", ">", "<rt>", "&amp;", "&#0;", "&#x110000;", "&#xD800;", "{\\an8}"),
        *(
            "Anna:",
            "Bo: ",
            "**Anna:** ",
            "Anna  0:01",
            "\\[01:02\\]",
            "[0:05]",
            "---",
            "# H",
            "title: [",
            "!!timestamp x",
        ),
        *(
            '{"segments": [',
            '{"turns": [{"speaker": "A", "text": "b"}]}',
            '"body": 1',
            "]}",
            "NaN",
            "1e999",
            '"',
            "[{",
            "\\ud800",
        ),
        *(
            "<cite>",
            "</cite>",
            "<time>",
            "<p>",
            "<!--",
            "<script>",
            "speaker,text",
            "speaker;start;text",
            "A;0,5;b",
            ",",
        ),
        *("\n", "\n\n", "\r\n", "\r", " ", "\t", "\0", "\ufeff", "\x85", "\u2028", "\u202e", "דנה:", "？", "a?"),
    ]
)
_TEXTS = st.one_of(st.lists(_PARTS, max_size=25).map("".join), st.lists(_PARTS, max_size=25).map("\n".join))
_BYTES = st.one_of(
    st.binary(max_size=300),
    st.tuples(_TEXTS, st.sampled_from(["utf-8", "utf-16", "utf-16-le", "cp1252"])).map(
        lambda found: found[0].encode(found[1], "replace")
    ),
    st.tuples(_TEXTS, st.binary(max_size=8), _TEXTS).map(
        lambda found: found[0].encode() + found[1] + found[2].encode()
    ),
)
_FORMATS: list[Format | None] = [None, "jsonl", "json", "vtt", "srt", "html", "markdown", "csv", "otter", "text"]


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "talk"


@given(data=_BYTES, wanted=st.sampled_from(_FORMATS))
def test_any_bytes_are_read_or_refused_by_name(place: Path, data: bytes, wanted: Format | None) -> None:
    place.write_bytes(data)
    refusal = ""
    try:
        _is_sound(read_transcript(place, format=wanted), data)
    except TranscriptError as error:
        refusal = str(error)
    assert not refusal or str(place) in refusal


def _is_sound(found: Recorded, data: bytes) -> None:
    assert found.turns
    assert {turn.speaker for turn in found.turns} == {*found.interviewers, *found.guests}
    assert found.guests
    assert 0 <= found.guess.certainty <= 1
    lines = data.replace(b"\0", b"").count(b"\n") + data.count(b"\r") + 1
    for turn in found.turns:
        assert turn.text.strip()
        assert 0 <= turn.started_ms <= turn.ended_ms
        assert 1 <= turn.lines[0] <= turn.lines[1] <= lines
        turn.text.encode("utf-8")


_MANY: dict[str, str] = {
    "cues": "WEBVTT\n\n" + "00:00:01.000 --> 00:00:02.000\n<v Anna>How did it begin?\n\n" * 170_000,
    "one turn": "Anna: Why?\nBo: " + "e.g. more " * 1_000_000,
    "lines": "Anna: Why?\nBo: " + "So it was, and so it went on, year after year.\n" * 210_000,
    "tags": "<p>A" + "<" * 10_000_000,
    "comments": "<p>A" + "<!--" * 2_500_000,
    "names": "**Anna:** Why?\n**Bo:** " + "**a" * 3_300_000,
    "spaces": "Anna  0:01\nWhy?\nBo  0:02\na" + " " * 10_000_000 + "b",
    "brackets": '{"segments": ' + "[" * 10_000_000,
}


@pytest.mark.parametrize("kind", _MANY)
def test_ten_megabytes_take_seconds(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "talk"
    path.write_text(_MANY[kind], encoding="utf-8")
    assert path.stat().st_size > 9_500_000
    begun = time.process_time()
    with contextlib.suppress(TranscriptError):
        read_transcript(path)
    # A step that grows with the square of the size takes hours here.
    assert time.process_time() - begun < 60
