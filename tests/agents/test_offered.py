"""An output names only what its agent was shown; whatever else it names is invalid, and changes nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from evals.models.inputs import NOTES, PLAN, TURNS, sample
from interviewer.agents.analyst import ANALYST
from interviewer.agents.note_taker import NOTE_TAKER
from interviewer.agents.notes_merge import merge
from interviewer.agents.orchestrator import ORCHESTRATOR
from interviewer.agents.quotes import check_analysis, check_essay
from interviewer.agents.registry import AGENTS
from interviewer.agents.researcher import RESEARCHER, held
from interviewer.agents.writer import WRITER
from interviewer.errors import AgentError
from interviewer.model.decision import Decision, Proposal, Research, ResearchItem
from interviewer.model.notes import Answered, Claim, Contradiction, Coverage, Gap, Idea, Line, Notes, Story
from interviewer.model.outcome import AnalysedClaim, Analysis, Essay, EssaySentence, Quote, Theme
from interviewer.model.reverse import AskedQuestion, ReversePlan
from tests.call.bench import Q2, ask, opened

SAID = {"quote": "one winter she broke her wrist", "turn": "t2"}
CLASH = {
    "first_quote": "she broke her wrist",
    "first_turn": "t2",
    "second_quote": "the mill shut",
    "second_turn": "t4",
    "question": "Which?",
}
GOOD: dict[str, BaseModel] = {
    "note_taker": Notes(
        ideas=(Idea(id="i1", text="x", **SAID), Idea(id="", text="y", **SAID)),
        stories=(Story(id="", text="x", **SAID),),
        claims=(Claim(id="", text="x", confidence="low", **SAID),),
        gaps=(Gap(id="g1", text="x", question="Who?", **SAID),),
        contradictions=(Contradiction(id="", text="x", **CLASH),),
        coverage=(Coverage(section_id="s1", depth="some"),),
        lines=(Line(**SAID),),
        answered=(Answered(question_id="q1", turn="t2", volunteered=False),),
        resolved=("g1",),
    ),
    "researcher": Research(
        items=(
            ResearchItem(
                subject="Harbour Street",
                said="Harbour Street",
                turn="t2",
                summary="",
                use="",
                verification="not_a_claim",
            ),
        )
    ),
    "orchestrator": Decision(
        phase="exploration", proposal=Proposal(text="Why?", question_id="q2", source="plan"), brief=""
    ),
    "analyst": Analysis(
        goal_met="no",
        assessment="",
        claims=(AnalysedClaim(text="x", evidence=(Quote(text=SAID["quote"], turn="t2"),)),),
        themes=(Theme(name="x", summary="", turns=("t2", "t4")),),
        tensions=(),
        quotes=(Quote(text=SAID["quote"], turn="t2"),),
        title="",
        subtitle="",
    ),
    "writer": Essay(
        title="x", markdown="x", sentences=(EssaySentence(text="x", turn="t2"), EssaySentence(text="y", turn=None))
    ),
    "reverse_planner": ReversePlan(
        plan=PLAN, asked=(AskedQuestion(question_id="q1", turn="t1", text="How did you come to baking?"),)
    ),
}
# Where an output names something shown: agent, field, and how often in the output above.
PLACES = [
    ("note_taker", "id", 6), ("note_taker", "turn", 7), ("note_taker", "first_turn", 1),
    ("note_taker", "second_turn", 1), ("note_taker", "section_id", 1), ("note_taker", "question_id", 1),
    ("note_taker", "resolved", 1), ("researcher", "turn", 1), ("orchestrator", "question_id", 1),
    ("orchestrator", "source", 1), ("analyst", "turn", 2), ("analyst", "turns", 1), ("writer", "turn", 1),
    ("reverse_planner", "turn", 1),
]  # fmt: skip


def spoiled(value: Any, field: str, put: str) -> Iterator[Any]:
    """Copies of a JSON value, each with one of the fields of this name holding something else."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == field and inner is not None:
                yield {**value, name: [*inner, put] if isinstance(inner, list) else put}
            for changed in spoiled(inner, field, put):
                yield {**value, name: changed}
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            for changed in spoiled(inner, field, put):
                yield [*value[:place], changed, *value[place + 1 :]]


