"""A plan drawn up after the event: what a recorded conversation went after, and where each question was asked."""

from pydantic import BaseModel, ConfigDict, Field

from interviewer.model.plan import Plan


class AskedQuestion(BaseModel):
    """Where a question of the plan was asked, in the words it was asked in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question_id: str
    turn: str = Field(description="id of the interviewer's turn")
    text: str = Field(description="copied letter for letter from that turn")


class ReversePlan(BaseModel):
    """A retroactive plan, and for every question of it the place it was asked at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    plan: Plan
    asked: tuple[AskedQuestion, ...]
