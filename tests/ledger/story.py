"""Hand-made ledger histories, told event by event."""

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import interviewer.ledger.events
import interviewer.ledger.fold
import interviewer.ledger.state
import interviewer.ledger.views

STAGES = ("selected", "accepted", "started", "generated", "delivered")


@dataclass(frozen=True)
class Lab:
    """The modules a rule is checked on: the package's own, or a changed copy of them."""

    events: Any
    state: Any
    fold: Any
    views: Any


def lab(events: ModuleType, state: ModuleType, fold: ModuleType, views: ModuleType) -> Lab:
    return Lab(events, state, fold, views)


REAL = lab(interviewer.ledger.events, interviewer.ledger.state, interviewer.ledger.fold, interviewer.ledger.views)


def evidence_of(stage: str, response: str = "r1", **changed: Any) -> dict[str, Any]:
    """What a stage needs to be believed: 4 s of audio, the question ends at 3 s, all of it played."""
    whole: dict[str, dict[str, Any]] = {
        "started": {"response_id": response},
        "generated": {"response_id": response, "end_ms": 3_000},
        "delivered": {
            "response_id": response,
            "status": "completed",
            "played_ms": 4_000,
            "total_ms": 4_000,
            "end_ms": 3_000,
            "tolerance_ms": 250,
        },
    }
    return {**whole.get(stage, {}), **changed}


@dataclass
class Story:
    """Events in the making: `seq` counts up, a second passes between two of them."""

    lab: Lab
    events: list[Any] = field(default_factory=list)

    def add(self, kind: str, question: str | None = None, attempt: str | None = None, **evidence: Any) -> "Story":
        seq = len(self.events) + 1
        self.events.append(self.lab.events.LedgerEvent(seq, seq * 1_000, kind, question, attempt, evidence=evidence))
        return self

    def question(self, name: str = "q1", priority: Any = 2, planned: bool = True, **evidence: Any) -> "Story":
        evidence = {"text": f"What about {name}?", "priority": priority, "planned": planned, **evidence}
        return self.add("question", name, **evidence)

    def reach(self, question: str, attempt: str, last: str = "delivered", response: str = "r1") -> "Story":
        """The stages of an attempt, up to and with `last`."""
        for stage in STAGES[: STAGES.index(last) + 1]:
            self.stage(stage, question, attempt, response)
        return self

    def stage(
        self, stage: str, question: str = "q1", attempt: str = "a1", response: str = "r1", **changed: Any
    ) -> "Story":
        return self.add(stage, question, attempt, **evidence_of(stage, response, **changed))

    def release(self, question: str = "q1", attempt: str = "a1", reason: str = "failed", heard_ms: int = 0) -> "Story":
        return self.add("released", question, attempt, reason=reason, heard_ms=heard_ms)

    def hold(self, question: str, attempt: str, reason: str = "cut", response: str = "r1") -> "Story":
        """A whole attempt that ends held."""
        self.reach(question, attempt, "started", response)
        return self.add("held", question, attempt, reason=reason, heard_ms=1_500)

    def ledger(self) -> Any:
        return self.lab.fold.fold(self.events)

    def status(self, question: str = "q1") -> str:
        return str(self.ledger().questions[question].status)

    def ids(self, view: str, *arguments: Any) -> list[str]:
        """Ids of the questions a view lists."""
        return [q.id for q in getattr(self.lab.views, view)(self.ledger(), *arguments)]
