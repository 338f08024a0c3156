"""At most so many runs of models a minute, whoever asks for them."""

import threading
import time
from collections.abc import Callable

from pydantic import BaseModel

from interviewer.llm.backend import Backend, Ran, Task


class Limiter:
    """Lets through `per_minute` callers a minute, evenly; the others wait their turn. From any thread.

    `now` is in seconds.
    """

    def __init__(
        self, per_minute: int, now: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._gap_s = 60 / per_minute
        self._now, self._sleep = now, sleep
        self._lock = threading.Lock()
        self._next = now()

    def wait(self) -> None:
        """Return when it is this caller's turn."""
        with self._lock:
            at = max(self._next, self._now())
            self._next = at + self._gap_s
        if (left := at - self._now()) > 0:
            self._sleep(left)


class Limited:
    """A backend whose runs wait for a limiter; `free` tells of an agent, by name, that it asks no model."""

    def __init__(self, inner: Backend, limiter: Limiter, free: Callable[[str], bool]) -> None:
        self.inner = inner
        self._limiter, self._free = limiter, free

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """Run a task once it is its turn."""
        if not self._free(task.name):
            self._limiter.wait()
        return self.inner.run(task, data, job_id)
