"""One event loop on a thread of its own, for what waits on the network: callers may have a loop, or none."""

import asyncio
import functools
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


_making = threading.Lock()  # two threads that come first together must not make a loop each


@functools.cache
def _loop(_process: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="llm", daemon=True).start()
    return loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` on that loop and wait for it; it is cancelled if the waiting is interrupted."""
    with _making:
        loop = _loop(os.getpid())
    future = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
