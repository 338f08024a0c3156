"""Attempts to get questions asked: at most one next and one current, and the guidance that carries them."""

from dataclasses import dataclass
from typing import Any

from interviewer.call import guidance as text
from interviewer.call.clock import Clock
from interviewer.call.guidance import Guidance, ReplyKind
from interviewer.call.hub import Hub
from interviewer.call.updates import Update, Updates
from interviewer.ledger.events import Basis
from interviewer.memory.summary import summary


@dataclass(slots=True)
class Offer:
    """A question on its way to being asked. `snapshot_ms`: how fresh the conversation was when it was chosen.

    `blind` is an update that a server took without echoing it: the response that carries its text accepts it.
    """

    attempt_id: str
    question_id: str
    text: str
    kind: ReplyKind
    returning: bool
    snapshot_ms: int
    accepted: Update | None = None
    blind: Update | None = None
    requested: bool = False


class Attempts:
    """Opens, moves and closes attempts, each step with its event in the ledger."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock
        self.updates = Updates(hub, self._accepted, self._lost, self._unechoed)
        self.next: Offer | None = None
        self.current: Offer | None = None
        self.brief = ""
        self._remembered = summary(hub.setup.earlier, hub.settings.memory)

    def select(
        self,
        question_id: str,
        wording: str,
        snapshot_ms: int,
        *,
        kind: ReplyKind = "question",
        returning: bool = False,
        **evidence: Any,
    ) -> Offer:
        """Stage 1. Takes the place of the next attempt, never of the current one."""
        if self.next:
            self.release(self.next, "superseded")
        offer = Offer(f"a{self._hub.count('attempt')}", question_id, wording, kind, returning, snapshot_ms)
        self._hub.log("selected", question_id, offer.attempt_id, text=wording, returning=returning, **evidence)
        self.next = offer
        return offer

    @property
    def replaceable(self) -> bool:
        """Whether a new selection may take the place of the next attempt: not once its reply was asked for."""
        return self.next is None or not self.next.requested

    def send(self) -> None:
        """Send the guidance that fits now: with the next question if there is one."""
        offer = self.next
        guidance = self.compose(offer.kind if offer else "free", offer)
        self.updates.want(guidance, offer.attempt_id if offer else None)

    def compose(self, kind: ReplyKind, offer: Offer | None = None, brief: str | None = None) -> Guidance:
        """Guidance for this moment."""
        return Guidance(
            kind=kind,
            phase=self._clock.phase,
            minutes_left=max(0, round(self._clock.remaining / 60_000)),
            brief=self.brief if brief is None else brief,
            ask=offer.text if offer else "",
            returning=offer.returning if offer else False,
            heard=text.recent(
                [h.text for h in self._hub.ledger.heard], self._remembered.heard, self._hub.settings.memory.heard
            ),
            again=self._asked_again(),
        )

    def _asked_again(self) -> tuple[str, ...]:
        """The latest questions that the voice asked a second time without meaning to, as they were first asked."""
        again = [str(e.evidence["like"]) for e in self._hub.ledger.repeats if not e.evidence.get("deliberate")]
        return tuple(dict.fromkeys(reversed(again)))[: self._hub.settings.guard.named]

    def start(self, attempt_id: str, response_id: str, **evidence: Any) -> None:
        """Stage 3: a response runs under the text that carries it. It is current from here on."""
        offer = self.next
        if offer is None or offer.attempt_id != attempt_id:
            self._hub.log("late", None, attempt_id, what="started", response_id=response_id)
            return
        basis = evidence.pop("basis", "protocol")
        if offer.accepted is None:
            by = "response.created" if basis == "protocol" else "order"
            self._log_accepted(offer, by=by, revision=evidence.get("revision"), basis=basis)
        self._hub.log("started", offer.question_id, attempt_id, basis=basis, response_id=response_id, **evidence)
        self.current, self.next = offer, None

    def release(
        self, offer: Offer, reason: str, heard_ms: int = 0, *, basis: Basis = "protocol", **evidence: Any
    ) -> None:
        """The attempt fell short; the question is available again."""
        self._hub.log(
            "released", offer.question_id, offer.attempt_id, basis=basis, reason=reason, heard_ms=heard_ms, **evidence
        )
        self._close(offer)

    def hold(self, offer: Offer, reason: str, heard_ms: int, *, basis: Basis = "inferred", **evidence: Any) -> None:
        """The attempt fell short, but the question may have been heard."""
        self._hub.log(
            "held",
            offer.question_id,
            offer.attempt_id,
            basis=basis,
            reason=reason,
            heard_ms=heard_ms,
            **evidence,
        )
        self._close(offer)

    def deliver(self, offer: Offer, **evidence: Any) -> None:
        """Stage 5: its end was played. The estimate goes by characters, so the basis is inferred."""
        problem = self._hub.log("delivered", offer.question_id, offer.attempt_id, basis="inferred", **evidence)
        if problem:
            # The ledger has the last word: what it does not take as delivered is not.
            self.release(offer, "not_played", int(evidence.get("played_ms") or 0), detail=problem)
        else:
            self._close(offer)
        self.send()

    def drop(self) -> None:
        """The connection is gone: what was acknowledged on it counts no more."""
        self.updates.drop()
        if self.next:
            self.release(self.next, "disconnected")

    def _close(self, offer: Offer) -> None:
        self.updates.forget(offer.attempt_id)
        if self.next is offer:
            self.next = None
        if self.current is offer:
            self.current = None

    def _accepted(self, update: Update) -> None:
        if update.attempt_id is None:
            return
        offer = self.next
        if offer is None or offer.attempt_id != update.attempt_id:
            self._hub.log("late", None, update.attempt_id, what="accepted", revision=update.revision)
        else:
            if offer.accepted is None:
                self._log_accepted(offer, by="session.updated", revision=update.revision)
            offer.accepted = update

    def _unechoed(self, update: Update) -> None:
        if self.next and self.next.attempt_id == update.attempt_id:
            self.next.blind = update

    def _log_accepted(self, offer: Offer, *, by: str, revision: Any, basis: Basis = "protocol") -> None:
        evidence = {"by": by, "revision": revision, "epoch": self._hub.epoch}
        self._hub.log("accepted", offer.question_id, offer.attempt_id, basis=basis, **evidence)

    def _lost(self, update: Update, reason: str) -> None:
        if self.next and self.next.attempt_id == update.attempt_id:
            self.release(self.next, reason, revision=update.revision)
