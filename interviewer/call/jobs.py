"""Agents' runs as the core sees them: started, answered in time, or stood in for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from interviewer.agents.base import Agent, AgentInput
from interviewer.call.actions import CancelJob, StartJob
from interviewer.call.hub import Hub, earliest
from interviewer.call.inputs import Answer
from interviewer.errors import AgentError

Taken = Callable[[Any, bool], None]


@dataclass(frozen=True, slots=True)
class Job:
    """A run under way; `take(output, failed)` gets the output, the fallback's, or None."""

    id: str
    agent: Agent[Any, Any]
    data: AgentInput
    cycle: int
    started_ms: int
    deadline_ms: int
    take: Taken


class Jobs:
    """Starts agents and hands their outputs on. A late or unknown answer changes nothing."""

    def __init__(self, hub: Hub, *, measures: bool = True) -> None:
        """Without `measures` the size of a prompt, for which it has to be made, is written down as unknown."""
        self._hub = hub
        self._measures = measures
        self._open: dict[str, Job] = {}

    def start(self, agent: Agent[Any, Any], data: AgentInput, wait_ms: int, take: Taken, *, cycle: int = 0) -> None:
        """Start an agent; after `wait_ms` its fallback stands in."""
        deadline = self._hub.now + wait_ms
        job = Job(f"j{self._hub.count('job')}", agent, data, cycle, self._hub.now, deadline, take)
        self._open[job.id] = job
        self._hub.act(StartJob(job.id, agent.name, data, deadline))

    def answer(self, answer: Answer) -> None:
        """Take what a backend returned."""
        job = self._open.pop(answer.job_id, None)
        if job is None:
            self._hub.record("ignored", what="late answer", job_id=answer.job_id, **_spent(answer))
            return
        output, error, outcome = None, answer.error, "error"
        if answer.output is not None:
            try:
                # An agent that was asked before a name was put right still writes it as it was heard.
                output, outcome = self._hub.names.model(job.agent.parse(dict(answer.output))), "ok"
            except AgentError as problem:
                error, outcome = str(problem), "invalid"
        self._write(job, outcome, error, answer)
        self._hand_on(job, output, outcome)

    def restart(self) -> None:
        """Whoever ran them is gone: run those that are open once more, each with its whole time."""
        for job in list(self._open.values()):
            deadline = self._hub.now + job.deadline_ms - job.started_ms
            self._open[job.id] = replace(job, started_ms=self._hub.now, deadline_ms=deadline)
            self._hub.act(StartJob(job.id, job.agent.name, job.data, deadline))

    def cancel_all(self) -> None:
        """Nobody waits for any of them any more."""
        for job_id in self._open:
            self._hub.act(CancelJob(job_id))
        self._open.clear()

    def due(self) -> None:
        """Stand in for those that missed their deadline."""
        if not self._open:
            return
        for job in [j for j in self._open.values() if self._hub.now >= j.deadline_ms]:
            del self._open[job.id]
            self._hub.act(CancelJob(job.id))
            self._write(job, "late", "deadline missed", None)
            self._hand_on(job, None, "late")

    @property
    def deadline(self) -> int | None:
        """When the next job is given up."""
        return earliest(*(job.deadline_ms for job in self._open.values()))

    def _hand_on(self, job: Job, output: BaseModel | None, outcome: str) -> None:
        if output is None and job.agent.fallback is not None:
            self._hub.record("fallback", agent=job.agent.name, job_id=job.id, reason=outcome)
            output = job.agent.fallback(job.data)
        job.take(output, outcome != "ok")

    def _write(self, job: Job, outcome: str, error: str, answer: Answer | None) -> None:
        asked = job.agent.ask(job.data) if self._measures else None
        self._hub.record(
            "job",
            job_id=job.id,
            agent=job.agent.name,
            version=job.agent.version,
            cycle=job.cycle,
            started_ms=job.started_ms,
            ended_ms=self._hub.now,
            latency_ms=answer.latency_ms if answer else self._hub.now - job.started_ms,
            input_hash=job.data.digest,
            output=dict(answer.output) if answer and answer.output is not None else None,
            error=error,
            model=answer.model if answer else "",
            outcome=outcome,
            prompt_tokens=asked.tokens if asked else None,
            prompt_cut=asked.cut if asked else None,
            **_spent(answer),
        )


def _spent(answer: Answer | None) -> dict[str, Any]:
    """What a run used; a missed one used what nobody knows."""
    names = ("input_tokens", "output_tokens", "cached_tokens", "cost_usd", "retries", "repairs")
    return {name: getattr(answer, name) if answer else 0 for name in names}
