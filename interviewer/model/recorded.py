"""A conversation that was held elsewhere, as its transcript tells it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from interviewer.model.turn import Said, Speaker

Format = Literal["jsonl", "json", "vtt", "srt", "html", "markdown", "csv", "otter", "text"]
Times = Literal["file", "start", "words"]
GuessedBy = Literal["hand", "role", "name", "asking", "nothing"]


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one person said between two others; times are ms from the beginning of the recording.

    `times` says where they are from: both from the `file`, the `start` only, or neither, so that they were derived from
    the number of `words`. `lines` are the first and the last line it stands on in the file, from 1.
    """

    id: str
    speaker: str
    role: Speaker
    text: str
    started_ms: int
    ended_ms: int
    times: Times
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Guess:
    """How it was told who interviews, and how sure that is, from 0 (not at all) to 1 (it was said)."""

    by: GuessedBy
    certainty: float
    reason: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that was not as it should be, and what was made of it; `line` counts from 1, 0: all of it."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True, slots=True)
class Dated:
    """When a conversation was held, with a time zone, and what says so."""

    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """A conversation from a file: its turns `t1`, `t2`, ... in order, and who asked and who answered, by name.

    `file` is the path as it was given, `format` and `encoding` what it was read as; `title` may be empty. `dated`: when
    it was held, if the file tells.
    """

    id: str
    file: str
    format: Format
    encoding: str
    title: str
    turns: tuple[Utterance, ...]
    interviewers: tuple[str, ...]
    guests: tuple[str, ...]
    guess: Guess
    problems: tuple[Problem, ...] = ()
    dated: Dated | None = None

    @property
    def said(self) -> tuple[Said, ...]:
        """The turns as an agent gets to see them."""
        return tuple(Said(turn.id, turn.role, turn.text) for turn in self.turns)

    @property
    def duration_ms(self) -> int:
        """When the last word ends."""
        return max((turn.ended_ms for turn in self.turns), default=0)
