"""Calls as metrics take them: from a journal, a transcript or a replay."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.kept.reading import CallLog
from interviewer.kept.said import corrections, turn_records
from interviewer.ledger.events import LedgerEvent, World
from interviewer.ledger.fold import Ledger, fold
from interviewer.matching.interview_file import read_interviews
from interviewer.matching.text import words
from interviewer.metrics.record import (
    CallFacts,
    HeardQuestion,
    HeardTurn,
    ProposalFact,
    ReplyFact,
    RunFact,
    asked,
    heard,
)
from interviewer.model.corrections import Corrections
from interviewer.model.recorded import Recorded
from interviewer.model.stopwatch import Stopwatch
from interviewer.replay.outcome import Replayed

Data = Mapping[str, Any]

TOO_EARLY = "closing phrase too early"
"""What the core records of a closing phrase that is no goodbye yet."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a call, as plain rows: of a journal's records or of the database's tables.

    `shown`: what the call's clock showed at a moment of the record, of which the events tell; a turn has it as `at_ms`
    and `ended_at_ms`.
    """

    call_id: str
    world: World
    source: str
    language: str
    target_ms: int | None
    turns: Sequence[Data]
    events: Sequence[LedgerEvent]
    replies: Sequence[Data]
    decisions: Sequence[Data]
    runs: Sequence[Data]
    elapsed_ms: int | None
    shown: Callable[[int], int]
    early_goodbyes: int
    names: Corrections

    def facts(self) -> CallFacts:
        """The call as metrics take it. Raises LedgerError if its events contradict each other."""
        rows = [row for row in self.turns if _heard(row).strip()]
        turns = tuple(_turn(row) for row in rows)
        ledger = fold(self.events) if self.events else None
        return CallFacts(
            id=self.call_id,
            turns=turns,
            questions=self._questions(ledger, turns, rows),
            world=self.world,
            source=self.source,
            language=self.language if self.source != "import" else "",
            timed=all(row.get("times") in (None, "file") for row in rows),
            ledger=ledger,
            replies=tuple(ReplyFact(str(row["kind"]), row.get("stale_ms")) for row in self.replies),
            proposals=tuple(_proposal(row) for row in self.decisions if row.get("text")),
            runs=tuple(_run(row) for row in self.runs),
            target_ms=self.target_ms,
            elapsed_ms=self.elapsed_ms,
            early_goodbyes=self.early_goodbyes if ledger else None,
            generated_words=sum(len(words(str(row.get("text") or ""))) for row in self.turns if not _guest(row))
            if ledger
            else None,
        )

    def _questions(
        self, ledger: Ledger | None, turns: tuple[HeardTurn, ...], rows: Sequence[Data]
    ) -> tuple[HeardQuestion, ...]:
        if ledger is None:
            return asked(turns)
        return heard(ledger, turns, [row.get("item_id") for row in rows], self.names.text, self.shown)


def of_log(log: CallLog) -> CallFacts:
    """The facts of a kept call; what its journal lost is not there. Raises JournalError or LedgerError."""
    setup = log.begun_with
    head = log.contents.head
    early = sum(data.get("what") == TOO_EARLY for _, data in log.records("ignored"))
    return Kept(
        call_id=log.call_id,
        world=head.get("world") or (setup.world if setup else "real"),
        source=str(head.get("source") or "call"),
        language=setup.plan.language if setup else "",
        target_ms=log.target_ms if head.get("source") != "import" else None,
        turns=[_on_clock(row, log.clock) for row in turn_records(log)],
        events=log.events,
        replies=[data for _, data in log.records("reply")],
        decisions=[data for _, data in log.records("decision")],
        runs=[data for _, data in log.records("job")],
        elapsed_ms=log.elapsed_ms,
        shown=log.clock.at,
        early_goodbyes=early,
        names=corrections(log),
    ).facts()


def of_recorded(recorded: Recorded) -> CallFacts:
    """The facts of a transcript from elsewhere."""
    turns = tuple(HeardTurn(t.id, t.role, t.text, t.started_ms, t.ended_ms) for t in recorded.turns)
    timed = all(turn.times == "file" for turn in recorded.turns)
    return CallFacts(id=recorded.id, turns=turns, questions=asked(turns), timed=timed)


def of_replayed(result: Replayed) -> CallFacts:
    """The facts of a replay: its own turns and ledger, in the world `replayed`."""
    turns = tuple(HeardTurn(t.id, t.speaker, t.text, t.started_ms, t.ended_ms) for t in result.turns)
    ledger = fold(result.events)
    return CallFacts(
        id=result.source,
        turns=turns,
        questions=heard(ledger, turns),
        world="replayed",
        source="replay",
        language=result.setup.plan.language,
        ledger=ledger,
        replies=tuple(
            ReplyFact(str(data["kind"]), data.get("stale_ms")) for kind, _, data in result.records if kind == "reply"
        ),
        proposals=tuple(ProposalFact(d.source, d.question_id, d.text, d.outcome) for d in result.decisions if d.text),
        runs=tuple(RunFact(r.agent, r.outcome, r.cost_usd) for r in result.runs),
        target_ms=result.setup.target_ms,
        elapsed_ms=result.ended_ms,
    )


def of_interviews(path: Path) -> list[CallFacts]:
    """The facts of recorded interviews in a file of JSON lines, or in all of a folder. Raises MatchError."""
    return [of_turns(interview.name, interview.turns) for interview in read_interviews(path).values()]


def of_turns(name: str, turns: Iterable[tuple[str, str]]) -> CallFacts:
    """The facts of (role, text) pairs in order; the role "interviewer" asks. What was left out ("...") is silence."""
    made = tuple(
        HeardTurn(f"t{number}", "interviewer" if role == "interviewer" else "guest", text if text != "..." else "")
        for number, (role, text) in enumerate(turns, 1)
    )
    return CallFacts(id=name, turns=made, questions=asked(made), timed=False)


def _guest(row: Data) -> bool:
    return bool(row["speaker"] == "guest")


def _heard(row: Data) -> str:
    return str((row.get("text") if _guest(row) else row.get("heard")) or "")


def _turn(row: Data) -> HeardTurn:
    return HeardTurn(str(row["id"]), row["speaker"], _heard(row), row.get("at_ms"), row.get("ended_at_ms"))


def _on_clock(row: Data, clock: Stopwatch) -> Data:
    """The row of a journal's turn with what the call's clock showed, as the database has it."""
    times = {"at_ms": row.get("started_ms"), "ended_at_ms": row.get("ended_ms")}
    return {**row, **{name: None if t_ms is None else clock.at(t_ms) for name, t_ms in times.items()}}


def _proposal(row: Data) -> ProposalFact:
    question = row.get("question_id")
    return ProposalFact(
        str(row.get("source") or ""), question and str(question), str(row["text"]), str(row.get("outcome") or "")
    )


def _run(row: Data) -> RunFact:
    return RunFact(str(row["agent"]), str(row.get("outcome") or ""), row.get("cost_usd"))
