"""What reaches a guest's page while they speak, at every moment of a whole simulated call."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interviewer.call.core import Core
from interviewer.interview.demo import run_demo
from interviewer.interview.guest_view import for_guest
from interviewer.interview.session import InterviewSession
from interviewer.interview.slices import Slices
from interviewer.interview.snapshot import Activity
from interviewer.kept.reading import CallLog

CONTEXT = "They left the company in anger."


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The slices of a session before its call, and after every fifth thing that happened in it."""
    home = tmp_path_factory.mktemp("home")
    log = CallLog.read(run_demo(minutes=3, seed=3, home=home).journal)
    return list(_moments(log, home))


def _moments(log: CallLog, home: Path) -> Iterator[dict[str, Any]]:
    session = InterviewSession(plan=log.setup.plan, context=CONTEXT, guest="Ada", home=home)
    yield session.slices()
    session.stage = "call"
    core, activity, slicer = Core(log.setup), Activity(), Slices(0.85)
    for number, record in enumerate(log.inputs()):
        activity.take(core.step(record))
        if number % 5 == 0:
            yield {**session.slices(), **slicer.cut(core, activity, None)}


def during(moments: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Each moment at which somebody may still speak, and all that the guest is given then."""
    for moment in moments[1:]:
        if moment["clock"]["status"] not in ("after", "done"):
            yield moment, json.dumps(for_guest(moment))


def test_no_question_reaches_the_guest_before_it_is_heard(moments: list[dict[str, Any]]) -> None:
    shown_before = 0
    for moment, given in during(moments):
        heard = " ".join([turn["heard"] for turn in moment["turns"]] + [w["heard"] for w in moment["words"].values()])
        texts = [question["text"] for question in moment["questions"]]
        assert [text for text in texts if text in given and text not in heard] == []
        shown_before += any(text in heard for text in texts)
        assert moment["plan"]["goal"] not in given
    assert shown_before > 10  # questions were heard, and what was heard is given


def test_nothing_of_what_agents_make_of_it_or_is_known_of_the_guest_is_given(moments: list[dict[str, Any]]) -> None:
    notes = 0
    for moment, given in during(moments):
        assert CONTEXT not in given
        assert moment["plan"]["sections"][0]["title"] not in given
        for gap in moment["notes"].get("gaps", []):
            notes += 1
            assert gap["question"] not in given or any(gap["question"] in turn["heard"] for turn in moment["turns"])
        if (following := moment["voice"].get("next")) and following["meant"]:
            assert following["meant"] not in given
    assert notes > 0


def test_words_of_the_voice_that_are_not_heard_yet_are_not_given(moments: list[dict[str, Any]]) -> None:
    ahead = 0
    for moment, given in during(moments):
        for said in moment["words"].values():
            rest = said["text"][len(said["heard"]) :].strip()
            if said["text"].startswith(said["heard"]) and len(rest) > 20 and rest not in json.dumps(moment["turns"]):
                speaker = {turn["id"]: turn["speaker"] for turn in moment["turns"]}
                ahead += 1
                assert rest not in given, speaker
    assert ahead > 0


def test_the_guest_has_the_form_and_the_plan_before_and_all_that_was_said_after(moments: list[dict[str, Any]]) -> None:
    before, after = for_guest(moments[0]), for_guest(moments[-1])
    assert before["plan"] == moments[0]["plan"]
    assert before["setup"]["form"]["context"] == CONTEXT
    assert after["turns"] == moments[-1]["turns"]
    assert after["plan"] == {}
    assert not {"questions", "voice", "agents", "notes", "research"} & (before | after).keys()
