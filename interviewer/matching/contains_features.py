"""Named features of a planned question and an utterance: what the verdict "it was asked" rests on."""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from interviewer.matching.contains_form import Sentence, akin, read, sentence
from interviewer.matching.contains_length import spoken_within, within
from interviewer.matching.contains_patterns import JOINT
from interviewer.matching.contains_units import Unit, alike, opposed
from interviewer.matching.text import plain

NAMES = (
    "core",
    "whole",
    "part",
    "missing",
    "extra",
    "swap",
    "literal",
    "changed",
    "added",
    "opposed",
    "negation",
    "tense",
    "actor",
    "order",
    "opener",
    "kind",
    "akin",
    "statement",
    "cut",
    "reported",
    "bare",
    "thin",
    "dropped",
    "verbatim",
    "lost",
    "joints",
    "quote",
)
HEADS = {
    "asked": (
        *("core", "whole", "part", "missing", "extra", "swap", "kind", "akin", "statement", "cut", "reported", "bare"),
        *("thin", "dropped", "verbatim", "quote"),
    ),
    "same": (
        *("changed", "added", "opposed", "negation", "tense", "actor", "order", "opener", "missing", "part", "extra"),
        *("literal", "dropped", "lost", "joints", "quote"),
    ),
}
"""The features of the two regressions: is something like it asked, and is it the same or one that only looks so?"""

_QUOTED = re.compile(
    r"^(you (?:\w+ )?(?:said|wrote|mentioned|told me|talked about|described)[^\"“”]*[\"“][^\"“”]*[\"”])[:,.]?\s+"
)
_BEFORE = 2
_FROM_LEAD = 0.9
_UNIT = 7.0
_MOST = 3.0
_GUEST = frozenset("you your yourself".split())
_GENERAL = frozenset(("what", "how"))
_NEARLY = 0.75
_SOMETHING = 0.3
_VERBATIM = 0.9
_POINTER = frozenset("it that this one them those they".split())

