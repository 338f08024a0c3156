"""How one assistant item comes into being: when each word and each stretch of sound is ready."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interviewer.realtime.engine.brain import Asked, Spoken, Voiced
from interviewer.realtime.engine.items import Item

DELTA_MS = 200
# Measured on the real service: three seconds of audio arrived in a quarter of a second.
TIMES_REAL_TIME = 12
TEXT_DELTA_MS = 15
_WORD = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True, slots=True)
class Piece:
    """One delta, `after_ms` from the item's first audio: a word, or `audio_ms` of sound with `word` None."""

    after_ms: int
    word: str | None
    audio_ms: int = 0


def pieces(text: str, total_ms: int, *, audio: bool) -> Iterator[Piece]:
    """The deltas of an item, in order; words join to `text`, sound adds up to `total_ms`.

    A word comes just before the stretch of sound it begins in, each byte of the text taking equally long. Without
    `audio`, words alone.
    """
    words = _WORD.findall(text)
    if not audio:
        yield from (Piece(index * TEXT_DELTA_MS, word) for index, word in enumerate(words))
        return
    size, said, waiting = len(_bytes(text)), 0, 0
    for start_ms in range(0, total_ms, DELTA_MS):
        after_ms, end_ms = start_ms // TIMES_REAL_TIME, min(start_ms + DELTA_MS, total_ms)
        while waiting < len(words) and said * total_ms < end_ms * size:
            yield Piece(after_ms, words[waiting])
            said += len(_bytes(words[waiting]))
            waiting += 1
        yield Piece(after_ms, None, end_ms - start_ms)
    yield from (Piece(total_ms // TIMES_REAL_TIME, word) for word in words[waiting:])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


class Output:
    """One assistant item of a response while it grows."""

    __slots__ = ("_next_ask", "audible_ms", "audio", "index", "item", "spoken", "total_ms", "voiced")

    def __init__(self, item: Item, spoken: Spoken, voiced: Voiced, *, index: int, total_ms: int, audio: bool) -> None:
        self.item = item
        self.spoken = spoken
        self.voiced = voiced
        self.index = index
        self.total_ms = total_ms
        self.audible_ms = total_ms
        self.audio = audio
        self._next_ask = 0

    def grow(self, piece: Piece) -> None:
        """Take a delta in: item, and the truth about what was voiced."""
        if piece.word is not None:
            self.voiced.text += piece.word
            self.item.text = self.voiced.text
        else:
            self.voiced.total_ms += piece.audio_ms
            self.item.audio_ms = self.voiced.total_ms
            self.item.model_audio = True
        asks: tuple[Asked, ...] = self.spoken.asks
        while self._next_ask < len(asks) and self._covers(asks[self._next_ask].end):
            self.voiced.asks += (asks[self._next_ask],)
            self._next_ask += 1

    def _covers(self, end: int) -> bool:
        """Whether the first `end` characters are there, in text and in sound."""
        if end > len(self.voiced.text):
            return False
        return not self.audio or self.voiced.total_ms * len(self.spoken.text) >= end * self.total_ms

    @property
    def complete(self) -> bool:
        """Whether everything was generated."""
        return len(self.voiced.text) == len(self.spoken.text) and (
            not self.audio or self.voiced.total_ms == self.total_ms
        )

    @property
    def faint_ms(self) -> int:
        """How much more of it can be heard, if its sound breaks off before its text does."""
        return self.audible_ms - self.voiced.total_ms

    def part(self) -> dict[str, Any]:
        """The content part, as `response.content_part.added` and `.done` carry it."""
        if self.audio:
            return {"type": "audio", "transcript": self.voiced.text}
        return {"type": "text", "text": self.voiced.text}

    def close(self) -> None:
        """Give the item its final status and content."""
        text = self.voiced.text
        content = {"type": "output_audio", "transcript": text if self.item.heard_ms is None else None}
        self.item.body["content"] = [content if self.audio else {"type": "output_text", "text": text}]
        self.item.body["status"] = "completed" if self.complete else "incomplete"
