"""Who has the floor: when the voice replies, when it gives way, and what happens when the guest is silent."""

from interviewer.call import guidance as text
from interviewer.call.attempts import Attempts, Offer
from interviewer.call.clock import Clock
from interviewer.call.closing import NOTHING_LEFT, Closing
from interviewer.call.conversation import Conversation, GuestItem
from interviewer.call.guidance import ReplyKind
from interviewer.call.hub import Hub, earliest
from interviewer.call.microphone import Microphone
from interviewer.call.replies import Replies, Reply
from interviewer.call.requests import only_backchannel

_OFFER_PAUSE = "The guest has been silent for a while: offer to pause or to end here."


class Floor:
    """Asks for replies, lets the guest in, nudges a silent guest."""

    def __init__(
        self,
        hub: Hub,
        clock: Clock,
        conversation: Conversation,
        attempts: Attempts,
        replies: Replies,
        closing: Closing,
    ) -> None:
        self._hub, self._clock, self._conversation = hub, clock, conversation
        self._attempts, self._replies, self._closing = attempts, replies, closing
        self._wants: ReplyKind | None = None
        self._due_ms: int | None = None
        self._tries = 0
        self._free_at_end = 0
        self._guest_item: str | None = None
        self._stopped_ms: int | None = None
        self._barge_ms: int | None = None
        self._mic = Microphone(hub)
        self._over_voice = False
        self._started_ms = 0
        self._silent_since_ms: int | None = None
        self._quiet_since_ms: int | None = None
        self._nudges = 0

    # -- the guest ---------------------------------------------------------------------------------------------

    def mic(self, on: bool) -> None:
        """The microphone's own edge of speech."""
        self._mic.edge(on)
        self._barge_ms = None
        reply = self._replies.active
        if not on or reply is None or self._guest_item is None:
            return
        if reply.audible and self._over_voice:
            self._barge_ms = self._hub.now + max(0, self._hub.settings.call.backchannel_ms - self._mic.spoken_ms)
        elif not reply.audible:
            self._over_reply(reply)

    def guest_started(self, item_id: str) -> None:
        """The guest began to speak: over the voice it may be a barge-in; before the voice is heard it goes on."""
        self._guest_item = item_id
        self._silent_since_ms = self._stopped_ms = None
        self._mic.item_began()
        self._started_ms = self._hub.now
        reply = self._replies.active
        self._over_voice = reply is not None and reply.audible and not self._nearly_over(reply)
        if reply is not None:
            self._over_reply(reply)
        self._conversation.guest_started(item_id)

    def _over_reply(self, reply: Reply) -> None:
        if self._mic.known and self._mic.since_ms is None:
            return  # our own microphone hears nobody: it is the voice itself, or noise
        if reply.audible or reply.kind == "closing":
            call = self._hub.settings.call
            silence = 0 if self._mic.known else self._hub.settings.voice.silence_ms
            since = self._mic.since_ms if self._mic.since_ms is not None else self._hub.now
            self._barge_ms = since + call.backchannel_ms + silence
        elif not reply.playback_ended:
            self._give_way(reply)

    def _nearly_over(self, reply: Reply) -> bool:
        """Whether so little of the voice is left that a "yes" is an answer: people begin before the last word ends."""
        left = reply.total_ms - reply.played_ms
        return reply.done_ms is not None and left <= self._hub.settings.call.early_answer_ms

    def guest_stopped(self, item_id: str) -> None:
        """The guest's silence was long enough."""
        self._conversation.guest_stopped(item_id)
        if self._guest_item == item_id:  # an end that comes late must not end the next one
            self._stopped_ms = self._hub.now
            self._barge_ms = None

    def guest_committed(self, item_id: str, *, brief: bool = False, span: tuple[int, int] | None = None) -> None:
        """The guest's turn is in the conversation: a reply is due, unless its words must tell what it was.

        So it is with listening noise, with something brief, and with what only the service heard. `span`: when it was
        spoken, of an item that the service tells of late.
        """
        noise = self._over_voice and self._speech_ms() < self._hub.settings.call.backchannel_ms
        unheard = not self._mic.heard(span) if self._mic.known else None
        spoken_ms = self._mic.spoken_ms if self._mic.known and span is None else None
        self._mic.taken()
        self._conversation.guest_committed(item_id, backchannel=noise)
        item = self._conversation.item(item_id)
        assert item is not None
        item.unheard, item.doubtful, item.spoken_ms = unheard, bool(unheard or brief), spoken_ms
        if self._guest_item in (None, item_id) or self._mic.since_ms is None:  # else the next one is being spoken
            self._guest_item = self._stopped_ms = None
            self._over_voice = False
        if not (noise or item.doubtful):
            self._reply_due()
        elif self._replies.active is None and self._quiet_since_ms is not None:
            self._silent_since_ms = self._hub.now

    def committed_again(self, item: GuestItem, span: tuple[int, int] | None = None) -> None:
        """The service tells late of an end that was taken for lost: somebody may have spoken since."""
        heard = self._mic.heard(span)
        self._mic.taken()
        if heard:
            self._conversation.went_on(item.id)
        if heard and item.unheard:
            item.unheard = False  # a late text may mend even what was given up as inaudible
            if not item.settled:
                self._turn_after_all(item)

    def _speech_ms(self) -> int:
        """How long the guest spoke: by the microphone, else by the service's events less the silence they wait for."""
        if self._mic.known:
            return self._mic.spoken_ms
        return self._hub.now - self._started_ms - self._hub.settings.voice.silence_ms

    def guest_typed(self) -> None:
        """The guest typed: a reply is due as after speech."""
        self._reply_due()

    def understood(self, item_id: str) -> None:
        """A transcript came for what might have been noise: real words mean that it was a turn after all."""
        item = self._conversation.item(item_id)
        if item is None or not item.text or (item.backchannel and only_backchannel(item.text)):
            return
        if item.backchannel or item.doubtful:
            self._turn_after_all(item)

    def not_understood(self, item_id: str) -> None:
        """Nobody can tell what was said: unless it was a moment only, somebody did speak."""
        item = self._conversation.item(item_id)
        if item is None or not item.doubtful or item.backchannel:
            return
        if item.length_ms is None or item.length_ms >= self._hub.settings.call.backchannel_ms:
            self._turn_after_all(item)

    def _turn_after_all(self, item: GuestItem) -> None:
        item.backchannel = item.doubtful = False
        reply = self._replies.active
        if reply is None or not reply.audible:
            self._reply_due()

    @property
    def overdue_item(self) -> str | None:
        """The item whose end the service must have told, and has not: the event was lost."""
        due = self._end_due_ms
        return self._guest_item if due is not None and self._hub.now >= due else None

    @property
    def _end_due_ms(self) -> int | None:
        if self._guest_item is None:
            return None
        wait = self._hub.settings.wait.ack_ms
        if self._stopped_ms is not None:
            return self._stopped_ms + wait
        if not self._mic.known or self._mic.since_ms is not None:
            return None
        return max(self._mic.off_ms, self._started_ms) + self._hub.settings.voice.silence_ms + wait

    def _reply_due(self) -> None:
        self._wants, self._due_ms, self._tries = self._wants or "free", self._hub.now, 0
        self._quiet_since_ms, self._nudges = None, 0

    def make_way(self) -> None:
        """Drop a reply that nobody has heard anything of yet."""
        reply = self._replies.active
        if reply and not reply.audible and not reply.playback_ended and reply.kind != "closing":
            self._drop(reply, "the guest wants to stop")

    def _give_way(self, reply: Reply) -> None:
        """The guest goes on before the reply was heard: it never happened, and its question is chosen again."""
        offer = self._drop(reply, "the guest went on")
        if offer and self._attempts.next is None and self._fits_still(offer):
            self._again(offer)

    def _drop(self, reply: Reply, why: str) -> Offer | None:
        """Cancel a reply that was not heard and release its attempt, which is returned."""
        offers = (self._attempts.current, self._attempts.next)
        offer = next((o for o in offers if o and o.attempt_id == reply.attempt_id), None)
        self._replies.cancel(reply, why)
        if reply.response_id:
            self._conversation.interviewer_unheard(reply.response_id)
        if offer:
            self._attempts.release(offer, "cancelled", response_id=reply.response_id, detail=why)
        return offer

    def disconnected(self) -> None:
        """The connection is gone: a guest in mid-sentence was cut off."""
        if self._guest_item is not None:
            self._conversation.cut_off(self._guest_item)
        self._guest_item = self._barge_ms = self._stopped_ms = None
        self._over_voice = False

    def session_began(self) -> None:
        """From here on the guest is heard by a new session: its items hold nothing of what was said before."""
        self._mic.taken()

    def interrupted(self) -> None:
        """The program stopped, and with it the microphone."""
        if self._mic.since_ms is not None:
            self.mic(on=False)
        self.disconnected()

    @property
    def quiet(self) -> bool:
        """Whether the guest says nothing, as far as anyone knows, and no reply is due."""
        return self._guest_item is None and self._mic.since_ms is None and self._wants is None

    def missed(self, since_ms: int) -> bool:
        """Whether the guest said something, as our own microphone hears it, from then on."""
        return self._mic.since_ms is not None or (self._mic.known and self._mic.off_ms >= since_ms)

    def resumed(self) -> None:
        """After a pause the guest's silence is counted anew."""
        if self._silent_since_ms is not None:
            self._silent_since_ms = self._hub.now
        if self._quiet_since_ms is not None:
            self._quiet_since_ms = self._hub.now

    def unlocked(self) -> None:
        """The end moved away: what wrap_up used up is given back."""
        self._free_at_end = 0

    def _fits_still(self, offer: Offer) -> bool:
        """Whether a question chosen before may be chosen again now: wrap_up opens no new subject by this door."""
        question = self._hub.ledger.questions[offer.question_id]
        chosen = self._hub.ledger.attempts[offer.attempt_id].value("selected", "phase")
        must = question.planned and question.priority == 1
        return self._clock.phase != "wrap_up" or chosen == "wrap_up" or must

    def _again(self, offer: Offer) -> None:
        self._attempts.select(
            offer.question_id,
            offer.text,
            offer.snapshot_ms,
            kind="question",
            returning=offer.returning,
            again=offer.attempt_id,
            phase=self._clock.phase,
        )
        self._attempts.send()

    # -- the voice ---------------------------------------------------------------------------------------------

    def want(self, kind: ReplyKind) -> None:
        """A reply of this kind is wanted as soon as the floor is free."""
        self._wants, self._due_ms, self._tries = kind, self._hub.now, 0

    def reply_over(self, reply: Reply) -> None:
        """A reply is over: the guest has the floor, or it is tried again if nothing of it was heard."""
        unheard = reply.played_ms == 0 and not reply.displayed
        if unheard and self._guest_item is None and self._wants is None and not self._closing.over:
            self._retry(reply)
            return
        self._silent_since_ms = self._hub.now
        if self._quiet_since_ms is None:
            self._quiet_since_ms = self._hub.now

    def _retry(self, reply: Reply) -> None:
        self._tries += 1
        if self._tries >= self._hub.settings.wait.reply_tries:
            self._silent_since_ms = self._quiet_since_ms = self._hub.now
            return
        kind: ReplyKind = "free" if reply.kind == "question" else reply.kind
        self._wants, self._due_ms = kind, self._hub.now + self._hub.settings.wait.retry_reply_ms

    def settle(self) -> None:
        """Ask for the reply that is due, if the floor is free for it."""
        if self._barge_ms is not None and self._hub.now >= self._barge_ms:
            self._barge_in()
        if self._closing.wanted and self._wants != "closing" and self._may_close():
            self.want("closing")
        elif self._wants == "closing" and not self._closing.wanted:
            self._wants = "free"
        if self._wants is None or self._due_ms is None or not self._free():
            return
        if self._wants in ("nudge", "resume", "closing"):
            self._say(self._wants)
        elif self._closing.wanted:
            self._say("closing")
        else:
            self._reply(self._due_ms)

    def _free(self) -> bool:
        if self._closing.over or self._clock.paused or self._hub.now < (self._due_ms or 0):
            return False
        if self._replies.active is not None or not self._hub.online:
            return False
        return self._guest_item is None or self._closing.overdue

    def _may_close(self) -> bool:
        return self._guest_item is None or self._closing.overdue

    def _reply(self, due_ms: int) -> None:
        offer, wait = self._attempts.next, self._hub.settings.wait
        if offer and (offer.accepted or offer.blind):
            self._ask(offer)
        elif offer and self._hub.now < due_ms + wait.ack_after_turn_ms:
            return
        elif offer:
            self._attempts.release(offer, "timed_out", detail="not acknowledged when the guest had finished")
            self._opening_or_free()
        elif self._wants == "opening" or self._hub.now >= due_ms + self._hub.settings.call.reply_wait_ms:
            self._opening_or_free()

    def _opening_or_free(self) -> None:
        if self._wants == "opening":
            self._say("opening")
        elif self._clock.phase == "wrap_up" and self._free_at_end >= self._hub.settings.call.wrap_up_free:
            self._closing.want(NOTHING_LEFT)
            self._say("closing")
        else:
            self._free_at_end += self._clock.phase == "wrap_up"
            self._say("free")

    def _ask(self, offer: Offer) -> None:
        update = offer.accepted or offer.blind
        assert update is not None
        ended = self._conversation.last_guest_turn_ended_ms
        stale = max(0, ended - offer.snapshot_ms) if ended is not None else 0
        self._wants = self._due_ms = self._silent_since_ms = None
        offer.requested = True
        self._replies.request(
            offer.kind,
            update.instructions,
            update.revision,
            attempt_id=offer.attempt_id,
            question_id=offer.question_id,
            stale_ms=stale,
        )

    def _say(self, kind: ReplyKind) -> None:
        """A reply without an attempt, under fresh guidance."""
        self._wants = self._due_ms = self._silent_since_ms = None
        if kind == "closing" and self._attempts.next and self._attempts.replaceable:
            self._attempts.release(self._attempts.next, "superseded", detail="the call is closing")
        brief = _OFFER_PAUSE if kind == "nudge" and self._nudges > 1 else None
        revision = self._attempts.updates.accepted.revision if self._attempts.updates.accepted else 0
        guidance = self._attempts.compose(kind, brief=brief)
        self._replies.request(kind, text.instructions(self._hub.setup, guidance, revision, self._hub.names), revision)

    def _barge_in(self) -> None:
        self._barge_ms = None
        reply = self._replies.active
        item = self._conversation.item(self._guest_item) if self._guest_item else None
        if reply is None or (item and item.partial and only_backchannel(item.partial)):
            return
        self._replies.cancel(reply, "the guest cut in")

    # -- silence -----------------------------------------------------------------------------------------------

    def due(self) -> None:
        """Nudge a silent guest, offer a pause, or close."""
        if self._silence_deadline is None or self._hub.now < self._silence_deadline:
            return
        call = self._hub.settings.call
        if self._quiet_since_ms is not None and self._hub.now >= self._quiet_since_ms + call.silence_ends_ms:
            self._closing.want("silent guest")
            self._silent_since_ms = None
        elif self._nudges < 2:
            self._nudges += 1
            self._silent_since_ms = None
            self.want("nudge")

    @property
    def _silence_deadline(self) -> int | None:
        if self._silent_since_ms is None or self._quiet_since_ms is None or self._clock.paused:
            return None
        call = self._hub.settings.call
        end = self._quiet_since_ms + call.silence_ends_ms
        waits = (call.nudge_after_ms, call.offer_pause_after_ms)
        return min(end, self._silent_since_ms + waits[self._nudges]) if self._nudges < 2 else end

    @property
    def deadline(self) -> int | None:
        """When the floor needs the core again."""
        if self._closing.over:
            return None
        reply_ms = None
        if self._wants is not None and self._due_ms is not None and self._replies.active is None:
            reply_ms = self._due_ms
            if self._hub.now >= self._due_ms:
                waits = (self._hub.settings.call.reply_wait_ms, self._hub.settings.wait.ack_after_turn_ms)
                reply_ms = min((self._due_ms + w for w in waits if self._due_ms + w > self._hub.now), default=None)
        return earliest(reply_ms, self._barge_ms, self._silence_deadline, self._end_due_ms)
