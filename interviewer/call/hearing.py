"""What was really asked: what the words of a reply prove for its attempt, and what of them was heard."""

from typing import Any

from interviewer.agents.judge import JUDGE, JudgeInput
from interviewer.agents.small_talk import declines
from interviewer.call.attempts import Attempts, Offer
from interviewer.call.guard import Guard
from interviewer.call.hub import Hub
from interviewer.call.jobs import Jobs
from interviewer.call.reading import Reader, Reading, Sentence
from interviewer.call.replies import Reply
from interviewer.ledger.events import Basis
from interviewer.matching.judge import Judged
from interviewer.matching.scorer import Scorer
from interviewer.matching.text import words

_COUNTER_QUESTION = 12


class Hearing:
    """Moves the current attempt by what its response said and what of it was played; keeps the memory of the heard."""

    def __init__(self, hub: Hub, attempts: Attempts, scorer: Scorer, jobs: Jobs, guard: Guard) -> None:
        self._hub = hub
        self._guard = guard
        self._attempts = attempts
        self._reader = Reader(hub, scorer)
        self._jobs = jobs
        self._readings: dict[int, Reading] = {}
        self._judged: tuple[Reply, Reading, Offer] | None = None

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
        if offer is None or reading.judging:
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

    def _read(self, reply: Reply, offer: Offer | None) -> Reading:
        reading = self._reader.read(reply, offer)
        if offer and reading.verdict == "asked" and reply.status == "completed":
            self._generated(reply, reading, offer)
        return reading

    def _generated(self, reply: Reply, reading: Reading, offer: Offer, judge: str = "") -> None:
        asked = reading.asked
        assert asked is not None
        judged: dict[str, Any] = {"judge": judge} if judge else {}
        self._hub.log(
            "generated",
            offer.question_id,
            offer.attempt_id,
            known="matched",
            basis="judged" if judge else reply.basis,
            response_id=reply.response_id,
            item_id=asked.item_id,
            sentence=asked.text,
            score=asked.own_score,
            threshold=self._reader.rule.threshold,
            scorer=self._reader.rule.scorer,
            end_ms=asked.end_ms,
            total_ms=reply.total_ms,
            **judged,
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
        elif (
            reading.verdict != "asked"
            or sentence.own_score is None
            or sentence.own_score <= self._reader.rule.threshold
        ):
            question_id = self._own_question(sentence)
        problem = self._hub.log(
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
        if not problem:
            deliberate = offer is not None and offer.returning and sentence is reading.asked
            self._guard.heard(self._hub.ledger.heard[-1], reply.attempt_id, deliberate=deliberate)

    def _own_question(self, sentence: Sentence) -> str:
        question_id = self._hub.new_question_id("v")
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
            threshold=self._reader.rule.threshold,
            scorer=self._reader.rule.scorer,
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
        if asked is None or not asked.heard or reading.judging:
            return
        if asked.cut:
            self._hold(reply, reading, offer, "the audio is shorter than its transcript")
        elif reading.verdict == "unconfirmed":
            self._settle(reply, reading, offer)
        else:
            self._deliver(reply, asked, offer)

    def _hold(self, reply: Reply, reading: Reading, offer: Offer, detail: str, basis: Basis = "inferred") -> None:
        asked = reading.asked
        assert asked is not None
        self._attempts.hold(
            offer,
            "unconfirmed",
            reply.played_ms,
            basis=basis,
            response_id=reply.response_id,
            sentence=asked.text,
            score=asked.own_score,
            threshold=self._reader.rule.threshold,
            scorer=self._reader.rule.scorer,
            **({"detail": detail} if detail else {}),
        )
        self._attempts.send()

    def _deliver(self, reply: Reply, asked: Sentence, offer: Offer) -> None:
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

    # -- the grey band -----------------------------------------------------------------------------------------

    def _settle(self, reply: Reply, reading: Reading, offer: Offer) -> None:
        """Words cannot tell: a model is asked if there is one, else the question is held."""
        match = self._hub.settings.match
        if not match.judge or self._hub.settings.agents.of("judge").backend == "rules":
            self._hold(reply, reading, offer, reading.reason)
            return
        reading.judging = True
        self._judged = (reply, reading, offer)
        asked = self._hub.ledger.questions[offer.question_id].text
        data = JudgeInput(first=asked, second=reply.text)
        self._jobs.start(JUDGE, data, match.judge_ms, lambda out, bad: self._take(reply, out, bad))

    def _take(self, reply: Reply, judged: Judged | None, failed: bool) -> None:
        if self._judged is None or self._judged[0] is not reply:
            return  # it was settled without an answer meanwhile
        _, reading, offer = self._judged
        self._judged = None
        asked = reading.asked
        assert asked is not None
        verdict = "unsure" if failed or judged is None else judged.verdict
        if verdict == "yes":
            self._generated(reply, reading, offer, judge=JUDGE.version)
            self._deliver(reply, asked, offer)
        elif verdict == "no":
            self._attempts.release(
                offer, "wandered", reply.played_ms, basis="judged", response_id=reply.response_id, judge=JUDGE.version
            )
            self._attempts.send()
        else:
            basis: Basis = "inferred" if failed else "judged"
            self._hold(reply, reading, offer, "the judge gave no answer" if failed else "the judge cannot tell", basis)

    def settle(self) -> None:
        """Nobody waits for the judge any more: another question is on its way, or the call ends."""
        if self._judged is not None:
            reply, reading, offer = self._judged
            self._judged = None
            self._hold(reply, reading, offer, "no time for the judge")


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


def _release_reason(reply: Reply) -> str:
    if reply.status == "completed":
        return "not_played"
    if reply.status in ("cancelled", "incomplete", "failed", "refused", "timed_out", "disconnected"):
        return reply.status
    return "failed"
