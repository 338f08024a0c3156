"""Any OpenAI-style server: Chat Completions, in the best form of output that the server and its model have."""

import json
from typing import Any, Final

import openai
from openai.types.chat import ChatCompletion

from interviewer.errors import AgentError, BackendBusy, BackendUnreachable, NoKey, NoStructuredOutput
from interviewer.keys import key_named
from interviewer.llm.dialect import Question, is_stream
from interviewer.llm.failures import Failures
from interviewer.llm.schema import Grammar, strict_schema, with_choices
from interviewer.settings import AgentSettings

FORMS: Final = ("json_schema", "json_object", "text")


class Chat:
    """Asks OpenAI-style servers; remembers, per server and model, which form of output they take."""

    name = "compatible"

    def __init__(self) -> None:
        self._forms: dict[tuple[str, str], int] = {}

    def key(self, settings: AgentSettings) -> str | None:
        """The key by the name that the settings give; None if they give none. Raises NoKey if it is not there."""
        if not settings.key_name:
            return None
        if key := key_named(settings.key_name):
            return key
        raise NoKey(
            f"no key for {settings.base_url}: set {settings.key_name}, or `keyring set {settings.key_name} api_key`"
        )

    def url(self, settings: AgentSettings) -> str:
        """The server's address."""
        return settings.base_url

    def form(self, settings: AgentSettings) -> str:
        """The form of output that the server took last: one of FORMS, the first if it was not asked yet."""
        return FORMS[self._forms.get(_server(settings), 0)]

    async def ask(self, client: openai.AsyncOpenAI, question: Question) -> str:
        """The text of the answer. A server that refuses a form of output is asked in the next lower one."""
        server = _server(question.settings)
        for number in range(self._forms.get(server, 0), len(FORMS)):
            try:
                text = await self._in_form(client, question, FORMS[number])
            except Exception as problem:
                if number + 1 == len(FORMS) or not _about_the_form(question.failures.explain(problem), problem):
                    raise
            else:
                self._forms[server] = number
                return text
        raise AssertionError("unreachable")

    async def _in_form(self, client: openai.AsyncOpenAI, question: Question, form: str) -> str:
        ask = _streamed if question.on_text else _whole
        return await ask(client, question, _request(question, form))


async def _whole(client: openai.AsyncOpenAI, question: Question, request: dict[str, Any]) -> str:
    answer = await client.chat.completions.create(**request)
    if not isinstance(answer, ChatCompletion) or not isinstance(answer.choices, list):
        raise question.failures.not_an_endpoint(answer)
    question.tally.of_model(answer.model)
    question.tally.add(answer.usage, "prompt_tokens", "completion_tokens")
    if not answer.choices:
        raise BackendBusy("the server answered without a choice", retryable=True)
    choice = answer.choices[0]
    if choice.message.refusal:
        raise question.failures.refused(choice.message.refusal)
    return _finished(choice.message.content or "", choice.finish_reason, question.failures)


async def _streamed(client: openai.AsyncOpenAI, question: Question, request: dict[str, Any]) -> str:
    text, refusal, reason = "", "", ""
    streamed = {**request, "stream_options": {"include_usage": True}}
    async with await client.chat.completions.create(**streamed, stream=True) as chunks:
        if not is_stream(chunks):
            return await _whole(client, question, request)
        async for chunk in chunks:
            question.tally.add(chunk.usage, "prompt_tokens", "completion_tokens")
            for choice in chunk.choices[:1]:
                text += choice.delta.content or ""
                refusal += choice.delta.refusal or ""
                reason = choice.finish_reason or reason
                question.show(text)
    if refusal:
        raise question.failures.refused(refusal)
    if not reason:
        raise BackendUnreachable("the answer ended in the middle", retryable=True)
    return _finished(text, reason, question.failures)


def _finished(text: str, reason: str, failures: Failures) -> str:
    """Any reason but these leaves it to the output itself whether it is whole."""
    if reason == "content_filter":
        raise failures.refused("its answer was filtered")
    if reason == "length":
        raise AgentError("the output was cut; raise setting agents.max_output_tokens, or the server's context")
    if not text.strip():
        raise BackendBusy("the server answered with nothing", retryable=True)
    return text


def _request(question: Question, form: str) -> dict[str, Any]:
    settings, instructions = question.settings, question.instructions
    request: dict[str, Any] = {}
    # A server of one's own compiles a grammar in no time; OpenAI would take seconds for each new one.
    shape = with_choices(
        strict_schema(question.shape, Grammar(settings.longest_text, settings.longest_list)), question.offered
    )
    if form == "json_schema":
        # As an extra the client sends it as it is; as an argument it would go through every part of the schema first.
        asked = {"type": form, "json_schema": {"name": question.agent, "schema": shape, "strict": True}}
        request["extra_body"] = {"response_format": asked}
    else:
        instructions += f"\n\nAnswer with one JSON object of this JSON schema and nothing else:\n{json.dumps(shape)}"
    if form == "json_object":
        request["response_format"] = {"type": form}
    if settings.effort:
        request["reasoning_effort"] = settings.effort
    if settings.temperature is not None:
        request["temperature"] = settings.temperature
    return {
        **request,
        "model": settings.model,
        "messages": [{"role": role, "content": text} for role, text in (("system", instructions), *question.turns)],
        "max_tokens": settings.max_output_tokens,
        "timeout": question.timeout_s,
    }


def _about_the_form(error: AgentError, problem: Exception) -> bool:
    """A request refused without a reason that we know is most often refused for its form."""
    return type(error) is NoStructuredOutput or (
        type(error) is AgentError and isinstance(problem, openai.APIStatusError)
    )


def _server(settings: AgentSettings) -> tuple[str, str]:
    return settings.base_url, settings.model
