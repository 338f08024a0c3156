"""What a guest may ask of the conversation by its words, and what is no turn at all."""

import re
from typing import Literal

from interviewer.matching.text import plain, sentences, words

RequestKind = Literal["skip", "answered", "back", "stop", "goodbye"]

_LEAD = (
    r"^(?:(?:please|okay|ok|um|uh|yeah|yes|no|sorry|well|hm+|just|maybe|actually|listen|look|oh|honestly"
    r"|thanks|thank you|i think|i believe|i'm afraid|i'm sorry|excuse me)[,.! ]+)*"
)
_POLITELY = r"please|sorry|thanks|thank you|though|i think|i believe|i'm afraid|if that's (?:ok|okay|all ?right)"
_TAIL = rf"(?:,? (?:{_POLITELY}))*[ .!?]*$"
_SOON = (
    r"(?:here|now|soon|for today|for now|in a (?:minute|moment|second|bit)|the (?:call|interview)|it here|this here)"
)
_END = rf"(?:(?: {_SOON})*{_TAIL}| {_SOON}, .+$)"
_THAT = r"(?: on)?(?: (?:that|this|it))?(?: one| question)?"
_ALREADY = r"(?: already| before)"
_THANKS = (
    r"okay|ok|great|well|all right|thanks|thank you|thanks so much|thank you so much|thank you very much|thanks a lot"
    r"|(?:it was |it's been )?(?:great|nice|good|lovely) (?:talking|speaking) (?:to|with) you"
)
_PATTERNS: tuple[tuple[RequestKind, re.Pattern[str]], ...] = (
    (
        "stop",
        re.compile(
            rf"{_LEAD}(?:i|we)(?:'ve| have)? (?:really )?(?:got to|need to|have to|must|should|gotta)"
            rf" (?:stop|go|leave|run|end|hang up){_END}"
            rf"|{_LEAD}(?:can|could|shall|may|let's|let us) ?(?:we|i)? ?(?:please )?(?:stop|end|finish|wrap up){_END}"
        ),
    ),
    (
        "skip",
        re.compile(
            rf"{_LEAD}(?:can|could|may|shall|let's|let us)? ?(?:we|i)? ?(?:please |just )*(?:skip|pass){_THAT}{_TAIL}"
            rf"|{_LEAD}(?:(?:can|could|shall) we |let's )?(?:move on|(?:take |have )?(?:the )?next question){_TAIL}"
            rf"|{_LEAD}(?:i'd|i would) (?:rather|prefer) not (?:to )?(?:say|answer(?: that| this)?|go there"
            rf"|(?:go|get) into (?:that|it)|talk about [\w' ]{{1,30}}){_TAIL}"
            rf"|{_LEAD}i (?:don't|do not) want to (?:answer|talk about|go into) (?:that|this|it){_TAIL}"
            rf"|{_LEAD}(?:i'd|i would) rather (?:skip|pass){_THAT}{_TAIL}"
        ),
    ),
    (
        "answered",
        re.compile(
            rf"{_LEAD}(?:i|we)(?:'ve| have)? (?:already|just) (?:answered|covered|told you|said|been (?:over|through))"
            rf"(?: that| this| about that)(?: one| question)?{_ALREADY}?{_TAIL}"
            rf"|{_LEAD}(?:i|we)(?:'ve| have)? (?:answered|covered) (?:that|this)(?: one| question)?{_ALREADY}{_TAIL}"
            rf"|{_LEAD}you(?:'ve| have)? (?:already |just )asked (?:me )?(?:that|this)(?: one| question)?{_TAIL}"
            rf"|{_LEAD}you(?:'ve| have)? asked (?:me )?(?:that|this)(?: one| question)?{_ALREADY}{_TAIL}"
        ),
    ),
    ("back", re.compile(r"\b(?:let me|can (?:i|we)|could (?:i|we)|let's) (?:just )?(?:go|come|circle) back\b")),
    (
        "goodbye",
        re.compile(
            rf"^(?:(?:{_THANKS})[,.! ]+)*(?:good ?bye|bye(?:[- ]bye)?|take care)"
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
