"""What a guest may ask of the conversation by its words, and what is no turn at all."""

import re
from typing import Literal

from interviewer.matching.text import plain, sentences, words

RequestKind = Literal["skip", "answered", "back", "stop", "goodbye"]

_POLITE = r"(?:(?:please|okay|ok|um|uh|yeah|no|sorry|well|hm+|just|maybe|let's)[,. ]+)*"
_PATTERNS: tuple[tuple[RequestKind, re.Pattern[str]], ...] = (
    (
        "stop",
        re.compile(
            r"\bi(?:'ve| have)? (?:really )?(?:got to|need to|have to|must|should|gotta) (?:stop|go|leave|run|end)\b"
            r"(?=\s*(?:$|[.,;!?-]|now\b|soon\b|here\b|in a (?:minute|moment|second|bit)\b|because\b|then\b))"
            r"|\b(?:can|could|let's|shall) (?:we|i)? ?(?:please )?(?:stop|end|finish|wrap up)"
            r" (?:here|now|the (?:call|interview))\b"
        ),
    ),
    (
        "skip",
        re.compile(
            r"\b(?:can|could|let's|let us|may) (?:we|i)? ?(?:please )?(?:just )?(?:skip|pass)\b"
            rf"|^{_POLITE}(?:skip|pass on) (?:that|this)(?: one| question)?\b|^{_POLITE}next question\b"
            r"|\b(?:i'd|i would) rather not (?:say|answer|talk|go|get)\b"
            r"|\bi (?:don't|do not) want to (?:answer|talk about) (?:that|this)\b"
        ),
    ),
    (
        "answered",
        re.compile(
            r"\b(?:i|we)(?:'ve| have)? (?:think i )?(?:already|just) (?:answered|covered|told you|said)"
            r"(?: that| this| about that)\b"
            r"|\bi(?:'ve| have)? (?:answered|covered) (?:that|this)(?: one| question)? (?:already|before)\b"
            r"|\byou(?:'ve| have)? (?:already|just) asked (?:me )?(?:that|this)\b"
        ),
    ),
    ("back", re.compile(r"\b(?:let me|can (?:i|we)|could (?:i|we)|let's) (?:just )?(?:go|come|circle) back\b")),
    (
        "goodbye",
        re.compile(
            r"^(?:(?:okay|ok|thanks|thank you|great|well)[,.! ]+)*(?:good ?bye|bye(?:[- ]bye)?|take care)"
            r"(?:[, ]+(?:then|now|for now|all|everyone|and thank you|thanks|thank you))*[.! ]*$"
        ),
    ),
)

BACKCHANNEL = frozenset(
    "mm mhm mm-hm hm hmm uh huh uh-huh um yeah yep yes right ok okay sure exactly true i see got it ah oh".split()
)
_LONGEST_REQUEST = 25


def guest_request(text: str) -> RequestKind | None:
    """The request a guest's turn makes, or None.

    Only short sentences count: "so we had to stop and go back" inside a story is no request. A goodbye counts only
    at the end of the turn.
    """
    spans = sentences(plain(text))
    for kind, pattern in _PATTERNS:
        for span in spans[-1:] if kind == "goodbye" else spans:
            if len(words(span.text)) <= _LONGEST_REQUEST and pattern.search(span.text):
                return kind
    return None


def only_backchannel(text: str) -> bool:
    """Whether a text holds nothing but listening noises such as "mm-hm", "right", "yeah"."""
    said = words(text.replace("-", ""))
    return bool(said) and len(said) <= 4 and all(word in _NOISES for word in said)


_NOISES = BACKCHANNEL | {word.replace("-", "") for word in BACKCHANNEL}
