"""What a live call spends: the voice's replies are priced as they end, and a used-up budget ends the call in order."""

import logging
from collections.abc import Mapping
from typing import Any

from interviewer.llm.budget import Budget
from interviewer.llm.prices import Prices
from interviewer.settings import VoiceSettings

_log = logging.getLogger(__name__)


class Meter:
    """Counts the voice's cost against the budget that the agents share. A simulated voice costs nothing."""

    def __init__(self, budget: Budget, prices: Prices, voice: VoiceSettings) -> None:
        self.budget = budget
        self._prices, self._model, self._paid = prices, voice.model, voice.service == "openai"
        self._warned = self._led = False

    def priced(self, frame: Mapping[str, Any]) -> Mapping[str, Any]:
        """A `response.done` with what it cost in its usage, as `cost_usd`; any other frame as it is."""
        response = frame.get("response")
        if not self._paid or frame.get("type") != "response.done" or not isinstance(response, Mapping):
            return frame
        usage = response.get("usage")
        if not isinstance(usage, Mapping):
            return frame
        cost = self._prices.voice_cost(self._model, usage)
        self.budget.spend(cost)
        return {**frame, "response": {**response, "usage": {**usage, "cost_usd": cost}}}

    def close_now(self) -> bool:
        """Whether the call is to be led to its close: true once, when the budget is used up. Warns before that."""
        state = self.budget.state
        if state != "open" and not self._warned:
            self._warned = True
            _log.warning("the call's budget is running out: %s", self.budget)
        if state != "used_up" or self._led:
            return False
        self._led = True
        _log.warning("the call's budget is used up, so it comes to its close: %s", self.budget)
        return True
