"""Sentences, questions and content words: the text work that every scorer and agent shares."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are aren't as at be because been before being both but by can can't
    could couldn't did didn't do does doesn't doing don't down during each few for from further get go got had has
    have haven't having he her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its itself
    just let let's like me more most much my no nor not of off on once one only or other our out over own really
    she should so some such than that that's the their them then there there's these they they're this those
    through to too under until up us very was wasn't we we're we've well were weren't what what's when where
    which while who whom why will with won't would wouldn't yes you you'd you'll you're you've your yours
    """.split()
)

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_BREAK = re.compile(
    r"(?<=[.!?…؟])[\"'”’)\]]*\s+|\n+|"
    r"(?<=[。？！])[」』）]*\s*(?=[^\s。？！」』）])"  # no space follows where words are written without any
)
_ASKING = ("?", "？", "؟")
# Closing quotes and brackets, and Unicode's marks of direction (UAX #9), which files put behind a question mark.
_CLOSING = "\"'”’) 」』）\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|Dr|Mr|Mrs|Ms|St|Prof|approx)|\b[A-Z])\.$")
_REQUEST = re.compile(
    r"\b(?:tell me|talk me through|walk me through|take me (?:through|back|to)|"
    r"(?:(?<=^)|(?<=[,;:] )|(?<=please )|(?<=you )|(?<=so )|(?<=and ))(?:describe|explain) (?!it\b)|"
    r"(?:i'd|i would) (?:love|like) "
    r"(?:an?|some|your|more|it if|to (?:hear|know|understand|learn|ask|see|get|explore))\b|"
    r"i(?:'m| am) (?:curious|wondering|interested)|"
    r"i(?:'ve| have)? (?:wonder|want to (?:know|hear|understand))|help me (?:see|picture|put|follow)|paint me|"
    r"help me understand|"
    r"(?:give|share) (?:with )?(?:me|us) (?!a (?:moment|second|minute))|say (?:a (?:bit|little) )?more)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: `text` is `whole[start:end]`, in characters."""

    text: str
    start: int
    end: int


def plain(text: str) -> str:
    """`text` in NFKC form, case folded, with straight apostrophes."""
    return unicodedata.normalize("NFKC", text).replace("\u2019", "'").replace("\u2018", "'").casefold()


@lru_cache(maxsize=65_536)
def words(text: str) -> tuple[str, ...]:
    """The words of `text` in order, normalised; short ones ("AI", "UX") are kept."""
    return tuple(_WORD.findall(plain(text)))


@lru_cache(maxsize=65_536)
def content_words(text: str) -> frozenset[str]:
    """The set of words that are not stop words; empty if nothing is left."""
    return frozenset(word for word in words(text) if word not in STOP_WORDS)


@lru_cache(maxsize=16_384)
def sentences(text: str) -> tuple[Span, ...]:
    """`text` cut into sentences, each trimmed, with its place. Common abbreviations and initials do not end one."""
    found: list[Span] = []
    start = 0
    for gap in _BREAK.finditer(text):
        if not _ABBREVIATION.search(text[start : gap.start()]):
            _keep(found, text, start, gap.start() + len(gap.group().rstrip()))
            start = gap.end()
    _keep(found, text, start, len(text))
    return tuple(found)


def _keep(found: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    if stripped := piece.strip():
        begin = start + piece.index(stripped[0])
        found.append(Span(stripped, begin, begin + len(stripped)))


def asks(sentence: str) -> bool:
    """Whether a sentence asks for something: a final question mark, or a request such as "tell me about"."""
    return sentence.rstrip(_CLOSING).endswith(_ASKING) or bool(_REQUEST.search(plain(sentence)))


@lru_cache(maxsize=16_384)
def questions(text: str) -> tuple[Span, ...]:
    """The sentences of `text` that ask."""
    return tuple(span for span in sentences(text) if asks(span.text))
