"""Finds a short phrase in what the guest last said, fit to be repeated back in quotation marks."""

import random
import re

from interviewer.matching.text import STOP_WORDS, words
from interviewer.simulate.english import VERBS

_MARKUP = re.compile(r"<[^<>]*>|[<>\"“”„«»`{}\[\]*_#]")
_CLAUSE = re.compile(
    r"[.,;:!?…()\n]|\s[-–—]+\s|—|\b(?:and|but|because|so|which|that|then|when|where|if|or|who|as)\b", re.I
)
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_ARTICLE = frozenset("a an the my our this these some no every one that his her their".split())
# Words that make a poor quotation, end a call when they are said aloud, or are meant for a machine.
_NEVER = frozenset(
    "yeah yes okay ok right well really actually basically maybe probably thing things stuff something anything lot "
    "kind sort bit way guess mean know think thought say said goodbye bye thank thanks care wrap close final thoughts "
    "sharing talking ignore instructions instruction prompt system assistant above previous disregard reveal kinda "
    "got get going went gonna want wanted let make made take took come came also even still always never every very "
    "many due alone without faster slower less least able sure quite pretty already today yesterday tomorrow one two "
    "three get gets goes using used instead now then means sounds good great fine nice ready".split()
)
_MACHINE = re.compile(r"\b(?:ignore|disregard|instructions?|prompts?|system message|jailbreak)\b", re.IGNORECASE)
_VERBAL = re.compile(r"(?:ly|ed|n['’]t|['’](?:s|re|ve|ll|d|m))$")


def phrases(text: str) -> tuple[str, ...]:
    """Phrases of two or three words of `text` that carry content, in order, without angle brackets or quotes.

    Those after an article are the surest to be names of things: where there are any, only they are given. Sentences
    that address a machine give none.
    """
    sure: list[str] = []
    rest: list[str] = []
    for sentence in re.split(r"[.!?\n]", _MARKUP.sub(" , ", text)):
        if not _MACHINE.search(sentence):
            for clause in _CLAUSE.split(sentence):
                named, other = _of_clause(clause)
                sure += named
                rest += other
    return tuple(dict.fromkeys(sure or rest))


def phrase(text: str, rng: random.Random, said: str = "") -> str | None:
    """One phrase of `text` that is not in `said` yet, by preference from the end of the text; None without any."""
    known = " ".join(words(said))
    fresh = [found for found in phrases(text) if " ".join(words(found)) not in known]
    return rng.choice(fresh[-6:]) if fresh else None


def _of_clause(clause: str) -> tuple[list[str], list[str]]:
    named: list[str] = []
    other: list[str] = []
    tokens = _WORD.findall(clause)
    at = 0
    while at < len(tokens):
        run = at
        while run < len(tokens) and run - at < 3 and _carries(tokens[run]):
            run += 1
        while run > at and _VERBAL.search(tokens[run - 1]):
            run -= 1
        if run - at >= 2:
            article = at > 0 and tokens[at - 1].lower() in _ARTICLE
            found = tokens[at:run]
            if article:
                named.append(" ".join(found))
            elif not any(_acts(token) for token in found):
                other.append(" ".join(found))
        at = max(run, at + 1)
    return named, other


def _acts(token: str) -> bool:
    """Whether the word may be a verb or an adverb: outside a noun phrase it would leave half a clause."""
    low = token.lower()
    return low in VERBS or low.removesuffix("s") in VERBS or bool(re.search(r"(?:ly|ing|ed)$", low))


def _carries(token: str) -> bool:
    low = token.lower()
    return 2 < len(token) < 20 and token.replace("-", "").isalpha() and low not in STOP_WORDS and low not in _NEVER
