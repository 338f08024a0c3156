"""Time, timers, identifiers and the one way out: what every part of the engine shares.

Every frame leaves through `Core.emit`, every delay is drawn by `Core.latency`: whoever wants to disturb the service
needs these two.
"""

import heapq
import random
import string
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from interviewer.realtime.engine.faults import Faults, Stage
from interviewer.realtime.engine.trouble import Trouble, stage_of

_ALPHABET = string.ascii_letters + string.digits


class Timer:
    """Something to run at a time; `cancel` forgets it."""

    __slots__ = ("run",)

    def __init__(self, run: Callable[[], None]) -> None:
        self.run: Callable[[], None] | None = run

    def cancel(self) -> None:
        """Never run; cancelling twice, or after it ran, does nothing."""
        self.run = None


class Core:
    """Clock, agenda and outgoing frames of one session; everything is a function of the seed and the calls."""

    def __init__(self, seed: int, trouble: Trouble | None = None) -> None:
        self.now_ms = 0
        self.trouble = trouble or Trouble(Faults.none())
        self.stage: Stage | None = None
        self.bend: Callable[[int, dict[str, Any]], Iterable[tuple[int, dict[str, Any]]]] | None = None
        self.held_until_ms = 0
        self._seed = seed
        self._counts: Counter[str] = Counter()
        self._stems: dict[str, str] = {}
        self._order = 0
        self._timers: list[tuple[int, int, Timer]] = []
        self._later: list[tuple[int, int, dict[str, Any]]] = []
        self._out: list[dict[str, Any]] = []

    def latency(self, purpose: str, low_ms: int, high_ms: int) -> int:
        """The next delay for `purpose`, in ms, both bounds included."""
        count = self._counts[purpose]
        self._counts[purpose] += 1
        return random.Random(f"{self._seed}:{purpose}:{count}").randint(low_ms, high_ms)

    def strikes(self, name: str) -> bool:
        """Whether a fault strikes here and now; one chance of it."""
        return self.trouble.strikes(name, self.now_ms, stage_of(name, self.stage))

    def mint(self, kind: str) -> str:
        """A new identifier such as `item_...`: 21 characters after the prefix, as the service makes them."""
        stem = self._stems.get(kind)
        if stem is None:
            draw = random.Random(f"{self._seed}:id:{kind}")
            stem = self._stems[kind] = f"{kind}_" + "".join(draw.choices(_ALPHABET, k=13))
        self._counts[stem] += 1
        return f"{stem}{self._counts[stem]:08d}"

    def at(self, at_ms: int, run: Callable[[], None]) -> Timer:
        """Run something at a time; never before what is already due."""
        timer = Timer(run)
        self._order += 1
        heapq.heappush(self._timers, (at_ms, self._order, timer))
        return timer

    def emit(self, at_ms: int, frame: dict[str, Any]) -> None:
        """Send a frame at `at_ms` (at once if that has passed); frames of one moment keep their order."""
        whole = {"type": frame["type"], "event_id": self.mint("event"), **frame}
        if self.bend is None:
            self._put(at_ms, whole)
            return
        for when_ms, bent in self.bend(at_ms, whole):
            self._put(when_ms, bent)

    def _put(self, at_ms: int, whole: dict[str, Any]) -> None:
        if at_ms <= self.now_ms:
            self._out.append(whole)
            return
        self._order += 1
        heapq.heappush(self._later, (at_ms, self._order, whole))

    def send(self, frame: dict[str, Any]) -> None:
        """Send a frame now."""
        self.emit(self.now_ms, frame)

    def advance(self, t_ms: int) -> None:
        """Run every timer and release every frame up to `t_ms`, in the order of their times."""
        while True:
            timer_ms, frame_ms = self._next_timer(), self._next_frame()
            if frame_ms is not None and frame_ms <= t_ms and (timer_ms is None or frame_ms <= timer_ms):
                self._move_to(frame_ms)
                self._out.append(heapq.heappop(self._later)[2])
            elif timer_ms is not None and timer_ms <= t_ms:
                self._move_to(timer_ms)
                timer = heapq.heappop(self._timers)[2]
                if timer.run is not None:
                    timer.run()
            else:
                break
        self._move_to(t_ms)

    def _move_to(self, t_ms: int) -> None:
        self.now_ms = max(self.now_ms, t_ms)

    def _next_timer(self) -> int | None:
        while self._timers and self._timers[0][2].run is None:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def _next_frame(self) -> int | None:
        return self._later[0][0] if self._later else None

    @property
    def deadline(self) -> int | None:
        """When `advance` has something to do next, or now if frames wait to be taken; None for never."""
        if self._out and self.now_ms >= self.held_until_ms:
            return self.now_ms
        held_ms = self.held_until_ms if self._out else None
        times = [at_ms for at_ms in (held_ms, self._next_timer(), self._next_frame()) if at_ms is not None]
        return min(times, default=None)

    def take(self) -> list[dict[str, Any]]:
        """The frames released since the last call, in order; none while they are held back."""
        if self.now_ms < self.held_until_ms:
            return []
        taken, self._out = self._out, []
        return taken

    def cut(self, within_ms: int) -> None:
        """Stop for good: what is out or due within `within_ms` may still be taken, nothing else happens."""
        self._out += [
            frame for at_ms, _, frame in sorted(self._later, key=lambda e: e[:2]) if at_ms <= self.now_ms + within_ms
        ]
        self._timers, self._later, self.held_until_ms, self.bend = [], [], 0, None
