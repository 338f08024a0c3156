"""What tokens cost: a dated table, which a file of the user's own may complete and correct."""

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from interviewer.errors import SettingsError

_MILLION = 1_000_000
_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")


class Price(BaseModel):
    """US dollars a million tokens. `cached`: input read from the service's cache."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0, allow_inf_nan=False)
    cached: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    audio_input: float = Field(0.0, ge=0, allow_inf_nan=False)
    audio_cached: float = Field(0.0, ge=0, allow_inf_nan=False)
    audio_output: float = Field(0.0, ge=0, allow_inf_nan=False)


class Prices(BaseModel):
    """Prices by model, as they were on a day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    as_of: date
    models: dict[str, Price]

    @classmethod
    def load(cls, file: str = "") -> "Prices":
        """The built-in table, with what `file` says before it. Raises SettingsError naming the file and the field."""
        built_in = cls.model_validate(
            yaml.safe_load((files("interviewer.llm") / "prices.yaml").read_text(encoding="utf-8"))
        )
        if not file:
            return built_in
        own = _read(Path(file))
        return cls(as_of=own.as_of, models={**built_in.models, **own.models})

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
    value = part.get(name)
    return max(0, value) if isinstance(value, int) else 0
