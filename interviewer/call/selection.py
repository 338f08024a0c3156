"""From a decision to an attempt: the lock, the identity, what may be asked now."""

from interviewer.call.attempts import Attempts
from interviewer.call.clock import Clock
from interviewer.call.guidance import clean
from interviewer.call.hub import Hub
from interviewer.call.recovery import identify
from interviewer.ledger.state import QuestionState
from interviewer.ledger.views import reason, selectable
from interviewer.matching.scorer import Scorer
from interviewer.matching.text import content_words
from interviewer.model.decision import Decision, Proposal

_NOTICED_MS = 2_000  # shorter than this, a reply that was broken off has hardly said more than "mm"


class Selection:
    """Applies decisions. The phase is always the clock's; wrap_up takes only must-asks and a last word."""

    def __init__(self, hub: Hub, clock: Clock, attempts: Attempts, scorer: Scorer) -> None:
        self._hub, self._clock, self._attempts, self._scorer = hub, clock, attempts, scorer
        self._must_asks = 0
        self._deferred: tuple[Decision, int, int] | None = None
        self.closing_used = False

    def apply(self, decision: Decision, cycle: int, snapshot_ms: int) -> None:
        """Make the attempt a decision asks for, or say why not; wait while a question is on its way to the voice."""
        if not self._attempts.replaceable:
            self._deferred = (decision, cycle, snapshot_ms)
            return
        number = self._hub.count("decision")
        decision = self._hub.names.model(decision)
        self._attempts.brief = clean(decision.brief)
        proposal = decision.proposal
        question_id, outcome, why_not = None, "none", ""
        if proposal:
            proposal = proposal.model_copy(update={"text": clean(proposal.text)})
        if proposal and proposal.text:
            question_id, outcome, why_not = self._try(proposal, number, snapshot_ms)
        if outcome != "selected" and self._attempts.next is None:
            self._attempts.send()
        self._hub.record(
            "decision",
            number=number,
            cycle=cycle,
            phase=self._clock.phase,
            proposed_phase=decision.phase,
            question_id=question_id,
            text=proposal.text if proposal else None,
            source=proposal.source if proposal else None,
            returning=proposal.returning if proposal else False,
            why=proposal.why if proposal else "",
            brief=decision.brief,
            themes=list(decision.themes),
            outcome=outcome,
            reason=why_not,
            snapshot_ms=snapshot_ms,
        )

    def catch_up(self) -> None:
        """Apply the decision that had to wait, if there is one and it can be applied now."""
        if self._deferred and self._attempts.replaceable:
            deferred, self._deferred = self._deferred, None
            self.apply(*deferred)

    def ask(self, text: str) -> None:
        """A person at the screen wants this asked next."""
        proposal = Proposal(text=text, source="person", why="asked for by the person at the screen")
        self.apply(Decision(phase=self._clock.phase, proposal=proposal, brief=self._attempts.brief), 0, self._hub.now)

    def themes_covered(self) -> tuple[str, ...]:
        """Content words of the questions that were delivered, each once, in order."""
        words: dict[str, None] = {}
        for question in self._hub.ledger.questions.values():
            if question.status == "delivered":
                words |= dict.fromkeys(sorted(content_words(question.text)))
        return tuple(words)

    def _try(self, proposal: Proposal, decision: int, snapshot_ms: int) -> tuple[str | None, str, str]:
        identity = identify(self._hub, self._scorer, proposal)
        question = self._hub.ledger.questions[identity.question_id]
        waiting = self._attempts.next
        if waiting and waiting.question_id == question.id:
            return question.id, "kept", ""
        if why_not := self._refusal(proposal, question):
            return question.id, "refused", why_not
        if self._clock.phase == "wrap_up":
            self._must_asks += proposal.source not in ("closing", "person")
        self.closing_used = self.closing_used or proposal.source == "closing"
        self._attempts.select(
            question.id,
            proposal.text,
            snapshot_ms,
            returning=proposal.returning or question.status == "held" or _partly_heard(question),
            decision=decision,
            source=proposal.source,
            recovered_score=identity.score,
            phase=self._clock.phase,
        )
        self._attempts.send()
        return question.id, "selected", ""

    def _refusal(self, proposal: Proposal, question: QuestionState) -> str:
        if question.status == "pending":
            return "pending"
        if proposal.returning and question.status == "delivered":
            if why_not := self._no_return(proposal, question):
                return f"no return to it: {why_not}"
        elif not selectable(question, self._hub.settings.call.held_returns):
            return f"not available: {reason(question)}"
        if self._clock.phase != "wrap_up" or proposal.source == "person":
            return ""
        return self._too_late(proposal, question)

    def _no_return(self, proposal: Proposal, question: QuestionState) -> str:
        """Why a question that was asked and heard may not be asked deliberately once more; empty if it may."""
        call, heard = self._hub.settings.call, self._hub.ledger.heard
        if question.declined or question.claimed:
            return "the guest does not want it again"
        if not proposal.why.strip():
            return "no reason was given"
        # The first was the delivery; what was taken back before the guest noticed it is no return.
        asked = sum(a.outcome != "released" or a.heard_ms >= _NOTICED_MS for a in question.attempts)
        if asked > call.delivered_returns:
            return f"asked and heard {asked} times in this call"
        last = max((place for place, each in enumerate(heard) if each.question_id == question.id), default=-1)
        since = len(heard) - 1 - last
        if since < call.return_after:
            return f"only {since} of {call.return_after} other questions were heard since"
        return ""

    def _too_late(self, proposal: Proposal, question: QuestionState) -> str:
        call = self._hub.settings.call
        if self._clock.remaining < call.goodbye_within_ms:
            return "too late: the goodbye is next"
        if proposal.source == "closing":
            return "the closing question was used" if self.closing_used else ""
        must = question.planned and question.priority == 1 and question.status == "available"
        if not must:
            return "wrap_up opens no new subject"
        if self._must_asks >= call.must_asks or self._clock.remaining < call.must_ask_ms:
            return "no time for another must-ask"
        return ""

    def unlock(self) -> None:
        """The end moved away: what was used up for it is given back."""
        self._must_asks = 0
        self.closing_used = False

    def lock(self) -> None:
        """The phase locked: what waits to be asked must fit it too."""
        waiting = self._attempts.next
        if waiting is None or waiting.requested:
            self._attempts.send()
            return
        question = self._hub.ledger.questions[waiting.question_id]
        if not (question.planned and question.priority == 1):
            self._attempts.release(waiting, "superseded", detail="wrap_up opens no new subject")
        else:
            self._must_asks += 1
        self._attempts.send()


def _partly_heard(question: QuestionState) -> bool:
    """Whether an earlier attempt was broken off after the guest had heard some of it: asking again is a return."""
    return any(a.outcome == "released" and a.heard_ms >= _NOTICED_MS for a in question.attempts)
