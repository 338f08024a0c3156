"""Noun phrases and whole clauses, told by their words alone: what may be quoted, or stand as a title. English only."""

import re
from functools import lru_cache

from interviewer.matching.text import STOP_WORDS, Span

_ONE = frozenset("a an one every each another this that".split())
_DETERMINERS = _ONE | frozenset("the my our your his her their these those no some many few two three several".split())
_PRONOUNS = frozenset("i we you he she they it there nobody everybody everyone somebody people".split())
_PREPOSITIONS = frozenset(
    "of in on at to for from with by about into over under around across along through between behind beyond near "
    "toward towards without within upon off out up down like than as called named".split()
)
_CONJUNCTIONS = frozenset(
    "and or but so because though although while when where who which that if until since".split()
)
_AUXILIARIES = frozenset(
    "is are was were am be been being has have had do does did can could will would should must might may isn't aren't "
    "wasn't weren't don't doesn't didn't can't couldn't won't wouldn't".split()
)
_BASES = (
    "say hear want get go make take come see know think give tell ask feel try leave call keep let begin seem help "
    "show talk turn start run move live believe bring happen write sit stand lose pay meet include continue learn "
    "understand watch follow stop create speak read spend grow open walk win teach offer remember consider appear buy "
    "serve die send build stay fall reach kill raise sell decide love hate need mean put hold use find become look "
    "eat drive break choose throw catch wear draw fight forget rise lead lend"
).split()
_PASTS = (
    "said heard went made took came saw knew thought gave told felt left kept began ran brought wrote sat stood lost "
    "paid met understood spoke read spent grew won taught bought sent built fell sold put held found became ate drove "
    "broke chose threw caught wore drew fought forgot rose led lent got gave meant let cost cut quit set shut"
).split()
# Nouns as often as verbs, so that they may end a noun phrase.
_BOTH = frozenset(
    "call calls help show shows talk turn turns start run runs move read walk offer use look need".split()
)
_VERBS = frozenset([*_BASES, *_PASTS, *(f"{base}s" for base in _BASES), "goes", "tries", "watches", "teaches"])
_ADVERBS = frozenset(
    "very really just even still almost right away ago then now here there soon later eventually never always often "
    "maybe perhaps quite too again back only also well enough together ever instead yet shall "
    "anyway anyone somewhere themselves myself yourself ourselves itself".split()
)
_TIMES = frozenset(
    "day days week weeks month months year years hour hours minute minutes second seconds time times moment night "
    "morning evening afternoon today yesterday tomorrow summer winter spring autumn decade decades while monday "
    "tuesday wednesday thursday friday saturday sunday weekend".split()
)
_EMPTY = frozenset(
    "thing things stuff lot lots bit way ways kind sort type part god one ones something anything other same such "
    "couple bunch own first last next whole more most less least guess reason point case example".split()
)
_ADJECTIVES = frozenset(
    "good great bad big small old new young long short high low early late hard easy real true free full open cold hot "
    "dark light strong weak rich poor clean dirty heavy deep wide narrow slow fast quick quiet loud strange weird odd "
    "gnarly messy ugly tiny huge wrong simple clear safe sure ready whole different important difficult".split()
)
_ADJECTIVAL = re.compile(r"(?:ous|ful|ive|less|able|ible|ish|ic|ical|ary)$")
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_MOST = 4


def _low(token: str) -> str:
    return token.lower().replace("’", "'")


def _is_verb(low: str) -> bool:
    return low in _AUXILIARIES or (low in _VERBS and low not in _BOTH) or "'" in low


def _adjective(low: str) -> bool:
    return low in _ADJECTIVES or _ADJECTIVAL.search(low) is not None


def _plural(low: str) -> bool:
    return low.endswith("s") and not low.endswith(("ss", "us", "is", "ics", "news"))


def _fills(low: str) -> bool:
    """Whether a word may stand between a determiner and the end of its noun phrase."""
    function = low in STOP_WORDS or low in _PREPOSITIONS or low in _CONJUNCTIONS or low in _DETERMINERS
    return not function and low not in _PRONOUNS and low not in _ADVERBS and not _is_verb(low) and len(low) > 1