Units = tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned question: the sentences that ask, their units, those of what leads to them, and of each part."""

    asking: tuple[Sentence, ...]
    core: Units
    lead: Units
    parts: tuple[Units, ...]
    mass: float
    """What the units of `core` weigh that are no fillers."""

    @property
    def several(self) -> bool:
        """Whether it asks more than one question, which two sentences may then ask."""
        return bool(self.parts) or len(self.asking) > 1


@dataclass(frozen=True, slots=True)
class Window:
    """What may be the question in an utterance: sentences `first` to `last` that ask, and what stands before them.

    `named`: those that name what it is about: `bare` sentences that ask are completed by the one before them.
    """

    asking: tuple[Sentence, ...]
    named: tuple[Sentence, ...]
    lead: Units
    first: int
    last: int
    bare: bool
    joint: bool
    vocabulary: tuple[frozenset[str], frozenset[int]]


@lru_cache(maxsize=4_096)
def planned(text: str) -> Planned:
    """A planned question, read; of a very long text what `within` leaves."""
    text = within(text)
    quote = _QUOTED.match(plain(text))
    lead: Units = ()
    rest = text
    if quote:
        lead, rest = sentence(text[: quote.end()]).units, text[quote.end() :]
    found = read(rest)
    asking = tuple(one for one in found if one.asks) or found
    lead += tuple(unit for one in found if one not in asking for unit in one.units)
    core = tuple(unit for one in asking for unit in one.units)
    parts = tuple(part for one in asking for part in _parts(one))
    if all(unit.filler for unit in core):
        core, lead = lead + core, ()
    mass = 0.0
    for unit in core:
        mass += 0.0 if unit.filler else unit.weight
    return Planned(asking, core, lead, parts if len(parts) > 1 else (), mass)


def _parts(one: Sentence) -> list[Units]:
    pieces = [sentence(piece).units for piece in JOINT.split(one.text)]
    return [piece for piece in pieces if any(not unit.filler for unit in piece)]


@lru_cache(maxsize=4_096)
def windows(spoken: tuple[str, ...]) -> tuple[Window, ...]:
    """What may be the question in the sentences `spoken`: each that asks, with those before it, and two in a row.

    All of them as one if none asks.
    """
    found = tuple(sentence(spoken_within(text)) for text in spoken)
    places = [at for at, one in enumerate(found) if one.asks]
    if not places:
        return (_window(found, 0, len(found) - 1, 0),) if found else ()
    made = []
    for number, at in enumerate(places):
        made.append(_window(found, at, at, _start(found, at)))
        if number and at - places[number - 1] <= _BEFORE:
            before = places[number - 1]
            made.append(_window(found, before, at, _start(found, before)))
    return tuple(made)


def candidates(wanted: Planned, spoken: tuple[str, ...]) -> tuple[Window, ...]:
    """The windows that may be this question: two questions in a row only where it asks several."""
    return windows(spoken) if wanted.several else _single(spoken)


@lru_cache(maxsize=4_096)
def _single(spoken: tuple[str, ...]) -> tuple[Window, ...]:
    return tuple(one for one in windows(spoken) if not one.joint)


def _start(found: tuple[Sentence, ...], at: int) -> int:
    start = at
    while start > 0 and at - start < _BEFORE and not found[start - 1].asks:
        start -= 1
    return start


def _window(found: tuple[Sentence, ...], first: int, last: int, start: int) -> Window:
    asking = found[first : last + 1]
    bare = all(one.bare for one in asking)
    # "There must be something you regret. What is it?": the sentence before it is the question.
    named = found[first - 1 : last + 1] if bare and first > start else asking
    lead = tuple(unit for one in found[start:first] for unit in one.units)
    core = tuple(unit for one in named for unit in one.units) + lead
    vocabulary = frozenset(unit.key for unit in core), frozenset(line for unit in core for line in unit.meanings)
    return Window(asking, named, lead, first, last, bare, len(_asking(asking)) > 1, vocabulary)


def _asking(found: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    return tuple(one for one in found if one.asks)


@lru_cache(maxsize=2_048)
def measured(text: str, spoken: tuple[str, ...], place: int) -> tuple[float, ...]:
    """The features of one of the `candidates`: the question meant is looked for twice, place by place and at once."""
    wanted = planned(text)
    return features(wanted, candidates(wanted, spoken)[place])


def features(wanted: Planned, window: Window) -> tuple[float, ...]:
    """The features named in NAMES, in their order.

    core, whole: share of the planned question's weight that the question holds, and with what leads to it. part: the
    same of the part it holds least of. missing, extra: weight, in words, of what is not there and of what is there
    instead; swap: the smaller of both. opposed, negation, tense, actor, order, opener: the square of `whole` where a
    word stands for its opposite, only one side denies, times or subjects differ, the order is another, another
    question word is there: the nearer the rest, the more such a difference means. kind, akin: both ask for the same
    kind of thing, for kinds that go together. statement, cut, reported, bare: it does not ask, breaks off, tells of
    a question, says only before what it is about. thin: the plan has hardly a word. dropped: what is missing, where a
    pronoun may stand for it. verbatim: 1 if nine in ten neighbouring words are the planned ones.
    lost: what is missing where the wording is the planned one and no pronoun stands for it. joints: the plan asks more
    questions. quote: share of the quoted words it starts from that are not brought up.
    """
    named = window.asking if all(one.bare for one in wanted.asking) else window.named
    clauses = tuple(clause for one in named for clause in one.clauses)
    mass = math.fsum(unit.weight for unit in wanted.core) or 1.0
    core = tuple(unit for _, clause in clauses for unit in clause)
    held, places = _held(wanted.core, core)
    from_lead, _ = _held(wanted.core, window.lead)
    led = [max(here, _FROM_LEAD * before) for here, before in zip(held, from_lead, strict=True)]
    missing = (mass - _share(wanted.core, led)) / _UNIT if wanted.core else 1.0 - _literal(wanted.asking, named)
    extra, focus = _focus(wanted, clauses, places)
    asked = (sentence(focus),) if focus else named
    extra = min(extra, _MOST)
    literal = _literal(wanted.asking, asked)
    exact = math.fsum(unit.weight for unit, share in zip(wanted.core, held, strict=True) if share == 1.0) / mass
    frame = (literal + exact) / 2
    mine = _one(wanted.asking)
    kinds = frozenset(kind for one in window.named for kind in one.kinds)
    pointing = any(not _POINTER.isdisjoint(one.stems) for one in window.asking)
    return (
        _share(wanted.core, held) / mass if wanted.core else literal,
        _share(wanted.core, led) / mass if wanted.core else literal,
        _least(wanted, core + window.lead) if wanted.core else literal,
        min(missing, _MOST),
        extra,
        min(missing, extra),
        literal,
        frame * min(missing, extra, 0.5),
        frame * min(extra, 1.0),
        frame * _opposed(wanted.asking, asked),
        frame * (any(one.negated for one in wanted.asking) != any(one.negated for one in asked)),
        literal * frame * bool(mine.tense and asked[0].tense and mine.tense != asked[0].tense),
        frame * _actor(mine, asked, exact, extra, window.bare),
        frame * _order(places),
        frame * _opener(mine, named, literal),
        float(bool(mine.kinds & kinds)),
        float(akin(mine.kinds, kinds)),
        float(not any(one.asks for one in window.asking)),
        float(window.asking[-1].cut),
        float(any(one.reported for one in window.asking)),
        float(window.bare),
        1.0 / (1.0 + mass),
        min(missing, 1.0) * pointing,
        float(literal >= _VERBATIM),
        0.0 if pointing else literal * min(missing, 1.0),
        float(_parts_of(wanted.asking) > max(_parts_of(window.named), 1)),
        _unquoted(wanted.lead, core + window.lead),
    )


def shared(wanted: Planned, window: Window) -> float:
    """About which share of the planned question's weight a window holds, in its words or of their meaning: quick."""
    keys, meanings = window.vocabulary
    found = 0.0
    for unit in wanted.core:
        if not unit.filler and (unit.key in keys or not unit.meanings.isdisjoint(meanings)):
            found += unit.weight
    return found / wanted.mass if wanted.mass else 0.0


