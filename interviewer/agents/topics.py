"""A topic as a person types it, made fit to stand inside an English question."""

import re
from dataclasses import dataclass
from typing import Literal

from interviewer.agents.wording import one_line

Form = Literal["name", "activity", "clause", "question", "quoted", "long"]

_HOW_TO = re.compile(r"(?:how|what|when|where|whether|who|why) to\b", re.IGNORECASE)
_ACTIVITY = re.compile(
    r"(?!(?:king|ring|spring|string|thing|wing|evening|morning|sing|bing)\b)[a-z]+ing\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"(?:how|why|what|when|where|who)\b", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"(?:how|why|what|when|where|who)\s+(?:do|does|did|is|are|was|were|can|could|should|would|will|have|has)\b|"
    r"(?:do|does|did|is|are|was|were|can|could|should|would|will|have|has)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"^(?:to\b|i\b|we\b|you\b|they\b|it\b|there\b|please\b|let's\b)|"
    r"\b(?:is|are|was|were|am|isn't|aren't|will|won't|should|shouldn't|must|can't|don't|doesn't|didn't)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"(?:ask|avoid|become|build|buy|choose|create|deal|do|find|fix|get|give|go|grow|hire|keep|learn|live|make|manage|"
    r"move|raise|rewrite|run|save|sell|start|stop|survive|teach|tell|turn|use|win|write)\s+(?:\w+)",
    re.IGNORECASE,
)
_LOWERED = re.compile(r"(?:the|a|an|my|our|your|how|why|what|when|where|who|[a-z]+ing)\b", re.IGNORECASE)
_TO_LISTENER = {
    "i": "you",
    "we": "you",
    "me": "you",
    "us": "you",
    "my": "your",
    "our": "your",
    "mine": "yours",
    "ours": "yours",
    "myself": "yourself",
    "ourselves": "yourselves",
    "i'm": "you're",
    "we're": "you're",
    "i've": "you've",
    "we've": "you've",
    "i'd": "you'd",
    "we'd": "you'd",
}
_I_BE = re.compile(r"\b(I) (am|was)\b", re.IGNORECASE)
_MOST_WORDS = 12
_PEOPLE = frozenset(
    """
    mother father mum mom dad parents parent sister brother siblings sibling daughter son children child kids wife
    husband partner spouse girlfriend boyfriend friend friends grandmother grandfather grandma grandpa grandparents
    uncle aunt cousin nephew niece neighbour neighbor neighbours boss colleague colleagues teacher mentor manager
    """.split()
)


@dataclass(frozen=True, slots=True)
class Topic:
    """`text` can be put where `form` allows: a name after "with", a clause after "of" ..."""

    text: str
    form: Form


def topic(given: str) -> Topic:
    """The topic as it can be spoken to the guest; empty text if nothing was given.

    "We" and "my" become "you" and "your". What does not fit a sentence is put in quotes, what is too long to be
    said in one breath is of the form "long" and better called "this".
    """
    bare = one_line(given).strip("\"'“”‘’ ").rstrip(".!,;: ")
    asking = bare.endswith("?")
    bare = bare.rstrip("? ")
    if len(bare.split()) > _MOST_WORDS or len(bare) > 90:
        return Topic(bare, "long")
    if asking or _AUXILIARY.match(bare) or _HOW_TO.match(bare):
        return Topic(_first_lowered(bare), "question")
    if _CLAUSE.match(bare):
        return Topic(_first_lowered(_to_listener(bare)), "clause")
    if _SENTENCE.search(bare) or _IMPERATIVE.match(bare) or '"' in bare:
        return Topic(bare.replace('"', "'"), "quoted")
    return Topic(_first_lowered(_to_listener(bare)), "activity" if _ACTIVITY.match(bare) else "name")


def is_person(text: str) -> bool:
    """Whether a topic, as `topic` gives it, is somebody close to the guest: "your mother", "your first boss"."""
    parts = text.lower().split()
    return 1 < len(parts) <= 4 and parts[0] == "your" and parts[-1] in _PEOPLE


def _first_lowered(text: str) -> str:
    return text[0].lower() + text[1:] if _LOWERED.match(text) else text


def _to_listener(text: str) -> str:
    text = _I_BE.sub(lambda m: f"you {'are' if m[2].lower() == 'am' else 'were'}", text)
    return re.sub(r"[^\W\d_]+(?:['’][^\W\d_]+)?", lambda m: _listener(m.group()), text)


def _listener(word: str) -> str:
    # "US" and "IT" are no pronouns.
    if len(word) > 1 and word.isupper():
        return word
    return _TO_LISTENER.get(word.lower().replace("’", "'"), word)
