"""Whether the agents' backends will work, looked at before a call begins."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import openai
from pydantic import BaseModel, ConfigDict

from interviewer.errors import AgentError
from interviewer.llm import loop
from interviewer.llm.backend import Ran, Task
from interviewer.llm.cassette import Cassette
from interviewer.llm.chat import Chat
from interviewer.llm.dialect import client
from interviewer.llm.model import Model
from interviewer.llm.prices import Prices
from interviewer.llm.responses import Responses
from interviewer.llm.told import count
from interviewer.settings import AgentSettings, Settings

# An hour of talk is some 9,000 words; notes, instructions and the output come on top.
ROOM_TOKENS = 16_000
_LIST_S = 5.0  # longest wait for a list of models, which is only asked for its lengths
_ADVICE = {
    "NoKey": "give the key, or choose another backend (setting agents.backend)",
    "UnknownModel": "correct setting agents.model, or the agent's in agents.overrides",
    "NotAnEndpoint": "correct setting agents.base_url; most end in /v1",
    "BackendUnreachable": "start the server, or correct setting agents.base_url",
    "BackendBusy": "try again later, or choose another backend",
    "ContextTooLong": "choose a model with a longer context, or start the server with one",
    "NoStructuredOutput": "choose another model",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one backend and model. `error` is the type of what went wrong, empty if nothing did."""

    agents: tuple[str, ...]
    backend: str
    model: str
    state: Literal["ok", "warning", "failed"]
    text: str
    error: str = ""
    advice: str = ""


class _Ready(BaseModel):
    """The least that structured output can be asked for."""

    model_config = ConfigDict(extra="forbid")

    ready: Literal["yes", "no"]


class _Probe:
    """A task so small that it costs next to nothing."""

    version = "1"
    instructions = "You are asked whether you are ready. Answer yes."
    output = _Ready

    def __init__(self, name: str) -> None:
        self.name = name

    def prompt(self, _: Any) -> str:
        """The whole prompt."""
        return f"{self.instructions}\n\nAre you ready?"

    def rules(self, _: Any) -> BaseModel:
        """The answer without a model."""
        return _Ready(ready="yes")

    def offered(self, _: Any) -> dict[str, tuple[str, ...]]:
        """Nothing to name."""
        return {}

    def check(self, _output: Any, _data: Any) -> None:
        """Any answer fits."""

    def parse(self, output: dict[str, Any]) -> BaseModel:
        """`output` validated."""
        try:
            return _Ready.model_validate(output)
        except ValueError as error:
            raise AgentError(f"the model's output does not fit a schema of one word: {error}") from None


def check_backend(settings: Settings, tasks: Sequence[Task], *, openai_url: str = "") -> list[Finding]:
    """One finding for each backend and model that `tasks` run on. A real model is asked for one word.

    `openai_url`: another address of OpenAI's. Raises SettingsError if the file of prices cannot be used.
    """
    quick = {"tries": 1, "repairs": 0}
    brief = settings.with_(agents=quick, cycle=dict.fromkeys(_DEADLINES, settings.wait.connect_ms))
    prices = Prices.load(settings.agents.prices)
    groups: dict[tuple[str, ...], list[Task]] = {}
    for task in tasks:
        groups.setdefault(_same(settings.agents.of(task.name)), []).append(task)
    return [_look(brief, prices, group, openai_url) for group in groups.values()]


_DEADLINES = ("note_taker_ms", "researcher_ms", "orchestrator_ms", "after_call_ms")


def _same(settings: AgentSettings) -> tuple[str, ...]:
    if settings.backend in ("rules", "cassette"):
        return (settings.backend,)
    return (
        settings.backend,
        settings.model,
        settings.base_url,
        settings.key_name,
        settings.effort,
        str(settings.temperature),
    )


def _look(settings: Settings, prices: Prices, tasks: Sequence[Task], openai_url: str) -> Finding:
    names = tuple(task.name for task in tasks)
    chosen = settings.agents.of(names[0])
    if chosen.backend == "rules":
        return Finding(names, "rules", "", "ok", "needs no model")
    if chosen.backend == "cassette":
        return _cassette(chosen, names)
    dialect = Responses(openai_url) if chosen.backend == "openai" else Chat()
    model = Model(settings, dialect, prices)
    try:
        ran = model.run(_Probe(names[0]), _Ready(ready="no"), "check")
    finally:
        model.close()
    if ran.output is None:
        kind, _, text = ran.error.partition(": ")
        return Finding(names, chosen.backend, chosen.model, "failed", text, kind, _ADVICE.get(kind, ""))
    warnings = list(_unpriced(ran))
    if isinstance(dialect, Chat):
        warnings += _of_server(chosen, dialect, min(_LIST_S, settings.wait.connect_ms / 1_000))
    text = f"answered in {ran.latency_ms} ms, structured output works"
    state: Literal["ok", "warning"] = "warning" if warnings else "ok"
    return Finding(names, chosen.backend, chosen.model, state, "; ".join([text, *warnings]))


def _cassette(settings: AgentSettings, names: tuple[str, ...]) -> Finding:
    if settings.cassette_records:
        return Finding(names, "cassette", "", "ok", f"records {settings.cassette_records} on {settings.cassette}")
    try:
        Cassette(Path(settings.cassette))
    except AgentError as error:
        return Finding(names, "cassette", "", "failed", str(error), type(error).__name__)
    return Finding(names, "cassette", "", "ok", f"plays back {settings.cassette}")


def _unpriced(ran: Ran) -> Iterator[str]:
    if ran.cost_usd is None:
        yield f"the price of {ran.model} is not known, so its cost is not counted (setting agents.prices)"


def _of_server(settings: AgentSettings, dialect: Chat, within_s: float) -> Iterator[str]:
    form = dialect.form(settings)
    if form != "json_schema":
        yield f"the server takes no schema, only {form}: outputs are validated and repaired, some will fail"
    room = loop.run(_context_tokens(settings, dialect.key(settings), within_s))
    if room is not None and room < ROOM_TOKENS:
        yield f"its context of {room} tokens is short: a long call may not fit ({ROOM_TOKENS} are enough for an hour)"


async def _context_tokens(settings: AgentSettings, key: str | None, within_s: float) -> int | None:
    """The length of the model's context, if the server tells it: vLLM and llama.cpp do."""
    async with client(settings.base_url, key) as asking:
        try:
            # The client's own limit is one of silence: an answer that drips would take for ever.
            async with asyncio.timeout(within_s):
                return _context_of(settings.model, (await asking.models.list(timeout=within_s)).data)
        except (openai.OpenAIError, TimeoutError, AttributeError, TypeError, ValueError):
            return None


def _context_of(model: str, models: Sequence[Any]) -> int | None:
    found = next((m for m in models if m.id == model), models[0] if len(models) == 1 else None)
    if found is None:
        return None
    said = {**(found.model_extra or {}), **_mapping((found.model_extra or {}).get("meta"))}
    lengths = [count(said.get(name)) for name in ("n_ctx", "max_model_len", "context_length")]
    return next(filter(None, lengths), None)


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
