"""Telling phrases: short stretches of the guest's own words that can stand as a title or a heading."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from interviewer.agents.clauses import whole_clause
from interviewer.agents.cues import Kind
from interviewer.agents.noun_phrases import is_clause, noun_phrases
from interviewer.agents.passages import Sentence
from interviewer.agents.signals import kinds, signals, stems
from interviewer.matching.text import STOP_WORDS, content_words, plain, words

_BAD_START = frozenset(
    """
    and but or so then because which that that's it it's they they're he he's she she's they've this these those there
    there's if when as like such for of in on at to with from by about than what's also even just i'm you you're is was
    were are has have had do does did can could would will should who whose while though although since unless whether
    least him her them his hers their its me us except according having without especially including instead rather
    during depending
    """.split()
)
_BAD_END = frozenset(
    """
    very much lot thing things stuff way kind sort bit one ones something anything time times pretty really quite so
    too myself yourself himself herself ourselves itself able going first second other same here there now then yet
    ever never always maybe actually either whatever etc ago forever often together simpler easier better faster harder
    longer bigger enough imagine over out up off
    """.split()
)
_UNSURE = re.compile(
    r"\b(?:don['’]t|didn['’]t|can['’]t) (?:even )?(?:know|remember|recall|think)\b|\bi (?:guess|think|suppose)\b|"
    r"\b(?:above|previous|following|exact) ",
    re.IGNORECASE,
)
_TELLING: frozenset[Kind] = frozenset(["loaded", "workaround", "distrust", "turning_point", "feeling", "insight"])
_SHORTEST, _LONGEST = 2, 8


class Phrase(NamedTuple):
    """A stretch of the guest's words, and how telling it seems."""

    text: str
    turn: str
    weight: float


def telling(
    sentences: Iterable[Sentence], weigh: Callable[[Sentence], float], topic: str = "", longest: int = _LONGEST
) -> list[Phrase]:
    """Phrases of `sentences`, the most telling first; each text stands word for word in its turn.

    Telling means: few words, that the topic does not already say and that are not said all the time, from a
    sentence that `weigh` finds heavy.
    """
    pool = list(sentences)
    common = Counter(word for s in pool for word in content_words(s.text))
    best: dict[tuple[str, ...], Phrase] = {}
    for sentence in pool:
        base = 0.45 * weigh(sentence)
        for text, bonus in _candidates(sentence.text):
            if len(words(text)) > longest or _cut_short(text, sentence.text):
                continue
            phrase = Phrase(text, sentence.turn, round(base + bonus + _weight(text, common, topic), 6))
            key = words(text)
            if key not in best or phrase.weight > best[key].weight:
                best[key] = phrase
    return sorted(best.values(), key=lambda p: (-p.weight, len(p.text), p.text))


def first_new(offered: Sequence[Phrase], used: Iterable[str]) -> Phrase | None:
    """The first of `offered` that shares no content word with what is used already, else None."""
    taken = {word for text in used for word in content_words(text)}
    return next((phrase for phrase in offered if taken.isdisjoint(content_words(phrase.text))), None)


def heading(phrase: str) -> str:
    """`phrase` with a capital first letter; otherwise as it was said."""
    return phrase[:1].upper() + phrase[1:]


def _candidates(text: str) -> Iterable[tuple[str, float]]:
    """Short whole clauses that are telling, and noun phrases."""
    whole = text.rstrip(".!… ")
    if is_clause(whole) and _fits(whole) and not re.search(r"[,;:?]", whole) and kinds(text) & _TELLING:
        yield whole, 1.2
    for signal in signals(text):
        if signal.kind in _TELLING:
            found = whole_clause(text, signal.cue.start, signal.cue.end)
            if found and _fits(found.text):
                yield found.text, 0.7
    for phrase, bare in noun_phrases(text):
        if _fits(phrase.text):
            yield phrase.text, 0.5
        elif _fits(bare.text):
            yield bare.text, 0.2


def stands(text: str) -> bool:
    """Whether the first word of a stretch leads into it, and the last one does not lead on."""
    said = words(text)
    if not said or _UNSURE.search(text):
        return False
    return said[0] not in _BAD_START and said[-1] not in STOP_WORDS and said[-1] not in _BAD_END


def _cut_short(text: str, sentence: str) -> bool:
    """Whether `text` ends inside something such as "example.org"."""
    return bool(re.match(r"[.'’-]?\w", sentence[sentence.find(text) + len(text) :]))


def _fits(text: str) -> bool:
    said = words(text)
    if not _SHORTEST <= len(said) <= _LONGEST or len(content_words(text)) < 2 or '"' in text:
        return False
    return stands(text)


def _weight(text: str, common: Counter[str], topic: str) -> float:
    held = content_words(text)
    known = stems(topic)
    fresh = {word for word in held if stems(word).isdisjoint(known)}
    rarity = sum(1.0 if common[word] <= 3 else 0.5 for word in fresh) / max(1, len(held))
    length = len(words(text))
    person = 0.3 * any(word in plain(text).split() for word in ("i", "my", "we", "our", "never", "no"))
    return 1.2 * rarity + 0.15 * min(len(fresh), 4) + person - 0.08 * abs(length - 4)
