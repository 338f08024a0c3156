"""What the live view shows of a call at one moment."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from interviewer.call.actions import Action, CancelJob, Record, StartJob
from interviewer.call.core import Core
from interviewer.ledger.fold import Ledger
from interviewer.model.decision import Phase
from interviewer.model.turn import Turn


@dataclass(slots=True)
class AgentActivity:
    """An agent's doings: runs under way, runs done, the last run's time and outcome, and its fallbacks."""

    running: int = 0
    runs: int = 0
    latency_ms: int | None = None
    outcome: str = ""
    fallbacks: int = 0


@dataclass(slots=True)
class Activity:
    """What the core's actions told so far: agents at work, the last decision, where the call stands.

    `research`: items, the oldest first. `outcome`: what was made of the call after it, by kind of record.
    """

    agents: dict[str, AgentActivity] = field(default_factory=dict)
    decision: dict[str, Any] | None = None
    status: str = "connecting"
    goodbye: bool = False
    research: list[dict[str, Any]] = field(default_factory=list)
    outcome: dict[str, dict[str, Any]] = field(default_factory=dict)
    _jobs: dict[str, str] = field(default_factory=dict)

    def take(self, actions: Iterable[Action]) -> None:
        """Follow what the core asked its driver for."""
        for action in actions:
            if isinstance(action, StartJob):
                self._jobs[action.job_id] = action.agent
                self.agents.setdefault(action.agent, AgentActivity()).running += 1
            elif isinstance(action, CancelJob):
                self._over(action.job_id)
            elif isinstance(action, Record):
                self._record(action)

    def _record(self, record: Record) -> None:
        data = record.data
        if record.kind == "job":
            self._over(data["job_id"])
            agent = self.agents.setdefault(data["agent"], AgentActivity())
            agent.runs += 1
            agent.latency_ms, agent.outcome = data["latency_ms"], data["outcome"]
        elif record.kind == "fallback":
            self.agents.setdefault(data["agent"], AgentActivity()).fallbacks += 1
        elif record.kind == "decision":
            self.decision = dict(data)
        elif record.kind == "status":
            self.status = data["status"]
        elif record.kind == "goodbye":
            self.goodbye = True
        elif record.kind == "research":
            self.research += data["items"]
        elif record.kind in ("analysis", "follow_up", "essay"):
            self.outcome[record.kind] = dict(data)

    @property
    def standing(self) -> str:
        """Where the call stands, the goodbye included."""
        return self.status if self.status in ("after", "done") or not self.goodbye else "goodbye"

    def _over(self, job_id: str) -> None:
        if agent := self._jobs.pop(job_id, None):
            self.agents[agent].running -= 1


@dataclass(frozen=True, slots=True)
class Heading:
    """What is known of a call before it begins; `wrap_up_from` is a share of its length."""

    topic: str
    guest: str
    wrap_up_from: float


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question as the view lists it."""

    id: str
    text: str
    priority: int
    section_id: str | None
    state: str
    answered: bool
    closed: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A moment of a call. Times in ms; `elapsed_ms` is the call's own clock, turns count from its beginning.

    `keep_problem`: what keeps the call from being kept as usual; empty if nothing does.
    """

    heading: Heading
    elapsed_ms: int
    target_ms: int
    phase: Phase
    status: str
    turns: tuple[Turn, ...]
    questions: tuple[QuestionLine, ...]
    unplanned: int
    agents: dict[str, AgentActivity]
    decision: dict[str, Any] | None
    keep_problem: str = ""

    def at(self, elapsed_ms: int) -> "Snapshot":
        """The same moment with the clock moved on."""
        return replace(self, elapsed_ms=elapsed_ms)


def snapshot(
    heading: Heading, core: Core, activity: Activity, *, last_turns: int = 40, keep_problem: str = ""
) -> Snapshot:
    """What there is to see of the call now."""
    return Snapshot(
        heading=heading,
        elapsed_ms=core.elapsed_ms,
        target_ms=core.target_ms,
        phase=core.phase,
        status=activity.standing,
        turns=tuple(replace(turn) for turn in core.turns[-last_turns:]),
        questions=_questions(core.ledger),
        unplanned=sum(1 for q in core.ledger.questions.values() if not q.planned),
        agents={name: replace(agent) for name, agent in activity.agents.items()},
        decision=activity.decision,
        keep_problem=keep_problem,
    )


def _questions(ledger: Ledger) -> tuple[QuestionLine, ...]:
    return tuple(
        QuestionLine(
            id=q.id,
            text=q.text,
            priority=q.priority,
            section_id=q.section_id,
            state=q.status,
            answered=q.answered is not None,
            closed=bool(q.covered or q.declined or q.nothing or q.claimed or q.repeats_itself),
        )
        for q in ledger.questions.values()
        if q.planned
    )
