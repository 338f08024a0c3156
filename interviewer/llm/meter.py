"""What a call spends: the voice and the transcription are priced as they happen, beside the agents' runs."""

from collections.abc import Callable, Mapping
from typing import Any, Self

from interviewer.llm.backend import Backend, Wrapping
from interviewer.llm.budget import Budget, State
from interviewer.llm.prices import Prices
from interviewer.llm.router import Router
from interviewer.settings import VoiceSettings

_Cost = Callable[[str, Mapping[str, Any]], float | None]
_TRANSCRIBED = "conversation.item.input_audio_transcription.completed"


class Meter:
    """Counts the voice's cost against the budget that the agents share. A simulated voice costs nothing."""

    def __init__(self, budget: Budget, prices: Prices, voice: VoiceSettings) -> None:
        self.budget = budget
        self._prices, self._voice, self._paid = prices, voice, voice.service == "openai"
        self._told: State = "open"

    @classmethod
    def of(cls, backend: Backend, voice: VoiceSettings) -> Self | None:
        """A meter on the budget of the backend that runs the agents; None if it has none."""
        while isinstance(backend, Wrapping):
            backend = backend.inner
        return cls(backend.budget, backend.prices, voice) if isinstance(backend, Router) else None

    def priced(self, frame: Mapping[str, Any]) -> Mapping[str, Any]:
        """A reply or a transcript that is done with what it cost in its usage, as `cost_usd`; others as they are."""
        if not self._paid:
            return frame
        response = frame.get("response")
        if frame.get("type") == "response.done" and isinstance(response, Mapping):
            return {**frame, "response": self._with_cost(response, self._prices.voice_cost, self._voice.model)}
        if frame.get("type") == _TRANSCRIBED:
            return self._with_cost(frame, self._prices.transcription_cost, self._voice.transcription_model)
        return frame

    def _with_cost(self, holder: Mapping[str, Any], cost_of: _Cost, model: str) -> Mapping[str, Any]:
        usage = holder.get("usage")
        if not isinstance(usage, Mapping):
            return holder
        cost = cost_of(model, usage)
        self.budget.spend(cost)
        return {**holder, "usage": {**usage, "cost_usd": cost}}

    def news(self) -> State | None:
        """The budget's state if it is another one than at the last look, else None."""
        state = self.budget.state
        if state == self._told:
            return None
        self._told = state
        return state
