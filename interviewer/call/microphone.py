"""What our own microphone heard of the guest: the edges of speech, exact where the service's come after its silence."""

from collections import deque
from typing import Final

from interviewer.call.hub import Hub

_SPANS: Final = 50  # more than a stall can hold


class Microphone:
    """Speech between its edges. `known`: whether it tells of edges at all; `since_ms`: when the speech heard now began.

    `off_ms`: when its last edge was.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.known = False
        self.since_ms: int | None = None
        self.off_ms = 0
        self._heard = False
        self._spoken_ms = 0
        self._spans: deque[tuple[int, int]] = deque(maxlen=_SPANS)

    def edge(self, on: bool) -> None:
        """Speech begins or ends."""
        now = self._hub.now
        self.known = True
        if self.since_ms is not None:
            self._spoken_ms += now - self.since_ms
            self._heard = self._heard or now > self.since_ms
            self._spans.append((self.since_ms, now))
        self.since_ms = now if on else None
        self.off_ms = now

    def item_began(self) -> None:
        """From here on the speech of another item is counted."""
        self._spoken_ms = 0

    @property
    def spoken_ms(self) -> int:
        """Speech since the item began."""
        return self._spoken_ms + (self._hub.now - self.since_ms if self.since_ms is not None else 0)

    def heard(self, span: tuple[int, int] | None) -> bool:
        """Whether somebody spoke: in this span, else since the last commit."""
        if span is None:
            return self._heard or self.since_ms is not None
        spans = [*self._spans, *([(self.since_ms, self._hub.now)] if self.since_ms is not None else [])]
        return any(since <= span[1] and until >= span[0] for since, until in spans)

    def taken(self) -> None:
        """What was heard so far is in an item, or in none any more."""
        self._heard = False
