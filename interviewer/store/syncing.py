"""Brings a journal to the disk again and again, beside the call that writes it."""

import threading
from collections.abc import Callable


class Syncing:
    """From `start` to `stop` it calls `sync` every `every_s` seconds, on a thread of its own."""

    def __init__(self, sync: Callable[[], None], every_s: float) -> None:
        self._sync = sync
        self._every_s = every_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal-sync", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for it; not at all if it never began."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._every_s):
            self._sync()
