"""Drawing up a plan from a conversation that has been held."""

from pathlib import Path

from interviewer.agents.reverse_planner import REVERSE_PLANNER, ReverseInput, check_reverse
from interviewer.errors import AgentError
from interviewer.interview.reading import CallLog
from interviewer.interview.recorded import read_recorded
from interviewer.interview.said import said
from interviewer.llm.backend import Backend
from interviewer.model.reverse import ReversePlan


def plan_from(
    source: Path | CallLog,
    *,
    topic: str = "",
    language: str = "en",
    which: str = "",
    interviewer: str = "",
    backend: Backend | None = None,
) -> ReversePlan:
    """The plan that a recorded conversation or a kept call could have had, with the places its questions were asked.

    `source`: a transcript (see `read_recorded`, also for `which` and `interviewer`) or a call. `backend`: who runs the
    ReversePlanner (default: rules). Raises PlanError for a transcript that cannot be read or in which nobody asks,
    AgentError if the agent fails.
    """
    turns = (
        said(source)
        if isinstance(source, CallLog)
        else read_recorded(source, which=which, interviewer=interviewer).turns
    )
    data = ReverseInput(topic=topic, language=language, turns=turns)
    if backend is None:
        return check_reverse(REVERSE_PLANNER.rules(data), turns)
    ran = backend.run(REVERSE_PLANNER, data, "reverse")
    if ran.output is None:
        raise AgentError(f"the ReversePlanner failed: {ran.error}; try again", retryable=True)
    return check_reverse(REVERSE_PLANNER.parse(ran.output), turns)
