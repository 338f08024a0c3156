"""Words fit for comparing: contractions expanded, endings off, scripts without spaces in pairs of characters."""

import re
import unicodedata
from functools import lru_cache

from interviewer.matching.text import plain

# Words that carry the grammar of a question and nothing of what it asks for; who, how, why and not do.
FUNCTION_WORDS = frozenset(
    """
    a an and are as at be been being but by can could did do does for from had has have i in is it its me might my
    of oh ok okay on or our please shall should so that the their them then there these they this those to us was we
    well were will with would yeah you your
    """.split()
)

_PARTS = {"won't": ("will", "not"), "can't": ("can", "not"), "shan't": ("shall", "not"), "let's": ("let", "us")}
_ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}
_BEFORE_IS = frozenset("he here how it she that there this what when where who why".split())

_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_VOWEL = re.compile(r"[aeiouy]")
# First and last code point of scripts written without spaces between words (Unicode 15, Blocks.txt).
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # iteration mark
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


@lru_cache(maxsize=65_536)
def tokens(text: str) -> tuple[str, ...]:
    """The words of `text` in order, in normal form; emoji, signs and punctuation are none.

    "What's" is what, is; "founders" and "founder's" are founder; of a script without spaces each run gives its pairs
    of neighbouring characters, of a single character itself.
    """
    bare = plain(text)
    if bare.isascii() and "'" not in bare:  # most texts: nothing to take apart
        return tuple(map(stem, _ASCII_WORD.findall(bare)))
    found: list[str] = []
    for word in _words(bare):
        if word.isascii():
            found += map(stem, _expanded(word))
        else:
            found += [piece for run in _runs(word) for piece in run]
    return tuple(found)


@lru_cache(maxsize=65_536)
def content(text: str) -> frozenset[str]:
    """The tokens that are no function words."""
    return frozenset(tokens(text)) - _FUNCTION_STEMS


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """An English word without the endings of plural, -ing and -ed, without final -e and doubled final consonant.

    A light stemmer: it only has to treat forms of one word alike (rules after Harman 1991 and Porter 1980, step 1).
    """
    if len(word) <= 3 or not word.isalpha():
        return word
    if word.endswith(("ies", "ied")):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and not word.endswith("eed") and len(bare) > 1 and _VOWEL.search(bare):
            word = bare if len(bare) > 2 or bare[-1] in "aeiouy" else f"{bare}e"
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _words(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_WORD.findall(text)
    kept = "".join(c if c == "'" or _belongs(c) else " " for c in text)
    return [word for piece in kept.split() if (word := piece.strip("'"))]


@lru_cache(maxsize=16_384)
def _belongs(character: str) -> bool:
    """Letters, digits and the marks that stand on them: vowel signs are no gaps."""
    return unicodedata.category(character)[0] in "LNM" and character not in "\ufe0e\ufe0f\u20e3"


def _expanded(word: str) -> tuple[str, ...]:
    if "'" not in word:
        return (word,)
    if word in _PARTS:
        return _PARTS[word]
    for ending, meaning in _ENDINGS.items():
        if word.endswith(ending):
            return (word.removesuffix(ending), meaning)
    if word.endswith("'s"):
        bare = word[:-2]
        return (bare, "is") if bare in _BEFORE_IS else (bare,)
    return tuple(word.split("'"))


def _runs(word: str) -> list[tuple[str, ...]]:
    """Stretches of unspaced script as pairs of characters, what stands between them as words."""
    pieces: list[tuple[str, ...]] = []
    start = 0
    for at in range(1, len(word) + 1):
        if at == len(word) or _unspaced(word[at]) != _unspaced(word[start]):
            pieces.append(_pairs(word[start:at]))
            start = at
    return pieces


def _pairs(run: str) -> tuple[str, ...]:
    if not _unspaced(run[0]):
        return tuple(stem(part) if part.isascii() else part for part in run.split("'") if part)
    return tuple(run[at : at + 2] for at in range(max(1, len(run) - 1)))


@lru_cache(maxsize=16_384)
def _unspaced(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _UNSPACED)


_FUNCTION_STEMS = frozenset(map(stem, FUNCTION_WORDS))
