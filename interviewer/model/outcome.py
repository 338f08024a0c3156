"""What is made of a call after it ended: analysis, topics for a follow-up, the essay."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema


class _Outcome(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Quote(_Outcome):
    """Words of the guest with the turn they are from; `found` says whether they stand there.

    `distance` is set where the quote is checked: in how many words it first differed from what was said.
    """

    text: str
    turn: str
    found: bool = True
    distance: SkipJsonSchema[int] = 0


class AnalysedClaim(_Outcome):
    """A claim of the guest with what they offered for it."""

    text: str
    evidence: tuple[Quote, ...]


class Theme(_Outcome):
    """A thread through the conversation."""

    name: str
    summary: str
    turns: tuple[str, ...]


class Analysis(_Outcome):
    """The Analyst's reading of the whole transcript."""

    goal_met: Literal["no", "partly", "mostly", "fully"]
    assessment: str
    claims: tuple[AnalysedClaim, ...]
    themes: tuple[Theme, ...]
    tensions: tuple[str, ...]
    quotes: tuple[Quote, ...]
    title: str
    subtitle: str


class FollowUpTopic(_Outcome):
    """A topic that was not explored, with two or three questions."""

    title: str
    why: str
    questions: tuple[str, ...] = Field(min_length=2, max_length=3)


class FollowUp(_Outcome):
    """What to return to."""

    summary: str
    topics: tuple[FollowUpTopic, ...] = Field(min_length=3, max_length=3)
    gaps: tuple[str, ...]
    strengthen: tuple[str, ...]


class EssaySentence(_Outcome):
    """A sentence of the essay; `turn` None marks the writer's own connecting words."""

    text: str
    turn: str | None


class Essay(_Outcome):
    """A draft: Markdown, and each of its sentences with the turn it came from."""

    title: str
    markdown: str
    sentences: tuple[EssaySentence, ...]
