"""What was really asked: transcripts against questions, sentence by sentence, and what of it was heard."""

from dataclasses import dataclass, field

import numpy as np

from interviewer.agents.small_talk import declines
from interviewer.call.attempts import Attempts, Offer
from interviewer.call.hub import Hub
from interviewer.call.replies import Reply
from interviewer.matching.scorer import Scorer
from interviewer.matching.text import Span, asks, content_words, questions, sentences, words

_COUNTER_QUESTION = 12
_NEVER_MS = 3_600_000  # beyond the sound there is: the sound of this item did not come


@dataclass(slots=True)
class Sentence:
    """A sentence that asks. `end_ms`: where in the response's audio it ends, estimated by characters.

    `cut`: its item's audio is too short for its text, so that nobody knows where the sentence ends, or whether it does.
    """

    text: str
    item_id: str
    start: int
    end_ms: int
    own_score: float | None = None
    other_id: str | None = None
    other_score: float | None = None
    heard: bool = False
    cut: bool = False


@dataclass(slots=True)
class Reading:
    """What a finished transcript says about the attempt it was to carry out."""

    sentences: list[Sentence]
    asked: Sentence | None = None
    verdict: str = ""
    heard: list[Sentence] = field(default_factory=list)


class Hearing:
    """Moves the current attempt by what its response said and what of it was played; keeps the memory of the heard."""

    def __init__(self, hub: Hub, attempts: Attempts, scorer: Scorer) -> None:
        self._hub = hub
        self._attempts = attempts
        self._scorer = scorer
        self._threshold = hub.settings.match.contains
        self._readings: dict[int, Reading] = {}

    def progress(self, reply: Reply) -> None:
        """The reply is done, or more of it was played: say what that proves."""
        if reply.done_ms is None:
            return
        reading = self._readings.get(reply.number)
        offer = self._offer(reply)
        if reading is None:
            reading = self._readings[reply.number] = self._read(reply, offer)
        self._hear(reply, reading, offer)
        if offer:
            self._judge(reply, reading, offer)

    def over(self, reply: Reply) -> None:
        """Nothing more will be played: an attempt still open falls short."""
        reading = self._readings.pop(reply.number, None)
        if reading is None:
            reading = self._read(reply, self._offer(reply))
            self._hear(reply, reading, self._offer(reply))
        offer = self._offer(reply)
        if offer is None:
            return
        asked = reading.asked or (reading.sentences[-1] if reading.sentences else None)
        if reply.status != "completed" and asked is not None and asked.heard:
            self._attempts.hold(offer, "cut", reply.played_ms, response_id=reply.response_id, status=reply.status)
        else:
            self._attempts.release(offer, _release_reason(reply), reply.played_ms, response_id=reply.response_id)

    def answered(self, turn_id: str, text: str) -> None:
        """The guest spoke after a question that is held as unconfirmed: whatever it was, it was answered.

        Without this every paraphrase that the scorer misses would be asked again. A short turn, or a question back,
        is no answer.
        """
        said = words(text)
        back = text.rstrip().endswith("?") and len(said) < _COUNTER_QUESTION
        if len(said) < self._hub.settings.call.answer_words or back or not self._hub.ledger.heard:
            return
        response_id = self._hub.ledger.heard[-1].evidence.get("response_id")
        for heard in reversed(self._hub.ledger.heard):
            if heard.evidence.get("response_id") != response_id:
                return
            question = self._hub.ledger.questions.get(str(heard.evidence.get("candidate")))
            if question is None or question.status != "held":
                continue
            if declines(text):
                if question.nothing is None:
                    self._hub.log("nothing", question.id, basis="inferred", turn=turn_id)
            elif question.answered is None:
                self._hub.log(
                    "answered",
                    question.id,
                    known="matched",
                    basis="inferred",
                    turn=turn_id,
                    volunteered=False,
                    words=len(said),
                )

    def _offer(self, reply: Reply) -> Offer | None:
        for offer in (self._attempts.current, self._attempts.next):
            if offer and reply.attempt_id == offer.attempt_id:
                return offer
        return None

    # -- reading the transcript --------------------------------------------------------------------------------

    def _read(self, reply: Reply, offer: Offer | None) -> Reading:
        reading = Reading(_asking(reply, self._hub.settings.match.fastest_ms_per_char))
        self._score(reading, offer)
        if offer is None:
            return reading
        own = [s for s in reading.sentences if s.own_score is not None and s.own_score > self._threshold]
        best = max(own, key=lambda s: s.own_score or 0.0, default=None)
        if best is not None and (best.other_score or 0.0) <= (best.own_score or 0.0):
            reading.asked, reading.verdict = best, "asked"
        elif not reading.sentences:
            reading.verdict = "silent"
        elif any((s.other_score or 0.0) > self._threshold for s in reading.sentences):
            reading.verdict = "other"
        else:
            reading.asked, reading.verdict = reading.sentences[-1], "unconfirmed"
        if reading.verdict == "asked" and reply.status == "completed":
            self._generated(reply, reading, offer)
        return reading

    def _score(self, reading: Reading, offer: Offer | None) -> None:
        if not reading.sentences:
            return
        # Only planned questions can be meant by chance: what the voice or a gap brought up is worded too generally.
        planned = [q for q in self._hub.ledger.questions.values() if q.planned]
        others = [q for q in planned if offer is None or q.id != offer.question_id]
        own: list[str] = []
        if offer:
            own = wordings(offer.text, self._hub.ledger.questions[offer.question_id].text)
        # The voice may say a name that was put right meanwhile, or the one that was heard.
        right = self._hub.names.text
        asked = [right(text) for text in (*own, *(q.text for q in others))]
        scores = self._scorer.matrix([right(s.text) for s in reading.sentences], asked)
        scores = np.nan_to_num(scores, nan=-1.0)
        for sentence, row in zip(reading.sentences, scores, strict=True):
            if own and (score := float(row[: len(own)].max())) >= 0:
                sentence.own_score = round(score, 6)
            if others:
                place = int(row[len(own) :].argmax())
                if (score := float(row[len(own) + place])) > self._threshold:
                    sentence.other_id, sentence.other_score = others[place].id, round(score, 6)

    def _generated(self, reply: Reply, reading: Reading, offer: Offer) -> None:
        asked = reading.asked
        assert asked is not None
        self._hub.log(
            "generated",
            offer.question_id,
            offer.attempt_id,
            known="matched",
            basis=reply.basis,
            response_id=reply.response_id,
            item_id=asked.item_id,
            sentence=asked.text,
            score=asked.own_score,
            threshold=self._threshold,
            scorer=f"{self._scorer.name}/{self._scorer.version}",
            end_ms=asked.end_ms,
            total_ms=reply.total_ms,
        )

    # -- what was heard of it ----------------------------------------------------------------------------------

    def _hear(self, reply: Reply, reading: Reading, offer: Offer | None) -> None:
        for sentence in reading.sentences:
            if not sentence.heard and self._reached(reply, sentence):
                sentence.heard = True
                self._remember(reply, reading, sentence, offer)

    def _reached(self, reply: Reply, sentence: Sentence) -> bool:
        if reply.total_ms == 0:
            return reply.displayed
        # A tolerance as long as the sentence would credit what was not heard at all.
        tolerance = min(self._hub.settings.match.delivered_tolerance_ms, sentence.end_ms // 2)
        return 0 < reply.played_ms >= sentence.end_ms - tolerance

    def _remember(self, reply: Reply, reading: Reading, sentence: Sentence, offer: Offer | None) -> None:
        question_id: str | None = None
        matched = False
        if offer and sentence is reading.asked:
            question_id = offer.question_id if reading.verdict == "asked" else None
        elif sentence.other_id and (sentence.other_score or 0.0) > (sentence.own_score or 0.0):
            question_id, matched = sentence.other_id, True
        elif reading.verdict != "asked" or sentence.own_score is None or sentence.own_score <= self._threshold:
            question_id = self._own_question(sentence)
        self._hub.log(
            "heard",
            question_id,
            reply.attempt_id,
            known="matched" if matched else "live",
            basis="inferred",
            text=sentence.text,
            response_id=reply.response_id,
            item_id=sentence.item_id,
            start=sentence.start,
            candidate=offer.question_id if offer and sentence is reading.asked else None,
        )
        if matched and question_id:
            self._cover(question_id, reply, sentence)

    def _own_question(self, sentence: Sentence) -> str:
        question_id = f"v{self._hub.count('voice question')}"
        self._hub.log("question", question_id, text=sentence.text, priority=3, planned=False, source="voice")
        return question_id

    def _cover(self, question_id: str, reply: Reply, sentence: Sentence) -> None:
        question = self._hub.ledger.questions[question_id]
        if question.status == "delivered" or question.covered:
            return
        self._hub.log(
            "covered",
            question_id,
            known="matched",
            basis="inferred",
            text=sentence.text,
            score=sentence.other_score,
            threshold=self._threshold,
            scorer=f"{self._scorer.name}/{self._scorer.version}",
            response_id=reply.response_id,
        )
        waiting = self._attempts.next
        if waiting and waiting.question_id == question_id:
            self._attempts.release(waiting, "superseded", detail="it was asked meanwhile")

    # -- the attempt -------------------------------------------------------------------------------------------

    def _judge(self, reply: Reply, reading: Reading, offer: Offer) -> None:
        if reply.status != "completed":
            return
        if reading.verdict in ("silent", "other"):
            self._attempts.release(
                offer, "wandered", reply.played_ms, response_id=reply.response_id, detail=reading.verdict
            )
            return
        asked = reading.asked
        if asked is None or not asked.heard:
            return
        if reading.verdict == "unconfirmed" or asked.cut:
            self._attempts.hold(
                offer,
                "unconfirmed",
                reply.played_ms,
                response_id=reply.response_id,
                sentence=asked.text,
                score=asked.own_score,
                threshold=self._threshold,
                scorer=f"{self._scorer.name}/{self._scorer.version}",
                **({"detail": "the audio is shorter than its transcript"} if asked.cut else {}),
            )
            self._attempts.send()
            return
        self._attempts.deliver(
            offer,
            response_id=reply.response_id,
            item_id=asked.item_id,
            status=reply.status,
            played_ms=reply.played_ms,
            total_ms=reply.total_ms,
            end_ms=asked.end_ms,
            tolerance_ms=self._hub.settings.match.delivered_tolerance_ms,
            displayed=reply.displayed,
        )


def wordings(*texts: str) -> list[str]:
    """What counts as the question: each text whole, its sentences, and what it asks after a quote and a colon.

    'You said "we used it": what would have been better?' is asked by "What would have been better?" alone, when
    the sentence before it brings the quote.
    """
    found: dict[str, None] = dict.fromkeys(texts)
    for text in texts:
        asked = [span.text for span in questions(text)] or [text]
        found |= dict.fromkeys(asked)
        found |= {tail: None for part in asked if content_words(tail := part.rpartition(": ")[2])}
    return list(found)


def heard_text(reply: Reply) -> str:
    """The part of a reply's text that was played, by characters; all of it if it was shown instead of played."""
    if reply.total_ms == 0:
        return reply.text if reply.displayed else ""
    left, parts = reply.played_ms, []
    for item in reply.items.values():
        share = min(1.0, left / item.audio_ms) if item.audio_ms else 0.0
        parts.append(item.text if share == 1.0 else item.text[: int(len(item.text) * share)])
        left = max(0, left - item.audio_ms)
    return " ".join(part.strip() for part in parts if part.strip())


def _asking(reply: Reply, fastest_ms: int) -> list[Sentence]:
    found: list[Sentence] = []
    offset = 0
    for item in reply.items.values():
        for span in sentences(item.text):
            if asks(span.text) and not _broken_off(reply, item.text, span):
                end_ms = offset + max(round(item.audio_ms * span.end / len(item.text)), fastest_ms * span.end)
                if item.audio_ms == 0 and reply.total_ms:
                    end_ms = reply.total_ms + _NEVER_MS
                cut = 0 < item.audio_ms < fastest_ms * len(item.text)
                found.append(Sentence(span.text, item.id, span.start, end_ms, cut=cut))
        offset += item.audio_ms
    return found


def _broken_off(reply: Reply, text: str, span: Span) -> bool:
    """Whether a response that did not complete stops within this sentence: nobody was asked "I'd love to hear"."""
    last = span.end == len(text.rstrip())
    return last and reply.status != "completed" and span.text.rstrip("\"'”’) ")[-1:] not in (".", "?", "!")


def _release_reason(reply: Reply) -> str:
    if reply.status == "completed":
        return "not_played"
    if reply.status in ("cancelled", "incomplete", "failed", "refused", "timed_out", "disconnected"):
        return reply.status
    return "failed"
