"""The Planner: before the call, from a topic to a plan."""

from collections.abc import Sequence

from pydantic import Field

from interviewer.agents.base import Agent, AgentInput
from interviewer.agents.plan_ids import renumbered
from interviewer.agents.planner_rules import draw_up, question_count, section_seconds
from interviewer.agents.prompts import Piece
from interviewer.agents.wording import DATA_RULE, person
from interviewer.model.plan import Plan


class PlannerInput(AgentInput):
    """The topic and how long the call will be."""

    target_ms: int = Field(gt=0, description="length of the call in milliseconds")


_INSTRUCTIONS = f"""
You plan a timed voice interview with an expert. People do not know what they know until they are asked: plan for the
details they no longer think to volunteer. Look for the origin, a concrete recent case, an odd decision that worked, a
workaround, an objection they passed over, what beginners get wrong, what they distrust and which experience is behind
it, a failure, a figure that mattered, who disagreed, what changed their mind, what they would tell others, what comes
next.

Return a goal, an angle, three to six sections and their questions.
- Section ids are s1, s2, ...; question ids q1, q2, ... through the whole plan. Ids must be unique.
- `importance` is high, medium or low; the sections' `seconds` add up to the figure given below.
- A third of the questions each has priority 1, 2 and 3. Role "backbone" carries a section; "follow_up" only makes
  sense after another question of its section.
- Every question is open, asks one thing, can be said in one breath and is about something else than all others: no
  two may share more than a third of their words. Use the person's context where it gives a better way in.
- Write questions, goal and titles in the language of the call; repeat topic and language in the plan as given.
{DATA_RULE}
"""


def _data(data: PlannerInput) -> Sequence[Piece]:
    return (
        *person(data),
        f"Length of the call: {data.target_ms // 1000} s. Questions: about {question_count(data.target_ms)}. "
        f"Seconds of all sections together: {section_seconds(data.target_ms)}.",
    )


def _rules(data: PlannerInput) -> Plan:
    return draw_up(data.topic, data.context, data.language, data.target_ms)


PLANNER: Agent[PlannerInput, Plan] = Agent(
    name="planner",
    input=PlannerInput,
    output=Plan,
    instructions=_INSTRUCTIONS,
    data=_data,
    rules=_rules,
    mend=renumbered,
    budget=4_000,
)
