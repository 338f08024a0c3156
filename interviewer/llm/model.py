"""The backend that asks a model: in time, again if that may help, and with every output validated."""

import asyncio
import time
from typing import Any, cast

import openai
from pydantic import BaseModel

from interviewer.errors import AgentError, BackendUnreachable, InterviewerError
from interviewer.keys import is_loopback
from interviewer.llm import loop
from interviewer.llm.backend import OnText, Ran, Task, named
from interviewer.llm.dialect import Dialect, Question, Tally, client, sendable
from interviewer.llm.failures import Failures, retry_after_s
from interviewer.llm.prices import Prices
from interviewer.llm.schema import parse_object
from interviewer.llm.told import shown, without_secrets
from interviewer.settings import CycleSettings, Settings

_SOONER = 0.95  # we give up before whoever waits for us does, since we can say why


class Model:
    """Runs agents on a model. From any thread; `close` it when it is not needed any more."""

    def __init__(self, settings: Settings, dialect: Dialect, prices: Prices) -> None:
        self._settings, self._dialect, self._prices = settings, dialect, prices
        self._clients: dict[tuple[str, str], openai.AsyncOpenAI] = {}

    def run(self, task: Task, data: BaseModel, _job_id: str) -> Ran:
        """The model's output, in the shape of the task's; never later than the agent's deadline."""
        return self._run(task, data, None)

    def stream(self, task: Task, data: BaseModel, _job_id: str, on_text: OnText) -> Ran:
        """As `run`, telling of the text while it is written; `on_text` is called from another thread."""
        return self._run(task, data, on_text)

    def close(self) -> None:
        """Close all connections."""
        loop.run(self._close())

    def _run(self, task: Task, data: BaseModel, on_text: OnText | None) -> Ran:
        began, tally = time.monotonic(), Tally()
        tally.model = self._settings.agents.of(task.name).model
        output, error = None, ""
        try:
            output = loop.run(self._in_time(task, data, on_text, tally))
        except InterviewerError as problem:
            error = shown(named(problem))
        return Ran(
            output,
            error,
            latency_ms=round((time.monotonic() - began) * 1_000),
            model=tally.model,
            input_tokens=tally.input_tokens,
            output_tokens=tally.output_tokens,
            cached_tokens=tally.cached_tokens,
            cost_usd=self._cost(task.name, tally),
            retries=tally.retries,
            repairs=tally.repairs,
        )

    def _cost(self, agent: str, tally: Tally) -> float | None:
        cost = self._prices.text_cost(tally.model, tally.input_tokens, tally.cached_tokens, tally.output_tokens)
        if cost is not None:
            cost += self._prices.search_cost(tally.searches)
        nothing_used = not (tally.input_tokens or tally.output_tokens)
        ours = self._dialect.name == "compatible" and is_loopback(self._settings.agents.of(agent).base_url)
        return 0.0 if cost is None and (nothing_used or ours) else cost

    async def _in_time(self, task: Task, data: BaseModel, on_text: OnText | None, tally: Tally) -> dict[str, Any]:
        seconds = deadline_ms(self._settings.cycle, task.name) / 1_000 * _SOONER
        try:
            async with asyncio.timeout(seconds):
                return await self._output(self._question(task, data, on_text, tally, seconds), task, data)
        except TimeoutError:
            model = tally.model
            raise BackendUnreachable(f"no output of {model} within {seconds:g} s", retryable=True) from None

    def _question(self, task: Task, data: BaseModel, on_text: OnText | None, tally: Tally, seconds: float) -> Question:
        settings = self._settings.agents.of(task.name)
        instructions = task.instructions.strip()
        asked = sendable(task.prompt(data).strip().removeprefix(instructions).strip())
        where = self._dialect.url(settings) or "OpenAI"
        failures = Failures(where, settings.model, self._dialect.key(settings))
        turns = (("user", asked),)
        offered = task.offered(data)
        return Question(
            settings, task.name, instructions, turns, task.output, failures, seconds, tally, on_text, offered
        )

    async def _output(self, question: Question, task: Task, data: BaseModel) -> dict[str, Any]:
        for left in range(question.settings.repairs, -1, -1):
            text = await self._persist(question)
            try:
                return _with_real_sources(_validated(task, data, text), question)
            except AgentError as error:
                if not left:
                    raise
                question.tally.repairs += 1
                question = question.corrected(text, error)
        raise AssertionError("unreachable")

    async def _persist(self, question: Question) -> str:
        """Ask until there is an answer, pausing longer each time, or as long as the service says."""
        settings, ends = question.settings, time.monotonic() + question.timeout_s
        for tried in range(1, settings.tries + 1):
            try:
                return await self._dialect.ask(self._client(settings), question)
            except Exception as problem:
                error = question.failures.explain(problem)
                pause = retry_after_s(problem)
                if pause is None:
                    pause = min(settings.backoff_ms * 2 ** (tried - 1), settings.backoff_cap_ms) / 1_000
                if not error.retryable or tried == settings.tries or time.monotonic() + pause >= ends:
                    raise error from None
            question.tally.retries += 1
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")

    def _client(self, settings: Any) -> openai.AsyncOpenAI:
        place = self._dialect.url(settings), settings.key_name
        if place not in self._clients:
            self._clients[place] = client(place[0], self._dialect.key(settings))
        return self._clients[place]

    async def _close(self) -> None:
        for each in self._clients.values():
            await each.close()
        self._clients.clear()


def deadline_ms(cycle: CycleSettings, agent: str) -> int:
    """How long an agent may take, in ms."""
    live = {
        "note_taker": cycle.note_taker_ms,
        "researcher": cycle.researcher_ms,
        "orchestrator": cycle.orchestrator_ms,
    }
    return live.get(agent, cycle.after_call_ms)


def _with_real_sources(output: dict[str, Any], question: Question) -> dict[str, Any]:
    """`output` without sources that the model's own search did not find; only the Researcher has any."""
    if question.settings.searches(question.agent):
        addresses = question.tally.addresses
        for item in output.get("items", ()):
            item["sources"] = [text for text in item["sources"] if any(address in text for address in addresses)]
    return output


def _validated(task: Task, data: BaseModel, text: str) -> dict[str, Any]:
    try:
        output = task.parse(parse_object(text))
        task.check(output, data)
        return cast("dict[str, Any]", without_secrets(output.model_dump(mode="json")))
    # What a model writes may trip whoever mends or checks it: that is the output's fault, and the call goes on.
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise AgentError(f"the output does not fit: {named(error)}") from None
