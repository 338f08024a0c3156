"""Tokens, as the service counts and reports them, and the rate limits it sends along.

Rates: a token is about four characters of text, 100 ms of the user's audio, 50 ms of the model's
(OpenAI, "Managing Realtime costs").
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interviewer.realtime.engine.items import Item

_CACHE_BLOCK = 64
_TOKENS_A_MINUTE = 40_000
_REQUESTS_A_MINUTE = 5_000


@dataclass(frozen=True, slots=True)
class Tokens:
    """A count of tokens by kind."""

    text: int = 0
    audio: int = 0

    @property
    def total(self) -> int:
        """Text and audio together."""
        return self.text + self.audio


def of_text(text: str) -> int:
    """Tokens of a text."""
    return math.ceil(len(text) / 4)


def of_model_audio(audio_ms: int) -> int:
    """Tokens of the model's audio."""
    return math.ceil(audio_ms / 50)


def of_input(instructions: str, items: Iterable[Item]) -> Tokens:
    """Tokens the model reads: the guest's turns as audio, the rest as text and audio."""
    text, audio = of_text(instructions), 0
    for item in items:
        if item.role == "user" and item.audio_ms:
            audio += math.ceil(item.audio_ms / 100)
            continue
        text += of_text(item.text)
        audio += of_model_audio(item.audio_ms if item.heard_ms is None else item.heard_ms)
    return Tokens(text, audio)


def cached(read: Tokens, before: Tokens | None) -> Tokens:
    """What of the input was read in the response before, in whole blocks of 64, text first."""
    if before is None:
        return Tokens()
    blocks = min(read.total, before.total) // _CACHE_BLOCK * _CACHE_BLOCK
    text = min(read.text, blocks)
    return Tokens(text, blocks - text)


def of_response(read: Tokens, known: Tokens, made: Tokens) -> dict[str, Any]:
    """The `usage` of `response.done`."""
    return {
        "total_tokens": read.total + made.total,
        "input_tokens": read.total,
        "output_tokens": made.total,
        "input_token_details": {
            "text_tokens": read.text,
            "audio_tokens": read.audio,
            "image_tokens": 0,
            "cached_tokens": known.total,
            "cached_tokens_details": {"text_tokens": known.text, "audio_tokens": known.audio, "image_tokens": 0},
        },
        "output_token_details": {"text_tokens": made.text, "audio_tokens": made.audio},
    }


def of_duration(audio_ms: int) -> dict[str, Any]:
    """The `usage` of a transcript billed by the second."""
    return {"type": "duration", "seconds": math.ceil(audio_ms / 1000)}


def of_transcript(text: str, audio_ms: int) -> dict[str, Any]:
    """The `usage` of a transcript billed by the token."""
    heard, written = math.ceil(audio_ms / 100), of_text(text)
    return {
        "type": "tokens",
        "total_tokens": heard + written,
        "input_tokens": heard,
        "input_token_details": {"text_tokens": 0, "audio_tokens": heard},
        "output_tokens": written,
    }


def rate_limits(used: int) -> dict[str, Any]:
    """The `rate_limits.updated` after a response that used so many tokens."""
    left = max(0, _TOKENS_A_MINUTE - used)
    limits = [
        _limit("requests", _REQUESTS_A_MINUTE, _REQUESTS_A_MINUTE - 1),
        _limit("tokens", _TOKENS_A_MINUTE, left),
    ]
    return {"type": "rate_limits.updated", "rate_limits": limits}


def _limit(name: str, limit: int, left: int) -> dict[str, Any]:
    reset_s = round(60 * (limit - left) / limit, 3)
    return {"name": name, "limit": limit, "remaining": left, "reset_seconds": reset_s}
