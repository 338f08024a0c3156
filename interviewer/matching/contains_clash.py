"""What keeps a near wording from being the question: each a named clash, with which the verdict is never yes."""

import re
from functools import lru_cache

from interviewer.matching.contains_asides import about_asking, taken_back
from interviewer.matching.contains_features import Planned, Window
from interviewer.matching.contains_form import Sentence
from interviewer.matching.contains_patterns import AUX, PRONOUNS
from interviewer.matching.contains_sites import VERBS, owed, sites
from interviewer.matching.contains_symbols import numbers, signs
from interviewer.matching.contains_units import alike, stems, units
from interviewer.matching.text import words

_JOINED = re.compile(
    r"([a-z0-9'-]+(?:, [a-z0-9'-]+)*),? (?:and|or) "
    rf"(?!not\b|(?:how|what|why|when|where|who|which|whom|to|{PRONOUNS})\b|{AUX}\b)"
    r"(?:(?:the|a|an|your|their|his|her|of|to|in|at|on|by|both) )*([a-z0-9'-]+)"
)
_OTHERS = frozenset("he she they his her their him them theirs hers i my me mine we our us ours".split())
_YOU = frozenset("you your yours yourself".split())
_MARKS = frozenset("still again already only never always anymore alone".split())
_ELSE = re.compile(r"\b(?:what|who|where|how) else\b")
_EMPTY = frozenset("it that this there".split())
_SAME = 0.9
_WHO = frozenset(("who", "whom"))


def clash(wanted: Planned, window: Window, spoken: tuple[str, ...]) -> str:
    """Why a window of the sentences `spoken` may well not ask the planned question, however near; "" if nothing."""
    mine = wanted.asking
    text = _text(mine)
    if reason := about_asking(text, window, spoken) or taken_back(text, window, spoken):
        return reason
    bare = all(one.bare for one in mine)
    theirs = window.named if bare else tuple(one for one in window.named if not one.bare) or window.named
    if _same_words(wanted, theirs) and (reason := _time(mine, theirs) or _roles(mine, theirs) or _marks(mine, theirs)):
        return reason
    return _persons(mine, window.named) or _symbols(mine, window) or _missing_part(wanted, window)


def _same_words(wanted: Planned, theirs: tuple[Sentence, ...]) -> bool:
    """Whether nearly all of it stands there in the same words, so that what grammar differs in is meant."""
    mine = {stem for one in wanted.asking for stem in one.stems} - VERBS - _WHO
    there = {stem for one in theirs for stem in one.stems}
    return len(mine & there) >= _SAME * len(mine)


def _time(mine: tuple[Sentence, ...], theirs: tuple[Sentence, ...]) -> str:
    wanted = next((site for one in mine for site in sites(one.plain) if site.time), None)
    if wanted:
        found = {site.time for one in theirs for site in sites(one.plain) if site.opener == wanted.opener} - {""}
        if found and wanted.time not in found:
            return "it may ask of another time, or of what would or should be"
    if any(owed(one.plain) for one in mine) != any(owed(one.plain) for one in theirs):
        return "it may ask of another time, or of what would or should be"
    return ""


def _roles(mine: tuple[Sentence, ...], theirs: tuple[Sentence, ...]) -> str:
    wanted = next((site for one in mine for site in sites(one.plain)), None)
    found = [site for one in theirs for site in sites(one.plain)]
    if wanted is None:
        return ""
    roles = {site.role for site in found if site.role}
    if wanted.role and roles and wanted.role not in roles:
        return "who acts on whom may be the other way round"
    here, there = set(words(_text(mine))), set(words(_text(theirs)))
    subjects = {site.subject for site in found if site.subject} - _EMPTY
    if not subjects or wanted.subject in {"", *_EMPTY, *subjects}:
        return ""
    swapped = wanted.subject in there and subjects <= here
    return "who acts on whom may be the other way round" if swapped else ""


def _persons(mine: tuple[Sentence, ...], theirs: tuple[Sentence, ...]) -> str:
    here, there = set(words(_text(mine))), set(words(_text(theirs)))
    other = not _YOU.isdisjoint(here) and _YOU.isdisjoint(there) and not (_OTHERS & there) <= here
    return "it may be asked of somebody else" if other else ""


def _symbols(mine: tuple[Sentence, ...], window: Window) -> str:
    here, there = " ".join(one.text for one in mine), " ".join(one.text for one in window.asking + window.named)
    if signs(here) != signs(there, beside=here):
        return "a sign or emoji differs"
    return "a number differs" if not numbers(here) <= numbers(there) else ""


def _marks(mine: tuple[Sentence, ...], theirs: tuple[Sentence, ...]) -> str:
    here, there = set(words(_text(mine))), set(words(_text(theirs)))
    marked = (here ^ there) & _MARKS
    if not marked and bool(_ELSE.search(_text(mine))) != bool(_ELSE.search(_text(theirs))):
        marked = {"else"}
    return f"a word may change what is asked: {min(marked)}" if marked else ""


def _missing_part(wanted: Planned, window: Window) -> str:
    everywhere = tuple(unit for one in window.named for unit in one.units) + window.lead
    there = {stem for one in window.asking + window.named for stem in one.stems}
    for one in wanted.asking:
        for part in _parts(one.plain):
            named = units(part)
            held = (
                any(alike(unit, other) for unit in named for other in everywhere)
                if named
                else set(stems(part)) <= there
            )
            if not held:
                return f"a part of the planned question may be missing: {part}"
    return ""


@lru_cache(maxsize=4_096)
def _parts(text: str) -> tuple[str, ...]:
    return tuple(part for found in _JOINED.finditer(text) for part in (*(found[1].split(", ")), found[2]))


def _text(found: tuple[Sentence, ...]) -> str:
    return " ".join(one.plain for one in found)
