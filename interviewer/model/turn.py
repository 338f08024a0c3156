"""A turn of the conversation. Plain and small: the core makes thousands of them."""

from dataclasses import dataclass
from typing import Literal

Speaker = Literal["interviewer", "guest"]
TurnState = Literal["speaking", "waiting", "final", "inaudible"]


@dataclass(slots=True)
class Turn:
    """What one person said between two others.

    `id` counts within a call (`t1`, `t2`, ...); `item_id` is the service's. `started_ms` and `ended_ms` are
    milliseconds since the call began; `ended_ms` is None while it lasts. Only a `final` turn has its whole
    text; `inaudible` means the service could not transcribe it. For the interviewer `text` is what was
    generated and `heard` the part of it that was played.
    """

    id: str
    item_id: str
    speaker: Speaker
    text: str
    state: TurnState
    started_ms: int
    ended_ms: int | None = None
    heard: str = ""
    response_id: str | None = None
    question_id: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A turn as an agent gets to see it."""

    id: str
    speaker: Speaker
    text: str


def marked(call: int, turn: str) -> str:
    """The id of a turn of call number `call`, as it stands in a chain: `c2.t5`."""
    return f"c{call}.{turn}"


def call_of(turn: str) -> int | None:
    """The number of the earlier call that a turn id names; None for a turn of the call itself."""
    head, dot, _ = turn.partition(".")
    return int(head[1:]) if dot and head.startswith("c") and head[1:].isdecimal() else None
