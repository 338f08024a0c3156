"""The thread that the opening of a follow-up picks up: words of the guest's, as they said them."""

import re
from collections.abc import Iterator, Sequence

from interviewer.agents.clauses import whole_clause
from interviewer.agents.grounding import ground
from interviewer.agents.noun_phrases import is_clause
from interviewer.agents.phrases import stands
from interviewer.agents.quotes import locate
from interviewer.agents.signals import WEIGHT, Signal, signals, stems
from interviewer.agents.small_talk import idle
from interviewer.matching.text import asks, content_words, sentences, words
from interviewer.memory.earlier import Thread
from interviewer.model.notes import Notes
from interviewer.model.outcome import FollowUpTopic
from interviewer.model.turn import Said

_QUOTED = re.compile(r"[“\"]([^“”\"]+)[”\"]")
_LEAST_WORDS, _MOST_WORDS = 2, 20
_LEAST_SHARED = 2
_LEAST_CONTENT = 3  # content words of a sentence that is worth taking up though nothing in it is telling


def thread(turns: Sequence[Said], notes: Notes, topic: FollowUpTopic | None = None, about: str = "") -> Thread | None:
    """What to pick up: words of the guest's that the picked topic quotes, else those nearest to it or to `about`.

    Else, unless a person said what it is `about`, a gap that is open, the latest first, else the latest telling clause,
    else the latest sentence with something in it. None if there is nothing such.
    """
    others = () if about else (*_gaps(notes), *_latest(turns), *_plain(turns))
    for quote in (*_quotes_of(topic), *_near(turns, _words_of(topic, about)), *others):
        place = locate(quote, turns)
        if place and place.kind == "exact" and _tells(quote):
            said = ground(quote, place.turn, turns)
            return Thread(quote=(said.quote if said else quote).strip(" ,;:.…"), turn=place.turn)
    return None


def _tells(quote: str) -> bool:
    """Whether there is something to pick up: not words that refuse, or only point at what was said before."""
    if _LEAST_WORDS <= len(words(quote)) <= _MOST_WORDS:
        return not idle(quote)
    return False


def _quotes_of(topic: FollowUpTopic | None) -> Iterator[str]:
    if topic is not None:
        for text in (topic.why, *topic.questions):
            yield from _QUOTED.findall(text)
        yield topic.title.rstrip("…")


def _words_of(topic: FollowUpTopic | None, about: str) -> str:
    return f"{about} {topic.title if topic else ''}"


def _near(turns: Sequence[Said], wanted: str) -> Iterator[str]:
    """Clauses of the guest's that share most with what is wanted, the most telling and latest of equals first.

    Those that stand by themselves come before fragments.
    """
    held = stems(wanted)
    found = [
        (_is_whole(text), len(held & stems(text)), WEIGHT[signal.kind], place, text)
        for place, turn in enumerate(turns)
        if turn.speaker == "guest"
        for signal in signals(turn.text)
        for text in _clauses(signal)
    ]
    least = min(_LEAST_SHARED, max(1, len(held) // 2))
    yield from (text for _, shared, _, _, text in sorted(found, reverse=True) if shared >= least)


def _clauses(signal: Signal) -> Iterator[str]:
    """The clause around what is telling, from border to border if that is one, and the few words of it."""
    at = signal.cue.start - signal.sentence.start
    if whole := whole_clause(signal.sentence.text, at, at + len(signal.cue.text)):
        yield whole.text
    yield signal.clause.text


def _is_whole(text: str) -> bool:
    return stands(text) and is_clause(text)


def _gaps(notes: Notes) -> Iterator[str]:
    yield from (gap.quote for gap in reversed(notes.gaps) if gap.quote and gap.id not in notes.resolved)


def _latest(turns: Sequence[Said]) -> Iterator[str]:
    """Telling clauses, the latest first, all that stand by themselves before the fragments."""
    found: list[str] = []
    for turn in reversed(turns):
        if turn.speaker == "guest":
            telling = sorted(signals(turn.text), key=lambda signal: -WEIGHT[signal.kind])
            found += [text for signal in telling for text in _clauses(signal)]
    yield from sorted(found, key=lambda text: not _is_whole(text))


def _plain(turns: Sequence[Said]) -> Iterator[str]:
    """Sentences of the latest answer that holds enough, the fullest first."""
    for turn in reversed(turns):
        if turn.speaker == "guest":
            whole = [span.text.strip(" .!…") for span in sentences(turn.text)]
            full = [text for text in whole if len(content_words(text)) >= _LEAST_CONTENT and not asks(text)]
            yield from sorted(full, key=lambda text: -len(content_words(text)))
