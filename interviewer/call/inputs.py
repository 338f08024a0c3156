"""Everything that can happen to a call, as records: the only way anything enters the core.

`t_ms` is milliseconds since the call was begun and never falls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, get_args

from interviewer.errors import InterviewerError, JournalError
from interviewer.llm.backend import Ran
from interviewer.model.corrections import pair

CommandName = Literal["wrap_up", "extend", "skip", "ask", "correct", "end", "pause", "resume", "mute", "unmute", "type"]


@dataclass(frozen=True, slots=True)
class Begin:
    """The call was begun; `unix_s`: the time of day then, in s since 1970, 0 if nobody knows."""

    t_ms: int
    unix_s: int = 0


@dataclass(frozen=True, slots=True)
class Resumed:
    """The program that held the call died, and another goes on where it stopped; `unix_s`: the time of day now.

    The time between is no time of the call. `close`: nobody goes on talking; it only comes to its end.
    """

    t_ms: int
    unix_s: int = 0
    close: bool = False


@dataclass(frozen=True, slots=True)
class Connected:
    """The socket of this epoch is open."""

    t_ms: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The socket of this epoch is gone, or could not be opened; `final`: dialling again would not help."""

    t_ms: int
    epoch: int
    reason: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """A server event; audio is replaced by `audio_ms` and `digest`."""

    t_ms: int
    epoch: int
    frame: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mic:
    """An edge of the guest's speech as the microphone itself hears it."""

    t_ms: int
    on: bool


@dataclass(frozen=True, slots=True)
class Playback:
    """How much of a response has been played, in ms of its audio; `ended`: no more of it will be."""

    t_ms: int
    response_id: str
    played_ms: int
    ended: bool = False


@dataclass(frozen=True, slots=True)
class PlaybackFailed:
    """The player cannot play this response."""

    t_ms: int
    response_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent's backend returned: an output, or an error; the rest as in `Ran`."""

    t_ms: int
    job_id: str
    output: Mapping[str, Any] | None
    error: str = ""
    latency_ms: int = 0
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = 0.0
    retries: int = 0
    repairs: int = 0

    @classmethod
    def of(cls, t_ms: int, job_id: str, ran: Ran) -> Self:
        """What a backend's run gave, at `t_ms`."""
        return cls(t_ms, job_id, **{item.name: getattr(ran, item.name) for item in fields(ran)})


@dataclass(frozen=True, slots=True)
class Compared:
    """What a Compare asked for: `scores`, a list for each row, None where it cannot be told.

    `scorer`: name and version of who says so; empty if there are no scores, and then `problem` says why. Scores of a
    sentence model differ between machines in their last digits, so they enter the core as a fact, not as a function.
    """

    t_ms: int
    number: int
    scorer: str
    scores: Sequence[Sequence[float | None]]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A click: `value` is milliseconds for extend, text for ask and type, a name as "WRONG -> RIGHT" for correct.

    Halves of characters (lone surrogates), which no journal and no socket can carry, become question marks.
    """

    t_ms: int
    name: CommandName
    value: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self.value.encode("utf-8", "replace").decode("utf-8"))


@dataclass(frozen=True, slots=True)
class Spent:
    """So much of the call's budget is spent: `warned` or `used_up`, and the sum in words."""

    t_ms: int
    state: Literal["open", "warned", "used_up"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed, nothing else: given when the core's deadline is reached."""

    t_ms: int


Input = (
    Begin
    | Resumed
    | Connected
    | Disconnected
    | Frame
    | Mic
    | Playback
    | PlaybackFailed
    | Answer
    | Compared
    | Command
    | Spent
    | Tick
)


def check_command(name: str, value: object) -> None:
    """Raises InterviewerError if there is no such command, or it does not take this value."""
    names = get_args(CommandName)
    if name not in names:
        raise InterviewerError(f"there is no command {name!r}; there are {', '.join(names)}")
    if not isinstance(value, str):
        raise InterviewerError(f"{name} takes its value as a text, not {value!r}")
    if name == "extend" and not (value.strip().isascii() and value.strip().isdecimal()):
        raise InterviewerError(f"extend takes milliseconds to add, not {value!r}")
    if name in ("ask", "type") and not value.strip():
        raise InterviewerError(f"{name} takes the words, not {value!r}")
    if name == "correct" and pair(value) is None:
        raise InterviewerError(f"correct takes a name as WRONG -> RIGHT, not {value!r}")


_BY_NAME: dict[str, type[Input]] = {cls.__name__.lower(): cls for cls in get_args(Input)}


_OF_A_FRAME = len(fields(Frame)) + 1


def encode(record: Input) -> dict[str, Any]:
    """An input as plain JSON values, with its type under `type`."""
    cls = type(record)
    return {"type": cls.__name__.lower(), **{name: getattr(record, name) for name in cls.__slots__}}


def decode(data: Mapping[str, Any]) -> Input:
    """The input in `data`. Raises JournalError naming what does not fit."""
    cls = _BY_NAME.get(str(data.get("type")))
    if cls is None:
        raise JournalError(f"input of unknown type {data.get('type')!r}")
    try:
        if cls is Frame and len(data) == _OF_A_FRAME:  # as most are
            return Frame(data["t_ms"], data["epoch"], data["frame"])
        return cls(**{name: value for name, value in data.items() if name != "type"})
    except KeyError as missing:
        raise JournalError(f"input {data.get('type')!r}: {missing} is missing") from None
    except (TypeError, AttributeError) as error:
        raise JournalError(f"input {data.get('type')!r}: {error}") from None
