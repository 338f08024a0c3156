"""Whether a text is about a theme: its words, whole and in any form, never a part of another word."""

from collections.abc import Sequence
from functools import lru_cache

from interviewer.matching.text import STOP_WORDS, words
from interviewer.matching.tokens import stem, tokens


def touches(theme: str, text: str) -> bool:
    """Whether each content word of `theme` stands in `text`, singular or plural and so on: "win" is not in "following".

    On 3,271 labelled pairs of a planned question, whose first three content words are the theme, and an utterance that
    asks it or not (data/labels/contains without its clashes): F1 .79 and accuracy .83, where any of the words as a part
    of any word, as the Swift app of the essays has it, reaches .69 and .64 (`python -m evals.guard --themes`).
    """
    return bool(touched(theme, [text_words(text)]))


def touched(theme: str, texts: Sequence[frozenset[str]]) -> list[int]:
    """Which of some texts, by their `text_words`, `theme` is about; see `touches`."""
    wanted = _theme_words(theme)
    return [place for place, there in enumerate(texts) if wanted <= there] if wanted else []


@lru_cache(maxsize=8_192)
def _theme_words(theme: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(theme) if word not in STOP_WORDS)


@lru_cache(maxsize=8_192)
def text_words(text: str) -> frozenset[str]:
    """The words of a text, as `touches` finds them."""
    return frozenset(tokens(text))
