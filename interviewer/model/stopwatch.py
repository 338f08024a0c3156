"""Counting time that can be stopped: what a call's clock shows, and showed at any moment before."""


class Stopwatch:
    """Counts from the moment it is started, and not while it is held. Moments are ms of the call's record."""

    def __init__(self) -> None:
        self.started_ms: int | None = None
        self._holds: list[tuple[int, int]] = []
        self._held_at: int | None = None

    @property
    def held_at(self) -> int | None:
        """When it was stopped; None while it runs."""
        return self._held_at

    @property
    def held_ms(self) -> int:
        """How long it has been held, the present time apart."""
        return sum(end - start for start, end in self._holds)

    def start(self, t_ms: int) -> None:
        """Start; once it has, this changes nothing."""
        if self.started_ms is None:
            self.started_ms = t_ms

    def hold(self, t_ms: int) -> None:
        """Stand still, if it does not yet."""
        if self._held_at is None:
            self._held_at = t_ms

    def go_on(self, t_ms: int) -> None:
        """Go on, if it was held."""
        if self._held_at is not None:
            self._holds.append((self._held_at, t_ms))
            self._held_at = None

    def at(self, t_ms: int) -> int:
        """What it showed, in ms, at a moment that is not in the future; 0 before its start."""
        if self.started_ms is None:
            return 0
        if self._held_at is not None:
            t_ms = min(t_ms, self._held_at)
        if not self._holds:
            return max(0, t_ms - self.started_ms)
        held = sum(min(end, t_ms) - start for start, end in self._holds if start < t_ms)
        return max(0, t_ms - self.started_ms - held)
