"""OpenAI's Responses API: strict structured output, nothing kept by the service."""

from typing import Any

import openai
from openai.types.responses import Response

from interviewer.errors import AgentError, BackendBusy, BackendUnreachable, NoKey
from interviewer.keys import VARIABLE, api_key
from interviewer.llm.dialect import Question, is_stream
from interviewer.llm.schema import strict_schema
from interviewer.settings import AgentSettings

_PASSING = ("server_error", "rate_limit_exceeded")


class Responses:
    """Asks OpenAI. `url` is another address of it, for tests and gateways that take the same key."""

    name = "openai"

    def __init__(self, url: str = "", key: str | None = None) -> None:
        self._url, self._key = url, key

    def key(self, _: AgentSettings) -> str:
        """The key given, of the environment or of the keyring. Raises NoKey, which says how to give one."""
        if key := self._key or api_key():
            return key
        raise NoKey(
            f"no API key for OpenAI: set {VARIABLE}, or `keyring set openai api_key`, or setting agents.backend"
        )

    def url(self, _: AgentSettings) -> str:
        """Never the address of another server: the key is OpenAI's."""
        return self._url

    async def ask(self, client: openai.AsyncOpenAI, question: Question) -> str:
        """The text of the answer."""
        response = await (self._streamed if question.on_text else self._whole)(client, question)
        if not isinstance(response, Response) or not isinstance(response.output, list):
            raise question.failures.not_an_endpoint(response)
        question.tally.of_model(response.model)
        question.tally.add(response.usage, "input_tokens", "output_tokens")
        _note_searches(response, question)
        return _text(response, question)

    async def _whole(self, client: openai.AsyncOpenAI, question: Question) -> Any:
        return await client.responses.create(**_request(question))

    async def _streamed(self, client: openai.AsyncOpenAI, question: Question) -> Any:
        text = ""
        async with await client.responses.create(**_request(question), stream=True) as events:
            if not is_stream(events):
                return await self._whole(client, question)
            async for event in events:
                if event.type == "response.output_text.delta":
                    text += event.delta
                    question.show(text)
                elif event.type in ("response.completed", "response.incomplete", "response.failed"):
                    return event.response
        raise BackendUnreachable("the answer of OpenAI ended in the middle", retryable=True)


def _request(question: Question) -> dict[str, Any]:
    settings = question.settings
    form = {"type": "json_schema", "name": question.agent, "schema": strict_schema(question.shape), "strict": True}
    request: dict[str, Any] = {
        "model": settings.model,
        "instructions": question.instructions,
        "input": [{"role": role, "content": text} for role, text in question.turns],
        "text": {"format": form},
        "max_output_tokens": settings.max_output_tokens,
        "store": False,
        "timeout": question.timeout_s,
    }
    if settings.searches(question.agent):
        request |= {"tools": [{"type": "web_search"}], "include": ["web_search_call.action.sources"]}
    if settings.effort:
        request["reasoning"] = {"effort": settings.effort}
    if settings.temperature is not None:
        request["temperature"] = settings.temperature
    return request


def _note_searches(response: Response, question: Question) -> None:
    """Count the model's web searches, and keep the addresses that they found."""
    for item in response.output:
        if item.type == "web_search_call":
            question.tally.searches += 1
            found = getattr(item.action, "sources", None) or ()
            question.tally.addresses |= {str(source.url) for source in found if getattr(source, "url", None)}


def _text(response: Response, question: Question) -> str:
    if response.status == "failed" or response.error:
        code, said = (response.error.code, response.error.message) if response.error else ("", "")
        raise BackendBusy(f"OpenAI failed: {question.failures.shown(said)}", retryable=code in _PASSING)
    if response.status == "incomplete":
        why = response.incomplete_details.reason if response.incomplete_details else "unknown"
        if why == "content_filter":
            raise question.failures.refused("its answer was filtered")
        raise AgentError(f"the output was cut ({why}); raise setting agents.max_output_tokens")
    texts: list[str] = []
    for item in response.output:
        for part in getattr(item, "content", None) or ():
            if part.type == "refusal":
                raise question.failures.refused(part.refusal)
            texts.append(getattr(part, "text", None) or "")
    if not any(texts):
        raise BackendBusy("OpenAI answered with nothing", retryable=True)
    return "".join(texts)