def _is_noun(low: str) -> bool:
    """Whether a word may be the noun a phrase ends on."""
    if low in _EMPTY or low in _TIMES or low.isdigit() or _adjective(low):
        return False
    return not low.endswith(("ly", "ed", "ing"))


@lru_cache(maxsize=16_384)
def noun_phrases(text: str) -> tuple[tuple[Span, Span], ...]:
    """Noun phrases of `text`, each with and without its determiner: two to four words without it, the last a noun.

    A phrase begins after a determiner, or with a known adjective, and ends where a mark, a preposition, a conjunction
    or an auxiliary follows. "An" before a plural, and phrases of time, are none.
    """
    tokens = list(_TOKEN.finditer(text))
    found: list[tuple[Span, Span]] = []
    for at, token in enumerate(tokens):
        determiner = _low(token.group()) in _DETERMINERS
        if determiner or (_adjective(_low(token.group())) and (at == 0 or not _inside(tokens, at, text))):
            first = at + determiner
            last = _last(tokens, first, text)
            if last - first + 1 >= 2 and _agrees(_low(token.group()), _low(tokens[last].group())):
                found.append((_span(text, tokens, at, last), _span(text, tokens, first, last)))
    return tuple(found)


def _span(text: str, tokens: list[re.Match[str]], first: int, last: int) -> Span:
    start, end = tokens[first].start(), tokens[last].end()
    return Span(text[start:end], start, end)


def _inside(tokens: list[re.Match[str]], at: int, text: str) -> bool:
    """Whether the word before belongs to the same phrase."""
    before = _low(tokens[at - 1].group())
    return _joined(tokens, at - 1, text) and (before in _DETERMINERS or _fills(before))


def _joined(tokens: list[re.Match[str]], at: int, text: str) -> bool:
    """Whether nothing but a space stands between a word and the one after it."""
    return at + 1 < len(tokens) and text[tokens[at].end() : tokens[at + 1].start()] == " "


def _last(tokens: list[re.Match[str]], first: int, text: str) -> int:
    """Place of the last word of the phrase that begins at `first`; one before it if there is no phrase."""
    last = first - 1
    while last + 1 < len(tokens) and last - first + 1 <= _MOST and _fills(_low(tokens[last + 1].group())):
        last += 1
        acting = last > first and _low(tokens[last].group()).endswith(("ing", "ed"))
        if acting and not _adjective(_low(tokens[last - 1].group())):
            return first - 1
        if not _joined(tokens, last, text):
            break
    if last < first or last - first + 1 > _MOST or not _is_noun(_low(tokens[last].group())):
        return first - 1
    if _joined(tokens, last, text):
        after = _low(tokens[last + 1].group())
        if after not in _PREPOSITIONS and after not in _CONJUNCTIONS and after not in _AUXILIARIES:
            return first - 1
    return last


def _agrees(determiner: str, noun: str) -> bool:
    return not (determiner in _ONE and _plural(noun)) and not (determiner in ("these", "those") and not _plural(noun))


@lru_cache(maxsize=16_384)
def is_clause(text: str) -> bool:
    """Whether `text` has a subject at its start and a verb after it, and ends on a word that leads nowhere."""
    said = [_low(token.group()) for token in _TOKEN.finditer(text)]
    if len(said) < 3 or said[-1] in _PREPOSITIONS | _CONJUNCTIONS | _DETERMINERS | _AUXILIARIES:
        return False
    if said[-1] in _PRONOUNS - {"it", "you", "people"} or said[-1] in ("very", "really", "just", "i'm", "it's"):
        return False
    head, _, ending = said[0].partition("'")
    if head in _PRONOUNS or said[0] in ("this", "that", "these", "those"):
        plain = head in _PRONOUNS and any(_fills(word) or _acts(word) for word in said[1:3])
        return bool(ending) or plain or any(_acts(word) for word in said[1:4])
    starts = said[0] in _DETERMINERS or said[0] in ("how", "what") or text[:1].isupper()
    return starts and said[0] not in _CONJUNCTIONS | _PREPOSITIONS and any(_acts(word) for word in said[1:9])


def _acts(low: str) -> bool:
    return low in _AUXILIARIES or low in _VERBS or (low.endswith("ed") and len(low) > 4)
