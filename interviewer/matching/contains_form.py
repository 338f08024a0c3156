"""The form of a sentence: whether it asks, for what kind of thing, of whom, when, and whether it was cut off."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from interviewer.matching import contains_patterns as patterns
from interviewer.matching.contains_units import Unit, denies, stems, units
from interviewer.matching.text import asks, plain, sentences
from interviewer.matching.tokens import stem


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its form. `plain`: what it asks, without words that only carry it; `clauses`: that in pieces.

    `units`: those of all clauses, in order. `bare`: it names no subject of its own ("what was it?"): what it asks about
    stands before it. `stems`, `pairs`: its tokens and those next to each other. `asks`: it is a question or a request.
    `kinds`: what it asks for; `openers`: its question words; `actors`: of whom; `tense`: "" if unknown. `negated`: it
    denies. `cut`: it ends without a mark. `reported`: it tells of a question instead of asking it. `joints`: further
    questions in it.
    """

    text: str
    plain: str
    clauses: tuple[tuple[str, tuple[Unit, ...]], ...]
    units: tuple[Unit, ...]
    bare: bool
    stems: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    asks: bool
    kinds: frozenset[str]
    openers: tuple[str, ...]
    actors: tuple[str, ...]
    tense: str
    negated: bool
    cut: bool
    reported: bool
    joints: int

    @property
    def wh(self) -> bool:
        """Whether a question word is its subject ("who helped you?")."""
        return bool(patterns.WH_VERB.match(self.plain))


@lru_cache(maxsize=16_384)
def sentence(text: str) -> Sentence:
    """The form of one sentence."""
    flat = plain(text).strip()
    end = flat.rstrip("\"'”’)] ")
    rest = question(flat)
    said = stems(rest)
    asked = asks(text) or bool(patterns.WISH.match(flat))
    started = bool(patterns.STARTS.match(flat))
    cut = not end.endswith((".", "!", "?", "…", ":", ";")) or end.endswith(("-", "–", "—", "...", "…"))
    clauses = tuple((clause, found) for clause in patterns.CLAUSE.split(rest) if (found := units(clause)))
    meant = tuple(unit for _, clause in clauses for unit in clause)
    return Sentence(
        text,
        rest,
        clauses,
        meant,
        all(unit.filler for unit in meant),
        frozenset(said),
        frozenset(pairwise(said)),
        asked or (started and cut),
        frozenset(kinds(flat)),
        tuple(word.replace("which", "what") for word in patterns.OPENER.findall(rest)),
        actors(rest),
        _tense(rest),
        denies(rest),
        cut,
        bool(patterns.REPORTED.search(flat)),
        len(patterns.JOINT.findall(rest)),
    )


@lru_cache(maxsize=4_096)
def read(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text."""
    return tuple(sentence(span.text) for span in sentences(text))


def question(flat: str) -> str:
    """A sentence in plain form without what only carries its question: "so, could you tell me", "I wonder"."""
    start = 0
    while start < len(flat) and (found := patterns.CARRIER.match(flat, start)) and found.end() > start:
        if found.end() >= len(flat.rstrip("?.! ")):
            break
        start = found.end()
    return flat[start:]


def kinds(flat: str) -> set[str]:
    """What a sentence in plain form asks for; the general kinds only if no other is there."""
    found = {name for name, pattern in patterns.ASPECTS if pattern.search(flat)}
    if len(found) > 1:
        found -= {"thing"}
    return found


def akin(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a question for one of these kinds may be one for the other."""
    if not one or not other or one & other:
        return True
    return any(frozenset((a, b)) in patterns.AKIN for a in one for b in other)


def actors(rest: str) -> tuple[str, ...]:
    """Of whom a question in plain form asks, as far as its grammar shows: pronouns and nouns in the subject's place."""
    for short, whole in patterns.SHORT:
        rest = rest.replace(short, whole)
    named = ((found[1] or found[2]).split()[-1] for found in patterns.ACTOR.finditer(rest))
    return tuple(stem(name) for name in named if not name.endswith("est") and name not in patterns.MANNERS)


def _tense(rest: str) -> str:
    for word in re.findall(r"[a-z]+", rest):
        if word in patterns.PAST:
            return "past"
        if word in patterns.FUTURE:
            return "future"
        if word in patterns.PRESENT:
            return "present"
    return ""
