"""Everything the core may ask of its driver."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from interviewer.ledger.events import LedgerEvent

RecordKind = Literal[
    "status",  # where the call stands: connecting, live, closing, after, done
    "phase",  # the phase changed
    "turn",  # a turn became final, or its text changed
    "decision",  # a decision of the Orchestrator as it was applied
    "notes",  # the notes after a merge
    "research",  # new items
    "request",  # a guest request
    "budget",  # a share of the budget is spent: a warning, or all of it
    "transcription",  # what writing down a stretch of the guest's speech used
    "correction",  # a person put a mis-heard name right
    "reply",  # a reply of the voice is over
    "job",  # an agent's run is over
    "fallback",  # an agent's fallback stood in
    "guard",  # what the repeat guard goes by, and what keeps it from its scorer
    "ignored",  # something came that has no effect: foreign, stale, unknown, false goodbye
    "goodbye",  # the interviewer's goodbye counted
    "analysis",
    "follow_up",
    "essay",
]


@dataclass(frozen=True, slots=True)
class Connect:
    """Open a connection; what it brings carries this epoch."""

    epoch: int


@dataclass(frozen=True, slots=True)
class Send:
    """Send a client event."""

    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CloseConnection:
    """Close the socket of this epoch."""

    epoch: int


@dataclass(frozen=True, slots=True)
class StartJob:
    """Run an agent; its Answer carries `job_id`. After `deadline_ms` nobody waits for it."""

    job_id: str
    agent: str
    data: BaseModel
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class CancelJob:
    """Nobody waits for this job any more."""

    job_id: str


@dataclass(frozen=True, slots=True)
class Compare:
    """Say how alike each of `rows` and each of `columns` are; a Compared carries `number`, and is due at once."""

    number: int
    scorer: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StopPlayback:
    """Play no more of this response, now or later."""

    response_id: str


@dataclass(frozen=True, slots=True)
class Microphone:
    """Let the guest's audio through, or not."""

    on: bool


@dataclass(frozen=True, slots=True)
class Append:
    """Append this event to the ledger's record."""

    event: LedgerEvent


@dataclass(frozen=True, slots=True)
class Record:
    """Write something that people and notebooks will want to see."""

    t_ms: int
    kind: RecordKind
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class End:
    """The call is over; nothing more will come."""

    reason: str


Action = (
    Connect
    | Send
    | CloseConnection
    | StartJob
    | CancelJob
    | Compare
    | StopPlayback
    | Microphone
    | Append
    | Record
    | End
)
