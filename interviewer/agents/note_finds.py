"""Ideas, stories, claims and quotable lines in a guest's turns, all in the guest's own words."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from interviewer.agents.clauses import whole_clause
from interviewer.agents.cues import Kind
from interviewer.agents.noun_phrases import noun_phrases
from interviewer.agents.phrases import stands
from interviewer.agents.signals import WEIGHT, kinds, signals, strength
from interviewer.agents.small_talk import idle
from interviewer.matching.text import Span, content_words, sentences, words
from interviewer.model.notes import Claim, Confidence, Idea, Line, Story
from interviewer.model.turn import Said

MOST_IDEAS, MOST_STORIES, MOST_CLAIMS, MOST_LINES = 4, 3, 4, 3
MOST_LAST_LINES, MOST_TITLES = 6, 3
_THOUGHTS: frozenset[Kind] = frozenset(["insight", "distrust", "turning_point", "objection"])
_CHECKABLE: frozenset[Kind] = frozenset(["figure", "comparison"])
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|came|said|told|got|took|made|saw|found|thought|knew|left|began|[a-z]{3,}ed)\b", re.I
)
_LONGEST = 160  # characters of a note's text

Place = tuple[Said, Span]


def ideas(turns: Sequence[Said], known: frozenset[str]) -> tuple[Idea, ...]:
    """At most four thoughts that are not yet noted, the most telling first."""
    found = _best(turns, known, MOST_IDEAS, _is_thought)
    return tuple(Idea(id="", text=_short(span.text), quote=span.text, turn=turn.id) for turn, span in found)


def stories(turns: Sequence[Said], known: frozenset[str]) -> tuple[Story, ...]:
    """At most three things that happened, one a turn, each with the sentence that follows it."""
    found = _best(turns, known, MOST_STORIES * 3, _is_story)
    first = {turn.id: (turn, span) for turn, span in reversed(found)}
    kept = [place for place in found if first[place[0].id] == place][:MOST_STORIES]
    return tuple(
        Story(id="", text=_short(span.text), quote=_with_next(turn.text, span), turn=turn.id) for turn, span in kept
    )


def claims(turns: Sequence[Said], known: frozenset[str]) -> tuple[Claim, ...]:
    """At most four statements with a figure or a comparison; a hedged one is of low confidence."""
    found = _best(turns, known, MOST_CLAIMS, _is_claim)
    return tuple(
        Claim(id="", text=_short(span.text), confidence=_confidence(span.text), quote=span.text, turn=turn.id)
        for turn, span in found
    )


def lines(turns: Sequence[Said], known: frozenset[str], most: int) -> tuple[Line, ...]:
    """At most `most` sentences short and telling enough to be quoted."""
    found = _best(turns, known, most, _is_line)
    return tuple(Line(quote=span.text, turn=turn.id) for turn, span in found)


def titles(found: Sequence[Line]) -> tuple[str, ...]:
    """At most three short clauses of quotable lines that could stand above the piece."""
    offered: list[str] = []
    for line in found:
        clauses = (whole_clause(line.quote, s.cue.start, s.cue.end) for s in signals(line.quote))
        named = [phrase.text for phrase, _ in noun_phrases(line.quote)]
        offers = [*(found.text for found in clauses if found), *named]
        piece = next((offer for offer in offers if _is_title(offer)), None)
        if piece:
            offered.append(piece[0].upper() + piece[1:])
    return tuple(dict.fromkeys(offered))[:MOST_TITLES]


def _is_title(text: str) -> bool:
    return 3 <= len(words(text)) <= 8 and stands(text) and len(content_words(text)) > 1


def _is_thought(text: str) -> bool:
    return bool(kinds(text) & _THOUGHTS) and 6 <= len(words(text)) <= 45


def _is_story(text: str) -> bool:
    return "story" in kinds(text) and len(_PAST.findall(text)) > 1


def _is_claim(text: str) -> bool:
    return bool(kinds(text) & _CHECKABLE) and len(words(text)) >= 5


def _is_line(text: str) -> bool:
    return strength(text) >= 3 and 5 <= len(words(text)) <= 24


def _best(turns: Sequence[Said], known: frozenset[str], most: int, fits: Callable[[str], bool]) -> list[Place]:
    """The most telling sentences that fit; of equals, the newest first."""
    spoken = ((turn, span) for turn in turns if turn.speaker == "guest" for span in _statements(turn.text, fits))
    found = [place for place in spoken if place[1].text not in known]
    found.reverse()
    return sorted(found, key=lambda place: -strength(place[1].text))[:most]


@lru_cache(maxsize=16_384)
def _statements(text: str, fits: Callable[[str], bool]) -> tuple[Span, ...]:
    """The sentences of a turn that could be noted as something; a window shows them cycle after cycle."""
    found = (span for span in sentences(text) if fits(span.text))
    return tuple(span for span in found if not span.text.endswith("?") and not idle(span.text))


def _with_next(text: str, span: Span) -> str:
    following = next((other for other in sentences(text) if other.start > span.start), None)
    return text[span.start : following.end] if following else span.text


def _confidence(text: str) -> Confidence:
    found = kinds(text)
    if "hedge" in found:
        return "low"
    return "high" if "figure" in found else "medium"


def _short(text: str) -> str:
    """The sentence, or its most telling clause where it is long."""
    if len(text) <= _LONGEST:
        return text
    telling = max(signals(text), key=lambda signal: WEIGHT[signal.kind], default=None)
    return telling.clause.text if telling else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
