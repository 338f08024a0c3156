"""Asking a judge how leading the questions of calls are."""

from collections.abc import Callable, Sequence

from interviewer.agents.leading import LEADING, LeadingInput
from interviewer.errors import AgentError
from interviewer.llm.backend import Backend
from interviewer.metrics.record import CallFacts


def rate_leading(
    calls: Sequence[CallFacts], backend: Backend, on_rated: Callable[[int, int], object] = lambda _done, _all: None
) -> list[list[int | None]]:
    """The judge's ratings of each call's questions, 1 to 5, None where it cannot tell; for `metrics.leading.leading`.

    One short run of the agent `judge` for each question: the backend and its budget are the caller's. `on_rated` is
    told how many are done, of how many. A run that fails gives None. Stopped in the middle, what was paid for is lost
    unless the backend is a cassette.
    """
    total, done = sum(len(call.questions) for call in calls), 0
    found: list[list[int | None]] = []
    for call in calls:
        found.append([])
        for place, question in enumerate(call.questions):
            data = LeadingInput(
                before=call.before(question.turn), question=question.text, language=call.language or "en"
            )
            ran = backend.run(LEADING, data, f"{call.id}-leading-{place}")
            try:
                found[-1].append(LEADING.parse(ran.output).rating if ran.output is not None else None)
            except AgentError:
                found[-1].append(None)
            done += 1
            on_rated(done, total)
    return found
