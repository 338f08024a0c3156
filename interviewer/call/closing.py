"""How a call ends: a goodbye that counts, or the clock, or the guest; the goodbye heard out; the socket closed."""

from interviewer.call.actions import CloseConnection, Microphone
from interviewer.call.clock import Clock
from interviewer.call.hub import Hub
from interviewer.call.replies import Reply
from interviewer.matching.text import plain, questions

TIME_UP, TIME_NEARLY_UP, NOTHING_LEFT = "time up", "time nearly up", "wrapped up"
_BY_THE_CLOCK = (TIME_UP, TIME_NEARLY_UP, NOTHING_LEFT)


class Closing:
    """Watches for the end. `wanted`: a closing reply is due; `over`: a goodbye counted, nothing is answered now."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock
        phrases = hub.settings.call.closing_phrases
        spoken = phrases.get(hub.setup.plan.language, phrases.get("en", ()))
        self._phrases = tuple(plain(phrase) for phrase in spoken if phrase.strip())
        self.wanted = False
        self.reason = ""
        self.over = False
        self.closed = False
        self._time_up_ms: int | None = None
        self._goodbye_ms: int | None = None
        self._closing_ms: int | None = None
        self._asked = 0

    def want(self, reason: str) -> None:
        """A closing reply is wanted; the first reason stays."""
        if not self.over and not self.wanted:
            self.wanted, self.reason = True, reason

    def extended(self) -> None:
        """The target moved: a goodbye that only the clock wanted is off."""
        self._time_up_ms = None
        if self.wanted and self.reason in _BY_THE_CLOCK:
            self.wanted, self.reason = False, ""

    @property
    def ending(self) -> bool:
        """Whether the socket is being closed."""
        return self._closing_ms is not None

    @property
    def overdue(self) -> bool:
        """Time is up and the guest has had the grace to finish: the goodbye waits no longer."""
        grace = self._hub.settings.call.overrun_ms
        return self._time_up_ms is not None and self._hub.now >= self._time_up_ms + grace

    def observe(self) -> None:
        """Look at the clock: time up wants a closing reply."""
        if self._time_up_ms is None and self._clock.ready_ms is not None and self._clock.remaining <= 0:
            self._time_up_ms = self._hub.now
            self.want(TIME_UP)

    def guest_turn_ended(self) -> None:
        """A guest turn ended: this late the next reply is the goodbye."""
        if self._clock.ready_ms is not None and self._clock.remaining < self._hub.settings.call.goodbye_within_ms:
            self.want(TIME_NEARLY_UP)

    def said(self, reply: Reply) -> None:
        """Take the final transcript of a reply: it may say goodbye, and that may count now."""
        if self.over:
            return
        said = plain(reply.text)
        phrase = next((p for p in self._phrases if p in said), None)
        if phrase is None and (reply.kind != "closing" or reply.status != "completed"):
            return
        if reply.kind != "closing" and questions(reply.text):
            # "Any final thoughts?" asks for an answer: hanging up on it would be no goodbye.
            return
        late = self._clock.remaining <= self._hub.settings.call.goodbye_counts_last_ms
        if reply.kind == "closing" or self._clock.phase == "wrap_up" or late:
            self._count(reply, phrase)
        else:
            self._hub.record("ignored", what="closing phrase too early", phrase=phrase, elapsed_ms=self._clock.elapsed)

    def _count(self, reply: Reply, phrase: str | None) -> None:
        self.over, self.wanted = True, False
        self.reason = self.reason or "interviewer said goodbye"
        self._goodbye_ms = self._hub.now
        self._hub.act(Microphone(on=False))
        self._hub.record(
            "goodbye",
            response_id=reply.response_id,
            phrase=phrase,
            kind=reply.kind,
            elapsed_ms=self._clock.elapsed,
        )

    def reply_over(self, reply: Reply) -> None:
        """A reply was heard out: after the goodbye the socket closes; a goodbye that failed is not tried for ever."""
        if self.over:
            self.close()
        elif reply.kind == "closing":
            self._asked += 1
            if self._asked >= self._hub.settings.wait.reply_tries:
                self.close()

    def close(self, reason: str = "") -> None:
        """Close the socket now."""
        if self._closing_ms is None:
            self.reason = self.reason or reason
            self.over, self.wanted = True, False
            self._closing_ms = self._hub.now
            self._hub.record("status", status="closing", reason=self.reason)
            self._hub.act(Microphone(on=False))
            self._hub.act(CloseConnection(self._hub.epoch))

    def due(self) -> None:
        """A goodbye that is not heard out in time, or a handshake that does not end, ends all the same."""
        deadline = self.deadline
        if deadline is None or self._hub.now < deadline:
            return
        if self._closing_ms is not None:
            self.closed = True
        else:
            self.close()

    def disconnected(self) -> None:
        """The socket is closed."""
        self.closed = self._closing_ms is not None or self.closed

    @property
    def deadline(self) -> int | None:
        """When waiting for the end ends."""
        if self.closed:
            return None
        if self._closing_ms is not None:
            return self._closing_ms + self._hub.settings.wait.close_ms
        if self._goodbye_ms is not None:
            return self._goodbye_ms + self._hub.settings.call.goodbye_heard_out_ms
        grace = self._time_up_ms + self._hub.settings.call.overrun_ms if self._time_up_ms is not None else None
        return grace if grace is not None and grace > self._hub.now else None
