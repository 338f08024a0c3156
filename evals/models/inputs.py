"""A small conversation, and out of it an input for every agent."""

from typing import Any

from pydantic import BaseModel

from interviewer.agents.base import Agent
from interviewer.model.notes import Gap, Idea, Notes
from interviewer.model.outcome import Analysis, Quote
from interviewer.model.plan import Plan, Question, Section
from interviewer.model.turn import Said

PLAN = Plan(
    topic="Baking bread for a village",
    goal="Learn what keeps a small bakery alive",
    sections=(
        Section(
            id="s1",
            title="Beginnings",
            questions=(
                Question(id="q1", text="How did you come to baking?", priority=1),
                Question(id="q2", text="What nearly closed the shop?", priority=2),
            ),
        ),
    ),
)
TURNS = (
    Said("t1", "interviewer", "How did you come to baking?"),
    Said("t2", "guest", "My aunt ran the oven in Harbour Street, and one winter she broke her wrist, so I stood in."),
    Said("t3", "interviewer", "And what nearly closed the shop?"),
    Said("t4", "guest", "The flour. In 2011 the mill shut, and for six weeks we baked with what we could borrow."),
)
NOTES = Notes(
    ideas=(Idea(id="i1", text="Baking came by chance", quote="one winter she broke her wrist", turn="t2"),),
    gaps=(
        Gap(
            id="g1", text="Who lent the flour", question="Who lent you flour?", quote="what we could borrow", turn="t4"
        ),
    ),
)
ANALYSIS = Analysis(
    goal_met="partly",
    assessment="Two turning points were told.",
    claims=(),
    themes=(),
    tensions=(),
    quotes=(Quote(text="one winter she broke her wrist", turn="t2"),),
    title="The borrowed flour",
    subtitle="How a village kept its bakery",
)
_QUESTION = {
    "id": "q2", "text": "What nearly closed the shop?", "section_id": "s1", "role": "backbone", "priority": 2,
    "status": "available", "reason": "", "selectable": True, "answered": False, "volunteered": False,
}  # fmt: skip
_VALUES: dict[str, Any] = {
    "task": "contains",
    "topic": PLAN.topic,
    "context": "A baker in a village by the sea",
    "language": "en",
    "goal": PLAN.goal,
    "sections": PLAN.sections,
    "target_ms": 300_000,
    "elapsed_ms": 120_000,
    "wrap_up_ms": 255_000,
    "phase": "exploration",
    "closing_used": False,
    "questions": (_QUESTION,),
    "heard": ("How did you come to baking?",),
    "proposals": (),
    "themes_proposed": (),
    "themes_covered": (),
    "research": (),
    "requests": (),
    "banned": (PLAN.topic,),
    "max_items": 2,
    "notes": NOTES,
    "analysis": ANALYSIS,
    "turns": TURNS,
    "guest": "Ada",
    "drafts": ("The oven was there before me.",),
    "quotes": ("one winter she broke her wrist",),
    "first": "How did you come to baking?",
    "second": "What brought you to the oven in the first place?",
}


def sample(agent: Agent[Any, Any]) -> BaseModel:
    """An input for this agent. Raises ValidationError naming a required field that nothing here fills."""
    shape: type[BaseModel] = agent.input
    return shape.model_validate({name: _VALUES[name] for name in shape.model_fields if name in _VALUES})
