"""Whatever happens in whatever order, a call keeps its promises, and happens the same way again."""

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.call.actions import Action, End
from interviewer.call.core import Core
from interviewer.call.inputs import Connected, Frame, decode, encode
from interviewer.ledger.fold import fold
from interviewer.model.decision import Research
from interviewer.model.notes import Notes
from tests.call.bench import Q1, Q2, Q3, Q4, Bench, ask, silence

TEXTS = (
    f"A river. {Q1}",
    Q2,
    f"{Q3} {Q4}",
    "Which fish did you catch?",
    "I see.",
    "",
    "Thank you so much for your time. Goodbye.",
)
GUEST = ("I grew up beside a river.", "Mm-hm.", "Can we skip that?", "I have to stop.", "", "Let me go back to that.")
DECISIONS = (
    silence(),
    ask(Q1, "q1"),
    ask(Q2, "q2"),
    ask(Q3, None),
    ask(Q4, "q99"),
    ask("Which fish did you catch?", None, "gap"),
    ask("Anything to add?", None, "closing"),
)
STATUSES = ("completed", "completed", "completed", "cancelled", "failed", "incomplete")
COMMANDS: tuple[tuple[Any, str], ...] = (
    ("ask", "What colour was it?"),
    ("skip", ""),
    ("extend", "30000"),
    ("wrap_up", ""),
    ("pause", ""),
    ("resume", ""),
    ("type", "It was brown."),
)
WAITS = (0, 40, 300, 700, 1_500, 3_000, 8_000, 20_000, 60_000)


class World:
    """Does what it is told to the call, if that is possible now: a number picks what."""

    def __init__(self) -> None:
        self.bench = Bench(call={"target_ms": 300_000}, acks=False, agents=False)
        self.bench.begin()
        self.spoken: list[str] = []
        self.guest: list[str] = []

    def wait(self, pick: int) -> None:
        self.bench.wait(WAITS[pick % len(WAITS)])

    def ack(self, _: int) -> None:
        if self.bench.sent("session.update"):
            self.bench.ack()

    def refuse(self, pick: int) -> None:
        sent = self.bench.sent("session.update") + self.bench.sent("response.create")
        if sent:
            self.bench.refuse(sent[-1 - pick % len(sent)]["event_id"])

    def created(self, pick: int) -> None:
        if self.bench.requests:
            foreign = {"metadata": None} if pick % 7 == 0 else {}
            self.spoken.append(self.bench.created(**foreign))

    def audio(self, pick: int) -> None:
        if self.spoken:
            self.bench.response = self.spoken[-1 - pick % min(2, len(self.spoken))]
            self.bench.audio(200 * (pick % 20))

    def words(self, pick: int) -> None:
        if self.spoken:
            self.bench.response = self.spoken[-1]
            self.bench.words(TEXTS[pick % len(TEXTS)])

    def done(self, pick: int) -> None:
        if self.spoken:
            self.bench.response = self.spoken[-1]
            self.bench.done(STATUSES[pick % len(STATUSES)])

    def played(self, pick: int) -> None:
        if self.spoken:
            response = self.spoken[-1 - pick % min(2, len(self.spoken))]
            self.bench.played(300 * (pick % 20), ended=pick % 3 == 0, response=response)

    def says(self, pick: int) -> None:
        """A whole reply, so that deliveries do happen."""
        if self.bench.requests:
            self.spoken.append(self.bench.say(TEXTS[pick % len(TEXTS)], 2_000))
            self.bench.wait(2_000)
            self.bench.played(2_000, ended=True, response=self.spoken[-1])

    def starts(self, _: int) -> None:
        self.guest.append(self.bench.starts())

    def stops(self, _: int) -> None:
        if self.guest:
            self.bench.stops(self.guest[-1])

    def transcribed(self, pick: int) -> None:
        if self.guest:
            self.bench.transcribed(self.guest[-1 - pick % min(2, len(self.guest))], GUEST[pick % len(GUEST)])

    def mic(self, pick: int) -> None:
        self.bench.mic(pick % 2 == 0)

    def answer(self, pick: int) -> None:
        if self.bench.jobs:
            job = list(self.bench.jobs.values())[pick % len(self.bench.jobs)]
            made = {"note_taker": Notes(), "researcher": Research(), "orchestrator": DECISIONS[pick % len(DECISIONS)]}
            output = made.get(job.agent) or self.bench.output_of(job.agent)
            self.bench.answer(job.agent, None if pick % 5 == 4 else output, job.job_id, "no network")

    def drop(self, _: int) -> None:
        self.bench.drop()

    def connect(self, _: int) -> None:
        self.bench.connect()

    def command(self, pick: int) -> None:
        self.bench.command(*COMMANDS[pick % len(COMMANDS)])


