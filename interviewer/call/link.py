"""The connection as the core sees it: epochs, reconnects with growing pauses, and what a new session is told."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from interviewer.call.actions import CloseConnection, Connect
from interviewer.call.hub import Hub, earliest
from interviewer.model.turn import Said


class Link:
    """One connection after the other, each an epoch. A new one begins blank: it is told what was said."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.up = False
        self.ready = False
        self._created = False
        self._since_ms: int | None = None
        self._retry_ms: int | None = None
        self._tries = 0
        self.unix_s = 0
        self.renewing = False
        self.began_ms = 0
        self._renew_ms: int | None = None
        self._expires_ms: int | None = None
        self._untold: tuple[str, str] | None = None

    def connect(self) -> None:
        """Open the next epoch."""
        self._hub.epoch += 1
        self.up, self.ready, self._created = True, False, False
        self._since_ms, self._retry_ms = self._hub.now, None
        self._renew_ms = self._expires_ms = None
        self.began_ms = self._hub.now
        self._hub.act(Connect(self._hub.epoch))

    def connected(self) -> None:
        """The socket is open; the session is still to come."""
        self._hub.record("status", status="connected", epoch=self._hub.epoch)

    def renew(self) -> None:
        """Open the next epoch while this one still stands: it is about to end."""
        self.renewing = True
        self.connect()

    def created(self, session: Any) -> None:
        """`session.created` came; it says when the session will end."""
        self._created = True
        call = self._hub.settings.call
        expires_at = session.get("expires_at") if isinstance(session, Mapping) else None
        left = expires_at * 1_000 - self.unix_s * 1_000 - self._hub.now if type(expires_at) is int else 0
        if not 0 < left <= call.session_ms:
            left = call.session_ms  # clocks that differ, or a service that does not say
        self._expires_ms = self._hub.now + left
        self._renew_ms = self._expires_ms - min(call.renew_before_ms, left // 4)

    @property
    def ageing(self) -> bool:
        """Whether the session should be renewed at the next good moment."""
        return self.ready and self._renew_ms is not None and self._hub.now >= self._renew_ms

    @property
    def aged(self) -> bool:
        """Whether half the time for that has passed: any quiet moment will do."""
        if self._renew_ms is None or self._expires_ms is None:
            return False
        return self._hub.now >= (self._renew_ms + self._expires_ms) // 2

    @property
    def unanswered(self) -> bool:
        """Whether the session is there but has accepted nothing of ours yet."""
        return self._created and not self.ready and self._since_ms is not None

    def now_ready(self) -> None:
        """The first update of this epoch was accepted."""
        self.ready, self._since_ms, self._tries = True, None, 0
        self.renewing = False

    def lost(self, reason: str) -> bool:
        """The socket is gone. True if another try is coming, False if there were enough."""
        if self._retry_ms is not None:
            return True
        self._hub.record("status", status="disconnected", epoch=self._hub.epoch, reason=reason)
        self.up, self.ready, self.renewing, self._since_ms = False, False, False, None
        call = self._hub.settings.call
        if self._tries >= call.reconnect_tries:
            return False
        # Jitter keeps many clients from coming back at once; it is seeded so that a replay waits as long.
        whose = f"{self.unix_s}:{self._hub.setup.plan.topic}:{self._hub.setup.guest}"
        jitter = random.Random(f"{whose}:{self._hub.epoch}:{self._tries}").uniform(0.5, 1.0)
        pause = min(8, 2**self._tries) * call.reconnect_ms * jitter
        self._tries += 1
        self._retry_ms = self._hub.now + round(pause)
        return True

    def gone(self) -> None:
        """The program that held the connection died, and it with it."""
        self.up, self.ready, self.renewing = False, False, False
        self._since_ms = self._retry_ms = self._renew_ms = self._expires_ms = None
        self._tries = 0

    def stop(self) -> None:
        """No more connections."""
        self._since_ms = self._retry_ms = None

    def due(self) -> bool:
        """Reconnect when the pause is over; True if the connection does not come about and tries are used up."""
        if self._retry_ms is not None and self._hub.now >= self._retry_ms:
            self.connect()
        elif self._since_ms is not None and self._hub.now >= self._since_ms + self._hub.settings.wait.connect_ms:
            self._since_ms = None
            self._hub.act(CloseConnection(self._hub.epoch))
            return not self.lost("no session in time")
        return False

    @property
    def deadline(self) -> int | None:
        """When to try again, or to give up waiting."""
        waiting = self._since_ms + self._hub.settings.wait.connect_ms if self._since_ms is not None else None
        half = (self._renew_ms + self._expires_ms) // 2 if self._renew_ms and self._expires_ms else None
        marks = (t for t in (self._renew_ms, half) if t is not None and t > self._hub.now)
        return earliest(self._retry_ms, waiting, *marks)

    def seeds(self, turns: tuple[Said, ...], playing: str | None = None) -> Iterator[dict[str, Any]]:
        """The conversation so far as items for the new session, oldest first.

        `playing`: the turn that is still being played. Nobody knows yet how much of it is heard, and what a client
        wrote cannot be truncated: `seed_heard` makes the item when it is over.
        """
        self._untold, before = None, "root"
        for turn in turns:
            if turn.id == playing:
                self._untold = turn.id, before
                continue
            event = self._seed(turn)
            before = event["item"]["id"]
            yield event

    def seed_heard(self, turn: Said) -> dict[str, Any] | None:
        """What was heard of the turn that the session was not told of, in its place; None if it was told of it."""
        if self._untold is None or self._untold[0] != turn.id:
            return None
        before, self._untold = self._untold[1], None
        return {"previous_item_id": before, **self._seed(turn)} if turn.text else None

    def _seed(self, turn: Said) -> dict[str, Any]:
        guest = turn.speaker == "guest"
        content = {"type": "input_text" if guest else "output_text", "text": turn.text}
        return {
            "type": "conversation.item.create",
            "item": {
                "id": f"again_{self._hub.epoch}_{turn.id}",
                "type": "message",
                "role": "user" if guest else "assistant",
                "content": [content],
            },
        }
