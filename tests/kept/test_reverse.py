"""Recorded conversations, and the plans they could have had."""

from pathlib import Path

import pytest

from interviewer.agents.reverse_planner import REVERSE_PLANNER, ReverseInput, check_reverse
from interviewer.call.setup import CallSetup
from interviewer.errors import PlanError
from interviewer.importing.read import read_transcript
from interviewer.interview.demo import run_demo
from interviewer.kept.reading import CallLog
from interviewer.kept.reverse import plan_from
from interviewer.llm.router import Router
from interviewer.model.recorded import Recorded
from interviewer.model.reverse import AskedQuestion
from interviewer.model.turn import Said
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.run import simulate_call

TALK = """\
Anna: Welcome! How did you come to keep bees?
Bo: My uncle left me two hives on a roof in Malmö. The bees came with the roof.
I had no idea about bees.
Anna: What did the bees do to you in the first summer?
Bo: The bees swarmed twice, and the swarm sat on a tram stop.
Anna: And why a tram stop?
Bo: Bees like the warm metal, the swarm stayed four hours.
Anna: What does honey cost you to make?
Bo: A jar of honey costs me nine euros in glass, sugar and rent for the honey room.
Anna: Who buys honey at that price?
Bo: Two restaurants buy nearly all my honey, and the price of honey never comes up.
Anna: Would you raise the price of honey?
Bo: Never. The restaurants pay for the story, not for honey.
"""


def talk(tmp_path: Path, text: str = TALK) -> Recorded:
    path = tmp_path / "bees.txt"
    path.write_text(text, encoding="utf-8")
    return read_transcript(path)


def test_the_plan_holds_what_was_asked_with_its_turns(tmp_path: Path) -> None:
    found = plan_from(talk(tmp_path))
    assert [(a.question_id, a.turn) for a in found.asked] == [
        (f"q{n}", f"t{turn}") for n, turn in enumerate((1, 3, 5, 7, 9, 11), 1)
    ]
    assert [q.text for q in found.plan.questions] == [a.text for a in found.asked]
    assert found.plan.questions[2].role == "follow_up"


def test_sections_are_cut_where_the_subject_changes(tmp_path: Path) -> None:
    plan = plan_from(talk(tmp_path)).plan
    assert [[q.id for q in section.questions] for section in plan.sections] == [["q1", "q2", "q3"], ["q4", "q5", "q6"]]
    assert "bee" in plan.sections[0].title.lower()
    assert "honey" in plan.sections[1].title.lower()


def test_a_transcript_in_which_nobody_asks_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="no question"):
        plan_from(talk(tmp_path, "A: I walked home.\nB: I took the bus.\n"))


def test_a_transcript_without_speakers_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bees.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nWhy bees? I like them.\n", encoding="utf-8")
    with pytest.raises(PlanError, match=r"bees\.srt: only one person speaks"):
        plan_from(read_transcript(path))


def test_a_call_that_was_kept_can_be_planned_again(fresh_home: Path) -> None:
    made = run_demo("On call", minutes=1, seed=4, home=fresh_home)
    log = CallLog.read(made.journal)
    found = plan_from(log)
    turns = {turn["id"]: turn["heard"] for _, turn in log.records("turn")}
    assert found.asked
    assert all(place.text in turns[place.turn] for place in found.asked)


def test_a_plan_without_seconds_runs_a_whole_call(tmp_path: Path) -> None:
    """An imported plan's sections have no time: the cycle must not divide by it."""
    plan = plan_from(talk(tmp_path)).plan
    assert {section.seconds for section in plan.sections} == {0}
    settings = Settings.load(env={}).with_(call={"target_ms": 90_000})
    setup = CallSetup(plan=plan, world="simulated", settings=settings)
    call = simulate_call(setup, by_name("rents-in-wellington"), Router(settings, seed=1), seed=1)
    assert call.truth.false_deliveries == ()
    assert any(q.status == "delivered" for q in call.core.ledger.questions.values())


def test_questions_that_nobody_asked_leave_a_models_plan() -> None:
    turns = (Said("t1", "interviewer", "Why bees?"), Said("t2", "guest", "Why honey? I never asked for it."))
    data = ReverseInput(topic="Bees", turns=turns)
    true = REVERSE_PLANNER.rules(data)
    question = true.plan.questions[0]
    section = true.plan.sections[0]
    made_up = question.model_copy(update={"id": "q2", "text": "Why honey?"})
    model = true.model_copy(
        update={
            "plan": true.plan.model_copy(
                update={"sections": (section.model_copy(update={"questions": (question, made_up)}),)}
            ),
            "asked": (*true.asked, AskedQuestion(question_id="q2", turn="t2", text="Why honey?")),
        }
    )
    assert check_reverse(model, turns) == true
    with pytest.raises(PlanError, match="draw it up again"):
        check_reverse(model.model_copy(update={"asked": ()}), turns)
