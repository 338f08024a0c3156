"""From a decision to an attempt: the lock, the identity, the repeat guard, what may be asked now."""

from collections.abc import Callable, Iterable, Sequence

from interviewer.call.attempts import Attempts
from interviewer.call.clock import Clock
from interviewer.call.guard import Guard
from interviewer.call.guidance import clean
from interviewer.call.hub import Hub
from interviewer.call.recovery import identify
from interviewer.ledger.state import Heard, QuestionState
from interviewer.ledger.views import reason, selectable
from interviewer.matching.scorer import Scorer
from interviewer.model.decision import Decision, Proposal

_NOTICED_MS = 2_000  # shorter than this, a reply that was broken off has hardly said more than "mm"

Others = Callable[[], Iterable[Decision]]
"""What could be asked instead of a proposal that is refused, best first."""


def _no_others() -> Iterable[Decision]:
    return ()


class Selection:
    """Applies decisions. The phase is always the clock's; wrap_up takes only must-asks and a last word."""

    def __init__(self, hub: Hub, clock: Clock, attempts: Attempts, scorer: Scorer, guard: Guard) -> None:
        self._hub, self._clock, self._attempts, self._scorer, self._guard = hub, clock, attempts, scorer, guard
        self._must_asks = 0
        self._deferred: tuple[Decision, int, int, Others] | None = None
        self._latest = 0
        self.closing_used = False

    def apply(self, decision: Decision, cycle: int, snapshot_ms: int, others: Others = _no_others) -> None:
        """Make the attempt a decision asks for, or say why not; wait while a question is on its way to the voice.

        What repeats a heard question gives way to the first of `others` that does not.
        """
        self._latest = self._hub.count("selection")
        if not self._attempts.replaceable:
            self._deferred = (decision, cycle, snapshot_ms, others)
            return
        number = self._latest

        def again() -> None:
            if number == self._latest:  # a later decision takes the place of one that waits for scores
                self.apply(decision, cycle, snapshot_ms, others)

        text = clean(self._hub.names.text(decision.proposal.text)) if decision.proposal else ""
        if self._guard.ready(text, again):
            self._apply(decision, cycle, snapshot_ms, others)

    def _apply(self, decision: Decision, cycle: int, snapshot_ms: int, others: Others) -> None:
        number = self._hub.count("decision")
        decision = self._hub.names.model(decision)
        self._attempts.brief = clean(decision.brief)
        proposal = decision.proposal
        question_id, outcome, why_not, repeats = None, "none", "", False
        if proposal:
            proposal = proposal.model_copy(update={"text": clean(proposal.text)})
        if proposal and proposal.text:
            question_id, outcome, why_not, repeats = self._try(proposal, number, snapshot_ms)
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
        if repeats and self._instead(cycle, snapshot_ms, others):
            return
        if outcome != "selected" and self._attempts.next is None:
            self._attempts.send()

    def _instead(self, cycle: int, snapshot_ms: int, others: Others) -> bool:
        """Apply the next best to what was refused; whether there was one."""
        left = iter(others())
        second = next(left, None)
        if second is None:
            return False
        rest = tuple(left)
        self.apply(second, cycle, snapshot_ms, lambda: rest)
        return True

    def catch_up(self) -> None:
        """Apply the decision that had to wait, if there is one and it can be applied now."""
        if self._deferred and self._attempts.replaceable:
            deferred, self._deferred = self._deferred, None
            self.apply(*deferred)

    def ask(self, text: str) -> None:
        """A person at the screen wants this asked next."""
        proposal = Proposal(text=text, source="person", why="asked for by the person at the screen")
        self.apply(Decision(phase=self._clock.phase, proposal=proposal, brief=self._attempts.brief), 0, self._hub.now)

    def _try(self, proposal: Proposal, decision: int, snapshot_ms: int) -> tuple[str, str, str, bool]:
        """The question meant, what became of the proposal, why it was refused, and whether that is for repeating."""
        identity = identify(self._hub, self._scorer, proposal)
        question = self._hub.ledger.questions[identity.question_id]
        waiting = self._attempts.next
        if waiting and waiting.question_id == question.id:
            return question.id, "kept", "", False
        if why_not := self._refusal(proposal, question):
            return question.id, "refused", why_not, False
        finding = self._guard.judge(proposal, question, self._no_return)
        if finding.verdict == "refused":
            return question.id, "refused", finding.why_not, True
        if self._clock.phase == "wrap_up":
            self._must_asks += proposal.source not in ("closing", "person")
        self.closing_used = self.closing_used or proposal.source == "closing"
        self._attempts.select(
            question.id,
            proposal.text,
            snapshot_ms,
            returning=proposal.returning or question.status == "held" or _perhaps_asked(question),
            decision=decision,
            source=proposal.source,
            recovered_score=identity.score,
            phase=self._clock.phase,
        )
        self._attempts.send()
        return question.id, "selected", "", False

    def _refusal(self, proposal: Proposal, question: QuestionState) -> str:
        if question.status == "pending":
            return "pending"
        if proposal.returning and question.status == "delivered":
            if why_not := self._no_return(proposal, question):
                return f"no return to it: {why_not}"
        elif not (
            selectable(question, self._hub.settings.call.held_returns) or _wanted_all_the_same(proposal, question)
        ):
            return f"not available: {reason(question)}"
        if self._clock.phase != "wrap_up" or proposal.source == "person":
            return ""
        return self._too_late(proposal, question)

    def _no_return(self, proposal: Proposal, question: QuestionState | None, alike: Sequence[Heard] = ()) -> str:
        """Why what was asked and heard may not be asked deliberately once more; empty if it may.

        `question`: the one it was, if that is known; `alike`: all that was heard that asks for the same.
        """
        call, heard = self._hub.settings.call, self._hub.ledger.heard
        if question and (question.declined or question.claimed):
            return "the guest does not want it again"
        if not proposal.why.strip():
            return "no reason was given"
        same = {id(each) for each in alike}
        places = [
            place
            for place, each in enumerate(heard)
            if id(each) in same or (question is not None and each.question_id == question.id)
        ]
        here = {heard[place].evidence.get("response_id") or place for place in places if id(heard[place]) in same}
        before = any(each is known for each in self._hub.ledger.remembered for known in alike)
        # The first was the delivery; what was taken back before the guest noticed it is no return.
        attempts = question.attempts if question else ()
        asked = sum(a.outcome != "released" or a.heard_ms >= _NOTICED_MS for a in attempts)
        before = before or (question is not None and question.carried is not None)
        asked = max(asked, len(here)) + before
        if asked > call.delivered_returns:
            return f"asked and heard {asked} times in this {'interview' if before else 'call'}"
        if not places and before:
            return ""
        since = len(heard) - 1 - (places[-1] if places else -1)
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


def _perhaps_asked(question: QuestionState) -> bool:
    """Whether asking it is a return: the guest heard a part of an attempt, or an old transcript touched on it."""
    return question.reconstructed is not None or any(
        a.outcome == "released" and a.heard_ms >= _NOTICED_MS for a in question.attempts
    )


def _wanted_all_the_same(proposal: Proposal, question: QuestionState) -> bool:
    """Whether a person asks for what the guard has refused."""
    closed = question.covered or question.declined or question.nothing or question.claimed or question.answered
    return proposal.source == "person" and question.repeats_itself and question.status == "available" and not closed
