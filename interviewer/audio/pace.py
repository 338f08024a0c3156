"""The beat of sound that no device paces: all that goes equally fast in a process shares one thread.

A microphone and a loudspeaker of a call then wake the processor once a frame and not twice, which costs more than what
either does when it is awake.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

FRAME_MS: Final = 40

_log = logging.getLogger(__name__)


class Pace:
    """Calls `step` every 40 ms / `speed` from `start` on, without drift, on a thread that others share.

    `step` must not wait; what it raises is logged, and it is called no more.
    """

    def __init__(self, step: Callable[[], None], speed: float) -> None:
        self._step = step
        self._period_s = FRAME_MS / 1_000 / speed
        self._over = False
        self._beat: _Beat | None = None
        # May be taken again: a step may lead to its own end.
        self._busy = threading.RLock()

    def start(self) -> None:
        """Begin, within one period."""
        self._beat = _Beat.join_in(self, self._period_s)

    def stop(self) -> None:
        """End; no call of `step` is under way or comes after this returns."""
        self._over = True
        with self._busy:
            beat, self._beat = self._beat, None
        if beat is not None:
            beat.leave(self)

    def go(self) -> None:
        """One step, unless it has ended."""
        with self._busy:
            if self._over:
                return
            try:
                self._step()
            except Exception:
                _log.exception("sound from or to a file stopped")
                self._over = True


class _Beat:
    """A thread that lasts as long as somebody keeps time with it."""

    _running: Final[dict[float, "_Beat"]] = {}
    _lock: Final = threading.Lock()

    def __init__(self, period_s: float) -> None:
        self._period_s = period_s
        self._paces: tuple[Pace, ...] = ()
        self._thread = threading.Thread(target=self._run, name="audio", daemon=True)

    @classmethod
    def join_in(cls, pace: Pace, period_s: float) -> "_Beat":
        with cls._lock:
            beat = cls._running.get(period_s)
            if beat is None:
                beat = cls._running[period_s] = cls(period_s)
            beat._paces += (pace,)
            if beat._thread.ident is None:
                beat._thread.start()
        return beat

    def leave(self, pace: Pace) -> None:
        """The last to leave waits until the thread is gone."""
        with self._lock:
            self._paces = tuple(other for other in self._paces if other is not pace)
            last = not self._paces
            if last and self._running.get(self._period_s) is self:
                del self._running[self._period_s]
        if last and threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        due = time.monotonic()
        while self._paces:
            for pace in self._paces:
                pace.go()
            due += self._period_s
            time.sleep(max(0.0, due - time.monotonic()))
