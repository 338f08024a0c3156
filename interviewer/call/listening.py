"""The guest's side of the conversation: from the service's events to turns, answers and requests."""

from collections.abc import Mapping
from typing import Any, Literal

from interviewer.call.attempts import Attempts
from interviewer.call.closing import Closing
from interviewer.call.conversation import INAUDIBLE, Conversation, GuestItem
from interviewer.call.cycle import Cycles
from interviewer.call.floor import Floor
from interviewer.call.hearing import Hearing
from interviewer.call.hub import Hub
from interviewer.call.replies import Replies
from interviewer.call.requests import guest_request
from interviewer.call.sieve import CUT, UNSURE, Sieve

ANOTHER = "another transcript"
"""What the record says of words that came for an item whose words were known."""


class Listening:
    """Takes what the service hears of the guest. After the goodbye nothing is a turn any more."""

    def __init__(
        self,
        hub: Hub,
        conversation: Conversation,
        attempts: Attempts,
        replies: Replies,
        hearing: Hearing,
        closing: Closing,
        floor: Floor,
        cycles: Cycles,
    ) -> None:
        self._hub, self._conversation, self._attempts = hub, conversation, attempts
        self._hearing, self._closing, self._floor, self._cycles = hearing, closing, floor, cycles
        self._sieve = Sieve(hub, replies)

    def due(self) -> None:
        """Commit speech whose commit is overdue; give up transcripts that do not come."""
        if self._floor.overdue_item:
            self._commit(self._floor.overdue_item)
        for item in self._conversation.waiting:
            if self._hub.now >= (item.committed_ms or 0) + self._hub.settings.wait.transcript_ms:
                self._unclear(item)

    @property
    def deadline(self) -> int | None:
        """When the next transcript is given up."""
        waits = [item.committed_ms or 0 for item in self._conversation.waiting]
        return min(waits) + self._hub.settings.wait.transcript_ms if waits else None

    def stop(self) -> None:
        """The conversation is over: what is unfinished stays as far as it came."""
        for item in self._conversation.unfinished:
            self._conversation.cut_off(item.id)
        for item in self._conversation.waiting:
            self._unclear(item)

    def microphone(self, on: bool) -> None:
        """The guest may be heard from now on, or may not."""
        self._sieve.microphone(on)

    def typed(self, item_id: str, text: str) -> None:
        """The guest typed instead of speaking."""
        self._conversation.guest_typed(item_id, text)
        self._closing.guest_turn_ended()
        self._floor.guest_typed()
        self._said(item_id, text)

    def speech_started(self, frame: Mapping[str, Any]) -> None:
        """The service hears the guest begin."""
        if not self._closing.over:
            item_id = self._meant(frame, begins=True)
            self._sieve.started(item_id, frame)
            self._floor.guest_started(item_id)

    def speech_stopped(self, frame: Mapping[str, Any]) -> None:
        """The guest's silence was long enough for the service."""
        if not self._closing.over:
            item_id = self._meant(frame)
            self._floor.guest_stopped(item_id)
            if item := self._conversation.item(item_id):
                self._sieve.stopped(item, frame)

    def timed_out(self, frame: Mapping[str, Any]) -> None:
        """The service broke a silence by itself: what it makes of it is no turn."""
        self._sieve.idle(frame["item_id"])

    def committed(self, frame: Mapping[str, Any]) -> None:
        """The guest's speech is in the conversation; its transcript is still to come."""
        item_id = self._meant(frame)
        # What began before the goodbye counted is still heard out.
        if self._closing.over and self._conversation.item(item_id) is None:
            self._hub.record("ignored", what="speech after the goodbye", item_id=item_id)
            return
        if self._sieve.is_idle(item_id):
            self._hub.record("ignored", what="silence the service broke", item_id=item_id)
            return
        self._commit(item_id)

    def _meant(self, frame: Mapping[str, Any], *, begins: bool = False) -> str:
        """The id of the item that an event is about; an older one that had it is called otherwise from now on."""
        item_id: str = frame["item_id"]
        if name := self._conversation.renamed(item_id, begins=begins):
            self._sieve.renamed(item_id, name)
        return item_id

    def _commit(self, item_id: str) -> None:
        known = self._conversation.item(item_id)
        if known is not None and known.committed_ms is not None:
            self._floor.committed_again(known, self._sieve.told_late(item_id))
            return
        self._closing.guest_turn_ended()
        brief = known is not None and self._sieve.brief(known)
        self._floor.guest_committed(item_id, brief=brief, span=self._sieve.told_late(item_id))

    def transcript_delta(self, frame: Mapping[str, Any]) -> None:
        """Words of a transcript that is not final."""
        self._conversation.heard_partly(self._meant(frame), frame["delta"])

    def transcribed(self, frame: Mapping[str, Any]) -> None:
        """The final transcript of an item."""
        if isinstance(frame.get("usage"), Mapping):
            self._hub.record("transcription", item_id=frame["item_id"], usage=dict(frame["usage"]))
        text, item_id = frame["transcript"], self._meant(frame)
        item = self._conversation.item(item_id)
        if item is None:
            if self._closing.over or self._sieve.is_idle(item_id) or not text.strip():
                return
            self._commit(item_id)  # neither its beginning nor its end was told of
            item = self._conversation.item(item_id)
            assert item is not None
        if item.committed_ms is None:
            self._commit(item.id)
        why = self._sieve.why_not(item, text, frame)
        if not text.strip():
            # A moment without words is noise, even if our microphone heard it: it hears doors and glasses, too.
            doubt = item.unheard is None and (item.doubtful or item.backchannel)
            self._unclear(item, noise=item.unheard or doubt or self._sieve.brief(item))
        elif why == UNSURE and item.unheard is False and not self._sieve.brief(item):
            self._hub.record("ignored", what=why, item_id=item.id, text=text)
            self._unclear(item)  # somebody did speak: what was said cannot be made out
        elif why:
            if self._conversation.set_aside(item.id, why):
                self._hub.record("ignored", what=why, item_id=item.id, text=text)
        elif self._conversation.transcribed(item.id, own := self._sieve.own_words(item, text)):
            if own != text:
                self._hub.record("ignored", what=CUT, item_id=item.id, text=text)
            self._floor.understood(item.id)
            self._said(item.id, own)
        else:
            self._hub.record("ignored", what=ANOTHER, item_id=item.id, text=text)

    def transcript_failed(self, frame: Mapping[str, Any]) -> None:
        """The service could not make out an item."""
        if item := self._conversation.item(self._meant(frame)):
            if item.committed_ms is None:
                self._commit(item.id)
            self._unclear(item)

    def _unclear(self, item: GuestItem, *, noise: bool = False) -> None:
        """No words will come of it: noise is no turn, speech is an inaudible one."""
        if noise or (item.unheard is not False and self._sieve.brief(item)):
            if self._conversation.set_aside(item.id, "noise"):
                self._hub.record("ignored", what="noise", item_id=item.id)
        elif self._conversation.inaudible(item.id):
            self._floor.not_understood(item.id)

    def _said(self, item_id: str, text: str) -> None:
        turn = self._conversation.turn_of(item_id)
        kind = guest_request(text)
        if kind and turn and text != INAUDIBLE:
            self._request(kind, turn.id, text)
        elif turn:
            self._hearing.answered(turn.id, text)
        if turn and turn.state == "final":
            self._cycles.run()

    def _request(self, kind: str, turn_id: str, text: str) -> None:
        question_id = self._question_before(turn_id)
        self._hub.record("request", kind=kind, turn=turn_id, question_id=question_id, text=text)
        self._cycles.requests.append(f"{kind}: {question_id}" if question_id else kind)
        if kind in ("stop", "goodbye"):
            self._closing.want(f"guest: {kind}")
            self._floor.make_way()
        elif question_id and kind in ("skip", "answered"):
            self._mark(question_id, "declined" if kind == "skip" else "claimed", turn_id)
            waiting = self._attempts.next
            if waiting and waiting.question_id == question_id and not waiting.requested:
                self._attempts.release(waiting, "declined")

    def _mark(self, question_id: str, kind: Literal["declined", "claimed"], turn_id: str) -> None:
        question = self._hub.ledger.questions[question_id]
        if (question.declined if kind == "declined" else question.claimed) is None:
            self._hub.log(kind, question_id, turn=turn_id)

    def _question_before(self, turn_id: str) -> str | None:
        """The question that a guest's turn speaks to: that of the last reply of which something was heard."""
        for turn in self._conversation.asked_before(turn_id):
            if turn.question_id:
                return turn.question_id
            for heard in self._hub.ledger.heard:
                if heard.evidence.get("response_id") == turn.response_id and heard.question_id:
                    return heard.question_id
        return None
