"""What stands behind the protocol: who makes up the replies, and the truth about what was voiced."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in a `Spoken`: `key` is the planned wording, or "own: ..." for one the voice made up.

    `[start, end)` are the characters of its sentence in `Spoken.text`.
    """

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """One assistant item: its text and the questions in it, in order."""

    text: str
    asks: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One conversation item as the model sees it; `role` is user, assistant or system."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class BrainRequest:
    """What a reply is made from; `number` counts the responses of the session from 0."""

    instructions: str
    lines: tuple[Line, ...]
    number: int


class Brain(Protocol):
    """Makes up replies; must be a pure function of its request."""

    def reply(self, request: BrainRequest) -> tuple[Spoken, ...]:
        """The assistant items of one response, in order; empty for a response that says nothing."""
        ...


@dataclass(slots=True)
class Voiced:
    """The truth about one assistant item, kept up to date while it is generated.

    `text` and `total_ms` hold only what was generated (`total_ms` is 0 for a text reply), `asks` only the questions
    whose sentence was generated to its end. Spoken in full it would take `full_ms` for `full_chars` characters.
    """

    response_id: str
    item_id: str
    text: str
    asks: tuple[Asked, ...]
    total_ms: int
    created_ms: int
    full_ms: int = 0
    full_chars: int = 0

    def spoken_ms(self, chars: int) -> int:
        """When, in its sound, the first `chars` characters have been said."""
        if self.full_chars:
            return round(self.full_ms * chars / self.full_chars)
        return round(self.total_ms * chars / len(self.text)) if self.text else 0
