"""What in a guest's words makes a listener prick up their ears. Used by the forms of the agents that need no model."""

import re
from dataclasses import dataclass
from functools import lru_cache

from interviewer.agents.clauses import clause
from interviewer.agents.cues import CUES, Kind
from interviewer.agents.small_talk import idle
from interviewer.matching.text import STOP_WORDS, Span, content_words, sentences

WEIGHT: dict[Kind, float] = {kind: weight for kind, (weight, _) in CUES.items()}
_PATTERNS = [(kind, re.compile(rf"(?<![\w'’])(?:{cue})(?![\w])", re.IGNORECASE)) for kind, (_, cue) in CUES.items()]

_ENOUGH = 6  # content words of an answer with something in it
_NAME = re.compile(
    r"(?<![\w'’])(?:[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z]{2,}[A-Z0-9]*s?|[A-Z][\w&-]*[a-z\d]|[a-z]+[A-Z]\w+)"
    r"(?:\s(?:(?:of|on|de|van|von)\s)?(?:[A-Z]{2,}|[A-Z][\w&-]*[a-z\d])|\s\d[\w.-]*\d)*"
)
_NOT_NAMES = frozenset(
    """
    god ok okay tv monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december english yeah yes no oh well hey mom dad mum
    """.split()
)


@dataclass(frozen=True, slots=True)
class Signal:
    """Something telling: its kind, the words that gave it away, and the short clause and whole sentence they are in.

    All three are word for word what was said; `cue.start` and the others count characters of the turn's text.
    """

    kind: Kind
    cue: Span
    clause: Span
    sentence: Span


@lru_cache(maxsize=4_096)
def signals(text: str) -> tuple[Signal, ...]:
    """What is telling in a guest's turn, in order of its sentences; at most one signal of a kind a sentence."""
    return tuple(signal for span in sentences(text) for signal in _in_sentence(span))


def _in_sentence(sentence: Span) -> list[Signal]:
    return [
        Signal(kind, _moved(cue, sentence.start), _moved(piece, sentence.start), sentence)
        for kind, cue, piece in _telling(sentence.text)
    ]


@lru_cache(maxsize=16_384)
def _telling(sentence: str) -> tuple[tuple[Kind, Span, Span], ...]:
    """Kind, cue and clause, wherever the sentence stands: it is looked at in its turn and by itself."""
    found: list[tuple[Kind, Span, Span]] = []
    for kind, pattern in _PATTERNS:
        if match := pattern.search(sentence):
            found.append((kind, Span(match.group(), *match.span()), clause(sentence, *match.span())))
    return tuple(found)


def _moved(span: Span, by: int) -> Span:
    return Span(span.text, span.start + by, span.end + by)


@lru_cache(maxsize=16_384)
def kinds(sentence: str) -> frozenset[Kind]:
    """The kinds of signal in one sentence or quote."""
    return frozenset(signal.kind for signal in signals(sentence))


@lru_cache(maxsize=16_384)
def strength(text: str) -> float:
    """How telling a sentence or quote is: 0 for nothing, 5 and more for a thought broken off; for ranking only."""
    weights = sorted((WEIGHT[kind] for kind in kinds(text)), reverse=True)
    return weights[0] + sum(weights[1:]) / 4 if weights else 0.0


@lru_cache(maxsize=4_096)
def substantial(text: str) -> bool:
    """Whether there is something in an answer: a handful of content words that refuse nothing and are no small talk."""
    told = (span.text for span in sentences(text) if not idle(span.text))
    return len({word for part in told for word in content_words(part)}) >= _ENOUGH


@lru_cache(maxsize=4_096)
def names(text: str) -> tuple[Span, ...]:
    """Proper names, acronyms and CamelCase words of a turn; a plain capital at the start of a sentence is none."""
    starts = {span.start + len(span.text) - len(span.text.lstrip("\"'“‘(")) for span in sentences(text)}
    return tuple(
        Span(match.group(), *match.span()) for match in _NAME.finditer(text) if _is_name(match, match.start() in starts)
    )


def _is_name(match: re.Match[str], first: bool) -> bool:
    parts = match.group().split()
    if parts[0].lower() in _NOT_NAMES or parts[0].lower() in STOP_WORDS or len(match.group()) < 2:
        return False
    return not first or len(parts) > 1 or not parts[0][1:].islower()


@lru_cache(maxsize=65_536)
def stems(text: str) -> frozenset[str]:
    """Content words with common English endings off, so that "migrated" meets "migration"."""
    return frozenset(map(_stem, content_words(text)))


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    for ending in (
        "ations",
        "ation",
        "ings",
        "ing",
        "ions",
        "ion",
        "ies",
        "ied",
        "ers",
        "er",
        "ed",
        "es",
        "s",
        "e",
        "y",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
