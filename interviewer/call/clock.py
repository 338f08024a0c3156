"""The call's clock: elapsed time, the phase it gives, and the lock near the end."""

from interviewer.call.hub import Hub
from interviewer.model.decision import Phase
from interviewer.model.stopwatch import Stopwatch

LONGEST_MS = 3_600_000
"""The longest call, in ms: the service ends a session after an hour."""


class Clock:
    """Counts from the moment the session is ready; stands still while paused. The phase is a function of it alone."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.target_ms = hub.setup.target_ms
        self._watch = Stopwatch()
        self._wrap_up_asked = False
        self._phase: Phase = "opening"

    @property
    def elapsed(self) -> int:
        """Milliseconds of the call so far, pauses left out; 0 before it is ready."""
        return self._watch.at(self._hub.now)

    @property
    def ready_ms(self) -> int | None:
        """When it began; None before the session was ready."""
        return self._watch.started_ms

    def at(self, t_ms: int) -> int:
        """What it showed at an earlier moment of the call's record, in ms."""
        return self._watch.at(t_ms)

    @property
    def remaining(self) -> int:
        """Milliseconds to the target; negative beyond it."""
        return self.target_ms - self.elapsed

    @property
    def wrap_up_ms(self) -> int:
        """When, on the call's clock, wrap_up begins or began."""
        return round(self._hub.settings.call.wrap_up_from * self.target_ms)

    @property
    def paused(self) -> bool:
        """Whether the clock stands still."""
        return self._watch.held_at is not None

    @property
    def paused_for_good(self) -> bool:
        """Whether the pause has lasted so long that nobody will come back."""
        held_at = self._watch.held_at
        return held_at is not None and self._hub.now >= held_at + self._hub.settings.call.pause_ends_ms

    @property
    def phase(self) -> Phase:
        """The phase now: it depends on nothing but the clock and a request to wrap up."""
        call = self._hub.settings.call
        share = self.elapsed / self.target_ms
        if self._wrap_up_asked or share >= call.wrap_up_from:
            return "wrap_up"
        return "opening" if share < call.opening_until else "exploration"

    def start(self) -> None:
        """Start once; a later call changes nothing, so a reconnect cannot run it double."""
        if self.ready_ms is None:
            self._watch.start(self._hub.now)
            self._hub.record("phase", phase=self._phase, elapsed_ms=0, locked=False)

    def extend(self, ms: int) -> None:
        """Move the target, and with it the lock."""
        self.target_ms = min(LONGEST_MS, max(self.elapsed + 1, self.target_ms + ms))

    def wrap_up(self) -> None:
        """Lock the phase now and leave no more than the usual wrap-up time."""
        self._wrap_up_asked = True
        share = 1 - self._hub.settings.call.wrap_up_from
        self.target_ms = min(self.target_ms, self.elapsed + max(1, round(self._hub.setup.target_ms * share)))

    def pause(self) -> None:
        """Stand still."""
        self._watch.hold(self._hub.now)

    def resume(self) -> None:
        """Go on."""
        self._watch.go_on(self._hub.now)

    def observe(self) -> Phase | None:
        """The phase if it changed since the last look, written down; else None."""
        phase = self.phase
        if phase == self._phase or self.ready_ms is None:
            return None
        self._phase = phase
        self._hub.record("phase", phase=phase, elapsed_ms=self.elapsed, locked=phase == "wrap_up")
        return phase

    @property
    def deadline(self) -> int | None:
        """When the phase changes or the time is up."""
        if self._watch.held_at is not None:
            end = self._watch.held_at + self._hub.settings.call.pause_ends_ms
            return end if end > self._hub.now else None
        if self.ready_ms is None:
            return None
        call = self._hub.settings.call
        base = self.ready_ms + self._watch.held_ms
        found: int | None = None
        for mark in (call.opening_until * self.target_ms, call.wrap_up_from * self.target_ms, self.target_ms):
            due = base + int(mark) + (mark > int(mark))
            if due > self._hub.now and (found is None or due < found):
                found = due
        return found
