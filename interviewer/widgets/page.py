"""Which page has the sound of a call, and whether it is still there.

Page to kernel, on the widget's own comm, one message at a time:

    {page, events: [...], first, dropped} and, if the microphone is wanted, one buffer of whole frames

`page` is a name the page gave itself; `first` numbers the first frame; `dropped` counts those given up. Events:
`claim` {force}, `bye`, `problem` {code}, `state` {muted, device} and `played` {response, samples, ended}.

Kernel to page, on a second comm: {kind, page, ...}, of kind `yours` {listen}, `refused`, `taken`, `listen` {on},
`play` {response} with a buffer, `end` {response}, `stop` {response}, `mute` {on} and `over`. A page leaves alone what
is for another. No message has a key `id`: ipykernel would keep each such for a reply.

Two comms because ipykernel handles what arrives on a comm in the thread that last published on it: the call publishes
from a thread of its own, and that would move the microphone behind whatever cell is running.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

SILENT_S: Final = 3.0
"""A page says something every second, so after this long something is wrong."""

GONE_S: Final = 10.0
"""After this long what it had still to play counts as not heard."""

Publish = Callable[[Mapping[str, Any], list[bytes] | None], None]


class Page:
    """The page that has the sound: at most one. Not locked: its callers see to that."""

    def __init__(self, publish: Publish, now: Callable[[], float] = time.monotonic) -> None:
        """`now` is in seconds."""
        self._publish = publish
        self._now = now
        self._heard_at = 0.0
        self.owner = ""

    @property
    def silent_s(self) -> float:
        """How long nothing has come from it; 0 if there is none."""
        return self._now() - self._heard_at if self.owner else 0.0

    def may_have(self, page: str, *, force: bool) -> bool:
        """Whether this page may have the sound: not if another that is alive has it, unless `force` is said."""
        return force or self.owner in ("", page) or self.silent_s >= SILENT_S

    def give(self, page: str) -> None:
        """It has the sound now, and the one before, if any, has not."""
        if self.owner != page:
            self.tell("taken")
        self.owner = page
        self._heard_at = self._now()

    def heard_from(self, page: str) -> bool:
        """Note that this page lives; whether it has the sound."""
        if not page or page != self.owner:
            return False
        self._heard_at = self._now()
        return True

    def leave(self) -> None:
        """It is closed."""
        self.owner = ""

    def tell(self, kind: str, page: str = "", pcm: bytes | None = None, **data: Any) -> None:
        """Send to `page`, else to the one that has the sound, if any."""
        if receiver := page or self.owner:
            self._publish({"kind": kind, "page": receiver, **data}, None if pcm is None else [pcm])
