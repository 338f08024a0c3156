"""What the ledger knows of questions and attempts once its events are folded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from interviewer.ledger.events import STAGES, Kind, LedgerEvent, Value

Status = Literal["available", "pending", "delivered", "held"]
Outcome = Literal["open", "delivered", "released", "held"]


@dataclass(slots=True)
class Attempt:
    """One try to get a question asked: the stages it reached, each with its evidence, and how it ended."""

    id: str
    question_id: str
    evidence: dict[Kind, LedgerEvent] = field(default_factory=dict)
    outcome: Outcome = "open"
    reason: str = ""
    heard_ms: int = 0

    @property
    def stage(self) -> Kind:
        """The last stage reached."""
        return STAGES[len(self.evidence) - 1]

    @property
    def started(self) -> bool:
        """Whether a response runs, or ran, under its instructions."""
        return "started" in self.evidence

    def value(self, stage: Kind, name: str) -> Value:
        """A piece of evidence of a stage, or None."""
        event = self.evidence.get(stage)
        return event.evidence.get(name) if event else None


@dataclass(slots=True)
class QuestionState:
    """A question and what has become of it.

    `reconstructed`: an old transcript probably covers it. `carried`: where it stood after the calls before.
    """

    id: str
    text: str
    priority: int
    planned: bool
    source: str
    section_id: str | None
    role: str = "backbone"
    attempts: list[Attempt] = field(default_factory=list)
    covered: LedgerEvent | None = None
    answered: LedgerEvent | None = None
    declined: LedgerEvent | None = None
    nothing: LedgerEvent | None = None
    claimed: LedgerEvent | None = None
    refused: LedgerEvent | None = None
    reconstructed: LedgerEvent | None = None
    carried: LedgerEvent | None = None

    @property
    def status(self) -> Status:
        """Credit: delivered once, delivered for good; an open attempt is pending; the last ending decides the rest.

        What was delivered or held in an earlier call of the chain still is.
        """
        if not self.attempts and not self.carried:
            return "available"
        outcomes = [attempt.outcome for attempt in self.attempts]
        if self.carried:
            outcomes.append("delivered" if self.carried.evidence["status"] == "delivered" else "held")
        if "delivered" in outcomes:
            return "delivered"
        if "open" in outcomes:
            return "pending"
        return "held" if "held" in outcomes else "available"

    @property
    def holds(self) -> int:
        """How many of its attempts were held, those of earlier calls counted."""
        before = self.carried.evidence.get("holds") if self.carried else 0
        return sum(attempt.outcome == "held" for attempt in self.attempts) + (before if isinstance(before, int) else 0)

    @property
    def repeats_itself(self) -> bool:
        """Whether the guard refused it as it stands: in other words a planned question may still be asked."""
        return self.refused is not None and (not self.planned or self.refused.evidence.get("text") == self.text)

    @property
    def volunteered(self) -> bool:
        """Whether the guest answered it without being asked."""
        return bool(self.answered and self.answered.evidence.get("volunteered"))

    @property
    def effective_priority(self) -> float:
        """Priority, lowered by 1 for a volunteered answer and by the score of a reconstruction."""
        return self.priority + (1 if self.volunteered else 0) + self.touched

    @property
    def touched(self) -> float:
        """How sure it is that an old transcript covers it, 0 to 1; 0 if none does."""
        score = self.reconstructed.evidence.get("score") if self.reconstructed else None
        return score if isinstance(score, int | float) else 0.0


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that was audibly asked: memory, whether or not it earned credit.

    `evidence` of what an earlier call of the chain had asked names that `call`, and `turn` if it is known.
    """

    t_ms: int
    text: str
    question_id: str | None
    evidence: Mapping[str, Value]
