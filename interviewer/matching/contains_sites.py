"""Where a sentence asks, and in what time and role: the grammar that two nearly equal questions may differ in."""

import re
from dataclasses import dataclass
from functools import lru_cache

from interviewer.matching.contains_patterns import OWNED, PRONOUNS, SAY, SHORT
from interviewer.matching.contains_units import past, stems

_OPENERS = frozenset("how why when where who whom whose what which whether".split())
_ROLES = frozenset("who whom what which".split())
_TIMES = {
    word: name
    for name, words in {
        "past": "did was were had",
        "present": "do does is are am has have",
        "future": "will shall",
        "would": "would",
        "duty": "should must ought",
        "could": "could can might may",
    }.items()
    for word in words.split()
}
VERBS = frozenset(stem for word in _TIMES for stem in stems(word))
"""The verbs that carry time, as stems."""
_DO = frozenset("do does did".split())
_BE = frozenset("is are am was were has have had".split())
_SUBJECT = frozenset(PRONOUNS.split("|")) | frozenset("i we it yours theirs ours mine".split())
_OWNED = frozenset(OWNED.split("|")) | {"its"}
_LEADS = frozenset("and but or so then well".split())
_REACH = 6
_VERB_AND_NOUN = 3
_WORD = re.compile(r"[a-z0-9]+|[,;:.?!]")
# "do you think", "is it that", "would you say", "could you tell me": what is asked stands behind it.
_FRAME = re.compile(
    r"\b(?:(?:do|did|would|will) (?:you|we) (?:think|say|reckon)\b(?! (?:about|of|to)\b)(?: that)?|"
    rf"(?:can|could|would|will|might) you (?:please |maybe |just |also |perhaps )*{SAY} (?:me|us)\b|"
    r"(?:is|was) it(?: [a-z]+){0,3} that|(?:is|was) the (?:thing|person|one|reason|moment)(?: that| who)?|"
    r"(?:i'd|i would|i'll|i will|i can|i could|i may|may i|can i|could i|might i)\b)"
)
_DUTY = re.compile(r"\b(?:ha(?:ve|s|d) to|needs? to|needed to|must|ought to|should|supposed to)\b")


@dataclass(frozen=True, slots=True)
class Site:
    """A place that asks; each "" if unknown.

    `time`: past, present, future, would, could or duty. `role`: of who, what and which, subject or object of the verb.
    `subject`: the word that acts.
    """

    opener: str
    time: str
    role: str
    subject: str


@lru_cache(maxsize=16_384)
def sites(text: str) -> tuple[Site, ...]:
    """The places of a sentence in plain form that ask: its question words, else the verb it begins with."""
    for short, whole in SHORT:
        text = text.replace(short, whole)
    words = _WORD.findall(_FRAME.sub(" ", text))
    found = [_site(words, at) for at, word in enumerate(words) if word in _OPENERS]
    return tuple(found) or tuple(_site(words, at - 1) for at in range(len(words)) if _begins(words, at))[:1]


def _begins(words: list[str], at: int) -> bool:
    return words[at] in _TIMES and (at == 0 or not words[at - 1].isalnum() or words[at - 1] in _LEADS)


def owed(text: str) -> bool:
    """Whether a sentence in plain form speaks of what has to be done."""
    return bool(_DUTY.search(text))


def _site(words: list[str], at: int) -> Site:
    opener = words[at] if at >= 0 and words[at] in _OPENERS else ""
    after = words[at + 1 : at + 1 + _REACH]
    for place, word in enumerate(after):
        if word in _OPENERS or not word.isalnum():
            after = after[:place]
            break
    verb = next((place for place, word in enumerate(after) if word in _TIMES), None)
    starts = next((place for place, word in enumerate(after) if word in _SUBJECT or word in _OWNED), None)
    # "how you train them", "which tools your team used": who acts stands before the verb.
    acted = next((place for place, word in enumerate(after[:2]) if past(word)), None)
    if starts is not None and (verb is None or starts < verb) and _stands_before(opener, starts, acted):
        return Site(
            opener,
            _time(after[starts + 1 :]) or "present" if opener else "",
            "object" if opener in _ROLES else "",
            _acting(after, starts),
        )
    if verb is None:
        subject = opener in _ROLES and (acted is not None or opener == "who" or _acts(after))
        return Site(opener, _time(after) if opener else "", "subject" if subject else "", "")
    if after[verb] in _BE and after[verb + 1 :] == ["it"]:  # "and which is it?" points back
        return Site(opener, "", "", "")
    behind = after[verb + 1 : verb + 2]
    named = bool(behind) and (behind[0] in _SUBJECT or behind[0] in _OWNED)
    role = ""
    if opener in _ROLES and after[verb] not in _BE:
        role = "object" if after[verb] in _DO or named else "subject"
    return Site(opener, _TIMES[after[verb]], role, _acting(after, verb + 1) if named else "")


def _acts(after: list[str]) -> bool:
    """Whether it is "limits the harvest" and no more; "tools the team uses" has another verb."""
    return len(after) == _VERB_AND_NOUN and after[0].endswith("s") and after[1] in _OWNED


def _stands_before(opener: str, starts: int, acted: int | None) -> bool:
    if starts == 0:
        return True
    return opener in ("which", "how") and (acted is None or starts < acted)


def _acting(words: list[str], at: int) -> str:
    if at < len(words) and words[at] in _OWNED and at + 1 < len(words):
        return words[at + 1]
    return words[at] if at < len(words) else ""


def _time(words: list[str]) -> str:
    for word in words:
        if word in _TIMES:
            return _TIMES[word]
        if past(word):
            return "past"
    return "present" if words and words[0].endswith("s") else ""
