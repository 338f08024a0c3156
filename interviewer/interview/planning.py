"""Drawing up a plan before a call, through whichever backend runs the agents."""

from dataclasses import asdict, dataclass
from typing import Any

from interviewer.agents.planner import PLANNER, PlannerInput
from interviewer.errors import AgentError
from interviewer.llm.backend import Backend
from interviewer.model.characters import whole
from interviewer.model.plan import Plan


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan and the Planner's run as it is recorded."""

    plan: Plan
    job: dict[str, Any]


def plan_call(topic: str, context: str, target_ms: int, language: str, backend: Backend) -> Planned:
    """Draw up a plan for a call of `target_ms`. Raises PlanError for an empty topic, AgentError if the agent fails."""
    data = PlannerInput(topic=topic, context=context, language=language, target_ms=target_ms)
    ran = backend.run(PLANNER, data, "j0")
    if ran.output is None:
        raise AgentError(f"the Planner failed: {ran.error}; try again", retryable=True)
    asked = PLANNER.ask(data)
    job = {
        "job_id": "j0",
        "agent": PLANNER.name,
        "version": PLANNER.version,
        "cycle": 0,
        "started_ms": 0,
        "ended_ms": 0,
        "input_hash": data.digest,
        "outcome": "ok",
        "prompt_tokens": asked.tokens,
        "prompt_cut": asked.cut,
        **asdict(ran),
    }
    # What the call is about, and in which language, is the user's to say, whatever a model repeats of it.
    return Planned(PLANNER.parse(ran.output).model_copy(update={"topic": whole(topic), "language": language}), job)
