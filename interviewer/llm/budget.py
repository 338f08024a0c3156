"""What a call may cost, shared by all who spend."""

import threading
from typing import Final, Literal

from interviewer.settings import AgentSettings

State = Literal["open", "warned", "used_up"]

USED_UP: Final = "budget used up"
"""How the error of a run begins for which rules stood in."""


class Budget:
    """Counts dollars against a limit; without a limit it is never used up. Safe across threads."""

    def __init__(self, settings: AgentSettings) -> None:
        self.limit_usd = settings.budget_usd
        self._warning_usd = settings.budget_usd * settings.budget_warning
        self._lock = threading.Lock()
        self.spent_usd = 0.0
        self.uncounted = 0

    def spend(self, usd: float | None) -> None:
        """Count what something cost; None, a cost that is not known, is counted apart in `uncounted`."""
        with self._lock:
            if usd is None:
                self.uncounted += 1
            else:
                self.spent_usd += usd

    @property
    def state(self) -> State:
        """`warned` from the share of the settings on, `used_up` from the limit on."""
        if not self.limit_usd or self.spent_usd < self._warning_usd:
            return "open"
        return "warned" if self.spent_usd < self.limit_usd else "used_up"

    def __str__(self) -> str:
        spent = f"{self.spent_usd:.4f} of {self.limit_usd:g} USD spent"
        return f"{spent}, {self.uncounted} runs of unknown cost not counted" if self.uncounted else spent
