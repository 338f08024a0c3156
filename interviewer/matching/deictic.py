"""Questions that point at something said before ("how does that work?"): alone they cannot be compared."""

import re
from functools import lru_cache

from interviewer.matching.text import asks, plain, sentences
from interviewer.matching.tokens import FUNCTION_WORDS, stem, tokens

_POINTERS = frozenset("he her him it one she such that them there they this".split()) | {stem("these"), stem("those")}

# What is left of a question that says nothing of its subject: "could you tell me a bit more about how that works?"
_GENERIC = frozenset(
    map(
        stem,
        """
        about actually any anything bit came come curious describe detail different elaborate else example
        examples expand explain feel felt first further give go happen happened hear help how interested just kind know
        like little look looked love make makes many maybe mean meant more much not often other people quite really
        right say see share something sort specific specifically sure take talk tell than then thing things think
        through too understand very walk want way went what when where which who why wonder work worked
        """.split(),
    )
)
# Words that ask for more of what was said, without pointing at it.
_MORE = frozenset(map(stem, "detail elaborate else example examples expand explain instance more specific".split()))
_QUESTION_WORDS = frozenset(map(stem, "how what when where which who why".split()))
_CLEFT = re.compile(r"\bit that\b")  # "who is it that pays?" points at nothing
_LONGEST_LEAD = 40
_BARE = 2


@lru_cache(maxsize=16_384)
def deictic(sentence: str) -> bool:
    """Whether a question names no subject: it points ("why is that?"), wants more ("what else?") or is just "why?"."""
    found = tokens(_CLEFT.sub(" ", plain(sentence)))
    if not found or set(found) - _FUNCTION - _POINTERS - _GENERIC:
        return False
    asked = asks(sentence) or not _QUESTION_WORDS.isdisjoint(found)
    return asked and (not (_POINTERS | _MORE).isdisjoint(found) or len(found) <= _BARE)


@lru_cache(maxsize=16_384)
def asking(text: str) -> tuple[str, ...]:
    """The sentences of `text` that ask, else all; one that only points comes with what it points to in `text`."""
    spans = sentences(text)
    kept = [span for span in spans if asks(span.text)] or spans
    return tuple(_with_lead(span.text, text[: span.start]) if deictic(span.text) else span.text for span in kept)


def _with_lead(sentence: str, before: str) -> str:
    return f"{lead(before)} {sentence}".strip()


@lru_cache(maxsize=16_384)
def lead(before: str) -> str:
    """The last sentence of `before` that names something, cut to its last 40 words; "" if none does."""
    for span in reversed(sentences(before)):
        if subjects(span.text):
            return " ".join(span.text.split()[-_LONGEST_LEAD:])
    return ""


def subjects(text: str) -> frozenset[str]:
    """The words of `text` that can be pointed at: neither grammar nor generic."""
    return frozenset(tokens(text)) - _FUNCTION - _POINTERS - _GENERIC


def agree(one: str, other: str) -> bool:
    """Whether two leads may name the same: half the subjects of the shorter are in the longer."""
    first, second = subjects(one), subjects(other)
    shared = len(first & second)
    return shared > 0 and 2 * shared >= min(len(first), len(second))


def resolved(first: str, before1: str, second: str, before2: str) -> tuple[str, str] | None:
    """The two questions with what they point at written before them; None if that is unknown or differs."""
    one = _with_lead(first, before1) if deictic(first) else first
    other = _with_lead(second, before2) if deictic(second) else second
    if (one, other) == (first, second):
        return None if deictic(first) or deictic(second) else (first, second)
    return None if deictic(one) or deictic(other) or not agree(one, other) else (one, other)


_FUNCTION = frozenset(map(stem, FUNCTION_WORDS))
