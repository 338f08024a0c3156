"""What the Note-Taker has made of the conversation so far."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Confidence = Literal["low", "medium", "high"]
Depth = Literal["none", "thin", "some", "deep"]


class _Note(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Idea(_Note):
    """A thought of the guest's, with the words it came in."""

    id: str
    text: str
    quote: str
    turn: str = Field(description="id of the turn the quote is from")


class Story(_Note):
    """Something that happened, as the guest told it."""

    id: str
    text: str
    quote: str
    turn: str


class Claim(_Note):
    """A statement that could be checked."""

    id: str
    text: str
    confidence: Confidence
    quote: str
    turn: str


class Gap(_Note):
    """Something begun, named or implied and not told."""

    id: str
    text: str
    question: str = Field(description="a question that would close the gap")
    quote: str
    turn: str


class Contradiction(_Note):
    """Two things the guest said that do not sit together."""

    id: str
    text: str
    first_quote: str
    first_turn: str
    second_quote: str
    second_turn: str
    question: str


class Coverage(_Note):
    """How deep a section of the plan has been reached."""

    section_id: str
    depth: Depth


class Line(_Note):
    """A line worth quoting, as it was said."""

    quote: str
    turn: str


class Answered(_Note):
    """A planned question the guest has answered, asked or not."""

    question_id: str
    turn: str
    volunteered: bool


class Notes(_Note):
    """All notes of a call. Lists are in order of first appearance; ids are stable."""

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
