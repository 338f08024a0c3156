"""The Analyst: what the whole conversation came to, with the guest's words as evidence."""

import re
from collections.abc import Sequence
from typing import Literal

from interviewer.agents.base import WHOLE, Agent, AgentInput
from interviewer.agents.cues import Kind
from interviewer.agents.offered import turn_ids
from interviewer.agents.passages import Sentence, printable
from interviewer.agents.phrases import heading, telling
from interviewer.agents.prompts import Piece
from interviewer.agents.quotes import locate
from interviewer.agents.selection import Scale
from interviewer.agents.signals import kinds
from interviewer.agents.themes import themes
from interviewer.agents.wording import DATA_RULE, line, notes, person, transcript
from interviewer.matching.text import content_words, words
from interviewer.model.notes import Notes
from interviewer.model.outcome import AnalysedClaim, Analysis, Quote
from interviewer.model.turn import Said

INSTRUCTIONS = f"""
You read a finished interview, the whole of it, and say what it came to.

- goal_met and assessment: how far the goal of the interview was reached, soberly, with what is still missing.
- claims: what the guest holds to be so, each with the quotes that support it.
- themes: threads that run through several turns, with the ids of those turns.
- tensions: where the guest's words pull in two directions, both sides quoted.
- quotes: the lines most worth printing.
- title and subtitle: a title from a telling phrase of the guest's, a subtitle that says what it is about.

Every quote is copied letter for letter from one guest turn, with that turn's id. Say nothing that the transcript does
not hold, and put nothing of the interviewer's into the guest's mouth. Write in the language of the conversation.

{DATA_RULE}
"""

_MOST_CLAIMS, _MOST_TENSIONS, _MOST_QUOTES = 8, 5, 8
_CLAIMING: frozenset[Kind] = frozenset(["figure", "insight", "comparison", "distrust"])
_NO_CLAIM: frozenset[Kind] = frozenset(["hedge", "vague", "unfinished", "withheld", "story"])
_SUPPORT = re.compile(
    r"^(?:because|for example|for instance|one time|once|like when|i remember|that's why)\b", re.IGNORECASE
)
_TURN_OF_THOUGHT = re.compile(
    r"\b(?:but|yet|on the other hand|although|even though|instead of|rather than|used to|at the same time|except)\b",
    re.IGNORECASE,
)
_LEAST_SIDE = 4
_LONGEST_TENSION = 50
_QUOTE_WORDS = (6, 35)
_TITLE_WORDS = 7
_TITLE_FROM = 60


class AnalystInput(AgentInput):
    """The goal, the whole conversation and the notes."""

    goal: str
    turns: tuple[Said, ...]
    notes: Notes


def analyse(data: AnalystInput) -> Analysis:
    """A reading by counting and by the guest's own words; it judges nothing that needs understanding."""
    found = printable(data.turns)
    scale = Scale(found, [line.quote for line in data.notes.lines])
    weighed = sorted(found, key=lambda s: (-scale.weight(s), s.order, s.index))
    met, assessment = _goal(data)
    title, subtitle = _title(data, weighed, scale)
    return Analysis(
        goal_met=met,
        assessment=assessment,
        claims=_claims(data, found, weighed),
        themes=themes(found, data.topic),
        tensions=_tensions(data, weighed),
        quotes=_quotes(data, weighed),
        title=title,
        subtitle=subtitle,
    )


