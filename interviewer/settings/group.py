"""What every group of settings is made of: a figure with its unit, its meaning and where it comes from."""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

ESSAY_1 = "essay: Seven agents, fourteen minutes"
ESSAY_2 = "essay: The question ledger"
APP = "the Swift app the essays describe"
PROTOCOL = "OpenAI Realtime protocol"
OURS = "chosen here"

SECRETS = re.compile(r"(?<=//)\S+(?=@)|(?<=[?#])[^\s']+|\bsk-[A-Za-z0-9_*-]{8,}")
"""What in an address or a value may be a key."""


def figure(default: Any, unit: str, source: str, about: str, **bounds: Any) -> Any:
    """A setting: its default, unit, where the figure comes from and what it means; `bounds` as pydantic's Field."""
    return Field(default, description=about, json_schema_extra={"unit": unit, "source": source}, **bounds)


class Group(BaseModel):
    """Settings about one thing."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False)
