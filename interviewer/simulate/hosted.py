"""A simulated service on a thread of its own, for whoever has no event loop."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from interviewer.simulate.server import SimulatorServer

T = TypeVar("T")


class Hosted:
    """Runs a SimulatorServer from `start` to `close`; a context manager."""

    def __init__(self, server: SimulatorServer) -> None:
        self.server = server
        self._loop = asyncio.new_event_loop()
        self._closing = threading.Lock()
        self._thread = threading.Thread(target=self._loop.run_forever, name="simulator", daemon=True)

    def start(self) -> Self:
        """Begin to listen. Raises as `SimulatorServer.start` does."""
        self._thread.start()
        try:
            self.run(self.server.start())
        except BaseException:
            self._end()
            raise
        return self

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Have the server's loop do something, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Say goodbye to every client and end. May be called again, from any thread."""
        with self._closing:
            if self._thread.is_alive():
                self.run(self.server.stop())
                self._end()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
