"""A person puts a mis-heard name right once, while the call runs; from then on everybody has it right."""

from typing import Any

import pytest

from interviewer.agents.note_taker import NoteTakerInput
from interviewer.agents.orchestrator import OrchestratorInput
from interviewer.agents.writer import WriterInput
from interviewer.call.core import Core
from interviewer.call.inputs import Frame
from interviewer.memory.earlier import Asked, Earlier
from interviewer.model.decision import Research, ResearchItem
from interviewer.model.notes import Gap, Idea, Notes
from interviewer.model.outcome import Essay, EssaySentence
from interviewer.model.voice import VoiceGuide
from tests.call.bench import ANALYSIS, FOLLOW_UP, Bench, ask, opened, silence

HEARD = "Marten bought the boat, and nobody asked where Marten had the money from."
RIGHT = HEARD.replace("Marten", "Maarten")
GAP_QUESTION = "Where did Marten have the money from?"
NOTED = Notes(
    ideas=(Idea(id="", text="Marten bought a boat", quote="Marten bought the boat", turn="t2"),),
    gaps=(Gap(id="", text="Marten's money", quote="where Marten had the money", turn="t2", question=GAP_QUESTION),),
)
FOUND = Research(
    items=(
        ResearchItem(
            subject="Marten",
            said="Marten bought the boat",
            turn="t2",
            summary="Marten is not known",
            use="Ask who Marten is",
            verification="not_a_claim",
        ),
    )
)