def _literal(wanted: tuple[Sentence, ...], asked: tuple[Sentence, ...]) -> float:
    """Share of neighbouring words of the planned question that stand so in the question: how near the wording is."""
    mine, theirs = _pairs(wanted), _pairs(asked)
    return len(mine & theirs) / len(mine) if mine else 0.0


def _pairs(found: tuple[Sentence, ...]) -> frozenset[tuple[str, str]]:
    if len(found) == 1:
        return found[0].pairs
    return frozenset[tuple[str, str]]().union(*(one.pairs for one in found))


def _one(asking: tuple[Sentence, ...]) -> Sentence:
    return next((one for one in asking if not one.bare), asking[0])


def _share(wanted: Units, held: list[float]) -> float:
    return math.fsum(unit.weight * share for unit, share in zip(wanted, held, strict=True))


def _held(wanted: Units, among: Units) -> tuple[list[float], dict[int, int]]:
    """How much of each unit is among others, each of which stands for one only, and at which place it is."""
    found: list[tuple[float, int, int]] = []
    for a, unit in enumerate(wanted):
        root, meanings = unit.root, unit.meanings
        for b, other in enumerate(among):
            # Hardly any two are alike: most are told apart without a call.
            if (root == other.root or not meanings.isdisjoint(other.meanings)) and (share := alike(unit, other)):
                found.append((-share, a, b))
    found.sort()
    held, places = [0.0] * len(wanted), dict[int, int]()
    taken: set[int] = set()
    for share, a, b in found:
        if a not in places and b not in taken:
            held[a], places[a] = -share, b
            taken.add(b)
    return held, places


