"""The ReversePlanner: on import, from a recorded conversation to the plan it could have had."""

from collections.abc import Sequence

from interviewer.agents.base import WHOLE, Agent, AgentInput
from interviewer.agents.offered import turn_ids
from interviewer.agents.plan_ids import renumbered_reverse
from interviewer.agents.prompts import Piece
from interviewer.agents.reverse_rules import reverse
from interviewer.agents.wording import DATA_RULE, person, transcript
from interviewer.errors import PlanError
from interviewer.matching.text import words
from interviewer.model.reverse import AskedQuestion, ReversePlan
from interviewer.model.turn import Said


class ReverseInput(AgentInput):
    """A whole conversation; `topic` may be empty, it is then taken from what was said."""

    turns: tuple[Said, ...]


_INSTRUCTIONS = f"""
You read a recorded interview and draw up the plan it could have had: what it went after, in its own order.

- Sections: two to six, one for each subject the talk stays with, in the order of the talk, titled in a few of the
  speakers' words. seconds is 0: nobody knows. importance goes by how much of the talk it took.
- Questions: only those that were really asked, in order, as purposes in one sentence each. Ids are q1, q2, ... through
  the whole plan, of sections s1, s2, .... role is follow_up if it grew out of the answer before, else backbone.
  priority 1 for what carries a section, 2 for the rest, 3 for follow-ups.
- asked: for every question id the id of the interviewer's turn it was asked in and the words it was asked in, copied
  letter for letter. No question without such a place; small talk and "right?" are no questions.
- goal in one sentence; topic as given, or what the talk is about if it is empty.
- Write in the language of the talk.
{DATA_RULE}
"""


def _data(data: ReverseInput) -> Sequence[Piece]:
    return (*person(data), transcript(data.turns))


def _rules(data: ReverseInput) -> ReversePlan:
    return reverse(data.topic, data.turns, data.language)


def check_reverse(found: ReversePlan, turns: Sequence[Said]) -> ReversePlan:
    """`found` with only the questions that stand in the interviewer's turn they name, or in another one.

    Sections that lose all their questions go too. Raises PlanError if nothing is left.
    """
    asked: dict[str, AskedQuestion] = {}
    for place in found.asked:
        if place.question_id not in asked and (turn := _turn_of(place, turns)):
            asked[place.question_id] = place.model_copy(update={"turn": turn})
    sections = [
        section.model_copy(update={"questions": tuple(q for q in section.questions if q.id in asked)})
        for section in found.plan.sections
    ]
    kept = tuple(section for section in sections if section.questions)
    if not kept:
        raise PlanError("none of the questions of the plan was asked in the transcript; draw it up again")
    places = tuple(asked[q.id] for section in kept for q in section.questions)
    return ReversePlan(plan=found.plan.model_copy(update={"sections": kept}), asked=places)


def _turn_of(place: AskedQuestion, turns: Sequence[Said]) -> str | None:
    """The interviewer's turn that holds these words, the named one first."""
    wanted = f" {' '.join(words(place.text))} "
    spoken = [turn for turn in turns if turn.speaker == "interviewer"] if wanted.strip() else []
    ordered = sorted(spoken, key=lambda turn: turn.id != place.turn)
    return next((turn.id for turn in ordered if wanted in f" {' '.join(words(turn.text))} "), None)


REVERSE_PLANNER: Agent[ReverseInput, ReversePlan] = Agent(
    name="reverse_planner",
    input=ReverseInput,
    output=ReversePlan,
    instructions=_INSTRUCTIONS,
    data=_data,
    rules=_rules,
    mend=renumbered_reverse,
    offers=lambda data: {"turn": turn_ids(turn for turn in data.turns if turn.speaker == "interviewer")},
    budget=WHOLE,
)
