"""What goes wrong at a service, as errors of ours: what it is, whether it passes, and nothing secret."""

import contextlib
import json
import math
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any

import openai

from interviewer.errors import (
    AgentError,
    BackendBusy,
    BackendUnreachable,
    ContextTooLong,
    ModelRefused,
    NoKey,
    NoStructuredOutput,
    NotAnEndpoint,
    UnknownModel,
)
from interviewer.keys import without_keys

_SHOWN = 200
_CONTEXT = re.compile(
    r"context[ _](?:length|size|window)|maximum context|too many tokens|exceed_context", re.IGNORECASE
)
_FORMAT = re.compile(r"response_format|json_schema|json_object|text\.format|structured|grammar|schema", re.IGNORECASE)
_MODEL = re.compile(r"model", re.IGNORECASE)
_HTML = re.compile(r"\s*(?:<!doctype html|<html)", re.IGNORECASE)


class Failures:
    """Explains what goes wrong at one address with one model."""

    def __init__(self, where: str, model: str, key: str | None) -> None:
        self._where, self._model, self._key = where, model, key

    def explain(self, problem: Exception) -> AgentError:
        """Any exception of the client as an error of ours."""
        match problem:
            case AgentError():
                return problem
            case openai.APIStatusError():
                return self._status(problem)
            case openai.APITimeoutError():
                return BackendUnreachable(f"{self._where} did not answer in time", retryable=True)
            case openai.APIConnectionError():
                why = self.shown(problem.__cause__ or problem)
                return BackendUnreachable(f"{self._where} cannot be reached: {why}", retryable=True)
            case openai.APIError():
                return BackendBusy(f"{self._where} failed while it answered: {self.shown(problem)}", retryable=True)
            case json.JSONDecodeError():
                return NotAnEndpoint(f"{self._where} answered with something that is no JSON; check the address")
        return BackendUnreachable(
            f"the answer of {self._where} broke off: {type(problem).__name__}: {self.shown(problem)}", retryable=True
        )

    def not_an_endpoint(self, answer: object) -> NotAnEndpoint:
        """What was answered has not the shape of an answer."""
        if isinstance(answer, str) and _HTML.match(answer):
            return NotAnEndpoint(f"{self._where} answered with a web page; check base_url, most end in /v1")
        return NotAnEndpoint(f"{self._where} answered with something that is no answer of an OpenAI-style API")

    def refused(self, said: str) -> ModelRefused:
        """The model declined."""
        return ModelRefused(f"{self._model} declined to answer: {self.shown(said)}")

    def shown(self, what: object) -> str:
        """Text of others on one line, cut, without keys."""
        return without_keys(" ".join(str(what).split()), self._key)[:_SHOWN]

    def _status(self, problem: openai.APIStatusError) -> AgentError:
        status, body = problem.status_code, problem.response.text
        said = self.shown(_message(problem.body) or body)
        answer = f"{self._where} answered {status}: {said}"
        if _HTML.match(body):
            return (
                self.not_an_endpoint(body)
                if status < 500
                else BackendBusy(f"{self._where} answered {status} with a web page", retryable=True)
            )
        if status in (401, 403):
            return NoKey(f"{answer}; check the key")
        if status == 429 and "insufficient_quota" in body:
            return BackendBusy(f"{answer}; the account has no credit left")
        if status == 429 or status in (408, 409) or status >= 500:
            return self._format_or_busy(status, body, answer)
        if _CONTEXT.search(body):
            return ContextTooLong(f"{answer}; choose a model with a longer context")
        if status == 404 and not _MODEL.search(body):
            return NotAnEndpoint(f"{answer}; check base_url, most end in /v1")
        if status == 404 or "model_not_found" in body:
            return UnknownModel(f"{self._where} does not know the model {self._model!r}: {said}")
        if _FORMAT.search(body):
            return NoStructuredOutput(f"{answer}; {self._model} may not support structured output")
        return AgentError(answer)

    def _format_or_busy(self, status: int, body: str, answer: str) -> AgentError:
        """Some servers break on a schema they cannot take, and say so."""
        if status in (500, 501) and _FORMAT.search(body):
            return NoStructuredOutput(answer)
        return BackendBusy(answer, retryable=True)


def retry_after_s(problem: BaseException | None) -> float | None:
    """How long the service asks us to wait, in seconds; None if it does not say, or nothing that makes sense.

    Source of both forms, seconds and a date: RFC 9110, 10.2.3.
    """
    if not isinstance(problem, openai.APIStatusError):
        return None
    headers = problem.response.headers
    for name, scale in (("retry-after-ms", 1_000), ("retry-after", 1)):
        seconds = _seconds(headers.get(name, "")) / scale
        if seconds >= 0:
            return seconds
    return None


def _seconds(said: str) -> float:
    """What a header says in seconds from now; not a number if it says neither seconds nor a date."""
    with contextlib.suppress(ValueError):
        return float(said)
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except (ValueError, OverflowError):
        return math.nan


def _message(body: object) -> str:
    if isinstance(body, dict):
        inner: Any = body.get("error", body)
        return str(inner.get("message", "")) if isinstance(inner, dict) else str(inner)
    return ""
