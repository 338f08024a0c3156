"""Files come in the encodings that other programs and other years wrote."""

from pathlib import Path

import pytest

from interviewer.errors import TranscriptError
from interviewer.importing.read import read_transcript
from tests.importing.conftest import Written
from tests.importing.looks import said

TALK = "Zoë: Wie war’s in Köln – „schön“?\nJosé: Schön für fünf €.\n"
SAID = [("Zoë", "Wie war’s in Köln – „schön“?"), ("José", "Schön für fünf €.")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_it_is_told_from_the_bytes(written: Written, encoding: str) -> None:
    assert said(written(TALK, encoding=encoding)) == SAID


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_plain_letters_in_two_bytes_without_a_mark(written: Written, encoding: str) -> None:
    assert said(written("Anna: Why?\nBo: So.\n", encoding=encoding)) == [("Anna", "Why?"), ("Bo", "So.")]


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_of_windows_and_old_macs(written: Written, line_end: str) -> None:
    assert said(written(TALK.replace("\n", line_end), encoding="utf-16")) == SAID


def test_what_is_no_western_text_is_recognised(written: Written) -> None:
    text = "Анна: Как вы начали держать пчёл?\nБорис: Мой дядя оставил мне два улья на крыше.\n" * 3
    found = read_transcript(written(text, encoding="cp1251"))
    assert (found.encoding, found.turns[0].speaker, found.turns[0].text) == (
        "cp1251",
        "Анна",
        "Как вы начали держать пчёл?",
    )


def test_it_can_be_said(written: Written) -> None:
    path = written("Žofie: Jak to?\nJiří: Tak.\n", encoding="iso8859-2")
    assert said(path, encoding="iso8859-2")[1] == ("Jiří", "Tak.")
    with pytest.raises(TranscriptError, match="there is no encoding 'utf-99'"):
        read_transcript(path, encoding="utf-99")
    with pytest.raises(TranscriptError, match=r"talk\.txt, line 1: it is not text in utf-8"):
        read_transcript(path, encoding="utf-8")


def test_other_line_breaks_of_unicode_break_no_line(written: Written) -> None:
    assert said(written("Anna: Why\u2028is it?\nBo: So\x85it\x0bis.\n")) == [
        ("Anna", "Why\u2028is it?"),
        ("Bo", "So\x85it\x0bis."),
    ]


def test_zero_bytes_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "sound.txt"
    path.write_bytes(b"RIFF\n\0abc" * 10)
    with pytest.raises(TranscriptError, match=r"sound\.txt, line 2: it is no text file"):
        read_transcript(path)
