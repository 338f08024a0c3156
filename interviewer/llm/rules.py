"""The backend that needs no key and no model: each agent's own rules, with the time a model would take."""

import random

from pydantic import BaseModel

from interviewer.llm.backend import Ran, Task
from interviewer.llm.told import mended
from interviewer.settings import AgentSettings


class Rules:
    """Deterministic. The latency is drawn by seed, agent and job: without it the lag of real agents stays hidden."""

    def __init__(self, settings: AgentSettings, seed: int) -> None:
        self._settings = settings
        self._seed = seed

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """The rules' output and a virtual latency in ms; nothing is waited for here."""
        low, high = self._settings.latency_low_ms, self._settings.latency_high_ms
        latency = random.Random(f"{self._seed}:{task.name}:{job_id}").randint(min(low, high), max(low, high))
        try:
            output = task.rules(data).model_dump(mode="json")
        except ValueError:
            # Half characters, of which no output can be made.
            output = task.rules(mended(data)).model_dump(mode="json")
        return Ran(output, latency_ms=latency, model="rules")
