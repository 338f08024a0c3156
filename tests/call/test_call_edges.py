"""Moments at the edge of a rule: the last try, the last seconds, the better match, what an old session left behind."""

import pytest

from interviewer.call.actions import Connect
from tests.call.bench import Q2, Q3, Bench, ask, opened

QUIET = {"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000}
SAME_IN_OTHER_WORDS = "Did anything give way while you spanned that stream?"  # shares no content word with q2


def turn(bench: Bench) -> None:
    """A short turn of the guest; the reply to it is asked for."""
    bench.guest("I grew up beside a river.", 1_000)
    bench.wait(300)


def refuse_reply(bench: Bench) -> None:
    """The reply asked for last fails before any sound; the pause and the wait for a proposal pass."""
    bench.created()
    bench.done("failed")
    bench.wait(1_000 + 300)


@pytest.mark.parametrize("tries", [1, 3])
def test_a_reply_that_fails_is_asked_for_as_often_as_set_and_no_more(tries: int) -> None:
    bench = opened(wait={"reply_tries": tries})
    turn(bench)
    for number in range(1, tries + 1):
        assert bench.requests == ["opening", *["free"] * number]
        refuse_reply(bench)
    bench.wait(10_000)
    assert bench.requests == ["opening", *["free"] * tries]


def test_free_replies_of_a_wrap_up_that_was_put_off_are_not_counted_in_the_next() -> None:
    bench = opened(call={**QUIET, "wrap_up_free": 2})
    bench.until(720_000)
    for _ in range(2):
        turn(bench)
        assert bench.requests[-1] == "free"
        bench.reply("Mm.", 1_000)
    bench.command("extend", "600000")
    assert bench.phase == "exploration"
    bench.until(1_230_000)  # 85 % of 1,440 s are 1,224 s
    assert bench.phase == "wrap_up"
    for expected in ("free", "free", "closing"):
        turn(bench)
        assert bench.requests[-1] == expected
        bench.reply("Mm.", 1_000)


def test_a_sentence_that_asks_another_planned_question_better_is_that_question() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    turn(bench)
    # {taught, trust, concrete, first, river, crossing}: 3 of 7 with q2, above 0.35, and 3 of 6 with q3.
    mixed = "Who taught you to trust concrete on your first river crossing?"
    bench.reply(mixed)
    assert bench.endings() == [("q2", "wandered")]
    assert bench.status("q2") == "available"
    questions = bench.core.ledger.questions
    assert (questions["q2"].covered, questions["q3"].covered is not None) == (None, True)
    assert [(h.text, h.question_id) for h in bench.core.ledger.heard][-1] == (mixed, "q3")


def test_a_sentence_that_asks_its_own_question_better_is_delivered_though_it_resembles_another() -> None:
    bench = opened()
    bench.decisions.append(ask(Q3, "q3"))
    turn(bench)
    bench.reply("Who taught you to trust concrete on your first river crossing?")
    assert bench.endings() == []
    assert (bench.status("q3"), bench.core.ledger.questions["q2"].covered) == ("delivered", None)


def test_an_id_that_was_foreign_in_the_old_session_may_be_ours_in_the_new_one() -> None:
    bench = opened()
    bench.frame("response.created", response={"id": "resp_9", "status": "in_progress", "metadata": {"reply": "77"}})
    bench.drop()
    while bench.of(Connect)[-1].epoch == bench.epoch:
        bench.until(max(bench.now, bench.core.deadline or 0))
    bench.connect()
    assert bench.requests[-1] == "resume"
    # Its response.created is lost: only the order tells that it is the reply that was asked for.
    bench.response, bench.item = "resp_9", ""
    bench.audio(2_000)
    bench.words("Sorry, the line was cut.")
    bench.done()
    bench.hear(2_000)
    assert bench.core.turns[-1].heard == "Sorry, the line was cut."
    assert bench.records("reply")[-1]["total_ms"] == 2_000


@pytest.mark.parametrize(("left_ms", "outcome"), [(30_000, "selected"), (20_000, "refused")])
def test_the_closing_question_comes_too_late_once_the_goodbye_is_next(left_ms: int, outcome: str) -> None:
    bench = opened(call={**QUIET, "goodbye_within_ms": 25_000})
    bench.until(840_000 - left_ms - 1_000)
    bench.decisions.append(ask("Anything you would like to add?", None, "closing"))
    bench.guest("I grew up beside a river.", 1_000)
    decision = bench.records("decision")[-1]
    assert decision["outcome"] == outcome
    assert len(bench.events("selected")) == 1 + (outcome == "selected")
    assert (decision["reason"] == "too late: the goodbye is next") is (outcome == "refused")


def test_a_question_already_asked_for_runs_its_course_when_the_guest_declines_it_meanwhile() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    turn(bench)
    bench.reply(SAME_IN_OTHER_WORDS)
    assert bench.status("q2") == "held"
    bench.command("ask", Q2)
    item = bench.starts()
    bench.wait(3_000)
    bench.stops(item)
    assert bench.requests[-1] == "question"
    bench.transcribed(item, "I'd rather not say.")
    assert bench.core.ledger.questions["q2"].declined is not None
    assert bench.status("q2") == "pending"
    bench.reply(Q2)
    assert bench.endings() == [("q2", "unconfirmed")]
    assert bench.status("q2") == "delivered"
    assert bench.core.ledger.anomalies == []
