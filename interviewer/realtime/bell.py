"""A bell that a loop hears: other threads ring it to have the loop look at what they put down."""

import asyncio
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

_RINGS: Final = 4_096  # taken at once


class Bell:
    """A socket pair. For a frame of the microphone it costs half of what `call_soon_threadsafe` does.

    A context manager of the loop's; needs a loop with `add_reader`, which `asyncio.SelectorEventLoop` has everywhere.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, heard: Callable[[], object]) -> None:
        self._loop = loop
        self._heard = heard
        self._near, self._far = socket.socketpair()
        self._lock = threading.Lock()  # a descriptor that was closed may be another's by now
        self._closed = False

    def __enter__(self) -> Self:
        self._near.setblocking(False)
        self._far.setblocking(False)
        self._loop.add_reader(self._near, self._answer)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._closed = True
            self._loop.remove_reader(self._near)
            self._near.close()
            self._far.close()

    def ring(self) -> None:
        """Have the loop call `heard`, soon; one call may answer several rings. From any thread."""
        with self._lock:
            try:
                if not self._closed:
                    self._far.send(b"\0")
            except BlockingIOError:  # a pair that takes no more is about to be heard anyway
                return

    def _answer(self) -> None:
        self._near.recv(_RINGS)
        self._heard()