def told(**options: Any) -> Bench:
    """A call in which the guest spoke of Marten, and the agents took it down so."""
    bench = opened(call={"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000}, **options)
    bench.agents = False
    item = bench.starts()
    bench.stops(item)
    bench.transcribed(item, HEARD)
    return bench


def noted(**options: Any) -> Bench:
    bench = told(**options)
    bench.answer("researcher", FOUND)
    bench.answer("note_taker", NOTED)
    bench.answer("orchestrator", silence())
    return bench


def wrong_in(value: object) -> bool:
    return "Marten" in repr(value)


def test_turns_notes_and_records_are_right_at_once_and_the_wording_heard_is_kept_in_the_input() -> None:
    bench = noted()
    bench.command("correct", "Marten -> Maarten")
    assert not wrong_in(bench.core.turns)
    assert not wrong_in(bench.core.notes)
    assert bench.core.notes.ideas[0].quote == "Maarten bought the boat"
    assert bench.records("turn")[-1]["text"] == RIGHT
    assert not wrong_in(bench.records("notes")[-1])
    assert bench.records("correction") == [{"wrong": "Marten", "right": "Maarten"}]
    assert any(wrong_in(record.frame) for record in bench.inputs if isinstance(record, Frame))


def test_the_agents_of_the_next_cycle_see_only_the_right_name() -> None:
    bench = noted()
    bench.command("correct", "marten -> Maarten")
    item = bench.starts()
    bench.stops(item)
    bench.transcribed(item, "And marten never said.")
    data = bench.open_job("note_taker").data
    assert isinstance(data, NoteTakerInput)
    assert not wrong_in(data)
    assert data.turns[-1].text.endswith(" And Maarten never said.")
    bench.listened()
    decided = bench.open_job("orchestrator").data
    assert isinstance(decided, OrchestratorInput)
    assert not wrong_in(decided), [n for n in type(decided).model_fields if wrong_in(getattr(decided, n))]
    assert decided.research[0].subject == "Maarten"


def test_what_an_agent_asked_before_still_writes_wrongly_is_mended_and_its_quotes_are_found() -> None:
    bench = told()
    bench.command("correct", "Marten -> Maarten")
    bench.answer("researcher", FOUND)
    bench.answer("note_taker", NOTED)
    assert [gap.quote for gap in bench.core.notes.gaps] == ["where Maarten had the money"]
    assert not wrong_in(bench.core.notes)
    bench.answer("orchestrator", ask(GAP_QUESTION, source="gap", brief="Stay with Marten"))
    assert "<ask>Where did Maarten have the money from?</ask>" in bench.guidance
    assert "<brief>Stay with Maarten</brief>" in bench.guidance


def test_a_question_chosen_before_is_asked_with_the_right_name_and_delivered() -> None:
    bench = told()
    bench.listened()
    item = bench.starts()
    bench.answer("orchestrator", ask("Who was Marten?", source="gap"))
    before = bench.core.ledger.questions["u1"]
    assert before.text == "Who was Marten?"
    bench.command("correct", "Marten -> Maarten")
    assert "<ask>Who was Maarten?</ask>" in bench.guidance
    assert "Marten" not in bench.guidance.replace("Maarten, heard as Marten", "")
    bench.stops(item)
    bench.transcribed(item, "He had the best boat of all.")
    bench.run(5_000, "Who was Maarten?", 4_000)
    assert bench.status("u1") == "delivered"


def test_the_voices_memory_of_an_earlier_call_is_right_too() -> None:
    earlier = Earlier(
        notes=Notes(ideas=NOTED.ideas), heard=(Asked(text="Who is Marten?"),), covered=("Marten and money",)
    )
    bench = opened(earlier=earlier)
    bench.command("correct", "Marten -> Maarten")
    assert "- idea: Maarten bought a boat" in bench.guidance
    assert "- Who is Maarten?" in bench.guidance
    assert "- Maarten, heard as Marten" in bench.guidance


def test_the_essay_has_the_right_name_even_if_it_is_put_right_after_the_goodbye() -> None:
    bench = noted()
    bench.agents = True
    bench.command("end")
    bench.agents = False
    bench.run(15_000)
    bench.drop("closed by us")
    bench.answer("note_taker", Notes())
    bench.answer("follow_up", FOLLOW_UP)
    bench.answer("analyst", ANALYSIS.model_copy(update={"title": "What Marten bought"}))
    data = bench.open_job("writer").data
    assert isinstance(data, WriterInput)
    bench.command("correct", "Marten -> Maarten")
    sentence = EssaySentence(text="Marten bought the boat.", turn="t2")
    bench.answer("writer", Essay(title="What Marten bought", markdown="Marten bought the boat.", sentences=(sentence,)))
    assert not wrong_in(bench.records("essay"))
    assert bench.records("essay")[0]["sentences"][0]["turn"] == "t2"


def test_a_guide_and_an_analysis_from_before_reach_the_writer_mended() -> None:
    bench = noted()
    bench.core.setup.__dict__["voice_guide"] = VoiceGuide(expressions=("as Marten said",))
    bench.command("end")
    bench.run(15_000)
    bench.drop("closed by us")
    bench.answer("note_taker", Notes())
    bench.answer("analyst", ANALYSIS.model_copy(update={"title": "What Marten bought"}))
    bench.command("correct", "Marten -> Maarten")
    bench.answer("follow_up", FOLLOW_UP)
    data = bench.open_job("writer").data
    assert isinstance(data, WriterInput)
    assert not wrong_in(data)


@pytest.mark.parametrize(
    "value",
    ["", "Marten", "-> x", "x ->", " -> ", ". -> x", "Marten -> Marten", "Marten -> M\x1b[2J", "Marten -> \u202eM"],
)
def test_a_correction_that_says_nothing_is_recorded_and_changes_nothing(value: str) -> None:
    bench = noted()
    turns, notes = bench.core.turns, bench.core.notes
    bench.command("correct", value)
    assert (bench.core.turns, bench.core.notes) == (turns, notes)
    assert bench.records("ignored")[-1]["what"] == "correct without WRONG -> RIGHT"


def test_the_same_inputs_fold_to_the_same_ledger_and_turns() -> None:
    bench = told()
    bench.command("correct", "Marten -> Maarten")
    bench.listened()
    bench.answer("orchestrator", ask("Who was Marten?", source="gap"))
    bench.run(8_000, "Who was Maarten?")
    again = Core(bench.setup)
    for record in bench.inputs:
        again.step(record)
    assert again.ledger.events == bench.core.ledger.events
    assert again.turns == bench.core.turns
