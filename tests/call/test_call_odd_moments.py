"""Moments at which a call easily goes wrong."""

from typing import Any

import pytest

from interviewer.call.actions import CloseConnection, Connect, Send
from interviewer.call.inputs import Begin, Connected, Frame
from interviewer.call.requests import guest_request
from tests.call.bench import Q1, Q2, Q3, Bench, ask, opened


def accepted_while_the_voice_speaks() -> Bench:
    """q2 is being heard; q3 was chosen and accepted before q2 was heard out."""
    bench = opened()
    bench.decisions += [ask(Q2, "q2"), ask(Q3, "q3")]
    bench.guest("I grew up beside a river.")
    bench.say(f"A river. {Q2}", 12_000)
    for second in range(1, 12):
        bench.wait(1_000)
        bench.played(second * 1_000)
    assert [e.question_id for e in bench.events("accepted")] == ["q1", "q2", "q3"]
    assert bench.status("q2") == "pending"
    bench.wait(1_000)
    bench.played(12_000, ended=True)
    assert bench.status("q2") == "delivered"
    return bench


def test_a_reply_is_told_of_the_question_heard_after_its_own_was_accepted() -> None:
    bench = accepted_while_the_voice_speaks()
    bench.guest("The ropes broke.")
    assert bench.requests[-1] == "question"
    assert f"<ask>{Q3}</ask>" in bench.asked_under
    assert f"- {Q2}" in bench.asked_under


def test_a_question_that_was_heard_is_not_asked_again_under_a_new_id() -> None:
    bench = opened()
    bench.decisions.append(ask(Q1, None, "gap"))
    bench.guest("I grew up beside a river.")
    assert bench.records("decision")[-1]["outcome"] == "refused"
    bench.wait(300)
    assert bench.requests[-1] == "free"


