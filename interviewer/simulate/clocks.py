"""What time it is for the simulated service."""

import time
from dataclasses import dataclass
from typing import Protocol


class Clock(Protocol):
    """A clock in ms. `speed`: its ms in one ms of the wall's; None for one that stands until time is handed in."""

    @property
    def speed(self) -> float | None:
        """How fast it runs by itself."""

    def now_ms(self) -> int:
        """The time; never goes back."""


class WallClock:
    """Runs at `speed` times real time from 0."""

    def __init__(self, speed: float = 1.0) -> None:
        if not speed > 0:
            raise ValueError(f"speed must be above 0, not {speed}")
        self.speed = speed
        self._start_s = time.monotonic()

    def now_ms(self) -> int:
        """The time since this clock was made."""
        return int((time.monotonic() - self._start_s) * 1_000 * self.speed)


@dataclass(slots=True)
class HandedClock:
    """Stands at the time last handed in."""

    at_ms: int = 0
    speed: None = None

    def now_ms(self) -> int:
        """The time last handed in."""
        return self.at_ms

    def hand(self, t_ms: int) -> None:
        """Let it be `t_ms`, unless it is later already."""
        self.at_ms = max(self.at_ms, t_ms)
