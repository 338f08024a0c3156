"""What a core did in a replay, gathered from its actions."""

from collections.abc import Iterable, Mapping
from typing import Any

from interviewer.call.actions import Action, Append, Record
from interviewer.ledger.events import LedgerEvent
from interviewer.replay.outcome import AgentRun, Decided
from interviewer.replay.recording import Spoken

_KEPT = frozenset(("reply", "analysis", "follow_up", "essay", "research", "goodbye", "status"))
_RUN = tuple(name for name in AgentRun.__slots__ if name != "reused")

Kept = tuple[str, int, Mapping[str, Any]]


class Gathered:
    """Ledger events, decisions, agents' runs and turns of one core. `reused`: job ids that were played back."""

    def __init__(self) -> None:
        self.events: list[LedgerEvent] = []
        self.reused: set[str] = set()
        self._decisions: list[tuple[int, dict[str, Any]]] = []
        self._runs: list[dict[str, Any]] = []
        self._turns: dict[str, dict[str, Any]] = {}
        self._kept: list[Kept] = []
        self._notes: Kept | None = None

    def saw(self, actions: Iterable[Action]) -> None:
        """Take what a step returned."""
        for action in actions:
            if type(action) is Append:
                self.events.append(action.event)
            elif type(action) is Record:
                self._record(action.kind, action.t_ms, dict(action.data))

    def _record(self, kind: str, t_ms: int, data: dict[str, Any]) -> None:
        if kind == "turn":
            self._turns[data["id"]] = data
        elif kind == "decision":
            self._decisions.append((t_ms, data))
        elif kind == "job":
            self._runs.append(data)
        elif kind == "notes":
            self._notes = (kind, t_ms, data)
        elif kind in _KEPT:
            self._kept.append((kind, t_ms, data))

    @property
    def turns(self) -> tuple[Spoken, ...]:
        """The turns in order, of the interviewer's what was heard."""
        ordered = sorted(self._turns.values(), key=lambda data: data["position"])
        told = ((data, data["text"] if data["speaker"] == "guest" else data["heard"]) for data in ordered)
        return tuple(
            Spoken(data["id"], data["speaker"], text, data["started_ms"], data["ended_ms"], data["question_id"])
            for data, text in told
            if text.strip()
        )

    @property
    def runs(self) -> tuple[AgentRun, ...]:
        """The agents' runs, in the order in which they ended."""
        return tuple(
            AgentRun(**{name: data[name] for name in _RUN}, reused=data["job_id"] in self.reused) for data in self._runs
        )

    @property
    def records(self) -> tuple[Kept, ...]:
        """(kind, ms, data) of what else is kept of the core's records."""
        return (*self._kept, *((self._notes,) if self._notes else ()))

    def decisions(self) -> tuple[Decided, ...]:
        """The decisions in order, each with the last turn it had read; what the recording asked is still to come."""
        read = [turn for turn in self.turns if turn.speaker == "guest" and turn.ended_ms is not None]
        return tuple(_decided(t_ms, data, _last(read, data["snapshot_ms"])) for t_ms, data in self._decisions)


def _last(turns: list[Spoken], snapshot_ms: int) -> str:
    before = [turn.id for turn in turns if (turn.ended_ms or 0) <= snapshot_ms]
    return before[-1] if before else ""


def _decided(t_ms: int, data: Mapping[str, Any], turn: str) -> Decided:
    return Decided(
        number=data["number"],
        cycle=data["cycle"],
        t_ms=t_ms,
        snapshot_ms=data["snapshot_ms"],
        turn=turn,
        phase=data["phase"],
        proposed_phase=data["proposed_phase"],
        question_id=data["question_id"],
        text=data["text"] or "",
        source=data["source"] or "",
        returning=data["returning"],
        why=data["why"],
        brief=data["brief"],
        themes=tuple(data["themes"]),
        outcome=data["outcome"],
        reason=data["reason"],
    )
