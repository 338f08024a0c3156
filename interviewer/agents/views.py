"""A question as the agents get to see it: what the ledger makes of it, in one row."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from interviewer.model.plan import Role


class QuestionView(BaseModel):
    """One question of the call; only a `selectable` one may be proposed.

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
