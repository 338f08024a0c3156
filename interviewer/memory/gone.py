"""Words of calls that were forgotten: what still quotes them is copied no further."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from interviewer.matching.text import words
from interviewer.model.turn import Said

_QUOTED = re.compile(r"[“\"]([^“”\"]+)[”\"]")
_RUN = 5  # words in a row that are a quote though no marks say so; chosen here
_LEAST = 2


class Gone:
    """What the guest said in calls that are no more part of a chain, and in none of those that are."""

    def __init__(self, gone: Iterable[Said], left: Iterable[Said]) -> None:
        """`gone`: turns of the forgotten calls, as later ones kept them; `left`: those of all others."""
        self._gone, self._left = _joined(gone), _joined(left)

    def __bool__(self) -> bool:
        return bool(self._gone)

    def quotes(self, text: str) -> bool:
        """Whether `text` is, puts in quotes, or holds five words in a row of, what was said in a forgotten call alone.

        Words for what was said are not told.
        """
        return bool(self) and any(self._has(part) for part in _parts(text))

    def in_any(self, value: Any) -> bool:
        """Whether any text in a value of models, mappings, sequences and texts quotes so."""
        return bool(self) and any(self.quotes(text) for text in _texts(value))

    def _has(self, said: Sequence[str]) -> bool:
        text = _spaced(said)
        return len(said) >= _LEAST and text in self._gone and text not in self._left


def _joined(turns: Iterable[Said]) -> str:
    return "\n".join(_spaced(words(turn.text)) for turn in turns if turn.speaker == "guest")


def _spaced(said: Sequence[str]) -> str:
    return f" {' '.join(said)} "


def _parts(text: str) -> Iterator[Sequence[str]]:
    said = words(text)
    yield said
    yield from (words(quoted) for quoted in _QUOTED.findall(text))
    yield from (said[start : start + _RUN] for start in range(len(said) - _RUN + 1))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        yield from _texts(value.model_dump())
    elif isinstance(value, dict):
        yield from (text for each in value.values() for text in _texts(each))
    elif isinstance(value, list | tuple):
        yield from (text for each in value for text in _texts(each))
