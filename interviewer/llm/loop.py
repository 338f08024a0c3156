"""One event loop on a thread of its own, for what waits on the network: callers may have a loop, or none."""

import asyncio
import contextlib
import functools
import os
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


_making = threading.Lock()  # two threads that come first together must not make a loop each


@functools.cache
def _loop(_process: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="llm", daemon=True).start()
    return loop


class Group:
    """What several threads run on the loop, to be cancelled together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Future[Any]] = set()
        self._cancelled = False

    @contextlib.contextmanager
    def joined(self) -> Iterator[None]:
        """What this thread runs meanwhile belongs to the group."""
        _own.group = self
        try:
            yield
        finally:
            _own.group = None

    def cancel(self) -> None:
        """Whoever waits for any of it, now or later, gets a CancelledError."""
        with self._lock:
            self._cancelled = True
            running = list(self._running)
        for future in running:
            future.cancel()

    def began(self, future: "Future[Any]") -> None:
        """It runs, and can be cancelled."""
        with self._lock:
            self._running.add(future)
            cancelled = self._cancelled
        if cancelled:
            future.cancel()

    def ended(self, future: "Future[Any]") -> None:
        """It is over."""
        with self._lock:
            self._running.discard(future)


_own = threading.local()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` on that loop and wait for it; it is cancelled if the waiting is interrupted, or with its group."""
    with _making:
        loop = _loop(os.getpid())
    future = asyncio.run_coroutine_threadsafe(work, loop)
    group: Group | None = getattr(_own, "group", None)
    if group is not None:
        group.began(future)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
    finally:
        if group is not None:
            group.ended(future)
