"""What was asked, what of it was heard, and what that proves."""

import pytest

from interviewer.matching.thresholds import load
from tests.call.bench import Q1, Q2, Q3, Bench, ask, opened

SAME_IN_OTHER_WORDS = "Did anything give way while you spanned that stream?"  # shares no content word with q2


def asked() -> Bench:
    """The voice was asked to ask q2."""
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    assert bench.requests[-1] == "question"
    return bench


def heard(bench: Bench) -> list[tuple[str, str | None]]:
    return [(h.text, h.question_id) for h in bench.core.ledger.heard]


def test_delivery_keeps_its_evidence() -> None:
    bench = asked()
    text = f"A river. {Q2} I wonder."
    response = bench.reply(text, 5_000)
    generated, delivered = bench.events("generated")[-1].evidence, bench.events("delivered")[-1].evidence
    # By characters: the question ends at 49 of 59, so at 4,153 of 5,000 ms.
    end_ms = round(5_000 * (text.index("?") + 1) / len(text))
    band = load("contains")
    assert (generated["threshold"], generated["scorer"]) == (band.value, f"contains/{band.version}")
    score = generated["score"]
    assert isinstance(score, float)
    assert band.value < score <= 1
    assert (generated["sentence"], generated["end_ms"]) == (Q2, end_ms)
    assert (delivered["response_id"], delivered["status"], delivered["tolerance_ms"]) == (response, "completed", 250)
    assert delivered["end_ms"] == end_ms
    assert bench.events("delivered")[-1].basis == "inferred"


def test_delivery_comes_at_the_end_of_the_sentence_less_250_ms() -> None:
    bench = asked()
    text = f"{Q2} I have always wondered about it."
    bench.say(text, 8_000)
    end_ms = round(8_000 * len(Q2) / len(text))
    bench.played(end_ms - 251)
    assert bench.status("q2") == "pending"
    bench.played(end_ms - 250)
    assert bench.status("q2") == "delivered"


def test_a_question_in_other_words_above_the_threshold_is_delivered() -> None:
    bench = asked()
    # {so, broke, river, crossing} against {broke, first, river, crossing}: 3 shared of 4.
    bench.reply("So what broke on that river crossing?")
    assert bench.status("q2") == "delivered"


def test_not_played_far_enough_is_released() -> None:
    bench = asked()
    bench.say(f"A river. {Q2}")
    bench.played(2_000, ended=True)
    assert bench.endings() == [("q2", "not_played")]
    assert bench.core.ledger.attempts["a2"].heard_ms == 2_000
    assert heard(bench) == [(Q1, "q1")]


def test_a_reply_without_a_question_wandered() -> None:
    bench = asked()
    bench.reply("A river is a fine thing to grow up with.")
    assert bench.endings() == [("q2", "wandered")]
    assert bench.status("q2") == "available"


def test_a_reply_that_asks_another_planned_question_wandered_and_that_one_is_covered() -> None:
    bench = asked()
    bench.reply(f"A river. {Q3}")
    assert bench.endings() == [("q2", "wandered")]
    assert bench.core.ledger.questions["q3"].covered is not None
    assert bench.events("covered")[-1].known == "matched"
    assert (bench.status("q2"), bench.status("q3")) == ("available", "available")
    assert heard(bench)[-1] == (Q3, "q3")


def test_what_was_not_heard_is_not_covered() -> None:
    bench = asked()
    bench.say(f"A river. {Q3}")
    bench.played(500, ended=True)
    assert bench.core.ledger.questions["q3"].covered is None
    assert heard(bench) == [(Q1, "q1")]


def test_a_question_that_matches_nothing_is_held_unconfirmed_and_remembered() -> None:
    bench = asked()
    bench.reply(f"A river. {SAME_IN_OTHER_WORDS}")
    assert bench.endings() == [("q2", "unconfirmed")]
    assert bench.status("q2") == "held"
    assert heard(bench)[-1] == (SAME_IN_OTHER_WORDS, None)
    assert SAME_IN_OTHER_WORDS in bench.guidance.split("<heard>")[1]


def test_unconfirmed_but_not_heard_to_its_end_is_not_held() -> None:
    bench = asked()
    bench.say(f"A river. {SAME_IN_OTHER_WORDS}")
    bench.played(1_000, ended=True)
    assert bench.endings() == [("q2", "not_played")]
    assert bench.status("q2") == "available"


@pytest.mark.parametrize("status", ["cancelled", "incomplete"])
def test_heard_to_its_end_but_cut_is_held_not_delivered(status: str) -> None:
    bench = asked()
    bench.created()
    bench.audio(4_000)
    bench.words(f"{Q2} You know, it may be")
    bench.wait(3_500)
    bench.played(3_500)
    bench.done(status)
    bench.played(4_000, ended=True)
    assert bench.endings() == [("q2", "cut")]
    assert bench.status("q2") == "held"
    assert heard(bench)[-1][0] == Q2


def test_a_held_question_returns_last_and_as_a_deliberate_return() -> None:
    bench = asked()
    bench.reply(SAME_IN_OTHER_WORDS)
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("The ropes broke.")
    assert f'<ask returning="yes">{Q2}</ask>' in bench.asked_under
    assert "coming back to it" in bench.asked_under


def test_a_held_question_comes_back_at_most_twice() -> None:
    bench = asked()
    outcomes = []
    bench.reply(SAME_IN_OTHER_WORDS)
    for number in range(3):
        bench.decisions.append(ask(Q2, "q2"))
        bench.guest(f"Answer number {number}.")
        outcomes.append(bench.records("decision")[-1]["outcome"])
        bench.wait(300)
        bench.reply(SAME_IN_OTHER_WORDS)
    assert outcomes == ["selected", "selected", "refused"]
    assert [reason for _, reason in bench.endings()] == ["unconfirmed"] * 3


def test_two_questions_in_one_reply_are_told_apart() -> None:
    bench = asked()
    bench.reply(f"{Q2} {Q3}", 8_000)
    assert bench.status("q2") == "delivered"
    assert bench.core.ledger.questions["q3"].covered is not None
    assert heard(bench)[1:] == [(Q2, "q2"), (Q3, "q3")]


def test_a_question_waiting_to_be_asked_is_superseded_when_the_voice_asks_it_by_itself() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.decisions.append(ask(Q2, "q2"))
    bench.say(f"A river! {Q2}", 12_000)
    bench.wait(11_000)
    assert bench.status("q2") == "pending"
    bench.played(12_000, ended=True)
    assert bench.endings() == [("q2", "superseded")]
    assert bench.core.ledger.questions["q2"].covered is not None


def test_the_interviewer_s_turn_holds_what_was_heard_of_it() -> None:
    bench = asked()
    text = "A river is a fine thing. " + Q2
    bench.say(text, 4_000)
    bench.played(2_000, ended=True)
    turn = bench.core.turns[-1]
    assert turn.text == text
    assert turn.heard == text[: len(text) // 2].strip()
    assert (turn.question_id, turn.response_id) == ("q2", bench.response)


def test_a_response_that_is_cut_within_its_question_asked_nothing() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say("Let me go back to the river. I'd love to hear", 4_000, "cancelled")
    bench.hear(4_000)
    assert bench.endings() == [("q2", "cancelled")]
    assert [heard.text for heard in bench.core.ledger.heard] == [Q1]
