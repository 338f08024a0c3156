"""What a decision rests on: the questions as the ledger sees them, and all else the Orchestrator reads."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from interviewer.agents.base import AgentInput
from interviewer.model.decision import Phase, ResearchItem
from interviewer.model.notes import Notes
from interviewer.model.plan import Role
from interviewer.model.turn import Said


class QuestionView(BaseModel):
    """One question of the call; only a `selectable` one may be proposed.

    A `waiting` one may be proposed again, which keeps it.
    `reason` says why an earlier attempt was released or held, `clue` what an old transcript shows of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    text: str
    section_id: str | None
    role: Role
    priority: int
    status: Literal["available", "pending", "delivered", "held"]
    reason: str
    selectable: bool
    answered: bool
    volunteered: bool
    clue: str = ""
    touched: float = Field(default=0.0, ge=0, le=1, description="score of the old transcript behind the clue")
    waiting: bool = Field(default=False, description="accepted as the next question, not yet asked")


class OrchestratorInput(AgentInput):
    """Everything a decision rests on; sequences are oldest first."""

    goal: str
    questions: tuple[QuestionView, ...] = Field(description="in the order of the plan, then unplanned ones")
    heard: tuple[str, ...] = Field(description="texts of the questions the guest has heard, of the whole chain")
    proposals: tuple[str, ...] = Field(description="the last proposals, heard or not")
    themes_proposed: tuple[str, ...]
    themes_covered: tuple[str, ...]
    notes: Notes
    research: tuple[ResearchItem, ...]
    requests: tuple[str, ...] = Field(description='what the guest asked for, such as "skip: q3"')
    phase: Phase
    elapsed_ms: int
    target_ms: int
    wrap_up_ms: int = Field(description="when wrap_up begins, on the same clock as elapsed_ms")
    turns: tuple[Said, ...]
    closing_used: bool = Field(description="the closing question has been proposed")
