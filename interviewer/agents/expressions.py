"""Expressions that are a guest's own, and how many of them an essay keeps."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from interviewer.agents.signals import signals
from interviewer.matching.text import STOP_WORDS, plain, sentences, words

MOST = 20
_LONGEST = 3
_PRIOR = 500.0  # strength of the background, in words; chosen here
_LOADED = 4.0  # what a loaded word, as in "gnarly problem", adds; said once is enough for it
_FILLERS = frozenset(
    "yeah okay right mean know kind sort basically actually really probably stuff thing things".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’‘-][^\W_]+)*")


class Kept(NamedTuple):
    """Of a guest's expressions, those that stand word for word in an essay; `share` None if there was none."""

    share: float | None
    kept: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    surface: str
    count: int = 0
    loaded: bool = False


def distinctive(texts: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """At most `most` words and phrases that mark this speaker, as they were said, the most marked first.

    A phrase of one to three words counts if it begins and ends with a content word and was said twice, or once with a
    loaded word in it. The mark is the z-score of its log-odds against a background of interview speech, with that
    background as prior (Monroe, Colaresi and Quinn 2008); a phrase is expected as often as its words are by chance.
    A phrase that only occurs inside a longer one is left out.
    """
    found, size = _counted(list(texts))
    offered = {gram: each for gram, each in found.items() if each.loaded or each.count > 1}
    scored = {gram: _z(gram, each.count, size) + _LOADED * each.loaded for gram, each in offered.items()}
    whole = [gram for gram in scored if scored[gram] > 0 and not _inside(gram, offered)]
    ranked = sorted(whole, key=lambda gram: (-scored[gram], gram))
    return tuple(offered[gram].surface for gram in ranked[:most])


def kept(expressions: Sequence[str], essay: str) -> Kept:
    """Which of `expressions` survive in `essay`, compared as words.

    The share over `distinctive` expressions of the guest's turns is the measure of how much of a guest's own language
    a draft keeps: survivors / expressions, every expression alike, whatever its length and however often it was said.
    """
    page = f" {' '.join(words(essay))} "
    stand = [f" {' '.join(words(expression))} " in page for expression in expressions]
    survivors = tuple(e for e, stands in zip(expressions, stand, strict=True) if stands)
    lost = tuple(e for e, stands in zip(expressions, stand, strict=True) if not stands)
    return Kept(len(survivors) / len(expressions) if expressions else None, survivors, lost)


def _counted(texts: Sequence[str]) -> tuple[dict[tuple[str, ...], _Found], int]:
    found: dict[tuple[str, ...], _Found] = {}
    size = 0
    for text in texts:
        for span in sentences(text):
            marks = [(m.start(), m.end()) for m in _WORD.finditer(span.text)]
            said = [plain(span.text[slice(*mark)]) for mark in marks]
            size += len(said)
            for start in range(len(said)):
                for end in range(start + 1, min(start + _LONGEST, len(said)) + 1):
                    between = span.text[marks[start][0] : marks[end - 1][1]]
                    if _fits(said[start:end]) and not re.search(r"[.,;:!?…—()\"“”]", between):
                        found.setdefault(tuple(said[start:end]), _Found(between)).count += 1
        for cue in (signal.cue.text for signal in signals(text) if signal.kind == "loaded"):
            phrase = tuple(plain(match.group()) for match in _WORD.finditer(cue))[-2:]
            if phrase in found and not _FILLERS & set(phrase):
                found[phrase].loaded = True
    return found, size


def _fits(said: Sequence[str]) -> bool:
    first, last = said[0], said[-1]
    if first in STOP_WORDS or last in STOP_WORDS or _FILLERS & {first, last}:
        return False
    return all(word.isalpha() or "'" in word or "-" in word for word in said) and (len(said) > 1 or len(first) > 3)


def _inside(gram: tuple[str, ...], offered: dict[tuple[str, ...], _Found]) -> bool:
    """Whether it was said, but for once, only as part of a longer phrase on offer."""
    text = f" {' '.join(gram)} "
    return any(
        len(other) > len(gram) and text in f" {' '.join(other)} " and offered[gram].count <= each.count + 1
        for other, each in offered.items()
    )


def _z(gram: Sequence[str], count: int, size: int) -> float:
    expected = math.prod(_probability(word) for word in gram)
    seen = count + _PRIOR * expected
    odds = math.log(seen / (size + _PRIOR - seen)) - math.log(expected / (1 - expected))
    return odds * math.sqrt(seen)


def _probability(word: str) -> float:
    background = _background()
    return (background[word] + 0.5) / (background.total() + 0.5 * len(background))


@cache
def _background() -> Counter[str]:
    lines = (files("interviewer.agents") / "data" / "background.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return Counter({word: int(count) for word, count in pairs})
