"""How long a test waits for what must come: only a broken test waits so long, however busy the machine is."""

from collections.abc import Callable
from time import monotonic, sleep

PATIENCE_S = 60.0


def until(true: Callable[[], object]) -> None:
    """Wait until the answer is true; fails if it never is."""
    end = monotonic() + PATIENCE_S
    while not true():
        assert monotonic() < end
        sleep(0.01)
