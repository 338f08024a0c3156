"""What the Note-Taker has made of the conversation so far."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

Confidence = Literal["low", "medium", "high"]
Depth = Literal["none", "thin", "some", "deep"]


class _Note(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Quoted(_Note):
    """Words of the guest with the turn they are from; an empty quote was not found in any.

    `distance` is set where the quote is checked: in how many words the note first differed from what was said.
    """

    quote: str
    turn: str = Field(description="id of the turn the quote is from")
    distance: SkipJsonSchema[int] = 0


class Idea(Quoted):
    """A thought of the guest's, with the words it came in."""

    id: str
    text: str


class Story(Quoted):
    """Something that happened, as the guest told it."""

    id: str
    text: str


class Claim(Quoted):
    """A statement that could be checked."""

    id: str
    text: str
    confidence: Confidence


class Gap(Quoted):
    """Something begun, named or implied and not told."""

    id: str
    text: str
    question: str = Field(description="a question that would close the gap")


class Contradiction(_Note):
    """Two things the guest said that do not sit together."""

    id: str
    text: str
    first_quote: str
    first_turn: str
    second_quote: str
    second_turn: str
    question: str
    distance: SkipJsonSchema[int] = 0


class Coverage(_Note):
    """How deep a section of the plan has been reached."""

    section_id: str
    depth: Depth


class Line(Quoted):
    """A line worth quoting, as it was said."""


class Answered(_Note):
    """A planned question the guest has answered, asked or not."""

    question_id: str
    turn: str
    volunteered: bool


class Closed(_Note):
    """A gap that was told or a contradiction that was used, with the wordings it must not come back in."""

    id: str
    wordings: tuple[str, ...]


class Notes(_Note):
    """All notes of a call. Lists are in order of first appearance; ids are stable.

    `closed` is kept by merging, never by the Note-Taker, which only names ids in `resolved`.
    """

    ideas: tuple[Idea, ...] = ()
    stories: tuple[Story, ...] = ()
    claims: tuple[Claim, ...] = ()
    gaps: tuple[Gap, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    lines: tuple[Line, ...] = ()
    titles: tuple[str, ...] = ()
    answered: tuple[Answered, ...] = ()
    resolved: tuple[str, ...] = Field(default=(), description="ids of gaps closed and contradictions used")
    closed: SkipJsonSchema[tuple[Closed, ...]] = ()