@pytest.mark.parametrize("name", sorted(GOOD))
def test_what_was_offered_may_be_named(name: str) -> None:
    agent = AGENTS[name]
    agent.check(GOOD[name], sample(agent))
    agent.check(agent.rules(sample(agent)), sample(agent))


@pytest.mark.parametrize(("name", "field", "count"), PLACES)
def test_anything_else_is_refused_wherever_it_stands(name: str, field: str, count: int) -> None:
    agent = AGENTS[name]
    put = "person" if field == "source" else "z99"
    found = list(spoiled(GOOD[name].model_dump(mode="json", exclude={"plan"}), field, put))
    assert len(found) == count
    for output in found:
        whole = {**({"plan": PLAN.model_dump(mode="json")} if name == "reverse_planner" else {}), **output}
        with pytest.raises(AgentError, match=f"not offered: {field} '{put}'"):
            agent.check(agent.parse(whole), sample(agent))


def test_the_error_lists_what_there_is() -> None:
    decision = Decision(phase="exploration", proposal=Proposal(text="?", question_id="q9", source="plan"), brief="")
    data: Any = sample(ORCHESTRATOR)
    with pytest.raises(AgentError, match=r"Offered were question_id: q2$"):
        ORCHESTRATOR.check(decision, data)


def test_an_agent_that_makes_its_own_ids_or_none_may_do_so() -> None:
    free = {name for name, agent in AGENTS.items() if not agent.offered(sample(agent))}
    assert free == {"planner", "follow_up", "style_extractor", "judge"}


# -- what comes all the same, by rules or from a cassette ----------------------------------------------------------


@pytest.mark.parametrize("field", ["id", "turn", "first_turn", "second_turn", "section_id", "question_id", "resolved"])
def test_notes_take_nothing_from_an_id_that_was_not_offered(field: str) -> None:
    known = merge(Notes(), NOTES, TURNS, sections=PLAN.sections)
    for output in spoiled(GOOD["note_taker"].model_dump(mode="json"), field, "z99"):
        notes = merge(known, NOTE_TAKER.parse(output), TURNS, sections=PLAN.sections)
        assert "z99" not in repr(notes)


def test_research_essay_analysis_and_decisions_take_nothing_from_it_either() -> None:
    looking: Any = sample(RESEARCHER)
    (found,) = spoiled(GOOD["researcher"].model_dump(mode="json"), "turn", "z99")
    assert "z99" not in repr(held(RESEARCHER.parse(found), looking))
    (essay,) = spoiled(GOOD["writer"].model_dump(mode="json"), "turn", "z99")
    assert "z99" not in repr(check_essay(WRITER.parse(essay), TURNS))
    for field in ("turn", "turns"):
        for analysis in spoiled(GOOD["analyst"].model_dump(mode="json"), field, "z99"):
            assert "z99" not in repr(check_analysis(ANALYST.parse(analysis), TURNS))
    bench = opened()
    bench.decisions.append(ask(Q2, "z99"))
    bench.guest("I grew up beside a river, and the ropes broke.")
    assert "z99" not in bench.core.ledger.questions
    assert [event.question_id for event in bench.events("selected")] == ["q1", "q2"]


def test_only_a_click_speaks_for_the_person_at_the_screen() -> None:
    """In wrap_up nothing new is opened, except by the person: a model cannot claim to be that."""
    bench = opened()
    bench.command("wrap_up")
    bench.decisions.append(ask("What about the weather?", source="person", phase="wrap_up"))
    bench.guest("I grew up beside a river, and the ropes broke.")
    assert bench.records("decision")[-1]["source"] == "gap"
    assert bench.records("decision")[-1]["outcome"] == "refused"
