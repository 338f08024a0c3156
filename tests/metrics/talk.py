"""Calls for tests, as metrics take them."""

from interviewer.ledger.events import STAGES, Kind, LedgerEvent, Value
from interviewer.ledger.fold import Ledger, fold
from interviewer.metrics.record import CallFacts, HeardTurn, asked
from interviewer.settings import MetricSettings

ANY = MetricSettings(least=1)


def call(*said: str, name: str = "c", gap_ms: int = 500) -> CallFacts:
    """Turns in turn, the interviewer first, each of 1,000 ms, with a gap between them."""
    step = 1_000 + gap_ms
    turns = tuple(
        HeardTurn(f"t{at}", "guest" if at % 2 else "interviewer", text, at * step, at * step + 1_000)
        for at, text in enumerate(said)
    )
    return CallFacts(name, turns, asked(turns))


class Story:
    """Writes ledger events one after the other."""

    def __init__(self) -> None:
        self.events: list[LedgerEvent] = []

    def add(self, kind: Kind, question: str, attempt: str | None = None, **evidence: Value) -> None:
        seq = len(self.events) + 1
        self.events.append(LedgerEvent(seq, seq * 100, kind, question, attempt, evidence=evidence))

    def plan(self, question: str, priority: int) -> None:
        self.add("question", question, text=question, priority=priority, planned=True)

    def attempt(self, question: str, attempt: str, stages: int) -> None:
        """An attempt that reaches so many of the five stages; short of the fifth it is released."""
        spoken: dict[str, Value] = {"response_id": attempt}
        if stages == 5:
            self.add("heard", question, attempt, text=f"{question}?", item_id=attempt, start=0, **spoken)
        for kind in STAGES[: min(stages, 4)]:
            self.add(kind, question, attempt, **spoken)
        if stages == 5:
            self.add("delivered", question, attempt, status="completed", played_ms=9, end_ms=9, **spoken)
        else:
            self.add("released", question, attempt, reason="failed")

    @property
    def ledger(self) -> Ledger:
        return fold(self.events)
