"""What tokens cost: a dated table, which a file of the user's own may complete and correct."""

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from interviewer.errors import SettingsError
from interviewer.llm.told import count

_MILLION = 1_000_000
_LONGEST_S = 86_400  # no transcript is of more than a day of sound
_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")


class Price(BaseModel):
    """US dollars a million tokens. `cached`: input read from the service's cache.

    `minute`: dollars a minute of sound, for transcribers that are paid by the time; they need nothing else.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(0.0, ge=0, allow_inf_nan=False)
    cached: float = Field(0.0, ge=0, allow_inf_nan=False)
    output: float = Field(0.0, ge=0, allow_inf_nan=False)
    minute: float = Field(0.0, ge=0, allow_inf_nan=False)
    audio_input: float = Field(0.0, ge=0, allow_inf_nan=False)
    audio_cached: float = Field(0.0, ge=0, allow_inf_nan=False)
    audio_output: float = Field(0.0, ge=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        missing = {"input", "cached", "output"} - self.model_fields_set
        if missing and "minute" not in self.model_fields_set:
            raise ValueError(f"{', '.join(sorted(missing))}: missing; a price has these, or a minute of sound")
        return self


class Prices(BaseModel):
    """Prices by model, as they were on a day. `web_search`: dollars a thousand searches of OpenAI's own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    as_of: date
    web_search: float | None = Field(None, ge=0, allow_inf_nan=False)
    models: dict[str, Price]

    @classmethod
    def load(cls, file: str = "") -> "Prices":
        """The built-in table, with what `file` says before it. Raises SettingsError naming the file and the field."""
        built_in = _built_in()
        if not file:
            return built_in
        own = _read(Path(file))
        search = built_in.web_search if own.web_search is None else own.web_search
        return cls(as_of=own.as_of, web_search=search, models={**built_in.models, **own.models})

    def of(self, model: str) -> Price | None:
        """The price of a model or of a dated snapshot of it; None if it is not known."""
        return self.models.get(model) or self.models.get(_SNAPSHOT.sub("", model))

    def text_cost(self, model: str, input_tokens: int, cached_tokens: int, output_tokens: int) -> float | None:
        """Dollars for text; `input_tokens` holds the cached ones too. None if the price is not known."""
        price = self.of(model)
        if price is None:
            return None
        fresh = max(0, input_tokens - cached_tokens)
        return (fresh * price.input + cached_tokens * price.cached + output_tokens * price.output) / _MILLION

    def search_cost(self, searches: int) -> float:
        """Dollars for so many web searches."""
        return searches * (self.web_search or 0.0) / 1_000

    def transcription_cost(self, model: str, usage: Mapping[str, Any]) -> float | None:
        """Dollars for the `usage` of a transcript, paid by the second or by the token; None if the price is not known.

        Source of both shapes: OpenAI, Realtime API, conversation.item.input_audio_transcription.completed.
        """
        price = self.of(model)
        if price is None:
            return None
        if usage.get("type") == "duration":
            seconds = usage.get("seconds")
            if not isinstance(seconds, int | float) or "minute" not in price.model_fields_set:
                return None
            if not 0 <= seconds <= _LONGEST_S:
                return None
            return seconds / 60 * price.minute
        read = _part(usage, "input_token_details")
        if not read or "input" not in price.model_fields_set:
            return None
        dollars = _count(read, "text_tokens") * price.input + _count(read, "audio_tokens") * price.audio_input
        return (dollars + _count(usage, "output_tokens") * price.output) / _MILLION

    def voice_cost(self, model: str, usage: Mapping[str, Any]) -> float | None:
        """Dollars for the `usage` of a `response.done`; None if the price, or what the tokens were of, is not known."""
        price = self.of(model)
        read, made = _part(usage, "input_token_details"), _part(usage, "output_token_details")
        if price is None or not (read or made):
            return None
        known = _part(read, "cached_tokens_details")
        text, text_known = _count(read, "text_tokens"), _count(known, "text_tokens")
        audio, audio_known = _count(read, "audio_tokens"), _count(known, "audio_tokens")
        dollars = max(0, text - text_known) * price.input + text_known * price.cached
        dollars += max(0, audio - audio_known) * price.audio_input + audio_known * price.audio_cached
        dollars += _count(made, "text_tokens") * price.output + _count(made, "audio_tokens") * price.audio_output
        return dollars / _MILLION


@cache
def _built_in() -> Prices:
    return Prices.model_validate(yaml.safe_load((files("interviewer.llm") / "prices.yaml").read_text(encoding="utf-8")))


def _read(path: Path) -> Prices:
    try:
        text = path.read_text(encoding="utf-8")
        return Prices.model_validate(tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text))
    except OSError as error:
        raise SettingsError(f"cannot read the prices in {path}: {error.strerror}") from None
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False)[0]
        at = ".".join(str(part) for part in problem["loc"])
        raise SettingsError(f"prices in {path}: {at}: {problem['msg']}") from None
    except (tomllib.TOMLDecodeError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"the prices in {path} are not valid {path.suffix or 'YAML'}: {error}") from None


def _part(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = usage.get(name)
    return part if isinstance(part, Mapping) else {}


def _count(part: Mapping[str, Any], name: str) -> int:
    return count(part.get(name))
