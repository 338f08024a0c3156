"""Themes: words that keep company with each other over several turns of the guest."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

from interviewer.agents.passages import Sentence
from interviewer.matching.text import STOP_WORDS, content_words
from interviewer.model.outcome import Theme

_GENERAL = frozenset(
    """
    thing things way lot people time times something anything everything someone anyone one ones kind sort bit really
    actually probably maybe pretty good great bad big little new old right sure know think thought feel make makes made
    making want wanted need needed use used using work works working going go goes went come came take took say said
    see saw look looking looks put find found try trying tried back even still around ever never always much many first
    last year years day days different whole part point today now already able better best getting gets give gave keep
    without within talk talking tell told doing done start started happen happened happens exactly basically obviously
    course example stuff least larger less huge every another two three may might yeah also been whatever though
    sometimes often usually myself yourself himself herself itself themselves quite almost later ago once else
    big small long short high low early late real true free full hard easy super cool nice wanna gonna okay yes no oh
    """.split()
)
_MOST = 5
_COMPANY = 2
_LEAST_TURNS = 2


def themes(found: Sequence[Sentence], topic: str) -> tuple[Theme, ...]:
    """At most five themes of two turns or more, the widest first, each named by up to three of the guest's words.

    A word that the topic holds is in every turn and tells nothing, so it names no theme. Words that share most of
    their turns with a theme join it instead of making one.
    """
    spread, together = _counts(found, topic)
    order = sorted(spread, key=lambda word: (-len(spread[word]), -len(word), word))
    made: list[Theme] = []
    used: set[str] = set()
    for word in order:
        if len(made) == _MOST or len(spread[word]) < _LEAST_TURNS:
            break
        if word not in used:
            group = [word, *_company(word, spread, together, used)]
            used.update(group)
            made.append(_theme(group, found))
    return tuple(made)


def _counts(found: Sequence[Sentence], topic: str) -> tuple[dict[str, set[str]], dict[str, Counter[str]]]:
    """The turns of every word, and how often it stands in one sentence with another."""
    dull = _GENERAL | STOP_WORDS | {_singular(word) for word in content_words(topic)}
    spread: dict[str, set[str]] = defaultdict(set)
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in found:
        held = sorted({_singular(w) for w in content_words(sentence.text) if _names_something(w)} - dull)
        for word in held:
            spread[word].add(sentence.turn)
            together[word].update(other for other in held if other != word)
    return spread, together


def _company(word: str, spread: dict[str, set[str]], together: dict[str, Counter[str]], used: set[str]) -> list[str]:
    near = [
        other
        for other, count in together[word].items()
        if count >= 2 and other not in used and len(spread[other]) >= _LEAST_TURNS
    ]
    return sorted(near, key=lambda other: (-together[word][other], -len(other), other))[:_COMPANY]


def _theme(group: Sequence[str], found: Sequence[Sentence]) -> Theme:
    members = set(group)
    about = [s for s in found if members & {_singular(word) for word in content_words(s.text)}]
    turns = tuple(dict.fromkeys(sentence.turn for sentence in about))
    first = next((s for s in about if s.opens), about[0])
    name = group[0] if len(group) == 1 else f"{', '.join(group[:-1])} and {group[-1]}"
    return Theme(name=name, summary=f"Comes up in {len(turns)} turns, first in “{first.text}”", turns=turns)


def _names_something(word: str) -> bool:
    """Leaves out figures, contractions, adverbs and general words; two letters are enough ("AI", "UX")."""
    return word.isalpha() and len(word) > 1 and not word.endswith("ly") and word not in _GENERAL


@lru_cache(maxsize=16_384)
def _singular(word: str) -> str:
    """A word without its plural ending, so that "reference" and "references" are one theme."""
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