def test_trap_4_a_must_ask_accepted_before_the_lock_is_asked_under_the_lock() -> None:
    bench = opened(call={"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000})
    bench.until(697_000)
    bench.guest("I grew up beside a river.", 100)
    bench.wait(300)
    bench.decisions.append(ask(Q2, "q2"))
    bench.reply("Mm.")
    bench.until(713_000)
    assert bench.status("q2") == "pending"
    bench.until(715_000)
    assert bench.phase == "wrap_up"
    bench.guest("And that was that.")
    assert f"<ask>{Q2}</ask>" in bench.asked_under
    assert "<phase>wrap_up</phase>" in bench.asked_under


def test_a_cycle_longer_than_ten_seconds_leaves_the_core_waiting_for_a_time_to_come() -> None:
    bench = opened(agents=False)
    bench.guest("I grew up beside a river.", 100)
    started = bench.now
    bench.until(started + 7_900)
    bench.listened()
    bench.until(started + 12_000)
    assert bench.running() == ["orchestrator"]
    assert bench.core.deadline is not None
    assert bench.core.deadline > bench.now


def test_an_extended_call_does_not_say_the_goodbye_it_was_about_to_say() -> None:
    bench = opened(call={"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000})
    bench.until(830_000)
    item = bench.starts()
    bench.until(845_000)
    bench.command("extend", "300000")
    bench.stops(item)
    bench.transcribed(item, "And that was that.")
    bench.wait(300)
    assert bench.requests[-1] == "free"


def test_a_long_pause_is_no_silence_of_the_guest() -> None:
    bench = opened()
    bench.command("pause")
    bench.wait(600_000)
    bench.command("resume")
    bench.wait(10_000)
    assert bench.requests == ["opening"]
    assert not bench.closed


def test_a_spoken_reply_without_any_sound_was_not_heard() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.created()
    bench.words(f"A river. {Q2}")
    bench.done()
    assert bench.status("q2") == "available"
    assert [h.text for h in bench.core.ledger.heard] == [Q1]


def speaking() -> Bench:
    """The voice is one second into a free reply of six."""
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.say("A river! I always wanted to live by one, with a boat and everything.", 6_000)
    bench.wait(1_000)
    bench.played(1_000)
    return bench


def test_mm_hm_whose_silence_outlasts_the_playback_asks_for_no_reply() -> None:
    bench = speaking()
    bench.wait(4_000)
    bench.played(5_000)
    bench.mic(True)
    item = bench.starts()
    bench.wait(400)
    bench.mic(False)
    bench.wait(600)
    bench.played(6_000, ended=True)
    bench.wait(600)
    bench.stops(item)
    bench.transcribed(item, "Mm-hm.")
    bench.wait(1_000)
    assert bench.requests == ["opening", "free"]


def test_a_guest_who_breathes_while_cutting_in_still_stops_the_voice() -> None:
    bench = speaking()
    bench.mic(True)
    bench.starts()
    bench.wait(400)
    bench.mic(False)
    bench.wait(200)
    bench.mic(True)
    bench.wait(1_000)
    assert bench.stopped == [bench.response]


def test_a_guest_who_goes_on_after_the_response_was_created_speaks_one_turn() -> None:
    bench = opened()
    bench.guest("I grew up")
    bench.wait(300)
    bench.created()
    bench.guest("beside a river.")
    assert [t.text for t in bench.core.turns if t.speaker == "guest"] == ["I grew up beside a river."]


def test_skip_that_while_a_question_is_being_asked_means_that_question() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say(f"A river. {Q2}", 6_000)
    bench.wait(3_000)
    bench.played(3_000)
    bench.mic(True)
    item = bench.starts()
    bench.wait(700)
    bench.played(3_700, ended=True)
    bench.mic(False)
    bench.wait(1_200)
    bench.stops(item)
    bench.transcribed(item, "Can we skip that one?")
    assert bench.core.ledger.questions["q2"].declined is not None
    assert bench.core.ledger.questions["q1"].declined is None


def test_trap_9_what_is_said_over_a_reply_stands_after_it() -> None:
    bench = speaking()
    bench.mic(True)
    item = bench.starts()
    bench.wait(700)
    bench.played(1_700, ended=True)
    bench.mic(False)
    bench.wait(1_200)
    bench.stops(item)
    bench.transcribed(item, "Wait, it was a canal.")
    assert [(t.speaker, t.text[:13]) for t in bench.core.turns[1:]] == [
        ("guest", "I grew up bes"),
        ("interviewer", "A river! I al"),
        ("guest", "Wait, it was "),
    ]


def reconnect(bench: Bench) -> None:
    while bench.of(Connect)[-1].epoch == bench.epoch:
        bench.until(max(bench.now, bench.core.deadline or 0))
    bench.connect()


def test_a_guest_who_was_cut_off_in_mid_sentence_is_spoken_to_after_the_reconnect() -> None:
    bench = opened()
    bench.starts()
    bench.wait(2_000)
    bench.drop()
    reconnect(bench)
    assert bench.requests[-1] == "resume"


def test_nothing_is_sent_while_there_is_no_session() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say(f"A river. {Q2}")
    bench.drop()
    place = len(bench.actions)
    bench.played(4_000, ended=True)
    bench.command("ask", "What colour was it?")
    bench.command("type", "It was brown.")
    bench.wait(10_000)
    assert not [action for action in bench.actions[place:] if isinstance(action, Send)]


def test_a_muted_microphone_stays_off_through_a_reconnect() -> None:
    bench = opened()
    bench.command("mute")
    bench.drop()
    reconnect(bench)
    assert not bench.microphone


def test_the_microphone_stays_off_after_the_goodbye() -> None:
    bench = opened(call={"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000})
    bench.until(840_000)
    bench.say("Thank you so much for your time. Goodbye.")
    assert not bench.microphone
    bench.command("unmute")
    bench.command("resume")
    assert not bench.microphone


def test_a_connection_that_is_given_up_is_closed() -> None:
    bench = Bench()
    bench.step(Begin(0))
    bench.step(Connected(0, 1))
    bench.until(16_000)
    assert CloseConnection(1) in bench.actions


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "response.output_audio.delta"},
        {"type": "response.output_audio.delta", "response_id": "resp_2"},
        {"type": "response.output_audio.delta", "response_id": "resp_2", "item_id": "i", "audio_ms": "x"},
        {"type": "response.output_audio_transcript.delta", "response_id": "resp_2", "item_id": "i"},
        {"type": ["response.done"]},
        {},
    ],
    ids=str,
)
def test_a_malformed_delta_is_harmless(frame: dict[str, Any]) -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.created()
    bench.step(Frame(bench.now, 1, frame))
    bench.audio(2_000)
    bench.words("A river!")
    bench.done()
    bench.hear(2_000)
    assert bench.transcript()[-1] == ("interviewer", "A river!")
    assert "malformed frame" in [r["what"] for r in bench.records("ignored")] or "type" not in frame


def test_a_click_that_makes_no_sense_is_harmless() -> None:
    bench = opened()
    bench.command("extend", "soon")
    assert bench.core.target_ms == 840_000
    bench.command("ask", " ")
    bench.command("type", "")
    assert [r["what"] for r in bench.records("ignored")][-2:] == ["ask without words", "type without words"]


def test_half_a_character_in_a_click_is_a_question_mark() -> None:
    bench = opened()
    bench.command("type", "A \ud800 river.")
    assert bench.transcript()[-1] == ("guest", "A ? river.")


@pytest.mark.parametrize(
    "text",
    [
        "I have to leave the house at five every morning.",
        "I should run the numbers again some day.",
        "I have to run the whole yard by myself.",
        "Take care of your ropes and they take care of you.",
        "We always skip this step in winter.",
        "The next question was who would pay for it.",
    ],
)
def test_a_story_is_no_request(text: str) -> None:
    assert guest_request(text) is None


def test_a_guest_who_says_skip_twice_declines_once() -> None:
    bench = opened()
    bench.guest("Can we skip that?")
    bench.guest("Please skip that one.")
    assert len(bench.events("declined")) == 1
    assert bench.core.ledger.anomalies == []


def test_a_click_after_the_call_selects_and_sends_nothing() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.agents = False
    bench.command("end")
    bench.drop("closed")
    place = len(bench.actions)
    bench.command("ask", "What colour was it?")
    bench.command("type", "It was brown.")
    assert bench.core.ledger.next is None
    assert not [action for action in bench.actions[place:] if isinstance(action, Send)]


def test_stop_while_a_question_is_asked_for_closes_its_attempt_in_the_ledger_too() -> None:
    bench = opened()
    bench.command("ask", Q2)
    item = bench.starts()
    bench.wait(3_000)
    bench.stops(item)
    assert bench.requests[-1] == "question"
    bench.transcribed(item, "I have to stop now.")
    bench.say("Which fish did you catch?", 2_000)
    bench.played(2_000, ended=True)
    assert bench.core.ledger.anomalies == []
    assert bench.status("q2") == "available"


def test_must_asks_are_counted_anew_after_an_extension() -> None:
    bench = opened(call={"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000, "must_asks": 1})
    bench.until(720_000)
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.", 100)
    bench.say("Mm. Ropes.", 1_000)
    bench.played(1_000, ended=True)
    bench.command("extend", "600000")
    bench.until(1_230_000)
    assert bench.phase == "wrap_up"
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("It was the ropes.", 100)
    assert bench.records("decision")[-1]["outcome"] == "selected"