def _goal(data: AnalystInput) -> tuple[Literal["no", "partly", "mostly", "fully"], str]:
    """How far the goal was reached as far as counting tells, and a sentence that says what was counted."""
    said = sum(len(words(turn.text)) for turn in data.turns if turn.speaker == "guest")
    if not said:
        return "no", "The guest said nothing that was written down, so the goal was not reached."
    sections = data.notes.coverage
    deep = sum(1 for c in sections if c.depth == "deep")
    reached = sum(1 for c in sections if c.depth in ("some", "deep"))
    closed = set(data.notes.resolved)
    gaps = sum(1 for gap in data.notes.gaps if gap.id not in closed)
    answered = len(data.notes.answered)
    counted = [
        f"{said} {_plural('word', said)} of the guest's",
        f"{answered} planned {_plural('question', answered)} answered",
    ]
    if sections:
        counted.append(f"{reached} of {len(sections)} sections reached in some depth, {deep} of them deeply")
    counted.append(f"{gaps} {_plural('gap', gaps)} left open")
    told = f"Counted, not judged: {'; '.join(counted)}. Whether that meets the goal is for a reader to say."
    if not sections:
        return "partly", told
    share = reached / len(sections)
    if not reached:
        return "no", told
    return "partly" if share < 0.6 else "mostly" if share < 1 or gaps else "fully", told


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _claims(data: AnalystInput, found: Sequence[Sentence], weighed: Sequence[Sentence]) -> tuple[AnalysedClaim, ...]:
    """The Note-Taker's claims first, then sentences that state a figure, a rule or a comparison."""
    claims: list[AnalysedClaim] = []
    for claim in data.notes.claims:
        if (place := locate(claim.quote, data.turns)) and place.kind == "exact":
            claims.append(AnalysedClaim(text=claim.text, evidence=(Quote(text=claim.quote, turn=place.turn),)))
    after = {(s.order, s.index): s for s in found}
    for sentence in weighed:
        what = kinds(sentence.text)
        if sentence.opens and what & _CLAIMING and not what & _NO_CLAIM and not _told(sentence, claims):
            follower = after.get((sentence.order, sentence.index + 1))
            support = [follower] if follower and _SUPPORT.match(follower.text) else []
            evidence = tuple(Quote(text=s.text, turn=s.turn) for s in [sentence, *support])
            claims.append(AnalysedClaim(text=heading(sentence.text), evidence=evidence))
    return tuple(claims[:_MOST_CLAIMS])


def _told(sentence: Sentence, claims: Sequence[AnalysedClaim]) -> bool:
    held = content_words(sentence.text)
    quoted = (content_words(quote.text) for claim in claims for quote in claim.evidence)
    return any(len(held & other) >= 0.7 * min(len(held), len(other)) for other in quoted)


def _tensions(data: AnalystInput, weighed: Sequence[Sentence]) -> tuple[str, ...]:
    """Contradictions of the notes with both quotes, then sentences that turn against themselves; all word for word."""
    tensions: list[str] = []
    for pair in data.notes.contradictions:
        first, second = locate(pair.first_quote, data.turns), locate(pair.second_quote, data.turns)
        if first and second:
            tensions.append(f"“{pair.first_quote}” ({first.turn}) and “{pair.second_quote}” ({second.turn})")
    for sentence in weighed:
        if _two_sided(sentence.text):
            tensions.append(f"“{sentence.text}” ({sentence.turn})")
    return tuple(tensions[:_MOST_TENSIONS])


def _two_sided(text: str) -> bool:
    return len(words(text)) <= _LONGEST_TENSION and any(
        len(words(text[: turn.start()])) >= _LEAST_SIDE and len(words(text[turn.end() :])) >= _LEAST_SIDE
        for turn in _TURN_OF_THOUGHT.finditer(text)
    )


def _quotes(data: AnalystInput, weighed: Sequence[Sentence]) -> tuple[Quote, ...]:
    """Lines the Note-Taker kept, then the heaviest sentences of a printable length."""
    quotes: list[Quote] = []
    for noted in data.notes.lines:
        if (place := locate(noted.quote, data.turns)) and place.kind == "exact":
            quotes.append(Quote(text=noted.quote, turn=place.turn))
    kept = [words(quote.text) for quote in quotes]
    for sentence in weighed:
        said = words(sentence.text)
        if sentence.opens and _QUOTE_WORDS[0] <= len(said) <= _QUOTE_WORDS[1] and said not in kept:
            quotes.append(Quote(text=sentence.text, turn=sentence.turn))
    return tuple(quotes[:_MOST_QUOTES])


def _title(data: AnalystInput, weighed: Sequence[Sentence], scale: Scale) -> tuple[str, str]:
    """A telling phrase of the guest's over the topic; the topic alone if there is none."""
    noted = (title for title in data.notes.titles if locate(title, data.turns))
    offered = telling(weighed[:_TITLE_FROM], scale.weight, data.topic, _TITLE_WORDS)
    phrase = next(noted, None) or (offered[0].text if offered else "")
    return (heading(phrase), data.topic) if phrase else (data.topic, "")


def _data(data: AnalystInput) -> Sequence[Piece]:
    return (*person(data), line("goal", data.goal), notes(data.notes), transcript(data.turns))


ANALYST = Agent(
    name="analyst",
    input=AnalystInput,
    output=Analysis,
    instructions=INSTRUCTIONS,
    data=_data,
    rules=analyse,
    offers=lambda data: dict.fromkeys(("turn", "turns"), turn_ids(data.turns)),
    budget=WHOLE,
)
