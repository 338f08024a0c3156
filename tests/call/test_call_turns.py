"""Who has the floor: the guest cuts in, goes on, answers late, or says nothing."""

import pytest

from tests.call.bench import Q1, Q2, Bench, ask, opened


def speaking(**options: object) -> Bench:
    """The voice is one second into a free reply of six; it is 8.3 s."""
    bench = opened(**options)
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.say("A river! I always wanted to live by one, with a boat and everything.", 6_000)
    bench.wait(1_000)
    bench.played(1_000)
    return bench


def requested(bench: Bench) -> int:
    return len(bench.requests)


# -- cutting in --------------------------------------------------------------------------------------------------


def test_speech_of_700_ms_over_the_voice_stops_it() -> None:
    bench = speaking()
    bench.mic(True)
    bench.wait(200)
    bench.starts()
    bench.wait(499)
    assert bench.stopped == []
    bench.wait(1)
    assert bench.stopped == [bench.response]


def test_without_the_microphone_s_own_edge_the_service_s_silence_is_allowed_for() -> None:
    bench = speaking()
    bench.starts()
    # 700 ms and the 1,200 ms of silence after which the service says that speech stopped.
    bench.wait(1_899)
    assert bench.stopped == []
    bench.wait(1)
    assert bench.stopped == [bench.response]


def test_mm_hm_neither_stops_the_voice_nor_asks_for_a_reply() -> None:
    bench = speaking()
    before = requested(bench)
    bench.mic(True)
    item = bench.starts()
    bench.wait(400)
    bench.mic(False)
    bench.wait(1_200)
    bench.stops(item)
    bench.transcribed(item, "Mm-hm.")
    bench.wait(1_000)
    assert bench.stopped == []
    assert requested(bench) == before
    bench.played(6_000, ended=True)
    bench.wait(1_000)
    assert requested(bench) == before


@pytest.mark.parametrize(("left_ms", "answered"), [(500, True), (900, False)])
def test_a_yes_that_begins_as_the_question_ends_is_an_answer(left_ms: int, *, answered: bool) -> None:
    bench = opened()
    bench.mic(False)
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.say("A river! And did you have a boat?", 4_000)
    bench.wait(4_000 - left_ms)
    bench.played(4_000 - left_ms)
    before = requested(bench)
    bench.mic(True)
    item = bench.starts()
    bench.wait(350)
    bench.mic(False)
    bench.wait(left_ms)
    bench.played(4_000, ended=True)
    bench.wait(1_200)
    bench.stops(item)
    bench.transcribed(item, "Yes.")
    bench.wait(400)
    assert bench.stopped == []
    assert (requested(bench) > before) is answered


def test_long_backchannel_words_do_not_stop_the_voice_either() -> None:
    bench = speaking()
    bench.mic(True)
    item = bench.starts()
    bench.frame("conversation.item.input_audio_transcription.delta", item_id=item, delta="Yeah, right, right")
    bench.wait(1_500)
    assert bench.stopped == []


def test_a_response_that_was_cut_is_truncated_at_what_was_played() -> None:
    bench = speaking()
    bench.mic(True)
    bench.starts()
    bench.wait(700)
    bench.played(1_650, ended=True)
    (truncate,) = bench.sent("conversation.item.truncate")
    assert (truncate["item_id"], truncate["audio_end_ms"], truncate["content_index"]) == (bench.item, 1_650, 0)
    (cut,) = [turn for turn in bench.core.turns if turn.response_id == bench.response]
    assert cut.heard.startswith("A river!")
    assert len(cut.heard) < len(cut.text)


def test_a_response_that_is_still_made_is_cancelled_by_its_id() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.created()
    bench.audio(6_000)
    bench.wait(1_000)
    bench.played(1_000)
    bench.mic(True)
    bench.starts()
    bench.wait(700)
    assert [event["response_id"] for event in bench.sent("response.cancel")] == [bench.response]
    bench.played(1_700, ended=True)
    bench.done("cancelled", status_details={"reason": "client_cancelled"})
    assert bench.records("reply")[-1]["status"] == "cancelled"


def test_what_the_guest_says_over_the_voice_is_answered() -> None:
    bench = speaking()
    bench.mic(True)
    item = bench.starts()
    bench.wait(700)
    bench.played(1_650, ended=True)
    bench.wait(2_000)
    bench.mic(False)
    bench.wait(1_200)
    bench.stops(item)
    bench.transcribed(item, "Wait, it was a canal.")
    bench.wait(300)
    assert bench.requests[-2:] == ["free", "free"]


# -- going on ----------------------------------------------------------------------------------------------------


def test_a_guest_who_goes_on_before_the_reply_is_heard_cancels_it_and_its_question_waits_again() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say(f"A river. {Q2}")
    bench.starts()
    assert bench.stopped == [bench.response]
    assert bench.endings() == [("q2", "cancelled")]
    assert bench.status("q2") == "pending"


