"""What runs an agent: anything that turns a task and its input into an output."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel

OnText = Callable[[str], object]
"""Takes the text as far as it has been written; shorter than before if the writing began again. From any thread."""


class Task(Protocol):
    """As much of an agent as a backend needs."""

    @property
    def name(self) -> str:
        """The agent's name."""

    @property
    def version(self) -> str:
        """Changes when its prompt or output does."""

    @property
    def instructions(self) -> str:
        """What its prompt begins with, whatever the input."""

    @property
    def output(self) -> type[BaseModel]:
        """The shape of its output."""

    def prompt(self, data: Any) -> str:
        """The whole prompt for an input."""

    def rules(self, data: Any) -> BaseModel:
        """The form that needs no model."""

    def parse(self, output: dict[str, Any]) -> BaseModel:
        """`output` validated. Raises AgentError naming the field that does not fit."""

    def offered(self, data: Any) -> Mapping[str, Collection[str]]:
        """For fields of the output, by name, what was offered for them in this input."""

    def check(self, output: Any, data: Any) -> None:
        """Raises AgentError if an output does not fit its input."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run gave: `output` as plain JSON values, or None and `error`. Latency in ms, usage in tokens.

    `input_tokens` holds the cached ones too. `cost_usd` None: the price is not known. `retries`: calls made again,
    `repairs`: how often the model was shown what was wrong with its output. With an output, `error` says why another
    backend than the chosen one stood in.
    """

    output: dict[str, Any] | None
    error: str = ""
    latency_ms: int = 0
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = 0.0
    retries: int = 0
    repairs: int = 0


class Backend(Protocol):
    """Runs agents. `job_id` is unique within a call."""

    def run(self, task: Task, data: BaseModel, job_id: str, /) -> Ran:
        """Run a task on an input. Errors come back in `Ran.error`; only a cassette's CassetteMiss is raised."""


@runtime_checkable
class Streaming(Protocol):
    """A backend that can show the text while it is written."""

    def stream(self, task: Task, data: BaseModel, job_id: str, on_text: OnText, /) -> Ran:
        """As `run`, with the text of the output so far."""


@runtime_checkable
class Wrapping(Protocol):
    """A backend that adds something to another one."""

    @property
    def inner(self) -> Backend:
        """The other one."""


def run_streamed(backend: Backend, task: Task, data: BaseModel, job_id: str, on_text: OnText) -> Ran:
    """As `backend.run`, telling `on_text` of the text as it is written: whole at the end if it does not stream."""
    if isinstance(backend, Streaming):
        return backend.stream(task, data, job_id, on_text)
    ran = backend.run(task, data, job_id)
    if ran.output is not None and isinstance(text := ran.output.get(STREAMED), str):
        on_text(text)
    return ran


STREAMED = "markdown"  # the field of an output that is shown while it is written


def named(error: Exception) -> str:
    """An error as `Ran.error` says it: its type, then its text."""
    return f"{type(error).__name__}: {error}"
