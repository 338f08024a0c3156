"""The repeat guard: a proposal against all that was heard before it is attempted, a reply once it was heard."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from interviewer.call.attempts import Attempts
from interviewer.call.comparing import Comparing, Likeness
from interviewer.call.hub import Hub
from interviewer.ledger.state import Heard, QuestionState
from interviewer.matching.comparable import comparable, of_one_kind
from interviewer.model.corrections import Corrections
from interviewer.model.decision import Proposal

Verdict = Literal["passed", "returned", "warned", "refused"]
NoReturn = Callable[[Proposal, QuestionState | None, Sequence[Heard]], str]
"""Why what was heard may not be asked once more; empty if it may. Given a proposal, the question that it repeats, if
that is known, and all that was heard that asks for the same, oldest first."""


@dataclass(frozen=True, slots=True)
class Past:
    """A question that was heard: as it was said, or as it was planned. `owners`: the questions it may have been."""

    text: str
    question_id: str | None
    owners: frozenset[str]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the guard says of a proposal. `why_not`: why it must not be asked; empty if it may."""

    verdict: Verdict
    why_not: str = ""


class Guard:
    """Compares, decides and writes both into the ledger. It never stops a person, nor a return that says why."""

    def __init__(self, hub: Hub, attempts: Attempts) -> None:
        self._hub, self._attempts = hub, attempts
        self._comparing = Comparing(hub)
        self._told: dict[int, tuple[Heard, str | None, Corrections, tuple[Past, ...]]] = {}
        self.take, self.due, self.stop = self._comparing.take, self._comparing.due, self._comparing.stop

    @property
    def deadline(self) -> int | None:
        """When scores are not waited for any more."""
        return self._comparing.deadline

    @property
    def on(self) -> bool:
        """Whether anybody looks."""
        return self._hub.settings.guard.mode != "off"

    def begin(self) -> None:
        """Write down what the guard goes by in this call."""
        if self.on:
            guard = self._hub.settings.guard
            by = f"{guard.scorer}/{guard.version}" if guard.value is not None else ""
            self._hub.record("guard", mode=guard.mode, by=by, threshold=guard.threshold, problem=guard.missing)

    def ready(self, text: str, then: Callable[[], None]) -> bool:
        """Whether `text` was compared with all that was heard; if not, `then` runs once it is, maybe at once."""
        if not self.on:
            return True
        rows, columns = [past.text for past in self._past()], comparable(text)
        if self._comparing.knows(rows, columns):
            return True
        self._comparing.ask(rows, columns, then)
        return False

    def judge(self, proposal: Proposal, question: QuestionState, no_return: NoReturn) -> Finding:
        """Whether a proposal that is `ready` may be asked; the score and the decision go into the ledger.

        A question's own earlier attempts do not bar it: whether it may come again is the ledger's to say.
        """
        if not self.on:
            return Finding("passed")
        past, likeness = self._nearest(proposal.text, [p for p in self._past() if question.id not in p.owners])
        finding = self._decide(proposal, question, past if likeness and likeness.alike else None, no_return)
        self._hub.log(
            "guarded",
            question.id,
            known="matched",
            basis="inferred",
            decision=finding.verdict,
            text=proposal.text,
            like=past.text if past else None,
            like_id=past.question_id if past else None,
            score=likeness.score if likeness else None,
            threshold=likeness.threshold if likeness else None,
            scorer=likeness.scorer if likeness else None,
            reason=finding.why_not or (proposal.why if finding.verdict == "returned" else ""),
        )
        return finding

    def heard(self, heard: Heard, attempt_id: str | None, *, deliberate: bool) -> None:
        """Something was heard: hold it against all that was heard before this reply. Repeats are named to the voice."""
        response_id = heard.evidence.get("response_id")
        before = [*self._past(but=str(response_id))]
        columns = comparable(self._hub.names.text(heard.text))
        if not self.on or not before or not columns:
            return
        self._comparing.ask(
            [past.text for past in before],
            columns,
            lambda: self._heard_again(heard, attempt_id, before, deliberate=deliberate),
        )

    def _heard_again(self, heard: Heard, attempt_id: str | None, before: list[Past], *, deliberate: bool) -> None:
        past, likeness = self._nearest(self._hub.names.text(heard.text), before)
        if past is None or likeness is None or not likeness.alike:
            return
        self._hub.log(
            "repeated",
            heard.question_id,
            attempt_id,
            known="matched",
            basis="inferred",
            text=heard.text,
            like=past.text,
            like_id=past.question_id,
            score=likeness.score,
            threshold=likeness.threshold,
            scorer=likeness.scorer,
            deliberate=deliberate,
            response_id=heard.evidence.get("response_id"),
            item_id=heard.evidence.get("item_id"),
            start=heard.evidence.get("start"),
        )
        if not deliberate:
            self._attempts.send()

    def _decide(
        self,
        proposal: Proposal,
        question: QuestionState,
        past: Past | None,
        no_return: NoReturn,
    ) -> Finding:
        if past is None:
            return Finding("returned" if question.status == "delivered" else "passed")
        why_not = f"it repeats what was heard: {past.text}"
        if proposal.returning and proposal.why.strip():
            asked = self._hub.ledger.questions.get(past.question_id or "")
            barred = no_return(proposal, asked, self._alike(proposal.text))
            if not barred:
                return Finding("returned")
            why_not = f"no return to it: {barred}"
        if proposal.source == "person" or self._hub.settings.guard.mode == "warn":
            return Finding("warned")
        return Finding("refused", why_not)

    def _nearest(self, text: str, past: list[Past]) -> tuple[Past | None, Likeness | None]:
        """Which of `past` is the likest, if any can be compared."""
        found = [
            (self._comparing.likeness(one.text, column), -place)
            for place, one in enumerate(past)
            for column in comparable(text)
            if of_one_kind(one.text, column)
        ]
        if not found:
            return None, None
        likeness, place = max(found, key=lambda each: (each[0].alike, each[0].score, each[1]))
        return past[-place], likeness

    def _alike(self, text: str) -> list[Heard]:
        """All that was heard in the chain that asks for what `text` asks for, oldest first."""
        ledger = self._hub.ledger
        found: list[Heard] = []
        for heard in (*ledger.remembered, *ledger.heard):
            _, likeness = self._nearest(text, [*self._as_past(heard)])
            if likeness and likeness.alike:
                found.append(heard)
        return found

    def _past(self, but: str | None = None) -> Iterator[Past]:
        """All that was heard in the chain, oldest first, without one reply; each as said and, if known, as planned."""
        ledger = self._hub.ledger
        for heard in (*ledger.remembered, *ledger.heard):
            if but is None or heard.evidence.get("response_id") != but:
                yield from self._as_past(heard)

    def _as_past(self, heard: Heard) -> tuple[Past, ...]:
        """What was heard as it is compared: made once, since every proposal is held against it."""
        names, question = self._hub.names, self._hub.ledger.questions.get(heard.question_id or "")
        planned = question.text if question is not None else None
        known = self._told.get(id(heard))
        if known and known[0] is heard and known[1] == planned and known[2] is names:
            return known[3]
        candidate = heard.evidence.get("candidate")
        owners = frozenset(str(one) for one in (heard.question_id, candidate) if one) | self._touched(heard)
        texts = [heard.text] if planned is None or planned == heard.text else [heard.text, planned]
        made = tuple(Past(part, heard.question_id, owners) for text in texts for part in comparable(names.text(text)))
        if not heard.evidence.get("turn"):  # whom an old transcript touches may still change
            self._told[id(heard)] = heard, planned, names, made
        return made

    def _touched(self, heard: Heard) -> frozenset[str]:
        """The questions that this turn of an old transcript probably touched on: it lowers them, and bars none."""
        turn = heard.evidence.get("turn")
        if not turn:
            return frozenset()
        marks = ((q.id, q.reconstructed) for q in self._hub.ledger.questions.values())
        return frozenset(key for key, mark in marks if mark and mark.evidence.get("turn") == turn)
