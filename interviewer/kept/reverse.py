"""Drawing up a plan from a conversation that has been held."""

from interviewer.agents.reverse_planner import REVERSE_PLANNER, ReverseInput, check_reverse
from interviewer.errors import AgentError, PlanError
from interviewer.kept.reading import CallLog
from interviewer.kept.said import said
from interviewer.llm.backend import Backend
from interviewer.model.recorded import Recorded
from interviewer.model.reverse import ReversePlan


def plan_from(
    source: Recorded | CallLog, *, topic: str = "", language: str = "en", backend: Backend | None = None
) -> ReversePlan:
    """The plan that a recorded conversation or a kept call could have had, with the places its questions were asked.

    `source`: a transcript, as `importing.read` gives it, or a call. `backend`: who runs the ReversePlanner (default:
    rules). Raises PlanError for a transcript in which nobody asks, AgentError if the agent fails.
    """
    if isinstance(source, Recorded) and not source.interviewers:
        raise PlanError(f"{source.file}: {source.guess.reason}, so nobody interviews; name the speakers in the file")
    turns = said(source) if isinstance(source, CallLog) else source.said
    data = ReverseInput(topic=topic, language=language, turns=turns)
    if backend is None:
        return check_reverse(REVERSE_PLANNER.rules(data), turns)
    ran = backend.run(REVERSE_PLANNER, data, "reverse")
    if ran.output is None:
        raise AgentError(f"the ReversePlanner failed: {ran.error}; try again", retryable=True)
    return check_reverse(REVERSE_PLANNER.parse(ran.output), turns)
