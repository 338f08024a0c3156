"""The few words of a sentence that are worth repeating to the one who said them."""

import re
from functools import lru_cache

from interviewer.agents.noun_phrases import is_clause
from interviewer.matching.text import Span

_CUT = re.compile(r"[,;:()\[\]\"“”…—–]|\.{2,}|\s-{1,2}\s|(?<=\s)(?=(?:but|because|although|though|which|so that)\s)")
_WORD = re.compile(r"[^\s]+")
_OPENERS = re.compile(
    r"(?:(?:and|so|well|yeah|yes|no|um|uh|like|okay|ok|right|oh|then again|i mean|you know|basically|to be honest)\b"
    r"[\s,]*)+",
    re.IGNORECASE,
)
_LOOSE_ENDS = frozenset(
    "a an the of to and or but in on at by with for from that which who because my our your his her their its is are "
    "was were be been so as if than this these those some any very really just would could should can will had has "
    "have i we you they he she it not".split()
)
_HEADS = frozenset("i we they he she it you there the a an my our their his her this that people if when in on".split())
_JOINT = re.compile(
    r"\s(?:and|or|but|to|of|in|with|for|at|by|as|from|on|that|who|which|because|when|if)\b", re.IGNORECASE
)
_LINKS = re.compile(
    rf"(?:{_OPENERS.pattern}|"
    r"(?:but|again|then|because|although|though|maybe|now|also|sometimes|in the end|even then)\b[\s,]*)+",
    re.I,
)
_FEWEST, _MOST, _BEFORE = 4, 12, 6
_LONGEST_WHOLE = 22


@lru_cache(maxsize=16_384)
def clause(text: str, start: int, end: int) -> Span:
    """The stretch of `text` around the characters `[start, end)` that stands by itself, word for word.

    Between four and twelve words where the text allows, cut at commas and the like, never mid-word; filler at
    the front and words that lead nowhere at the end are left out.
    """
    left, right = _piece(text, start, end)
    left, right = _widen(text, left, right)
    whole = right
    left += len(opener.group()) if (opener := _OPENERS.match(text[left:right])) and left + opener.end() <= start else 0
    left, right = _narrow(text, left, right, start, end)
    return _trim(text, left, right, end) if right < whole else _bare(text, left, right)


@lru_cache(maxsize=16_384)
def whole_clause(text: str, start: int, end: int) -> Span | None:
    """The clause of `text` around `[start, end)` from border to border, with a subject and a verb; None without one."""
    left, right = _piece(text, start, end)
    if opener := _LINKS.match(text[left:right]):
        left += opener.end()
    found = _bare(text, left, right)
    opened = text[right : right + 1] in tuple("(“[") or (
        text[right : right + 1] == '"' and text[:right].count('"') % 2 == 0
    )
    if found.end < end or opened or not _FEWEST <= len(found.text.split()) <= _LONGEST_WHOLE:
        return None
    return found if is_clause(found.text) else None


def _piece(text: str, start: int, end: int) -> tuple[int, int]:
    left = max((m.end() for m in _CUT.finditer(text, 0, start)), default=0)
    right = next((m.start() for m in _CUT.finditer(text, end)), len(text))
    return left + len(text[left:right]) - len(text[left:right].lstrip()), right


def _widen(text: str, left: int, right: int) -> tuple[int, int]:
    """Take in the neighbour before, else the one after, when the piece is too short to mean anything."""
    if len(text[left:right].split()) >= _FEWEST:
        return left, right
    before = text[:left].rstrip(" ,;:—–-")
    if before and not before.endswith((".", "!", "?", '"', "”", "(")):
        return _piece(text, len(before) - 1, len(before))[0], right
    after = _CUT.search(text, min(right + 1, len(text)))
    return left, after.start() if after else len(text)


def _narrow(text: str, left: int, right: int, start: int, end: int) -> tuple[int, int]:
    """At most twelve words: those from shortly before the cue on."""
    found = [(m.start(), m.end()) for m in _WORD.finditer(text, left, right)]
    if len(found) <= _MOST:
        return left, right
    at = next((i for i, (_, stop) in enumerate(found) if stop > start), 0)
    over = next((i for i, (begin, _) in enumerate(found) if begin >= end), len(found))
    first = max(0, over - _MOST)
    if at > _FEWEST:
        heads = (i for i in range(max(first, at - _BEFORE), at) if text[slice(*found[i])].lower() in _HEADS)
        first = next(heads, max(first, at - 2))
    return found[first][0], found[min(first + _MOST, len(found)) - 1][1]


def _bare(text: str, left: int, right: int) -> Span:
    piece = text[left:right].rstrip().rstrip(".!?,;:-'\"”’…").rstrip()
    return Span(piece, left, left + len(piece))


def _trim(text: str, left: int, right: int, keep: int) -> Span:
    """Cut short: end before the last joint if there is one near, and not on a word that leads on."""
    joint = next(
        (m.start() for m in _JOINT.finditer(text, keep, right) if len(text[m.end() : right].split()) < 3), right
    )
    piece = _bare(text, left, joint).text
    while left + len(piece) > keep and (last := piece.rsplit(None, 1))[-1].lower() in _LOOSE_ENDS and len(last) > 1:
        piece = last[0].rstrip(" ,;:-")
    return Span(piece, left, left + len(piece))
