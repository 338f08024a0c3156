"""Which page has the sound of a call, and whether it is still there.

Page to kernel, on the widget's own comm, one message at a time:

    {page, events: [...], first, dropped} and, if the microphone is wanted, one buffer of whole frames

`page` is a name the page gave itself; `first` numbers the first frame; `dropped` counts those given up. Events: `here`
when it shows the widget, `claim` {force}, `bye`, `problem` {code}, `state` {muted, device} and `played` {response,
samples, ended}.

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

MISSED_S: Final = 10.0
"""After this long without any page somebody has to be told."""

GONE_S: Final = 10.0
"""After this long what it had still to play counts as not heard."""

Publish = Callable[[Mapping[str, Any], list[bytes] | None], None]


class Page:
    """The page that has the sound: at most one. `seen`: any has shown it. Not locked: its callers see to that."""

    def __init__(self, publish: Publish, now: Callable[[], float] = time.monotonic) -> None:
        """`now` is in seconds."""
        self._publish = publish
        self._now = now
        self._heard_at = 0.0
        self._wanted_at: float | None = None
        self.owner = ""
        self.seen = False

    @property
    def silent_s(self) -> float:
        """How long nothing has come from it; 0 if there is none."""
        return self._now() - self._heard_at if self.owner else 0.0

    @property
    def missed_s(self) -> float:
        """How long a page has been wanted that never came; 0 if there is one or was one."""
        return self._now() - self._wanted_at if self._wanted_at is not None and not self.owner else 0.0

    def want(self, on: bool = True) -> None:
        """A call waits for a page from now on, or does so no more."""
        self._wanted_at = self._now() if on else None

    def may_have(self, page: str, *, force: bool) -> bool:
        """Whether this page may have the sound: not if another that is alive has it, unless `force` is said."""
        return force or self.owner in ("", page) or self.silent_s >= SILENT_S

    def give(self, page: str) -> None:
        """It has the sound now, and the one before, if any, has not."""
        if self.owner != page:
            self.tell("taken")
        self.owner = page
        self._heard_at = self._now()
        self.want(False)

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
