"""Podcasting 2.0's HTML transcripts: `cite` for who speaks, `time` for when, `p` for what.

The pages are read by a scanner of their own: `html.parser` of many Python versions takes quadratic time on some input.
"""

import re
from collections.abc import Iterator
from html import unescape

from interviewer.importing.dates import in_page
from interviewer.importing.markup import one_line
from interviewer.importing.pieces import Parsed, Piece
from interviewer.importing.stamps import stamp_ms

_MARK = re.compile(r"<(?:(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])|[!?])")
_RAW = ("script", "style")
_KEPT = ("cite", "time", "p", "title")


def read_html(text: str) -> Parsed:
    """A page. Text outside of the four elements is left out."""
    parsed = Parsed([], dated=in_page(text))
    speaker, start_ms = "", None
    for element, content, line, last_line in _elements(text):
        said = one_line(unescape(content))
        if element == "title":
            parsed.title = said
        elif element == "cite":
            speaker, start_ms = said.removesuffix(":").strip(), None
        elif element == "time":
            start_ms = stamp_ms(said)
            if start_ms is None:
                parsed.tell(line, f"no point in time: {said[:40]!r}; it is derived")
        elif said:
            parsed.pieces.append(Piece(speaker, said, line, last_line, start_ms))
            start_ms = None
    return parsed


def _elements(text: str) -> Iterator[tuple[str, str, int, int]]:
    """(name, content with references, first and last line) of each element that counts, in order.

    A `p` that holds a `cite` or `time` comes in parts, before and after it.
    """
    inside, within_p = "", False
    parts: list[str] = []
    line, begun, counted_to = 1, 1, 0
    for at, end, name in _marks(text):
        between = text[counted_to:at]
        line += between.count("\n")
        parts.append(between)
        if name == "br":
            parts.append(" ")
        if name.lstrip("/") in _KEPT:
            if inside:
                yield inside, "".join(parts), begun, line
            within_p = name == "p" or (within_p and name != "/p")
            inside = "" if name.startswith("/") else name
            if not inside and within_p:
                inside = "p"
            parts, begun = [], line
        line += text.count("\n", at, end)
        counted_to = end
    if inside:
        yield inside, "".join([*parts, text[counted_to:]]), begun, line + text.count("\n", counted_to)


def _marks(text: str) -> Iterator[tuple[int, int, str]]:
    """(begin, end, name) of each tag, `/name` for an end tag; comments and the like have no name."""
    found = _MARK.search(text)
    while found:
        at, name = found.start(), (found["name"] or "").lower()
        closing = "-->" if text.startswith("<!--", at) else ">"
        end = text.find(closing, at)
        if end < 0:
            return
        end += len(closing)
        if name in _RAW and not found["end"]:
            end = _end_of_raw(text, end, name)
        yield at, end, f"{found['end'] or ''}{name}"
        found = _MARK.search(text, end)


def _end_of_raw(text: str, begin: int, name: str) -> int:
    found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, begin)
    return found.end() if found else len(text)
