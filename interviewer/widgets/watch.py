"""Looks after the page while its sound is in use, and sees that the sound gets its turn beside a busy cell."""

import sys
import threading
from collections.abc import Callable
from typing import Final

_GLANCE_S: Final = 0.5
# A frame passes through several threads of the kernel, which let go of the interpreter at each part of a message; a
# cell that computes takes it for this long each time. From a client to the handler, p95 of 430 frames on a busy
# machine: 46 to 50 ms with the usual 5 ms, 21 to 26 with 1 ms, 15 with 0.2 ms; the cell itself got as much done.
_SWITCH_S: Final = 0.0002


class Watch:
    """From `start` to `stop` it calls `look` twice a second, on a thread of its own.

    Meanwhile Python's threads change five times a millisecond if several want to run, in the whole process.
    """

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._switch_s = 0.0

    def start(self) -> None:
        """Begin, unless it has begun."""
        if self._thread is None:
            self._switch_s = sys.getswitchinterval()
            sys.setswitchinterval(min(_SWITCH_S, self._switch_s))
            self._over.clear()
            self._thread = threading.Thread(target=self._run, name="browser-audio", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End, if it has begun; may be called from its own thread."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        sys.setswitchinterval(self._switch_s)
        self._over.set()
        if thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while not self._over.wait(_GLANCE_S):
            self._look()
