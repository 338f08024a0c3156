"""What the Orchestrator decides, and what the Researcher brings it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Phase = Literal["opening", "exploration", "wrap_up"]
Source = Literal["plan", "gap", "contradiction", "research", "closing", "person"]


class Proposal(BaseModel):
    """The question to ask next. Without a valid `question_id` its identity is recovered from `text`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = Field(min_length=1)
    question_id: str | None = None
    source: Source
    returning: bool = Field(default=False, description="a deliberate return to something heard before")
    why: str = ""


class Decision(BaseModel):
    """One decision of the Orchestrator. `proposal` None: let the guest go on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: Phase
    proposal: Proposal | None
    brief: str = Field(description="a line or two for the voice: what to pick up, in what tone")
    themes: tuple[str, ...] = Field(default=(), description="themes this proposal is about")


class SearchResult(BaseModel):
    """A page that a search found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    url: str
    text: str


class ResearchItem(BaseModel):
    """Something to know about a thing the guest just named; `sources` are titles with addresses."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject: str
    said: str = Field(description="the guest's words it is tied to")
    turn: str
    summary: str
    use: str = Field(description="how it could sharpen the next question")
    verification: Literal["supported", "contradicted", "unverified", "not_a_claim"]
    sources: tuple[str, ...] = ()


class Research(BaseModel):
    """At most two items a pass, and the subjects that were tried, found or not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: tuple[ResearchItem, ...] = ()
    tried: tuple[str, ...] = ()
