"""The judge: one short question to a model about two texts, where the words alone cannot tell."""

from collections.abc import Sequence

from interviewer.agents.base import Agent, AgentInput
from interviewer.agents.prompts import Piece, newest
from interviewer.matching.judge import INSTRUCTIONS, LABELS, QUESTIONS, Judged, Task


class JudgeInput(AgentInput):
    """The two texts and what is asked about them; of the call nothing else is sent, its topic neither."""

    topic: str = ""
    task: Task = "contains"
    first: str
    second: str


def _data(data: JudgeInput) -> Sequence[Piece]:
    first, second = LABELS[data.task]
    return (newest(first, (data.first,)), newest(second, (data.second,)), QUESTIONS[data.task])


def _rules(_: JudgeInput) -> Judged:
    """Without a model nobody can tell: that is why the judge was asked."""
    return Judged(verdict="unsure")


JUDGE: Agent[JudgeInput, Judged] = Agent(
    name="judge",
    input=JudgeInput,
    output=Judged,
    instructions=INSTRUCTIONS,
    data=_data,
    rules=_rules,
    budget=2_000,
)
