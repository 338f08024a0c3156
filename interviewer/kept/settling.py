"""What an imported conversation is about and in what language: as a person says, else as well as it can be told."""

import re
from dataclasses import dataclass
from itertools import pairwise

from interviewer.errors import PlanError
from interviewer.importing.language import language_of
from interviewer.kept.reverse import plan_from
from interviewer.matching.text import sentences
from interviewer.model.language import is_english
from interviewer.model.recorded import Recorded

_ARTICLES = frozenset("the a an my our your his her its their this these those some any no every".split())
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Settled:
    """A topic or a language, whether a person said it, and if not, how it was told."""

    value: str
    said: bool = False
    reason: str = ""


def settled_language(recorded: Recorded, given: str, other: str = "") -> Settled:
    """As `given`, else by its words, else `other`, else English."""
    if given.strip():
        return Settled(given.strip(), said=True)
    told = language_of(" ".join(turn.text for turn in recorded.turns))
    if told.code:
        return Settled(told.code, reason=f"{told.certainty:.0%} sure: {told.reason}")
    return Settled(other or "en", reason=f"not told by its words: {told.reason}")


def settled_topic(recorded: Recorded, given: str, language: str) -> Settled:
    """As `given`, else the file's title, else the names of things that come back in it, else the file's name."""
    if given.strip():
        return Settled(given.strip(), said=True)
    if recorded.title.strip():
        return Settled(recorded.title.strip(), reason="the file's title")
    if things := _things(recorded, language):
        return Settled(things[:1].upper() + things[1:], reason="guessed from what comes back in it")
    name = " ".join(re.split(r"[\s_-]+", recorded.id)).strip()
    return Settled(name[:1].upper() + name[1:] or "A conversation", reason="the file's name")


def _things(recorded: Recorded, language: str) -> str:
    """What the guest comes back to, less what is no noun; English only, for of others no stop words are known."""
    if not is_english(language):
        return ""
    try:
        guessed = plan_from(recorded).plan.topic
    except PlanError:
        return ""
    nouns = _nouns(recorded)
    found = [word for word in re.split(r",\s*|\s+and\s+|\s+", guessed) if word.lower() in nouns]
    return f"{', '.join(found[:-1])} and {found[-1]}" if len(found) > 1 else "".join(found)


def _nouns(recorded: Recorded) -> frozenset[str]:
    """Words that stand after an article or the like, and names: words with a capital inside a sentence."""
    found: set[str] = set()
    for turn in recorded.turns:
        for sentence in sentences(turn.text):
            spoken = _WORD.findall(sentence.text)
            for before, word in pairwise(spoken):
                if before.lower() in _ARTICLES or (word[:1].isupper() and len(word) > 1 and "'" not in word):
                    found.update({word.lower(), word.lower().removesuffix("s")})
    return frozenset(found)
