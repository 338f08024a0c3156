"""The Orchestrator: after Note-Taker and Researcher, chooses what to ask next, or to let the guest go on."""

from collections.abc import Sequence

from interviewer.agents import wording
from interviewer.agents.base import Agent
from interviewer.agents.offered import Offered
from interviewer.agents.orchestrator_rules import decide, fall_back
from interviewer.agents.prompts import Piece
from interviewer.agents.views import OrchestratorInput, QuestionView
from interviewer.model.decision import Decision

__all__ = ["ORCHESTRATOR", "OrchestratorInput", "QuestionView"]

_INSTRUCTIONS = f"""
You direct a live voice interview. Someone else speaks with the guest and words your question in their own way; you
choose what it should be about, or nothing, so that the guest can go on.

- Asking the same thing twice, in whatever words, is the worst that can happen. Propose nothing that is in <heard> or
  in <proposals>, nothing whose answer was part of an answer already given, and nothing the guest declined in
  <requests>.
- Prefer what is unfinished in the last turns: a story left out, a loaded word, a doubt. At most one proposal in three
  leaves the plan; else take the next question of the plan that fits, mostly in its order.
- Only questions marked selectable may be proposed. A held one comes last, with returning true. Answered or volunteered
  ones rank lower; sections not reached rank higher.
- source is plan, gap, contradiction, research, closing. For a question of the list give its id in question_id and the
  purpose in text; for any other question_id is null. Text is one open question.
- phase is the one given; never another. In wrap_up open no new subject: at most a short question of priority 1, or one
  closing question if none was used, else a proposal of null.
- brief: a line or two for the one who speaks: what to take up, in what tone. themes: one to three words.
- Write in the language of the call.
{wording.DATA_RULE}
"""


def _data(data: OrchestratorInput) -> Sequence[Piece]:
    return (
        *wording.person(data),
        wording.line("goal", data.goal),
        f"Phase: {data.phase}. Elapsed: {data.elapsed_ms // 1000} s of {data.target_ms // 1000} s. "
        f"Closing question used: {'yes' if data.closing_used else 'no'}.",
        wording.questions(data.questions),
        wording.bullets("heard", data.heard),
        wording.bullets("proposals", data.proposals),
        wording.bullets("themes_proposed", data.themes_proposed),
        wording.bullets("themes_covered", data.themes_covered),
        wording.notes(data.notes),
        wording.research(data.research),
        wording.bullets("requests", data.requests),
        wording.transcript(data.turns),
    )


_SOURCES = ("plan", "gap", "contradiction", "research", "closing")


def _offers(data: OrchestratorInput) -> Offered:
    """Nobody but a person speaks for the person at the screen."""
    return {"question_id": tuple(view.id for view in data.questions), "source": _SOURCES}


ORCHESTRATOR: Agent[OrchestratorInput, Decision] = Agent(
    name="orchestrator",
    input=OrchestratorInput,
    output=Decision,
    instructions=_INSTRUCTIONS,
    data=_data,
    rules=decide,
    fallback=fall_back,
    offers=_offers,
    budget=10_000,
)
