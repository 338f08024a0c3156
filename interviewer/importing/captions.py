"""WebVTT and SRT: cues with times, their speakers in voice tags or as "Name: text".

The cues are told apart as the W3C's WebVTT parser does it, with every line's number, and more forgiving: what a strict
parser drops for a wrong time is kept as text without one, and told of.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.importing.markup import one_line, plain_cue, voices
from interviewer.importing.names import by_prefix
from interviewer.importing.pieces import Parsed, Piece
from interviewer.importing.stamps import STAMP, stamp_ms

TIMING = re.compile(rf"\s*(?P<start>{STAMP})\s*-->\s*(?P<end>{STAMP})(?=\s|$)")
_ARROW = "-->"
_ODD_ARROW = re.compile(rf"\s*{STAMP}\s*(?:-+>|[–—]>|→)\s*{STAMP}(?=\s|$)")
"""Two points in time with an arrow that is none of the format's."""
_INDEX = re.compile(r"\s*\d{1,9}\s*")


@dataclass(slots=True)
class _Cue:
    timing: str
    line: int
    payload: list[tuple[int, str]]

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in self.payload)

    @property
    def last_line(self) -> int:
        return next((number for number, line in reversed(self.payload) if line.strip()), self.line)

    def give_back_index(self) -> None:
        """Drop the number of the next cue, which stands right before its arrow."""
        if self.payload and _INDEX.fullmatch(self.payload[-1][1]):
            self.payload.pop()


def read_vtt(text: str) -> Parsed:
    """A WebVTT file. The line `WEBVTT` may be missing."""
    return _read(_cues(text.split("\n"), blank_ends=True))


def read_srt(text: str) -> Parsed:
    """An SRT file. Blank lines inside a cue and missing ones between two are put up with."""
    return _read(_cues(text.split("\n"), blank_ends=False))


def _cues(lines: list[str], *, blank_ends: bool) -> Iterator[_Cue]:
    """Every arrow with the lines below it: up to a blank one, or (`blank_ends` is false) to the next arrow.

    Lines in no cue are header, identifiers, notes, styles and regions.
    """
    cue: _Cue | None = None
    for number, line in enumerate(lines, 1):
        if (_ARROW in line or _ODD_ARROW.match(line)) and not line.startswith("NOTE"):
            if cue is not None:
                # WebVTT's cues end at a blank line: without one the number belongs to the text, but for a sloppy blank.
                if not blank_ends or (len(cue.payload) > 1 and not cue.payload[-2][1].strip()):
                    cue.give_back_index()
                yield cue
            cue = _Cue(line, number, [])
        elif cue is not None and not line and blank_ends:
            yield cue
            cue = None
        elif cue is not None:
            cue.payload.append((number, line))
    if cue is not None:
        yield cue


def _read(cues: Iterator[_Cue]) -> Parsed:
    parsed = Parsed([])
    named_by_tag = False
    for cue in cues:
        start_ms, end_ms = _times(cue, parsed)
        for speaker, text in voices(plain_cue(cue.text)):
            named_by_tag |= bool(speaker)
            parsed.pieces.append(Piece(speaker, text, cue.line, cue.last_line, start_ms, end_ms))
    if not named_by_tag:
        parsed.pieces = list(by_prefix(parsed.pieces))
    for piece in parsed.pieces:
        piece.text = one_line(piece.text)
    return parsed


def _times(cue: _Cue, parsed: Parsed) -> tuple[int | None, int | None]:
    found = TIMING.match(cue.timing)
    start_ms = stamp_ms(found["start"]) if found else None
    end_ms = stamp_ms(found["end"]) if found else None
    if start_ms is None or end_ms is None:
        parsed.tell(cue.line, f"not two points in time: {one_line(cue.timing)[:60]!r}; the text is kept without")
        return None, None
    if end_ms < start_ms:
        parsed.tell(cue.line, "the cue ends before it begins; its end is taken from its words")
        return start_ms, None
    return start_ms, end_ms
