"""Signs, emoji and numbers of a text: what its words do not hold and a question may yet turn on."""

import re
import unicodedata
from functools import lru_cache

from interviewer.matching.text import plain

_NAMED = {
    "%": ("percent", "per cent", "percentage"),
    "‰": ("per mille",),
    "€": ("euro", "euros"),
    "$": ("dollar", "dollars"),
    "£": ("pound", "pounds"),
    "¥": ("yen",),
    "+": ("plus",),
    "#": ("sharp", "hash"),
    "°": ("degree", "degrees"),
    "§": ("section", "paragraph"),
    "@": ("at",),
    "=": ("equals",),
}
_WORDS = {
    word: str(value)
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
    if word != "one"  # mostly a pronoun
}
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_PERSON = re.compile(r"[\U0001f3fb-\U0001f3ff\ufe0f\u200d]")


@lru_cache(maxsize=16_384)
def signs(text: str, beside: str = "") -> frozenset[tuple[str, int]]:
    """Signs (how many in a row) and emoji of a text; of emoji and named signs only those that `beside` holds, if given.

    A sign said in words ("percent") counts where `beside` writes it; emoji that only decorate do not count.
    """
    found = {(sign, len(run)) for sign, run in _runs(text)}
    if not beside:
        return frozenset(found)
    wanted = {(sign, count) for sign, count in _pairs(beside)}
    said = plain(text)
    for sign, count in wanted - found:
        if any(re.search(rf"\b{name}\b", said) for name in _NAMED.get(sign, ())):
            found.add((sign, count))
    written = plain(beside)
    return frozenset(
        (sign, count)
        for sign, count in found
        if (sign, count) in wanted
        or (sign in _NAMED and not any(re.search(rf"\b{name}\b", written) for name in _NAMED[sign]))
    )


@lru_cache(maxsize=16_384)
def numbers(text: str) -> frozenset[str]:
    """The numbers of a text, in digits or up to twelve in words."""
    said = plain(text)
    found = {number.rstrip(".,") for number in _NUMBER.findall(said)}
    return frozenset(found | {_WORDS[word] for word in re.findall(r"[a-z]+", said) if word in _WORDS})


def _pairs(text: str) -> list[tuple[str, int]]:
    return [(sign, len(run)) for sign, run in _runs(text)]


def _runs(text: str) -> list[tuple[str, str]]:
    kept = _PERSON.sub("", text)
    return [(run[0], run) for run in (found[0] for found in re.finditer(r"(\S)\1*", kept)) if _counts(run[0])]


@lru_cache(maxsize=4_096)
def _counts(character: str) -> bool:
    return character in _NAMED or unicodedata.category(character) == "So"
