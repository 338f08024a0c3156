"""Transcripts to read: plain "Name: text", Markdown as podcasts publish it, and exports with a name and time a turn."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from interviewer.importing.dates import by_field, date_in
from interviewer.importing.names import NAME, prefixed, speakers_among
from interviewer.importing.pieces import Parsed, Piece
from interviewer.importing.stamps import STAMP, stamp_ms

_TIMED = re.compile(rf"\s*(?P<stamp>{STAMP})(?:\s+-\s+|\s+|$)")
_ONLY_TIME = re.compile(rf"\s*(?P<stamp>{STAMP})\s*$")
_BRACKETED = re.compile(rf"\s*\\?[\[(](?P<stamp>{STAMP})\\?[\])]\s*")
BOLD = re.compile(rf"(?:\*\*|__)(?P<name>{NAME})\s?(?::(?:\*\*|__)|(?:\*\*|__):)(?:\s+|$)")
_HEADING = re.compile(r"#{1,6}\s")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\s]{0,2000}\)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()<>#+.!|~&-])")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,2})(?=\S)([^*\n]{1,500})(?<=\S)\1(?![\w*])")
_LONGEST_HEADER = 20_000
# "Name  0:12" of Otter, "Name (00:12):" of others; two spaces, for a sentence may end in a time.
HEAD = re.compile(
    r"(?P<name>\S[^\n]{0,60}?)"
    rf"(?:(?:[ ]{{2,40}}|\t{{1,8}})(?P<at>{STAMP})|[ \t]{{1,40}}[(\[](?P<in>{STAMP})[)\]]:)[ \t]*"
)
_FOOTER = re.compile(r"Transcribed by https?://\S+\s*", re.IGNORECASE)


@dataclass(slots=True)
class _Line:
    number: int
    text: str
    name: str = ""
    start_ms: int | None = None
    sure: bool = False  # the name is marked as one


def read_named(text: str) -> Parsed:
    """Plain text in which a name and a colon begin each turn; other lines go on with it."""
    return _parsed(_plain_line(n, line) for n, line in enumerate(text.split("\n"), 1) if not date_in(line))


def read_markdown(text: str) -> Parsed:
    """Markdown with a name, bold or plain, before each turn; headings are left out, a YAML header is read."""
    header, body, first = _front_matter(text)
    lines = body.split("\n")
    numbers = range(first, first + len(lines))
    told = [(n, line) for n, line in zip(numbers, lines, strict=True) if not (_HEADING.match(line) or date_in(line))]
    parsed = _parsed(_markdown_line(n, line) for n, line in told)
    for piece in parsed.pieces:
        piece.text = _unmarked(piece.text)
    parsed.title = _text(header.get("title"))
    parsed.dated = by_field(header)
    parsed.guests = tuple(name for name in map(_text, _listed(header.get("speakers"))) if name)
    return parsed


def read_otter(text: str) -> Parsed:
    """Text in which a line with a name and a time stands before each turn, as Otter and others export it."""
    parsed = Parsed([], joint="\n")
    for number, line in enumerate(text.split("\n"), 1):
        if head := HEAD.fullmatch(line):
            at = stamp_ms(head["at"] or head["in"])
            parsed.pieces.append(Piece(head["name"].strip(), "", number, number, at))
        elif line.strip() and parsed.pieces and not _FOOTER.fullmatch(line):
            parsed.pieces.append(Piece("", line.strip(), number, number))
    return parsed


def _parsed(lines: Iterator[_Line]) -> Parsed:
    told = [line for line in lines if line.text.strip() or line.name]
    known = frozenset(line.name for line in told if line.sure)
    known = known or speakers_among((line.name for line in told), len(told))
    pieces: list[Piece] = []
    for line in told:
        named = line.name in known and line.name
        text = line.text if named or not line.name else f"{line.name}: {line.text}"
        if named or pieces:
            pieces.append(Piece(line.name if named else "", text.strip(), line.number, line.number, line.start_ms))
    return Parsed(pieces, joint="\n")


def _plain_line(number: int, line: str) -> _Line:
    at, rest = _timed(_BRACKETED, line)
    if at is None:
        at, rest = _timed(_TIMED, line)
    name, after = prefixed(rest)
    if not name:
        bracketed, _ = _timed(_BRACKETED, line)
        return _Line(number, rest if bracketed is not None else line, "", bracketed)
    if at is None:
        at, after = _timed(_BRACKETED, after)
    if at is None:
        at, after = _timed(_ONLY_TIME, after)
    return _Line(number, after, name, at)


def _markdown_line(number: int, line: str) -> _Line:
    found = BOLD.match(line)
    if not found:
        return _plain_line(number, line)
    at, rest = _timed(_BRACKETED, line[found.end() :])
    return _Line(number, rest, found["name"].strip(), at, sure=True)


def _timed(pattern: re.Pattern[str], line: str) -> tuple[int | None, str]:
    found = pattern.match(line)
    at = stamp_ms(found["stamp"]) if found else None
    return (None, line) if found is None or at is None else (at, line[found.end() :])


def _unmarked(text: str) -> str:
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", text)))


def _front_matter(text: str) -> tuple[dict[str, object], str, int]:
    """(header, body, number of the body's first line); a header that is no YAML is skipped all the same."""
    if not text.startswith("---\n"):
        return {}, text, 1
    end = text.find("\n---\n", 0, _LONGEST_HEADER)
    if end < 0:
        return {}, text, 1
    body = text[end + 5 :]
    try:
        # Text only: no header can make anything else.
        found = yaml.load(text[4:end], Loader=yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}, body, text.count("\n", 0, end + 5) + 1


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
