"""The clock of a call that happens: milliseconds since it was begun, at the speed it runs."""

import time

from interviewer.errors import SettingsError


class WallClock:
    """Call time is wall time times `speed`. Raises SettingsError if `speed` is not above 0."""

    def __init__(self, speed: float = 1.0) -> None:
        if not speed > 0:
            raise SettingsError(f"the speed of a call is above 0, not {speed}")
        self._speed = speed
        self.start()

    def start(self, at_ms: int = 0) -> None:
        """It is `at_ms` now."""
        self._began_s = time.monotonic() - self.seconds(at_ms)

    @property
    def now_ms(self) -> int:
        """Milliseconds of call time since the start."""
        return int((time.monotonic() - self._began_s) * 1_000 * self._speed)

    def seconds(self, ms: float) -> float:
        """How long `ms` of call time take on the wall, in seconds."""
        return ms / 1_000 / self._speed

    def seconds_until(self, t_ms: int) -> float:
        """Wall time until it is `t_ms`, in seconds; 0 if that has passed."""
        return max(0.0, self._began_s + self.seconds(t_ms) - time.monotonic())
