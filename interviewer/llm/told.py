"""What services tell, made fit to be kept: no half characters, no keys, and figures and names that can be believed."""

import json
from collections.abc import Callable
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json

from interviewer.errors import AgentError
from interviewer.keys import without_keys
from interviewer.model.characters import whole

MOST_TOKENS: Final = 2**53  # above it, programs that hold figures as floats tell neighbours no longer apart
_LONGEST_NAME: Final = 200
_DEEPEST: Final = 32  # the outputs of all agents are less than ten deep


def count(value: object) -> int:
    """`value` as a count from 0 to MOST_TOKENS; 0 if it is no whole number."""
    return min(max(0, value), MOST_TOKENS) if isinstance(value, int) and not isinstance(value, bool) else 0


def name(value: object, else_: str) -> str:
    """`value` as a model's name of at most 200 characters, without keys; `else_` if it is no text."""
    return shown(value)[:_LONGEST_NAME] if isinstance(value, str) and value.strip() else else_


def shown(text: str) -> str:
    """`text` without keys, and with U+FFFD for each half character."""
    return without_keys(whole(text))


def in_whole(value: Any) -> Any:
    """Plain JSON values with every text in them as `whole` gives it."""
    try:
        to_json(value)  # quicker than looking at each text, and takes no half characters
    except ValueError:
        return _map(value, whole)
    return value


def without_secrets(value: Any) -> Any:
    """Plain JSON values with every text in them as `shown` gives it."""
    return _map(value, shown)


def as_json(data: BaseModel) -> str:
    """`data` as JSON, whatever characters are in it."""
    try:
        return data.model_dump_json()
    except PydanticSerializationError:
        return json.dumps(data.model_dump(mode="python"), default=str)


def mended(data: BaseModel) -> BaseModel:
    """A copy of `data` with U+FFFD for each half character in it."""
    return type(data).model_validate(in_whole(data.model_dump(mode="python")))


def check_sound(value: Any, depth: int = 0) -> None:
    """Raises AgentError if plain JSON values are deeper than outputs are, or hold half a character somewhere."""
    if depth > _DEEPEST:
        raise AgentError(f"the output is nested more than {_DEEPEST} deep")
    match value:
        case str():
            if whole(value) != value:
                raise AgentError("the output holds half a character: one surrogate (\\ud800 to \\udfff) alone")
        case dict():
            for key, part in value.items():
                check_sound(key, depth + 1)
                check_sound(part, depth + 1)
        case list():
            for part in value:
                check_sound(part, depth + 1)


def _map(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {_map(key, change): _map(part, change) for key, part in value.items()}
        case list() | tuple():
            return [_map(part, change) for part in value]
    return value
