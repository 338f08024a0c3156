"""What kind of question a sentence is, which names and numbers it holds, and whether it refers back or closes."""

import re
from functools import lru_cache

from interviewer.matching.text import plain, words
from interviewer.matching.tokens import tokens

_FORMS = tuple(
    (name, re.compile(rf"\b(?:{pattern})\b"))
    for name, pattern in (
        ("amount", "how (?:many|much|long|often|big|large|old|far|soon)"),
        ("example", r"an? (?:\w+ )?(?:example|instance|story|(?:time|moment) when)|for (?:example|instance)"),
        ("when", r"when\b(?! (?:you|i|it|they|we|that)\b)|what (?:year|time|date)"),
        ("where", "where"),
        ("why", r"why|what (?:made|makes|led|motivat\w+|drove|drew|inspired)|how come|reasons?"),
        ("who", "who(?:m|se)?"),
        ("which", "which"),
        ("how", "how|(?:walk|talk|take) (?:me|us) (?:through|back)"),
        ("what", "what|tell (?:me|us)|describe"),
    )
)
_SAID = "mentioned|said|told|described|talked|spoke|touched"
_BACK = re.compile(
    rf"\b(?:you (?:(?:just|also|already) )?(?:{_SAID})|you've (?:{_SAID})|you were (?:saying|talking|describing)|"
    r"(?:go|going|come|coming|circle|circling|get|getting|jump|step) back|return(?:ing)? to|earlier|again)\b"
)
_CLOSING = re.compile(
    r"anything else|wrap up|before we (?:finish|close|end)|any (?:final|last|other|closing)|"
    r"haven't (?:touched|covered|asked|talked)"
)
_NARROWS = re.compile(r"\b(?:specific\w*|exactly|actually|particular\w*|concrete\w*|more|deeper|mean by|clarify)\b")
_NAME = re.compile(r"(?<![.!?…:]\s)(?<!^)(?<![\"“‘(])\b[A-Z][\w'’.-]*\w|\b[A-Z]{2,}\b|\b\d[\d.,]*\b")
_NOT_NAMES = frozenset({"i", "i'm", "i've", "i'd", "i'll"})


@lru_cache(maxsize=16_384)
def form(sentence: str) -> str:
    """What is asked for: amount, example, when, where, why, who, which, how, what; else "closed" (yes or no)."""
    text = plain(sentence)
    return next((name for name, pattern in _FORMS if pattern.search(text)), "closed")


@lru_cache(maxsize=16_384)
def names(sentence: str) -> frozenset[str]:
    """Names and numbers, as tokens: words with a capital inside a sentence, words all in capitals, figures."""
    found = _NAME.findall(sentence)
    return frozenset(token for name in found if plain(name) not in _NOT_NAMES for token in tokens(name))


@lru_cache(maxsize=16_384)
def length(sentence: str) -> int:
    """Words of a sentence, at least 1."""
    return max(1, len(words(sentence)))


def refers_back(text: str) -> bool:
    """Whether a question or what leads to it points to an earlier part of the talk ("you mentioned")."""
    return bool(_BACK.search(plain(text)))


@lru_cache(maxsize=16_384)
def narrows(text: str) -> bool:
    """Whether a question asks for something specific, or for more."""
    return bool(_NARROWS.search(plain(text)))


@lru_cache(maxsize=16_384)
def closing(text: str) -> bool:
    """Whether a question is one that closes a talk ("anything else?")."""
    return bool(_CLOSING.search(plain(text)))
