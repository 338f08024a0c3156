"""What the final words of a reply ask: its sentences against the question it was to ask and against all others."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from interviewer.call.attempts import Offer
from interviewer.call.hub import Hub
from interviewer.call.replies import Reply
from interviewer.matching.contains import Finding, Judgement
from interviewer.matching.contains_form import sentence as form
from interviewer.matching.scorer import Scorer
from interviewer.matching.text import Span, asks, content_words, questions, sentences

_NEVER_MS = 3_600_000  # beyond the sound there is: the sound of this item did not come

_OTHERS_LEAST = 0.3
"""With less of it there no other question comes near the upper end of a grey band."""

Verdict = Literal["", "asked", "silent", "other", "unconfirmed"]


@dataclass(slots=True)
class Sentence:
    """A sentence that asks, the `place`th of all. `end_ms`: where in the response's audio it ends, by characters.

    `cut`: its item's audio is too short for its text, so that nobody knows where the sentence ends, or whether it does.
    """

    text: str
    item_id: str
    start: int
    end_ms: int
    place: int = 0
    own_score: float | None = None
    other_id: str | None = None
    other_score: float | None = None
    heard: bool = False
    cut: bool = False


@dataclass(slots=True)
class Reading:
    """What a finished transcript says about the attempt it was to carry out. `judging`: a model has been asked."""

    sentences: list[Sentence]
    asked: Sentence | None = None
    verdict: Verdict = ""
    reason: str = ""
    heard: list[Sentence] = field(default_factory=list)
    judging: bool = False


class Rule(Protocol):
    """Tells a question by words. `scorer`: its name and version; `threshold`: a score above it is a match."""

    scorer: str
    threshold: float

    def score(self, reading: Reading, spoken: tuple[str, ...], own: Sequence[str], others: dict[str, str]) -> Finding:
        """Set the scores of each sentence; say whether one of `own`, texts of the question meant, is there."""


class SharedWords:
    """The essays' rule: a sentence is the question if the scorer of `match.scorer` puts it above a threshold."""

    def __init__(self, scorer: Scorer, threshold: float) -> None:
        self._scorer, self.threshold = scorer, threshold
        self.scorer = f"{scorer.name}/{scorer.version}"

    def score(self, reading: Reading, spoken: tuple[str, ...], own: Sequence[str], others: dict[str, str]) -> Finding:
        """See `Rule`."""
        texts = [text for one in own for text in wordings(one)]
        scores = self._scorer.matrix([spoken[s.place] for s in reading.sentences], [*texts, *others.values()])
        ids = list(others)
        for sentence, row in zip(reading.sentences, np.nan_to_num(scores, nan=-1.0), strict=True):
            if texts and (score := float(row[: len(texts)].max())) >= 0:
                sentence.own_score = round(score, 6)
            if ids:
                place = int(row[len(texts) :].argmax())
                if (score := float(row[len(texts) + place])) > self.threshold:
                    sentence.other_id, sentence.other_score = ids[place], round(score, 6)
        best = max(reading.sentences, key=lambda s: -1.0 if s.own_score is None else s.own_score)
        found = best.own_score is not None and best.own_score > self.threshold
        return Finding(best.own_score or 0.0, "yes" if found else "unconfirmed", "", best.place if found else -1)


class GreyBand:
    """The stored grey band of the scorer `contains`: yes, unconfirmed, no."""

    def __init__(self, judgement: Judgement) -> None:
        self._judgement, self.threshold = judgement, judgement.yes
        self.scorer = f"{judgement.scorer.name}/{judgement.scorer.version}"

    def score(self, reading: Reading, spoken: tuple[str, ...], own: Sequence[str], others: dict[str, str]) -> Finding:
        """See `Rule`."""
        by_place = {sentence.place: sentence for sentence in reading.sentences}
        for text in own:
            for place, score in self._judgement.scorer.scan(text, spoken).items():
                if place in by_place:
                    by_place[place].own_score = round(max(score, by_place[place].own_score or 0.0), 6)
        for question_id, text in others.items():
            for place, score in self._judgement.scorer.scan(text, spoken, _OTHERS_LEAST).items():
                sentence = by_place.get(place)
                if sentence and score > max(self.threshold, sentence.other_score or 0.0):
                    sentence.other_id, sentence.other_score = question_id, round(score, 6)
        found = [self._judgement.find_in(text, spoken) for text in own]
        return max(found, key=lambda one: (one.verdict == "yes", np.nan_to_num(one.score)), default=Finding(0.0, "no"))


