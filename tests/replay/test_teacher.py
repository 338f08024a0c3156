"""Agents go through a recorded conversation as through a live call: they know what was said so far, and no more."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

from interviewer.call.setup import CallSetup
from interviewer.llm.backend import Ran, Task
from interviewer.llm.rules import Rules
from interviewer.model.decision import Decision, Proposal
from interviewer.model.plan import Plan, Question, Section
from interviewer.replay.recording import Recording, Spoken, Stretch
from interviewer.replay.teacher import Rehearsal
from interviewer.settings import Settings

ASKED = (
    "How did you get into keeping bees?",
    "What went wrong in the first winter?",
    "Which tool would you never give away?",
    "Who taught you the most?",
)
TOLD = (
    "My neighbour gave me a hive when he moved away, and I had no idea what to do with it.",
    "I lost two of three colonies because I fed them far too late in the year.",
    "The smoker of my grandfather, which is older than I am and still works every day.",
    "An old man in the next village, who never wore gloves and never explained anything.",
)
PACE_MS = 200  # slow enough that the first cycle, after ten seconds, comes within the first answer

PLAN = Plan(
    topic="Bees",
    goal="What a keeper of bees has learned",
    sections=(
        Section(
            id="s1",
            title="Bees",
            importance="high",
            questions=tuple(
                Question(id=f"q{i}", text=text, role="backbone", priority=1) for i, text in enumerate(ASKED, 1)
            ),
        ),
    ),
)


def _recording(asked: Sequence[str] = ASKED, gap_ms: int = 800, settings: Settings | None = None) -> Recording:
    turns, at = [], 1_000
    for number, (question, answer) in enumerate(zip(asked, TOLD, strict=False)):
        for speaker, text in (("interviewer", question), ("guest", answer)):
            turns.append(Spoken(f"{speaker[0]}{number}", speaker, text, at, at + PACE_MS * len(text)))  # type: ignore[arg-type]
            at += PACE_MS * len(text) + gap_ms
    return Recording("bees", "file", CallSetup(plan=PLAN, settings=settings or Settings()), tuple(turns))


class Recorder:
    """Rules that write down what each agent was shown, and when."""

    def __init__(self, questions: Sequence[str] = ()) -> None:
        self.shown: list[tuple[int, str, tuple[str, ...], BaseModel]] = []
        self.rehearsal: Rehearsal | None = None
        self._rules = Rules(Settings().agents, 0)
        self._questions = list(questions)

    def run(self, task: Task, data: BaseModel, job_id: str, /) -> Ran:
        assert self.rehearsal is not None
        texts = tuple(turn.text for turn in getattr(data, "turns", ()))
        self.shown.append((self.rehearsal.now, task.name, texts, data))
        if task.name == "orchestrator" and self._questions:
            left = [each for each in self._questions[1:] if each not in data.proposals]  # type: ignore[attr-defined]
            text = left[0] if left else "Is there more?"
            proposal = Proposal(text=text, source="gap", why="test")
            made = Decision(phase=data.phase, proposal=proposal, brief="")  # type: ignore[attr-defined]
            return Ran(made.model_dump(mode="json"), latency_ms=200, model="test")
        return self._rules.run(task, data, job_id)


def _rehearse(recording: Recording, backend: Recorder, **options: Any) -> Rehearsal:
    backend.rehearsal = Rehearsal(recording, backend, **options)
    backend.rehearsal.run()
    return backend.rehearsal


def test_the_core_hears_the_recording_word_for_word_and_each_reply_is_held_against_what_was_chosen() -> None:
    done = _rehearse(_recording(), Recorder(ASKED))
    assert [(turn.speaker, turn.text) for turn in done.gathered.turns] == [
        (turn.speaker, turn.text) for turn in done.recorded
    ]
    assert [moment.asked for moment in done.moments] == list(ASKED)
    assert [moment.offered for moment in done.moments] == list(ASKED)
    assert all(moment.agrees for moment in done.moments)
    delivered = [event.question_id for event in done.gathered.events if event.kind == "delivered"]
    assert delivered == ["q1", "q2", "q3", "q4"]
    assert {event.world for event in done.gathered.events} == {"replayed"}
    assert done.ended == "the recording ends"
    assert not done.notes


def test_no_agent_sees_what_has_not_been_said_yet() -> None:
    backend = Recorder()
    done = _rehearse(_recording(), backend)
    starts = {turn.text: turn.started_ms for turn in done.recorded}
    ends = {turn.text: turn.ended_ms or 0 for turn in done.recorded if turn.speaker == "guest"}
    assert len(backend.shown) > 6
    for now, _, texts, _ in backend.shown:
        assert all(starts[text] <= now for text in texts)
        # Of the guest nothing is known before it is written down, 400 ms after the end of the turn at the soonest.
        assert all(ends[text] + 400 <= now for text in texts if text in ends)


STRETCHES = (
    # A guest who pauses once in mid-answer: the service takes two stretches, and writes each down when it can.
    Stretch(8_000, 18_800, 20_000, 20_050, 21_000, "My neighbour gave me a hive", ((20_500, "My neighbour gave"),)),
    Stretch(24_000, 42_800, 44_000, 44_100, 45_700, "when he moved away.", ((30_000, "when he"), (31_000, " moved"))),
)


def _paused(*stretches: Stretch, partial: bool = False) -> Recording:
    turns = (
        Spoken("t1", "interviewer", ASKED[0], 1_000, 7_500),
        Spoken("t2", "guest", "My neighbour gave me a hive when he moved away.", 8_000, 44_000),
        Spoken("t3", "interviewer", ASKED[1], 46_000, 52_000),
    )
    settings = Settings().with_(cycle={"on_partial_text": partial, "every_ms": 60_000})
    return Recording("paused", "call", CallSetup(plan=PLAN, settings=settings), turns, stretches=stretches)


def test_a_guests_words_come_when_they_came_in_the_call() -> None:
    backend = Recorder()
    done = _rehearse(_paused(*STRETCHES), backend)
    read = [(now, texts[-1]) for now, agent, texts, _ in backend.shown if agent == "note_taker"]
    whole = "My neighbour gave me a hive when he moved away."
    assert read == [(21_000, "My neighbour gave me a hive"), (45_700, whole)]
    assert [turn.text for turn in done.gathered.turns] == [ASKED[0], whole, ASKED[1]]
    assert done.gathered.turns[1].ended_ms == 44_000


def test_words_under_way_come_where_cycles_may_run_on_them() -> None:
    backend = Recorder()
    recording = _paused(*STRETCHES, partial=True)
    cycle = recording.setup.settings.cycle.model_copy(update={"every_ms": 1_000})
    settings = recording.setup.settings.model_copy(update={"cycle": cycle})
    recording = replace(recording, setup=recording.setup.model_copy(update={"settings": settings}))
    _rehearse(recording, backend)
    seen = [texts[-1] for _, agent, texts, _ in backend.shown if agent == "note_taker"]
    assert any(text.endswith("a hive when he moved") for text in seen)


@pytest.mark.parametrize("lost", [STRETCHES[:1], (STRETCHES[0], replace(STRETCHES[1], text="when he moved off."))])
def test_a_turn_whose_stretches_do_not_say_it_comes_whole(lost: tuple[Stretch, ...]) -> None:
    backend = Recorder()
    done = _rehearse(_paused(*lost), backend)
    assert [turn.text for turn in done.gathered.turns] == [turn.text for turn in done.recorded]
    assert {now for now, agent, _, _ in backend.shown if agent == "note_taker"} == {44_000 + 1_200 + 400}


def test_windows_throttles_and_the_lock_are_those_of_a_live_call() -> None:
    settings = Settings().with_(cycle={"orchestrator_window": 3, "note_taker_window": 2, "every_ms": 5_000})
    backend = Recorder()
    _rehearse(_recording(gap_ms=4_000, settings=settings), backend)
    by_agent: dict[str, list[tuple[int, tuple[str, ...], BaseModel]]] = {}
    for now, agent, texts, data in backend.shown:
        by_agent.setdefault(agent, []).append((now, texts, data))
    assert max(len(texts) for _, texts, _ in by_agent["orchestrator"]) == 3
    assert max(len(texts) for _, texts, _ in by_agent["note_taker"]) == 2
    # Never two cycles at once: rules take at least a second for notes and a second for the decision.
    begun = [now for now, _, _ in by_agent["note_taker"]]
    assert all(later - earlier >= 2_000 for earlier, later in pairwise(begun))
    # The Note-Taker skips what has not changed: it runs once for a guest's turn here, the cycles come every 5 s.
    assert len({texts for _, texts, _ in by_agent["note_taker"]}) == len(begun)
    late = [data for _, _, data in by_agent["orchestrator"] if data.elapsed_ms >= data.wrap_up_ms]  # type: ignore[attr-defined]
    assert all(data.phase == "wrap_up" for data in late)  # type: ignore[attr-defined]


def test_a_prefix_ends_where_the_choice_is_not_what_the_recording_asks() -> None:
    other = (*ASKED[:2], "How many jars of honey do you sell?", ASKED[3])
    done = _rehearse(_recording(other), Recorder(ASKED), prefix=True)
    assert done.left is not None
    assert (done.left.turn, done.left.chosen, done.left.asked) == ("i2", ASKED[2], other[2])
    assert (done.left.turns, done.left.turns_total) == (2, 4)
    # Nothing after it: neither the question that was asked otherwise nor its answer has reached the core.
    assert [turn.text for turn in done.gathered.turns] == [ASKED[0], TOLD[0], ASKED[1], TOLD[1]]
    assert done.ended == "the choice left the recording"


def test_a_prefix_that_follows_the_recording_goes_to_its_end() -> None:
    done = _rehearse(_recording(), Recorder(ASKED), prefix=True)
    assert done.left is None
    assert len(done.gathered.turns) == 8


def test_what_a_question_is_about_may_stand_before_it() -> None:
    wordings = (
        "So let's begin with how you got into keeping bees. How was that?",
        "Then there is the first winter, and something went wrong in it. What was it?",
        "You have tools that you would never give away. Which one above all?",
        ASKED[3],
    )
    done = _rehearse(_recording(wordings), Recorder(ASKED), prefix=True)
    assert [(moment.asked, moment.agrees) for moment in done.moments] == [
        ("How was that?", True),
        ("What was it?", True),
        ("Which one above all?", True),
        (ASKED[3], True),
    ]
    assert done.left is None


def test_a_call_whose_voice_left_a_question_out_is_followed_where_that_question_is_chosen_again() -> None:
    recording = _recording((ASKED[0], "I could listen to this for a long while.", *ASKED[2:]))
    told = tuple(replace(turn, question_id="q2") if turn.id == "i1" else turn for turn in recording.turns)
    done = _rehearse(replace(recording, turns=told), Recorder(ASKED), prefix=True)
    assert done.moments[1].offered == ASKED[1]
    assert done.moments[1].agrees is None
    assert done.left is None or done.left.turn != "i1"
    other = _rehearse(recording, Recorder(ASKED), prefix=True)  # of a transcript nobody knows
    assert other.left is not None
    assert other.left.turn == "i1"


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        # The guest speaks first: the core gives the floor back, and asks after that.
        (
            [("guest", "Good morning, I am ready when you are."), ("interviewer", ASKED[0]), ("guest", TOLD[0])],
            ["Good morning, I am ready when you are.", ASKED[0], TOLD[0]],
        ),
        ([("guest", TOLD[0])], [TOLD[0]]),
        ([("interviewer", ASKED[0])], [ASKED[0]]),
        ([("interviewer", ASKED[0]), ("guest", "Mm."), ("interviewer", "Yes?"), ("guest", TOLD[0])], None),
    ],
)
def test_odd_recordings_come_to_their_end_too(turns: list[tuple[str, str]], said: list[str] | None) -> None:
    spoken = tuple(Spoken(f"t{i}", who, text, 2_000 * i, 2_000 * i + 1_500) for i, (who, text) in enumerate(turns))  # type: ignore[arg-type]
    done = _rehearse(Recording("odd", "file", CallSetup(plan=PLAN), spoken), Recorder())
    assert done.ended == "the recording ends"
    assert [turn.text for turn in done.gathered.turns] == (said or [text for _, text in turns])


def test_a_recording_of_two_hours_is_gone_through_to_its_end() -> None:
    turns = tuple(
        Spoken(
            f"t{i}",
            "guest" if i % 2 else "interviewer",
            TOLD[i // 2 % 4] if i % 2 else ASKED[i // 2 % 4],
            at,
            at + 9_000,
        )
        for i, at in enumerate(range(0, 7_200_000, 600_000))
    )
    done = _rehearse(Recording("long", "file", CallSetup(plan=PLAN), turns), Recorder())
    assert done.now > 6_600_000
    assert len(done.gathered.turns) == 12
    assert not done.notes