EVENTS = [name for name in vars(World) if not name.startswith("_")]
STORIES = st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 60)), max_size=40)


def lived(story: list[tuple[str, int]]) -> Bench:
    """The story told to a call that is ready, with the ledger's promises checked after every event."""
    world = World()
    world.ack(0)
    for name, pick in story:
        getattr(world, name)(pick)
        still_open = [a for a in world.bench.core.ledger.attempts.values() if a.outcome == "open"]
        assert sum(not a.started for a in still_open) <= 1
        assert sum(a.started for a in still_open) <= 1
    return world.bench


@given(STORIES)
@settings(max_examples=120)
def test_a_call_survives_any_order_of_events_and_ends_clean(story: list[tuple[str, int]]) -> None:
    bench = lived(story)
    bench.command("end")
    bench.wait(3_000)
    ledger = bench.core.ledger
    # The core never writes an event that its own ledger refuses, and the log folds to the same ledger.
    assert ledger.anomalies == []
    assert fold(ledger.events).snapshot() == ledger.snapshot()
    assert ledger.next is None
    assert ledger.current is None
    assert all(question.status != "pending" for question in ledger.questions.values())
    bench.wait(600_000)
    assert len(bench.of(End)) == 1
    assert bench.core.deadline is None
    assert {turn.state for turn in bench.core.turns} <= {"final", "inaudible", "speaking"}
    assert len({turn.id for turn in bench.core.turns}) == len(bench.core.turns)


@given(STORIES)
@settings(max_examples=60)
def test_the_same_inputs_give_the_same_actions_also_from_a_written_log(story: list[tuple[str, int]]) -> None:
    bench = lived(story)
    again = Core(bench.setup)
    assert [again.step(decode(encode(record))) for record in bench.inputs] == bench.steps
    assert again.ledger.events == bench.core.ledger.events


class Thorough(Core):
    """Sees to everything at every input, whether or not anything can be due."""

    def _look_ahead(self) -> None:
        super()._look_ahead()
        self._rests_until_ms = 0


@given(STORIES)
@settings(max_examples=40)
def test_what_is_spared_while_nothing_is_due_is_missed_by_nobody(story: list[tuple[str, int]]) -> None:
    bench = lived(story)
    bench.wait(20_000)
    core, thorough = Core(bench.setup), Thorough(bench.setup)
    at, epoch = 0, 0
    for record in bench.inputs:
        epoch = record.epoch if isinstance(record, Connected) else epoch
        nothing = Frame((at + record.t_ms) // 2, epoch, {"type": "rate_limits.updated"})
        for one in (nothing, record):
            assert core.step(one) == thorough.step(one)
            assert core.deadline == thorough.deadline
        at = record.t_ms


def test_sound_that_comes_as_the_end_is_locked_does_not_hide_the_lock() -> None:
    """85 % of 100 s; whether anyone asks for the deadline in between makes no difference."""
    bench = Bench(call={"target_ms": 100_000}, agents=False).ready()
    bench.until(84_900)
    bench.created()
    bench.audio(200)
    bench.now = 85_000
    bench.audio(200)
    assert bench.core.deadline is not None
    bench.now = 85_010
    bench.frame("conversation.item.input_audio_transcription.delta", item_id="guest", delta="So")
    assert bench.phase == "wrap_up"
    again = Core(bench.setup)
    assert [again.step(record) for record in bench.inputs] == bench.steps


def _digest(actions: list[Action]) -> str:
    return hashlib.sha256(repr(actions).encode()).hexdigest()


def a_whole_call() -> Bench:
    """A call of five minutes in which everyone does as expected."""
    bench = Bench(call={"target_ms": 300_000}).ready()
    bench.reply(f"Welcome. {Q1}")
    for text, question_id in ((Q2, "q2"), (Q3, "q3"), (Q4, None), ("Which fish did you catch?", None)):
        bench.decisions.append(ask(text, question_id))
        bench.guest("I grew up beside a river, and we fished there.", 10_000)
        bench.wait(300)
        bench.reply(f"Oh. {text}", 5_000)
    bench.run(300_000)
    return bench


def test_a_whole_call_delivers_the_plan_and_ends_by_itself() -> None:
    bench = a_whole_call()
    assert [q.id for q in bench.core.ledger.questions.values() if q.status == "delivered"] == [
        "q1",
        "q2",
        "q3",
        "q4",
        "u1",
    ]
    assert bench.end is not None
    assert bench.records("essay")


def test_a_call_is_the_same_under_another_hash_seed() -> None:
    script = "from tests.call.test_call_properties import a_whole_call, _digest; print(_digest(a_whole_call().actions))"
    root = Path(__file__).resolve().parents[2]
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert digests == {_digest(a_whole_call().actions) + "\n"}