def test_a_guest_who_goes_on_before_the_response_is_created_cancels_it_when_it_shows_up() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    item = bench.starts()
    assert bench.sent("response.cancel") == []
    bench.created()
    assert [event["response_id"] for event in bench.sent("response.cancel")] == [bench.response]
    bench.done("cancelled")
    bench.wait(500)
    bench.stops(item)
    bench.transcribed(item, "And the ropes.")
    assert bench.requests == ["opening", "question", "question"]
    bench.reply(f"The ropes. {Q2}")
    assert bench.status("q2") == "delivered"


def test_adjacent_commits_are_one_turn() -> None:
    bench = opened()
    bench.guest("I grew up")
    bench.guest("beside a river.")
    assert bench.transcript() == [
        ("interviewer", f"Welcome. {Q1}"),
        ("guest", "I grew up beside a river."),
    ]
    bench.wait(300)
    assert bench.requests == ["opening", "free"]


# -- transcripts -------------------------------------------------------------------------------------------------


def test_trap_9_a_late_transcript_stands_before_the_next_question() -> None:
    bench = opened()
    item = bench.starts()
    bench.wait(3_000)
    bench.stops(item)
    bench.wait(300)
    bench.reply("Go on.")
    bench.transcribed(item, "I grew up beside a river.")
    assert [text for _, text in bench.transcript()] == [f"Welcome. {Q1}", "I grew up beside a river.", "Go on."]


def test_transcripts_in_the_wrong_order_find_their_places() -> None:
    bench = opened()
    items = []
    for _ in range(2):
        items.append(bench.starts())
        bench.wait(1_000)
        bench.stops(items[-1])
        bench.wait(300)
        bench.reply("Go on.")
    bench.transcribed(items[1], "Second.")
    bench.transcribed(items[0], "First.")
    assert [text for speaker, text in bench.transcript() if speaker == "guest"] == ["First.", "Second."]


def test_a_turn_that_cannot_be_transcribed_is_inaudible_and_still_answered() -> None:
    bench = opened()
    item = bench.starts()
    bench.wait(1_000)
    bench.stops(item)
    bench.frame("conversation.item.input_audio_transcription.failed", item_id=item, error={"code": "x"})
    assert bench.core.turns[-1].state == "inaudible"
    bench.wait(300)
    assert bench.requests[-1] == "free"


def test_an_empty_transcript_and_one_that_never_comes_are_inaudible() -> None:
    bench = opened()
    for text in ("  ", None):
        item = bench.starts()
        bench.stops(item)
        bench.transcribed(item, text) if text is not None else bench.wait(10_000)
        assert bench.core.turns[-1].state == "inaudible"
        bench.wait(300)


def test_a_transcript_after_all_mends_an_inaudible_turn() -> None:
    bench = opened()
    item = bench.starts()
    bench.stops(item)
    bench.wait(10_000)
    bench.transcribed(item, "I grew up beside a river.")
    assert [t.text for t in bench.core.turns if t.speaker == "guest"] == ["I grew up beside a river."]


# -- silence -----------------------------------------------------------------------------------------------------


def test_a_silent_guest_is_nudged_after_20_s_offered_a_pause_after_40_more_and_let_go_after_3_minutes() -> None:
    bench = opened()
    quiet = bench.now
    bench.until(quiet + 19_999)
    assert bench.requests == ["opening"]
    bench.until(quiet + 20_000)
    assert bench.requests == ["opening", "nudge"]
    bench.reply("Take your time.", 2_000)
    bench.until(quiet + 22_000 + 39_999)
    assert bench.requests == ["opening", "nudge"]
    bench.until(quiet + 22_000 + 40_000)
    assert bench.requests == ["opening", "nudge", "nudge"]
    assert "pause" in bench.asked_under
    bench.reply("Shall we pause or end here?", 2_000)
    bench.until(quiet + 179_999)
    assert len(bench.requests) == 3
    bench.until(quiet + 180_000)
    assert bench.requests[3:] == ["closing"]
    bench.run(30_000)
    assert bench.end == "silent guest"


def test_a_guest_who_speaks_is_not_nudged() -> None:
    bench = opened()
    bench.wait(19_000)
    item = bench.starts()
    bench.wait(30_000)
    assert bench.requests == ["opening"]
    bench.stops(item)
    bench.transcribed(item, "It is a long story.")
    bench.wait(300)
    assert bench.requests == ["opening", "free"]


def test_silence_counts_from_the_end_of_the_voice() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.reply("A river!", 15_000)
    over = bench.now
    bench.until(over + 19_999)
    assert bench.requests[-1] == "free"
    bench.until(over + 20_000)
    assert bench.requests[-1] == "nudge"


def test_typed_words_are_a_turn_and_answered() -> None:
    bench = opened()
    bench.command("type", "I grew up beside a river.")
    (item,) = bench.sent("conversation.item.create")
    assert item["item"]["content"] == [{"type": "input_text", "text": "I grew up beside a river."}]
    assert bench.transcript()[-1] == ("guest", "I grew up beside a river.")
    bench.wait(300)
    assert bench.requests[-1] == "free"
