"""The text of a cue: voices, other tags and character references, as WebVTT has them."""

import re
from collections.abc import Iterator
from html import unescape

# As in the WebVTT cue text tokenizer, but for a `<` that no `>` ends: there it swallows the rest, here it is text.
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z]+|)(?P<classes>\.[^\s<>]*)?(?P<note>\s[^<>]*)?>|<\d[\d:.,]*>")
# Of subtitle editors, for the place on the screen: {\an8}.
_PLACE = re.compile(r"\{\\[a-z]+\d*(?:\([^(){}]*\))?\}")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def voices(payload: str) -> Iterator[tuple[str, str]]:
    """(speaker, text) of each stretch of a cue that is not blank; the speaker is empty outside of voice tags.

    The reading beside ruby text is left out: it says the same once more.
    """
    inside: list[str] = []
    parts: list[str] = []
    at, reading = 0, False
    for tag in _TAG.finditer(payload):
        if not reading:
            parts.append(referred(payload[at : tag.start()]))
        at = tag.end()
        name = tag["name"]
        if name == "v":
            if text := "".join(parts).strip():
                yield (inside[-1] if inside else ""), text
            parts = []
            if not tag["end"]:
                inside.append(one_line(referred(tag["note"] or "")))
            elif inside:
                inside.pop()
        elif name in ("rt", "ruby"):
            reading = name == "rt" and not tag["end"]
    if not reading:
        parts.append(referred(payload[at:]))
    if text := "".join(parts).strip():
        yield (inside[-1] if inside else ""), text


def plain_cue(payload: str) -> str:
    """The text of a cue without marks for its place."""
    return _PLACE.sub("", payload)


def referred(text: str) -> str:
    """`text` with the characters that references such as `&amp;` and `&#39;` stand for. Those without `;` stay."""
    return _REFERENCE.sub(lambda found: unescape(found[0]), text)


def one_line(text: str) -> str:
    """`text` with every run of white space as one space."""
    return " ".join(text.split())
