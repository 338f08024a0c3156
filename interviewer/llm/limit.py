"""At most so many runs of models a minute, whoever asks for them; none once nobody waits for them any more."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError

from pydantic import BaseModel

from interviewer.errors import Stopped
from interviewer.llm.backend import Backend, Ran, Task
from interviewer.llm.loop import Group


class Limiter:
    """Lets through `per_minute` callers a minute (0: all), evenly; the others wait their turn. From any thread.

    `now` is in seconds; `pause`, by default until it is stopped, waits for so many of them at most.
    """

    def __init__(
        self,
        per_minute: int,
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        self._gap_s = 60 / per_minute if per_minute else 0.0
        self._now = now
        self._stopped = threading.Event()
        self._asked = Group()
        self._pause = pause or self._stopped.wait
        self._lock = threading.Lock()
        self._next = now()

    def wait(self) -> None:
        """Return when it is this caller's turn. Raises Stopped once nobody's turn comes any more."""
        with self._lock:
            at = max(self._next, self._now())
            self._next = at + self._gap_s
        if (left := at - self._now()) > 0:
            self._pause(left)
        if self._stopped.is_set():
            raise Stopped("it was stopped before a model was asked")

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """The caller's turn, once it comes. Raises Stopped, also in the middle of it."""
        self.wait()
        with self._asked.joined():
            try:
                yield
            except CancelledError:
                raise Stopped("it was stopped while a model was asked") from None

    def stop(self) -> None:
        """Nobody's turn comes any more, and what a model is being asked is given up."""
        self._stopped.set()
        self._asked.cancel()


class Limited:
    """A backend whose runs wait for a limiter; `free` tells of an agent, by name, that it asks no model."""

    def __init__(self, inner: Backend, limiter: Limiter, free: Callable[[str], bool]) -> None:
        self.inner = inner
        self._limiter, self._free = limiter, free

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """Run a task once it is its turn. Raises Stopped as `Limiter.turn` does."""
        if self._free(task.name):
            return self.inner.run(task, data, job_id)
        with self._limiter.turn():
            return self.inner.run(task, data, job_id)
