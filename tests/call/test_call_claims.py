"""What the ledger must not claim: questions that nobody heard, and calls that end before they are over."""

import pytest

from tests.call.bench import Q1, Q2, Q3, Bench, ask, opened


def test_what_was_not_played_at_all_is_not_delivered_by_the_tolerance() -> None:
    bench = Bench().ready()
    bench.say(f"Welcome. {Q1}", 200)
    bench.playback_failed()
    assert bench.status("q1") != "delivered"
    assert bench.core.ledger.heard == []


def test_sound_that_comes_after_the_done_does_not_count() -> None:
    bench = Bench().ready()
    bench.created()
    bench.audio(4_000)
    bench.words(f"Welcome. {Q1}")
    bench.done()
    bench.audio(20_000)
    bench.hear(4_000)
    assert bench.records("reply")[-1]["total_ms"] == 4_000


@pytest.mark.parametrize("status", [None, [], "", 3])
def test_a_done_without_a_status_completes_nothing(status: object) -> None:
    bench = Bench().ready()
    bench.created()
    bench.audio(4_000)
    bench.words(f"Welcome. {Q1}")
    bench.frame(
        "response.done", response={"id": bench.response, "status": status, "output": [], "metadata": {"reply": "1"}}
    )
    bench.played(4_000, ended=True)
    assert bench.status("q1") != "delivered"


def test_a_question_whose_own_sound_did_not_come_was_not_heard() -> None:
    bench = Bench().ready()
    bench.created()
    bench.words(Q1)
    bench.new_item()
    bench.audio(4_000)
    bench.words("So.")
    bench.done()
    bench.hear(4_000)
    assert bench.core.ledger.heard == []
    assert bench.status("q1") == "available"
    assert bench.core.ledger.anomalies == []


def test_the_words_tell_which_question_is_asked_when_the_id_is_another_s() -> None:
    bench = opened()
    bench.decisions.append(ask(Q3, "q2"))
    bench.guest("I built the first one in the army years ago.")
    bench.reply(f"The army. {Q3}")
    assert bench.status("q3") == "delivered"
    assert bench.status("q2") == "available"


def test_a_blank_proposal_asks_nothing() -> None:
    bench = opened()
    bench.decisions.append(ask("  ", "q2"))
    bench.guest("I built the first one in the army years ago.")
    assert bench.records("decision")[-1]["outcome"] == "none"
    assert bench.core.ledger.next is None


def test_a_session_that_is_created_twice_is_opened_once() -> None:
    bench = opened()
    before = len(bench.core.ledger.attempts)
    bench.frame("session.created", session={})
    assert len(bench.core.ledger.attempts) == before


def test_asking_for_final_thoughts_is_no_goodbye() -> None:
    bench = opened(call={"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000})
    bench.until(730_000)
    bench.guest("And that was that.", 100)
    bench.wait(300)
    bench.reply("Do you have any final thoughts for young builders?")
    assert bench.microphone
    assert not bench.closed
    assert bench.records("goodbye") == []


def test_a_call_is_never_extended_beyond_an_hour() -> None:
    bench = opened()
    bench.command("extend", "999999999999999")
    assert bench.core.target_ms == 3_600_000


def test_a_question_that_was_broken_off_comes_back_as_a_return() -> None:
    bench = opened()
    bench.decisions += [ask(Q2, "q2"), ask(Q2, "q2")]
    bench.guest("I grew up beside a river.")
    bench.say(f"A river, with boats and mills and everything that floats. {Q2}", 8_000)
    bench.wait(3_000)
    bench.played(3_000)
    bench.mic(True)
    item = bench.starts()
    bench.wait(700)
    bench.played(3_700, ended=True)
    bench.mic(False)
    bench.wait(1_200)
    bench.stops(item)
    bench.transcribed(item, "It was a canal, come to think of it.")
    bench.wait(12_000)
    selected = [e for e in bench.events("selected") if e.question_id == "q2"]
    assert len(selected) == 2
    assert [e.evidence["returning"] for e in selected] == [False, True]


def test_a_pause_that_nobody_ends_ends_the_call_after_half_an_hour() -> None:
    bench = opened()
    bench.command("pause")
    bench.until(bench.now + 29 * 60_000)
    assert not bench.closed
    bench.until(bench.now + 61_000)
    assert bench.closed


def test_a_guest_with_nothing_to_say_is_not_asked_again_and_has_neither_answered_nor_declined() -> None:
    bench = opened()
    bench.decisions += [ask(Q2, "q2"), ask(Q2, "q2")]
    bench.guest("I grew up beside a river.")
    bench.reply("A river. And what went wrong at that time?")
    assert bench.status("q2") == "held"
    bench.guest("I don't think I have anything on that.")
    question = bench.core.ledger.questions["q2"]
    assert question.nothing is not None
    assert question.answered is None
    assert question.declined is None
    assert bench.records("decision")[-1]["outcome"] == "refused"
