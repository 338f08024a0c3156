"""What happens to a call, in order of time: the one way from other threads to the call's own."""

import heapq
import itertools
import queue
import threading
from collections.abc import Callable

from interviewer.live.clock import WallClock

Happening = Callable[[int], object]
"""Called on the call's thread with the time, in ms, at which it happened."""


class Agenda:
    """Happenings from any thread, dated as they come, and what the call has put off until a later time."""

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._came: queue.SimpleQueue[tuple[int, Happening]] = queue.SimpleQueue()
        self._dating = threading.Lock()
        self._waiting: list[tuple[int, int, Happening]] = []
        self._count = itertools.count()

    def post(self, happening: Happening) -> None:
        """It happens now. From any thread."""
        with self._dating:
            self._came.put((self._clock.now_ms, happening))

    def later(self, t_ms: int, happening: Happening) -> None:
        """It happens at `t_ms`. From the call's thread only."""
        heapq.heappush(self._waiting, (t_ms, next(self._count), happening))

    def next(self, deadline: int | None) -> tuple[int, Happening | None]:
        """Wait for the next happening and when it was; None once the deadline is reached and all before it is done."""
        while True:
            while not self._came.empty():
                self.later(*self._came.get())
            now_ms = self._clock.now_ms
            if self._waiting and self._waiting[0][0] <= now_ms:
                t_ms, _, happening = heapq.heappop(self._waiting)
                return t_ms, happening
            if deadline is not None and deadline <= now_ms:
                return now_ms, None
            self._rest(deadline)

    def _rest(self, deadline: int | None) -> None:
        ahead = [t for t in (deadline, self._waiting[0][0] if self._waiting else None) if t is not None]
        timeout = self._clock.seconds_until(min(ahead)) if ahead else None
        try:
            self.later(*self._came.get(timeout=timeout))
        except queue.Empty:
            return
