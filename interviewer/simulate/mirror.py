"""Finds a short phrase in what the guest last said, fit to be repeated back in quotation marks."""

import random
import re

from interviewer.agents.noun_phrases import noun_phrases
from interviewer.matching.text import STOP_WORDS, words

_MARKUP = re.compile(r"<[^<>]*>|[<>\"“”„«»`{}\[\]*_#]")
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


def phrases(text: str) -> tuple[str, ...]:
    """Noun phrases of two to four words of `text` that carry content, in order, without angle brackets or quotes.

    Each stands word for word in the text. Sentences that address a machine give none.
    """
    found: list[str] = []
    for sentence in re.split(r"[.!?\n]", _MARKUP.sub(" , ", text)):
        if not _MACHINE.search(sentence):
            found += [bare.text for _, bare in noun_phrases(sentence) if all(map(_carries, bare.text.split()))]
    return tuple(dict.fromkeys(phrase for phrase in found if phrase in text))


def phrase(text: str, rng: random.Random, said: str = "") -> str | None:
    """One phrase of `text` that is not in `said` yet, by preference from the end of the text; None without any."""
    known = " ".join(words(said))
    fresh = [found for found in phrases(text) if " ".join(words(found)) not in known]
    return rng.choice(fresh[-6:]) if fresh else None


def _carries(token: str) -> bool:
    low = token.lower()
    return 2 < len(token) < 20 and token.replace("-", "").isalpha() and low not in STOP_WORDS and low not in _NEVER
