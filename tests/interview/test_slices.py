"""A running call as plain values: what the page of a notebook is told of it."""

import json
from typing import Any

import pytest

from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.call.setup import CallSetup
from interviewer.interview.guest_view import for_guest
from interviewer.interview.planning import plan_call
from interviewer.interview.slices import Slices, plain
from interviewer.interview.snapshot import Activity
from interviewer.llm.rules import Rules
from interviewer.memory.earlier import Earlier, PastCall, Thread
from interviewer.settings import Settings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.run import Simulated, simulate_call

MINUTES_2 = 120_000


class Onlooker:
    """Cuts the call after every step."""

    def __init__(self) -> None:
        self.activity = Activity()
        self.slicer = Slices(0.85)
        self.moments: list[dict[str, Any]] = []

    def saw(self, core: Core, actions: list[Action]) -> None:
        self.activity.take(actions)
        self.moments.append(self.slicer.cut(core, self.activity, None))


@pytest.fixture(scope="module")
def call() -> tuple[Simulated, list[dict[str, Any]]]:
    settings = Settings.load(env={}, call={"target_ms": MINUTES_2})
    dossier, backend = by_name("rents-in-wellington"), Rules(settings.agents, 0)
    plan = plan_call(dossier.topic, dossier.context, MINUTES_2, "en", backend).plan
    onlooker = Onlooker()
    setup = CallSetup(plan=plan, context=dossier.context, world="simulated", settings=settings)
    done = simulate_call(setup, dossier, backend, seed=1, watcher=onlooker)
    return done, onlooker.moments


def test_all_of_it_is_json(call: tuple[Simulated, list[dict[str, Any]]]) -> None:
    assert json.loads(json.dumps(call[1][-1])) == call[1][-1]


def test_the_voice_is_read_as_it_is_played(call: tuple[Simulated, list[dict[str, Any]]]) -> None:
    """Of a reply under way the whole text is there, and of that the part that was heard grows."""
    spoken = [moment["words"] for moment in call[1] if moment["clock"]["speaks"] == "interviewer"]
    first = [words["t1"] for words in spoken if "t1" in words]
    lengths = [len(words["heard"]) for words in first]
    assert lengths == sorted(lengths)
    assert 0 < lengths[0] < lengths[-1] <= len(first[-1]["text"])
    assert all(words["text"].startswith(words["heard"]) for words in first)


def test_a_turn_has_its_words_in_one_place_only(call: tuple[Simulated, list[dict[str, Any]]]) -> None:
    for moment in call[1]:
        for turn in moment["turns"]:
            assert not (turn["text"] and turn["id"] in moment["words"])
    assert {turn["over"] for turn in call[1][-1]["turns"]} == {True}


def test_the_guest_is_seen_to_speak(call: tuple[Simulated, list[dict[str, Any]]]) -> None:
    assert {"guest", "interviewer", "thinking"} <= {moment["clock"]["speaks"] for moment in call[1]}


def test_every_question_says_where_it_stands_and_why(call: tuple[Simulated, list[dict[str, Any]]]) -> None:
    done, moments = call
    states = {question["id"]: (question["state"], question["why"]) for question in moments[-1]["questions"]}
    assert {name: state for name, (state, _) in states.items()} == {
        question.id: question.status for question in done.core.ledger.questions.values()
    }
    assert ("delivered", "asked and heard") in states.values()
    first = [question["why"] for moment in moments for question in moment["questions"] if question["id"] == "q1"]
    assert list(dict.fromkeys(first))[:3] == [
        "never chosen",
        "chosen, not yet acknowledged",
        "acknowledged, waiting for its moment",
    ]


def test_what_was_meant_stands_beside_what_was_said(call: tuple[Simulated, list[dict[str, Any]]]) -> None:
    done, moments = call
    exchanges = moments[-1]["voice"]["exchanges"]
    spoken = [turn for turn in done.core.turns if turn.speaker == "interviewer"][-8:]
    assert [exchange["said"] for exchange in exchanges] == [turn.text for turn in spoken]
    assert [exchange["question"] for exchange in exchanges] == [turn.question_id for turn in spoken]
    asked = next(exchange for exchange in exchanges if exchange["outcome"] == "delivered")
    assert asked["meant"] in {question.text for question in done.core.setup.plan.questions}


def test_the_clock_goes_on_between_two_steps_of_a_live_call(call: tuple[Simulated, list[dict[str, Any]]]) -> None:
    core, live = call[0].core, Activity(status="live")
    still = Slices(0.85).cut(core, Activity(status="done"), None, 900)["clock"]
    ahead = Slices(0.85).cut(core, live, None, 900)["clock"]
    assert ahead["elapsed_ms"] == still["elapsed_ms"] + 900
    assert ahead["wrap_up_ms"] == round(0.85 * core.target_ms)


def test_a_follow_up_says_what_it_picks_up_and_what_is_not_remembered_as_it_was(
    call: tuple[Simulated, list[dict[str, Any]]],
) -> None:
    assert call[1][-1]["earlier"] == {}
    thread = Thread(quote="the \x1b[31mred book", turn="c1.t2")
    earlier = Earlier(calls=(PastCall(call_id="c-1"),), thread=thread, problems=("put together anew",))
    core = Core(call[0].core.setup.model_copy(update={"earlier": earlier}))
    form = dict.fromkeys(("topic", "guest", "destination"), "")
    stands: dict[str, Any] = {"stage": "call", "problem": "", "busy": {}, "destinations": [], "form": form}
    cut = Slices(0.85).cut(core, Activity(), None)
    assert cut["earlier"] == {"number": 2, "thread": "the red book", "problems": ["put together anew"]}
    assert "anew" not in json.dumps(for_guest({"setup": stands, **cut}))


def test_texts_are_harmless_at_any_depth() -> None:
    given = {"a": ["\x1b[31mred\x1b[0m", {"b": "\u202egnp.exe"}], "n": 1, "none": None}
    assert plain(given) == {"a": ["red", {"b": "gnp.exe"}], "n": 1, "none": None}
