"""What a service is asked and what it answers, whichever way of asking it has."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import openai
import pydantic_core
from pydantic import BaseModel

from interviewer.errors import AgentError
from interviewer.keys import is_loopback
from interviewer.llm.backend import STREAMED, OnText
from interviewer.llm.failures import Failures
from interviewer.llm.schema import check_length
from interviewer.llm.told import MOST_TOKENS, count, name, shown
from interviewer.settings import AgentSettings

_SHOWN = 4_000


@dataclass(slots=True)
class Tally:
    """What a run has used so far, calls that came to nothing included."""

    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    retries: int = 0
    repairs: int = 0
    searches: int = 0
    addresses: set[str] = field(default_factory=set)

    def of_model(self, told: object) -> None:
        """Take the name that the service gives its model, if it is one."""
        self.model = name(told, self.model)

    def add(self, usage: object, read: str, made: str) -> None:
        """Add a service's `usage`, whose counts of tokens read and made have these names; absurd ones are cut."""
        tokens = _count(usage, read)
        details = getattr(usage, "input_tokens_details", None) or getattr(usage, "prompt_tokens_details", None)
        self.input_tokens = min(self.input_tokens + tokens, MOST_TOKENS)
        self.output_tokens = min(self.output_tokens + _count(usage, made), MOST_TOKENS)
        self.cached_tokens = min(self.cached_tokens + min(_count(details, "cached_tokens"), tokens), MOST_TOKENS)


@dataclass(frozen=True, slots=True)
class Question:
    """One call of a model. `turns`: (role, text) after the instructions; `shape`: the model of the output.

    `offered`: for fields of the output, by name, what they may hold.
    """

    settings: AgentSettings
    agent: str
    instructions: str
    turns: tuple[tuple[str, str], ...]
    shape: type[BaseModel]
    failures: Failures
    timeout_s: float
    tally: Tally = field(default_factory=Tally)
    on_text: OnText | None = None
    offered: Mapping[str, Collection[str]] = field(default_factory=dict)

    def corrected(self, text: str, error: AgentError) -> "Question":
        """The same again, with what was answered and what was wrong with it."""
        said = f"This does not fit: {error}\nAnswer again with the whole JSON object, corrected."
        return replace(self, turns=(*self.turns, ("assistant", sendable(text[:_SHOWN])), ("user", sendable(said))))

    def show(self, text: str) -> None:
        """Tell whoever looks on of the text so far, if it has begun. Raises AgentError if it is too long."""
        check_length(text)
        if self.on_text is None:
            return
        try:
            partial = pydantic_core.from_json(text, allow_partial="trailing-strings")
        except ValueError:
            return
        if isinstance(partial, Mapping) and isinstance(written := partial.get(STREAMED), str):
            self.on_text(shown(written))


class Dialect(Protocol):
    """A way of asking a service. `name` is the backend's."""

    name: str

    def key(self, settings: AgentSettings, /) -> str | None:
        """The key for the service, None if it wants none. Raises NoKey."""

    def url(self, settings: AgentSettings, /) -> str:
        """The service's address; empty: the client's own."""

    async def ask(self, client: openai.AsyncOpenAI, question: Question) -> str:
        """The text of the answer. Raises AgentError, or what the client raises."""


def client(url: str, key: str | None) -> openai.AsyncOpenAI:
    """A client that makes no call twice on its own; this machine's servers are reached past any proxy."""
    inside = openai.DefaultAsyncHttpxClient(trust_env=False) if is_loopback(url) else None
    return openai.AsyncOpenAI(
        api_key=key or "none", base_url=url or "https://api.openai.com/v1", max_retries=0, http_client=inside
    )


def sendable(text: str) -> str:
    """`text` without half characters, which cannot be sent: each becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def is_stream(events: openai.AsyncStream[Any]) -> bool:
    """Whether the service really streams: some answer as a whole, some with a web page."""
    return bool(events.response.headers.get("content-type", "").startswith("text/event-stream"))


def _count(of: Any, field_: str) -> int:
    return count(getattr(of, field_, None))
