"""The clock, the phase it gives, and the lock near the end."""

from typing import Any

import pytest

from tests.call.bench import PLAN, Q1, Q2, Q3, Q4, Bench, ask, opened

# Quiet calls: nobody nudges, so that only the clock acts.
QUIET = {"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000}


def at(share: float, **options: Any) -> Bench:
    """A quiet call of 14 minutes, opened, at this share of its time."""
    bench = opened(call=QUIET, **options)
    bench.until(round(840_000 * share))
    return bench


def test_the_phase_is_the_clock_s() -> None:
    bench = opened(call=QUIET)
    phases = []
    # 15 % and 85 % of 840 s are 126 s and 714 s.
    for t_ms in (125_999, 126_000, 713_999, 714_000):
        bench.until(t_ms)
        phases.append(bench.phase)
    assert phases == ["opening", "exploration", "exploration", "wrap_up"]
    assert [(r["phase"], r["elapsed_ms"], r["locked"]) for r in bench.records("phase")] == [
        ("opening", 0, False),
        ("exploration", 126_000, False),
        ("wrap_up", 714_000, True),
    ]


def test_the_clock_starts_when_the_session_is_ready() -> None:
    bench = Bench(acks=False).begin()
    bench.wait(2_000)
    assert bench.core.elapsed_ms == 0
    bench.ack()
    bench.wait(1_000)
    bench.tick()
    assert bench.core.elapsed_ms == 1_000


def test_a_decision_s_own_phase_is_ignored() -> None:
    bench = opened(call=QUIET)
    bench.decisions.append(ask(Q2, "q2", phase="wrap_up"))
    bench.guest("I grew up beside a river.")
    record = bench.records("decision")[-1]
    assert (record["phase"], record["proposed_phase"], record["outcome"]) == ("opening", "wrap_up", "selected")
    assert "<phase>opening</phase>" in bench.asked_under


@pytest.mark.parametrize(
    ("text", "question_id", "source"),
    [(Q3, "q3", "plan"), (Q4, "q4", "plan"), ("What did the mayor say?", None, "gap")],
)
def test_trap_4_wrap_up_opens_no_new_subject(text: str, question_id: str | None, source: Any) -> None:
    bench = at(0.86)
    bench.decisions.append(ask(text, question_id, source))
    bench.guest("I grew up beside a river.")
    assert bench.records("decision")[-1]["outcome"] == "refused"
    bench.wait(300)
    assert bench.requests[-1] == "free"
    assert "open no new subject" in bench.asked_under


def test_trap_4_a_question_that_was_accepted_before_the_lock_goes_too() -> None:
    bench = at(0.83)
    bench.guest("I grew up beside a river.", 100)
    bench.wait(300)
    bench.decisions.append(ask(Q3, "q3"))
    bench.reply("Mm.")
    bench.until(713_000)
    assert bench.status("q3") == "pending"
    bench.until(714_000)
    assert bench.endings()[-1] == ("q3", "superseded")
    bench.guest("And that was that.")
    bench.wait(300)
    assert Q3 not in bench.asked_under


def test_trap_4_a_decision_that_comes_after_the_lock_is_held_to_it() -> None:
    bench = at(0.84)
    bench.until(713_000)
    bench.agents = False
    item = bench.starts()
    bench.stops(item)
    bench.transcribed(item, "I grew up beside a river.")
    bench.listened()
    assert bench.running() == ["orchestrator"]
    bench.until(714_000)
    bench.answer("orchestrator", ask(Q3, "q3", phase="exploration"))
    assert bench.records("decision")[-1]["outcome"] == "refused"
    assert bench.status("q3") == "available"


def test_wrap_up_takes_two_must_asks_and_no_third() -> None:
    extra = PLAN.sections[0].questions[0].model_copy(update={"id": "q5", "text": "Which wind scares you?"})
    must = PLAN.sections[0].model_copy(update={"questions": (*PLAN.sections[0].questions, extra)})
    last = extra.model_copy(update={"id": "q6", "text": "Where would you retire?"})
    must = must.model_copy(update={"questions": (*must.questions, last)})
    bench = at(0.86, plan=PLAN.model_copy(update={"sections": (must, PLAN.sections[1])}))
    outcomes = []
    for text, question_id in ((Q2, "q2"), (extra.text, "q5"), (last.text, "q6")):
        bench.decisions.append(ask(text, question_id))
        bench.guest("I grew up beside a river.", 1_000)
        outcomes.append((question_id, bench.records("decision")[-1]["outcome"]))
        bench.wait(300)
        bench.reply(f"Oh. {text}" if outcomes[-1][1] == "selected" else "Oh.")
    assert outcomes == [("q2", "selected"), ("q5", "selected"), ("q6", "refused")]


def test_wrap_up_takes_one_closing_question() -> None:
    bench = at(0.86)
    outcomes = []
    for _ in range(2):
        bench.decisions.append(ask("Anything you would like to add?", None, "closing"))
        bench.guest("I grew up beside a river.", 1_000)
        outcomes.append(bench.records("decision")[-1]["outcome"])
        bench.reply("Anything you would like to add?") if outcomes[-1] == "selected" else None
    assert outcomes == ["selected", "refused"]


def test_extend_moves_the_lock() -> None:
    bench = at(0.86)
    assert bench.phase == "wrap_up"
    bench.command("extend", "300000")
    # 85 % of 1,140 s are 969 s.
    assert (bench.phase, bench.core.target_ms) == ("exploration", 1_140_000)
    bench.decisions.append(ask(Q3, "q3"))
    bench.guest("I grew up beside a river.")
    assert bench.records("decision")[-1]["outcome"] == "selected"
    bench.until(968_999)
    assert bench.phase == "exploration"
    bench.until(969_000)
    assert bench.phase == "wrap_up"


def test_wrap_up_can_be_asked_for() -> None:
    bench = at(0.5)
    bench.command("wrap_up")
    assert bench.phase == "wrap_up"
    # What the last 15 % of 840 s would have been.
    assert bench.core.target_ms == 420_000 + 126_000


def test_a_pause_stops_the_clock() -> None:
    bench = at(0.1)
    bench.command("pause")
    assert not bench.microphone
    bench.wait(600_000)
    assert bench.core.elapsed_ms == 84_000
    bench.command("resume")
    assert bench.microphone
    bench.until(84_000 + 600_000 + 42_000)
    assert (bench.core.elapsed_ms, bench.phase) == (126_000, "exploration")


def test_trap_14_a_plan_of_zero_seconds_runs() -> None:
    assert {section.seconds for section in PLAN.sections} == {0}
    bench = opened()
    bench.run(60_000)
    assert bench.end is None
    assert bench.status("q1") == "delivered"


def test_the_shortest_call_closes_itself() -> None:
    bench = Bench(call={"target_ms": 30_000}).ready()
    bench.reply(f"Welcome. {Q1}")
    bench.guest("I grew up beside a river.")
    bench.run(60_000)
    assert bench.end is not None