class Reader:
    """Reads replies by the rule that `match.contains` names."""

    def __init__(self, hub: Hub, scorer: Scorer) -> None:
        self._hub = hub
        match = hub.settings.match
        words = match.contains if isinstance(match.contains, float) else None
        self.rule: Rule = GreyBand(Judgement.of(match)) if words is None else SharedWords(scorer, words)

    def read(self, reply: Reply, offer: Offer | None) -> Reading:
        """What a reply whose words are final asked; without an attempt only which planned questions it may have hit."""
        reading, spoken = _asking(reply, self._hub.settings.match.fastest_ms_per_char)
        if not reading.sentences:
            reading.verdict = "silent" if offer else ""
            return reading
        # Only planned questions can be meant by chance: what the voice or a gap brought up is worded too generally.
        # The voice may say a name that was put right meanwhile, or the one that was heard.
        right = self._hub.names.text
        planned = {q.id: right(q.text) for q in self._hub.ledger.questions.values() if q.planned}
        own: list[str] = []
        if offer:
            planned.pop(offer.question_id, None)
            own = [right(offer.text), right(self._hub.ledger.questions[offer.question_id].text)]
        found = self.rule.score(reading, tuple(map(right, spoken)), list(dict.fromkeys(own)), planned)
        if offer:
            self._decide(reading, found)
        return reading

    def _decide(self, reading: Reading, found: Finding) -> None:
        best = next((s for s in reading.sentences if s.place == found.sentence), None)
        reading.reason = found.reason
        if found.verdict == "yes" and best and (best.other_score or 0.0) <= (best.own_score or 0.0):
            reading.asked, reading.verdict = best, "asked"
        elif found.verdict == "no" or any((s.other_score or 0.0) > self.rule.threshold for s in reading.sentences):
            reading.verdict = "other"
        else:
            reading.asked, reading.verdict = reading.sentences[-1], "unconfirmed"


def wordings(text: str) -> list[str]:
    """What counts as the question by shared words: it whole, its sentences, what it asks after a quote and a colon.

    'You said "we used it": what would have been better?' is asked by "What would have been better?" alone, when
    the sentence before it brings the quote.
    """
    found: dict[str, None] = {text: None}
    asked = [span.text for span in questions(text)] or [text]
    found |= dict.fromkeys(asked)
    found |= {tail: None for part in asked if content_words(tail := part.rpartition(": ")[2])}
    return list(found)


def _asking(reply: Reply, fastest_ms: int) -> tuple[Reading, tuple[str, ...]]:
    """The sentences that ask, and all sentences."""
    found: list[Sentence] = []
    spoken: list[str] = []
    offset = 0
    for item in reply.items.values():
        for span in sentences(item.text):
            if (asks(span.text) or form(span.text).asks) and not _broken_off(reply, item.text, span):
                end_ms = offset + max(round(item.audio_ms * span.end / len(item.text)), fastest_ms * span.end)
                if item.audio_ms == 0 and reply.total_ms:
                    end_ms = reply.total_ms + _NEVER_MS
                cut = 0 < item.audio_ms < fastest_ms * len(item.text)
                found.append(Sentence(span.text, item.id, span.start, end_ms, len(spoken), cut=cut))
            spoken.append(span.text)
        offset += item.audio_ms
    return Reading(found), tuple(spoken)


def _broken_off(reply: Reply, text: str, span: Span) -> bool:
    """Whether a response that did not complete stops within this sentence: nobody was asked "I'd love to hear"."""
    last = span.end == len(text.rstrip())
    return last and reply.status != "completed" and span.text.rstrip("\"'”’) ")[-1:] not in (".", "?", "!")
