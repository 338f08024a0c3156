"""Search over everything said, with the words that were looked for marked where they stand."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from interviewer.matching.text import Span, sentences
from interviewer.model.turn import Speaker
from interviewer.store.search import PREFIX, parts_of
from interviewer.store.store import Store

# Scripts that put no space between words: Thai, Lao, Burmese, Khmer, kana, Han. There every sign is a word.
_SIGNS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_SIGNS}]|[^\W_{_SIGNS}]+")
_CUT = " … "

Wanted = Sequence[str]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a passage; `hit`: it is what was looked for."""

    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """A turn in which something was found, and where it stands.

    `started_at` is when the call began, UTC in ISO 8601; `number` counts its turns from 1; `at_ms` is what its
    clock showed, `started_ms` the place in its record and sound. What a damaged journal lost is None. `pieces` are the
    sentences that hold what was looked for, in order.
    """

    call_id: str
    interview_id: str | None
    started_at: str | None
    guest: str | None
    topic: str | None
    world: str | None
    number: int
    turn_id: str
    speaker: Speaker
    at_ms: int | None
    started_ms: int | None
    text: str
    pieces: tuple[Piece, ...]


def search(
    store: Store, words: str, *, interview: str | None = None, speaker: Literal["interviewer", "guest"] | None = None
) -> tuple[Passage, ...]:
    """The turns that hold every word and "phrase" of `words`, as `Store.search` finds them. Raises NotFound."""
    frame = store.search(words, interview=interview, speaker=speaker)
    rows = json.loads(frame.to_json(orient="records", date_format="iso", date_unit="s"))
    wanted = [_wanted(part) for part in parts_of(words)]
    return tuple(Passage(**row, pieces=tuple(_pieces(row["text"], wanted))) for row in rows)


def _wanted(part: str) -> Wanted:
    folded = [_fold(match.group()) for match in _WORD.finditer(part)]
    return [*folded, PREFIX] if part.endswith(PREFIX) else folded


def _pieces(text: str, wanted: Sequence[Wanted]) -> Iterator[Piece]:
    """The sentences with a hit; all of the text if marks and database do not agree on what a word is."""
    hits = sorted(_hits(text, wanted))
    spans = [span for span in sentences(text) if any(span.start <= start < span.end for start, _ in hits)]
    if not spans:
        yield Piece(text, False)
        return
    last = 0
    for span in spans:
        if text[last : span.start].strip():
            yield Piece(_CUT.lstrip() if last == 0 else _CUT, False)
        elif last:
            yield Piece(" ", False)
        yield from _marked(text, span, hits)
        last = span.end
    if text[last:].strip():
        yield Piece(_CUT.rstrip(), False)


def _marked(text: str, span: Span, hits: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    at = span.start
    for start, end in hits:
        start, end = max(start, at), min(end, span.end)
        if start < end:
            if at < start:
                yield Piece(text[at:start], False)
            yield Piece(text[start:end], True)
            at = end
    if at < span.end:
        yield Piece(text[at : span.end], False)


def _hits(text: str, wanted: Sequence[Wanted]) -> set[tuple[int, int]]:
    found = [(match.start(), match.end(), _fold(match.group())) for match in _WORD.finditer(text)]
    hits = set()
    for words in filter(None, wanted):
        begins = words[-1] == PREFIX
        parts = words[:-1] if begins else words
        for first in range(len(found) - len(parts) + 1 if parts else 0):
            here = [word for _, _, word in found[first : first + len(parts)]]
            whole = here[:-1] == list(parts[:-1])
            if whole and (here[-1].startswith(parts[-1]) if begins else here[-1] == parts[-1]):
                hits.add((found[first][0], found[first + len(parts) - 1][1]))
    return hits


def _fold(word: str) -> str:
    """A word as the database folds it: lower case, without accents."""
    parts = unicodedata.normalize("NFD", word.lower())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
