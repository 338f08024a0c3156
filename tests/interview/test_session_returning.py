"""A session that goes on: the next call of its interview, its other calls, and a search over what was said."""

from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import InterviewerError, PlanError
from interviewer.interview.demo import run_demo
from interviewer.interview.plan_file import save_plan
from interviewer.interview.session import InterviewSession
from interviewer.model.plan import Question, Section
from tests.patience import until


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one simulated call of a minute."""
    made = tmp_path_factory.mktemp("made")
    run_demo("On call", minutes=1, seed=4, home=made)
    return made


@pytest.fixture
def session(home: Path) -> InterviewSession:
    return InterviewSession.of_call("last", home=home)


def settled(session: InterviewSession) -> dict[str, Any]:
    until(lambda: not session.restless)
    return session.slices()


def test_a_topic_that_is_picked_becomes_the_form_of_the_next_call(session: InterviewSession) -> None:
    before = session.slices()["after"]
    session.follow_up(pick=2, minutes=4)
    shown = settled(session)
    assert (shown["setup"]["stage"], shown["setup"]["problem"], session.call_id) == ("form", "", None)
    assert shown["after"] == {}
    follows = shown["setup"]["follows"]
    assert (follows["call_id"], follows["number"], follows["problems"]) == (before["call_id"], 2, [])
    topic = before["follow_up"]["topics"][1]
    assert [question["text"] for question in shown["plan"]["sections"][0]["questions"]][: len(topic["questions"])] == (
        topic["questions"]
    )
    assert (shown["setup"]["form"]["guest"], shown["setup"]["form"]["minutes"]) == (before["guest"], 4.0)


def test_its_setup_holds_what_is_remembered_and_who_agrees(session: InterviewSession, home: Path) -> None:
    again = session.returning(about="the night shifts")
    assert session.stage == "over"
    setup = again.preparation.setup(again.preparation.close(), "Ada", home)
    assert setup.earlier is not None
    assert [past.call_id for past in setup.earlier.calls] == [session.call_id]
    assert setup.earlier.interview_id == str(session.call_id).replace("c-", "i-", 1)
    assert len(setup.earlier.turns) > 3
    assert setup.consent is not None
    assert (setup.consent.by, setup.world) == ("Ada", "real")


def test_a_plan_that_is_loaded_for_it_is_new_by_its_words_whatever_its_ids(
    session: InterviewSession, home: Path, tmp_path: Path
) -> None:
    again = session.returning(pick=1)
    drawn = again.preparation.plan
    assert drawn is not None
    first = session.returning(about="x").preparation.returning
    assert first is not None
    assert first.earlier is not None
    done = next(each for each in first.earlier.standings if each.status == "delivered")
    new = Question(id=done.id, text="Who taught your daughters to swim?")
    path = tmp_path / "plan.yaml"
    save_plan(drawn.model_copy(update={"sections": (Section(id="z", title="z", questions=(new,)),)}), path)
    again.preparation.load_plan(str(path))
    setup = again.preparation.setup(again.preparation.close(), "Ada", home)
    assert [(q.id, q.text) for q in setup.plan.questions] == [(f"{done.id}.2", new.text)]
    assert setup.earlier is not None
    assert any(f"{done.id} is {done.id}.2" in problem for problem in setup.earlier.problems)


@pytest.mark.parametrize(
    ("topic", "words"),
    [({"pick": 4}, "1 to 3"), ({"about": "  "}, "about: it is empty"), ({}, "say what to return to")],
)
def test_what_cannot_be_returned_to_is_named_and_the_call_stays(
    session: InterviewSession, topic: dict[str, Any], words: str
) -> None:
    with pytest.raises(PlanError, match=words):
        session.returning(**topic)
    session.follow_up(**topic)
    shown = settled(session)
    assert shown["setup"]["stage"] == "over"
    assert shown["setup"]["problem"] != ""
    assert shown["after"]["call_id"] == session.call_id


def test_a_follow_up_needs_a_call_and_has_no_other_plan_drawn_up(session: InterviewSession, home: Path) -> None:
    with pytest.raises(InterviewerError, match="once its call is over"):
        InterviewSession("Bees", home=home).follow_up(pick=1)
    again = session.returning(pick=1)
    with pytest.raises(InterviewerError, match="go back to the call"):
        again.preparation.draw_up()
    again.turn_to(str(session.call_id))
    assert settled(again)["after"]["call_id"] == session.call_id
    assert again.slices()["setup"]["follows"] is None


def test_a_call_that_is_not_there_is_named_and_the_one_shown_stays(session: InterviewSession) -> None:
    session.turn_to("c-none")
    shown = settled(session)
    assert "c-none" in shown["setup"]["problem"]
    assert (shown["setup"]["stage"], shown["after"]["call_id"]) == ("over", session.call_id)


def test_what_was_said_is_found_with_its_place(session: InterviewSession) -> None:
    session.look_for("incident*", everywhere=False)
    found = settled(session)["found"]
    assert found["count"] == len(found["passages"]) > 0
    turns = {turn["id"]: turn["text"] for turn in session.slices()["after"]["turns"]}
    for passage in found["passages"]:
        assert passage["text"] in turns[passage["turn_id"]]
        assert "incident" in "".join(piece["text"] for piece in passage["pieces"] if piece["hit"]).lower()
    session.look_for("?!")
    assert "nothing to search for" in settled(session)["setup"]["problem"]
