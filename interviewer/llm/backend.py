"""What runs an agent: anything that turns a task and its input into an output."""

from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel


class Task(Protocol):
    """As much of an agent as a backend needs."""

    @property
    def name(self) -> str:
        """The agent's name."""

    @property
    def version(self) -> str:
        """Changes when its prompt or output does."""

    def prompt(self, data: Any) -> str:
        """The whole prompt for an input."""

    def rules(self, data: Any) -> BaseModel:
        """The form that needs no model."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run gave: `output` as plain JSON values, or None and `error`. Latency in ms, usage in tokens."""

    output: dict[str, Any] | None
    error: str = ""
    latency_ms: int = 0
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class Backend(Protocol):
    """Runs agents. `job_id` is unique within a call."""

    def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
        """Run a task on an input. Errors come back in `Ran.error`, never as exceptions."""
