"""From the page back to the talk: for every sentence of an essay the turn it is from, or that there is none."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from interviewer.agents.quotes import as_said, locate
from interviewer.agents.signals import names
from interviewer.matching.text import STOP_WORDS, plain, sentences, words
from interviewer.model.outcome import Essay
from interviewer.model.turn import Said

Match = Literal["exact", "near", "none"]

_MARKUP = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+|>\s?|[-+*]\s+|\d+[.)]\s+)|(?<!\\)[*_`]+|!?\[(?=[^\]]*\]\()|\]\([^)]*\)|<[^>]*>"
)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]#|~$+=.()!<>-])")
_NUMBER_WORDS = frozenset(
    """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third quarter
    dozen twice percent first second third january february march april june july august september october november
    december monday tuesday wednesday thursday friday saturday sunday
    """.split()
)
_HAPPENED = re.compile(
    r"\b(?:was|were|had|did|went|came|said|told|got|took|made|saw|found|thought|knew|left|began|became|bought|sold|built|"
    r"lost|won|paid|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"\b(?:is|are|has|have|does|do|can|cannot|can't|must|never|always|costs?|needs?|means|works?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Traced:
    """A sentence as it stands on the page; `turn` is where the guest said it, exactly or nearly so.

    `factual`: it states something that happened or is so. `flagged`: it does and cannot be traced, or it is near but
    names a figure or a name that the guest's words lack. `distance` counts the words that differ.
    """

    sentence: str
    turn: str | None
    kind: Match
    factual: bool
    distance: int = 0
    flagged: bool = False


def trace(essay: Essay, turns: Sequence[Said]) -> list[Traced]:
    """Every sentence of the essay's Markdown, headings too, with the guest's turn it is from.

    It goes by what a reader sees, not by what the Writer says its sentences are. Title and subtitle stand for the
    whole and are left out if they are the essay's own; what the interviewer said counts as said by nobody.
    """
    return [_traced(sentence, turns) for sentence in page_sentences(essay)]


def page_sentences(essay: Essay) -> Iterator[str]:
    """The sentences of an essay as a reader sees them, without marks."""
    own = {words(essay.title)}
    if essay.sentences and essay.sentences[0].turn is None and f"*{essay.sentences[0].text}*" in essay.markdown[:2_000]:
        own.add(words(essay.sentences[0].text))
    for line in essay.markdown.splitlines():
        text = visible(line)
        if words(text) not in own:
            yield from (span.text for span in sentences(text) if words(span.text))


def visible(line: str) -> str:
    """A line of Markdown as it reads: marks, links and HTML gone, escapes undone."""
    held = _ESCAPE.sub(lambda match: f"\0{ord(match[1])};", line)
    bare = html.unescape(_MARKUP.sub("", held))
    return re.sub("\0(\\d+);", lambda match: chr(int(match[1])), bare).strip()


def _traced(sentence: str, turns: Sequence[Said]) -> Traced:
    place = locate(sentence, turns)
    factual = is_factual(sentence)
    if place is None:
        return Traced(sentence, None, "none", factual, flagged=factual)
    if place.kind == "exact":
        return Traced(sentence, place.turn, "exact", factual)
    new = facts(sentence) - facts(as_said(sentence, place, turns))
    return Traced(sentence, place.turn, "near", factual, place.distance, bool(new))


def is_factual(sentence: str) -> bool:
    """Whether a sentence states something: a figure, a name, an event, or how something is. Questions do not."""
    if sentence.rstrip("\"'”’) ").endswith("?"):
        return False
    return bool(
        facts(sentence) or _HAPPENED.search(sentence) or (_STATES.search(sentence) and len(words(sentence)) > 3)
    )


def facts(sentence: str) -> frozenset[str]:
    """The figures, dates and names of a sentence, as plain words."""
    figures = {word for word in words(sentence) if word in _NUMBER_WORDS or any(c.isdigit() for c in word)}
    named = {word for name in names(sentence) for word in words(plain(name.text)) if word not in STOP_WORDS}
    return frozenset(figures | named)
