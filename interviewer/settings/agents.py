"""Who answers for the agents."""

import json
import re
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from interviewer.settings.group import OURS, Group, figure

BackendName = Literal["rules", "openai", "compatible", "cassette"]
Effort = Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"]
AgentName = Literal[
    "planner",
    "note_taker",
    "researcher",
    "orchestrator",
    "analyst",
    "follow_up",
    "writer",
    "style_extractor",
    "reverse_planner",
    "judge",
]


class AgentChoice(Group):
    """What one agent does otherwise than the rest; None: as the rest."""

    backend: BackendName | None = None
    model: str | None = None
    effort: Effort | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    base_url: str | None = None
    key_name: str | None = None
    web_search: bool | None = None

    @field_validator("base_url")
    @classmethod
    def _address(cls, url: str | None) -> str | None:
        return url and _endpoint(url)

    @field_validator("key_name")
    @classmethod
    def _no_key(cls, name: str | None) -> str | None:
        return name and _key_name(name)


class AgentSettings(Group):
    """Who answers for the agents."""

    backend: BackendName = figure("rules", "", OURS, "where agents run")
    model: str = figure("gpt-6-luna", "", "OpenAI's list of models, November 2026", "model of the agents")
    effort: Effort = figure("", "", "OpenAI Responses API", "reasoning effort; empty: the model's own")
    temperature: float | None = figure(None, "", "OpenAI Responses API", "none: the model's own", ge=0, le=2)
    overrides: dict[AgentName, AgentChoice] = figure({}, "", OURS, "agents that run otherwise, by name")
    base_url: str = figure("", "", OURS, "address of an OpenAI-style server, e.g. http://127.0.0.1:11434/v1")
    key_name: str = figure("", "", OURS, "environment variable or keyring service with that server's key; empty: none")
    cassette: str = figure("", "", OURS, "file of recorded runs")
    cassette_records: BackendName | None = figure(None, "", OURS, "backend to record on the cassette; none: play back")
    web_search: bool = figure(
        False, "", "OpenAI Responses API", "the Researcher may use OpenAI's own web search (backend openai)"
    )
    search: str = figure("", "", OURS, "a search of one's own for the Researcher, as module:function; empty: none")
    tries: int = figure(3, "tries", OURS, "calls of a backend before giving up", ge=1, le=10)
    backoff_ms: int = figure(1_000, "ms", OURS, "first pause between tries, doubling", ge=0)
    backoff_cap_ms: int = figure(30_000, "ms", OURS, "longest pause between tries", ge=0)
    repairs: int = figure(1, "times", OURS, "a model is shown what is wrong with its output this often", ge=0, le=3)
    max_output_tokens: int = figure(8_000, "tokens", OURS, "cap of one output, reasoning counts", ge=64)
    longest_text: int = figure(
        0, "characters", OURS, "bound of each text of a small model on one's own server; 0: none", ge=0
    )
    longest_list: int = figure(
        0, "items", OURS, "bound of each list of a small model on one's own server; 0: none", ge=0
    )
    budget_usd: float = figure(
        0.0, "USD", OURS, "what a call may cost, voice and agents; 0: not limited", ge=0, allow_inf_nan=False
    )
    budget_warning: float = figure(0.8, "share of budget", OURS, "spent this much: a warning", ge=0, le=1)
    prices: str = figure("", "", OURS, "file of prices (YAML or TOML) that come before the built-in ones")
    latency_low_ms: int = figure(1_000, "ms", OURS, "shortest simulated latency of an agent", ge=0)
    latency_high_ms: int = figure(4_000, "ms", OURS, "longest simulated latency of an agent", ge=0)

    @field_validator("overrides", mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:
        """The environment holds JSON."""
        return json.loads(given) if isinstance(given, str) else given

    @field_validator("base_url")
    @classmethod
    def _address(cls, url: str) -> str:
        return _endpoint(url)

    @field_validator("key_name")
    @classmethod
    def _no_key(cls, name: str) -> str:
        return _key_name(name)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for agent in (None, *self.overrides):
            chosen = self.of(agent)
            whose = f" of the {agent}" if agent else ""
            if chosen.backend == "compatible" and not chosen.base_url:
                raise ValueError(f"backend compatible{whose} needs base_url, the server's address")
            if chosen.backend in ("openai", "compatible") and not chosen.model.strip():
                raise ValueError(f"backend {chosen.backend}{whose} needs a model")
            if chosen.backend == "cassette" and not self.cassette:
                raise ValueError(f"backend cassette{whose} needs cassette, the file")
        if self.cassette_records == "cassette":
            raise ValueError("cassette_records names the backend to record, not the cassette itself")
        if self.cassette_records == "compatible" and not self.base_url:
            raise ValueError("cassette_records compatible needs base_url, the server's address")
        return self

    def searches(self, agent: str) -> bool:
        """Whether this agent's model looks things up on the web by itself."""
        chosen = self.of(agent)
        return agent == "researcher" and chosen.backend in ("openai", "cassette") and chosen.web_search

    def of(self, agent: str | None) -> "AgentSettings":
        """The settings as they are for this agent, with what `overrides` says of it."""
        chosen = next((choice for name, choice in self.overrides.items() if name == agent), None)
        if chosen is None:
            return self
        update = chosen.model_dump(exclude_none=True)
        # A key goes to no other server than the one it was named for.
        if chosen.base_url is not None and chosen.base_url != self.base_url:
            update.setdefault("key_name", "")
        return self.model_copy(update=update)


def _key_name(name: str) -> str:
    if name and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError("it is the name of an environment variable, never the key itself")
    return name


def _endpoint(url: str) -> str:
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("an address begins with http:// or https:// and a host")
    if parts.username or parts.password or parts.query:
        raise ValueError("an address holds no key; name it in key_name")
    return url.rstrip("/")
