"""Two things a guest said that do not sit together. Rare on purpose: a wrong one is worse than a missed one."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from interviewer.agents.signals import stems
from interviewer.matching.text import sentences, words
from interviewer.model.notes import Contradiction
from interviewer.model.turn import Said

_NO = frozenset("not no never nobody none nothing neither cannot hardly rarely without".split())
_OPPOSITES = (
    ("always", "never"),
    ("everyone", "nobody"),
    ("everybody", "nobody"),
    ("love", "hate"),
    ("loved", "hated"),
    ("easy", "hard"),
    ("cheap", "expensive"),
    ("fast", "slow"),
    ("more", "less"),
    ("better", "worse"),
    ("best", "worst"),
    ("success", "failure"),
    ("trust", "distrust"),
)
_MOVED_ON = re.compile(
    r"\b(?:used to|at first|back then|at the time|in the beginning|originally|initially|anymore|any more|no longer|"
    r"changed my mind|until|these days|nowadays|now)\b",
    re.IGNORECASE,
)
_SHARED, _SHARE, _LONGEST = 3, 0.6, 22
_GENERIC = stems("even really just know think way thing things lot get got going still much many people")
_POLAR = frozenset(word for pair in _OPPOSITES for word in pair) | _NO


def clashes(turns: Sequence[Said]) -> list[Contradiction]:
    """At most one pair of short statements from two turns: three or more shared stems, one of them denied."""
    guest = [(place, turn) for place, turn in enumerate(turns) if turn.speaker == "guest"]
    found = (
        (here, at, there, to, first, second)
        for (here, first), (there, second) in combinations(guest, 2)
        if first.id != second.id
        for at, to in _between(first.text, second.text)
    )
    earliest = min(found, default=None, key=lambda each: each[:4])
    if earliest is None:
        return []
    _, at, _, to, first, second = earliest
    return [_contradiction(first.id, _statements(first.text)[at], second.id, _statements(second.text)[to])]


@lru_cache(maxsize=8_192)
def _between(first: str, second: str) -> tuple[tuple[int, int], ...]:
    """Which statements of two turns clash; a window shows the same turns cycle after cycle."""
    return tuple(
        (at, to)
        for at, one in enumerate(_statements(first))
        for to, two in enumerate(_statements(second))
        if _clash(one, two, _subject(one), _subject(two))
    )


@lru_cache(maxsize=4_096)
def _statements(text: str) -> tuple[str, ...]:
    short = (s.text for s in sentences(text) if 4 <= len(words(s.text)) <= _LONGEST and not s.text.endswith("?"))
    return tuple(statement for statement in short if not _MOVED_ON.search(statement))


def _clash(first: str, second: str, one: frozenset[str], two: frozenset[str]) -> bool:
    if one.isdisjoint(two):
        return False
    shared = one & two
    if len(shared) < _SHARE * len(one | two):
        return False
    denied = len(shared) >= _SHARED and _denied(first) != _denied(second)
    return denied or (len(shared) >= _SHARED - 1 and _opposed(first, second))


@lru_cache(maxsize=8_192)
def _subject(text: str) -> frozenset[str]:
    """What a statement is about, whatever it says of it."""
    return stems(text) - _POLAR - _GENERIC


def _denied(text: str) -> bool:
    return sum(word in _NO or word.endswith("n't") for word in words(text)) % 2 == 1


def _opposed(first: str, second: str) -> bool:
    one, two = set(words(first)), set(words(second))
    return any((a in one and b in two) or (b in one and a in two) for a, b in _OPPOSITES)


def _contradiction(first_turn: str, first: str, second_turn: str, second: str) -> Contradiction:
    one, two = (text.rstrip(".!… ").replace('"', "'") for text in (first, second))
    return Contradiction(
        id="",
        text=f"{one} / {two}",
        first_quote=first,
        first_turn=first_turn,
        second_quote=second,
        second_turn=second_turn,
        question=f'You said "{one}", and then also "{two}": how do both fit together?',
    )
