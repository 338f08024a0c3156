"""What language a conversation is in, told by the words that every sentence of one has."""

from typing import Final, NamedTuple

from interviewer.matching.text import words

# Chosen here among the commonest words of each language; words that two of them share tell nothing and are left out.
_TELLING: Final = {
    "en": "the and of to that it is you with for this have not but they what your from there would about which were",
    "de": "der das und nicht ist ich sie wir ein eine den dem mit auf für wie auch dass aber haben habe sich von nach "
    "bei noch mir uns dann wenn oder kein keine einen einer wurde sind",
    "fr": "le les des et est je vous nous pas une dans qui sur avec mais il elle ce cette sont été très aussi c'est "
    "j'ai était avez avait avons comment quand parce",
    "es": "el los las con por para una pero como más muy yo su lo del al nos está esto cuando porque también hay fue "
    "qué cómo y usted mucho todo",
}
_OF: Final = {word: language for language, listed in _TELLING.items() for word in listed.split()}
_FEWEST = 20  # words
_LEAST_SHARE = 0.1  # of all words
_LEAST_CERTAINTY = 0.7


class Language(NamedTuple):
    """`code` is "en", "de", "fr" or "es", empty if it cannot be told; `certainty` is the share of telling words."""

    code: str
    certainty: float
    reason: str


def language_of(text: str) -> Language:
    """The language of `text`, if a tenth of its words tells so and most of those agree."""
    spoken = words(text.replace("’", "'"))
    telling = [_OF[word] for word in spoken if word in _OF]
    if len(spoken) < _FEWEST or len(telling) < _LEAST_SHARE * len(spoken):
        return Language("", 0.0, f"too few words of {', '.join(_TELLING)} in it")
    best = max(_TELLING, key=telling.count)
    certainty = round(telling.count(best) / len(telling), 2)
    reason = f"{telling.count(best)} of {len(telling)} telling words are of {best}"
    return Language(best if certainty >= _LEAST_CERTAINTY else "", certainty, reason)