def _least(wanted: Planned, everywhere: Units) -> float:
    shares = []
    for part in wanted.parts or (wanted.core,):
        if mass := math.fsum(unit.weight for unit in part):
            shares.append(_share(part, _held(part, everywhere)[0]) / mass)
    return min(shares, default=0.0)


def _focus(wanted: Planned, clauses: tuple[tuple[str, Units], ...], places: dict[int, int]) -> tuple[float, str]:
    """What stands beside the planned words, in words, and the clauses that hold some; all of them if none does."""
    taken = set(places.values())
    named = {b for a, b in places.items() if not wanted.core[a].filler}
    known = wanted.core + wanted.lead
    extra, focus, at = 0.0, [], 0
    for text, clause in clauses:
        here = range(at, at + len(clause))
        at += len(clause)
        if named and named.isdisjoint(here):
            continue
        focus.append(text)
        extra += math.fsum(
            unit.weight
            for place, unit in zip(here, clause, strict=True)
            if place not in taken and not unit.filler and not _among(unit, known)
        )
    return extra / _UNIT, ", ".join(focus)


def _among(unit: Unit, known: Units) -> bool:
    root, meanings = unit.root, unit.meanings
    near = [other for other in known if root == other.root or not meanings.isdisjoint(other.meanings)]
    return any(alike(unit, other) for other in near)


def _parts_of(asking: tuple[Sentence, ...]) -> int:
    return sum(1 + one.joints for one in asking if one.asks)


def _unquoted(lead: Units, everywhere: Units) -> float:
    """Share of what the planned question starts from that the utterance does not bring up."""
    mass = math.fsum(unit.weight for unit in lead)
    return 1.0 - _share(lead, _held(lead, everywhere)[0]) / mass if mass else 0.0


def _opposed(wanted: tuple[Sentence, ...], asked: tuple[Sentence, ...]) -> bool:
    mine, theirs = _stems(wanted), _stems(asked)
    return opposed(mine - theirs, theirs - mine)


def _stems(found: tuple[Sentence, ...]) -> frozenset[str]:
    if len(found) == 1:
        return found[0].stems
    return frozenset[str]().union(*(one.stems for one in found))


def _actor(mine: Sentence, asked: tuple[Sentence, ...], exact: float, extra: float, bare: bool) -> bool:
    """Whether it is asked of somebody else, or the guest is the one who acts on only one side."""
    theirs = frozenset(name for one in asked for name in one.actors) - ({"they"} if bare else set())
    if extra > _SOMETHING and not bare and _GUEST.isdisjoint(_stems(asked)) != _GUEST.isdisjoint(mine.stems):
        return True
    if not mine.actors:
        return exact > _NEARLY and "you" in mine.stems and "you" in theirs and mine.wh
    return bool(theirs) and mine.actors[0] not in theirs


def _opener(mine: Sentence, asked: tuple[Sentence, ...], literal: float) -> bool:
    """Whether another question word stands there; "what is your way" may well stand for "how"."""
    theirs = [word for one in asked for word in one.openers]
    kinds = frozenset(kind for one in asked for kind in one.kinds)
    if not mine.openers or not theirs or mine.kinds & kinds - {"manner", "thing"}:
        return False
    first = mine.openers[0]
    if first not in theirs:
        return not {first, *theirs} <= _GENERAL or not akin(mine.kinds, kinds)
    return literal > _NEARLY and bool(set(mine.openers) - set(theirs)) and bool(set(theirs) - set(mine.openers))


def _order(places: dict[int, int]) -> float:
    """Share of pairs of units that stand the other way round."""
    found = [places[a] for a in sorted(places)]
    pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :]]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0
