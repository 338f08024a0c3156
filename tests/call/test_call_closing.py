"""How a call ends."""

from typing import Any

import pytest

from interviewer.call.actions import CloseConnection, End, Send
from interviewer.settings import Settings
from tests.call.bench import PLAN, Bench, opened

QUIET = {"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000}
GOODBYE = "Thank you so much for your stories. Goodbye."


def near_the_end(t_ms: int = 760_000, **options: Any) -> Bench:
    """A quiet call of 840 s in its wrap_up; a free reply was just asked for."""
    bench = opened(call=QUIET, **options)
    bench.until(t_ms - 400)
    bench.guest("I grew up beside a river.", 100)
    bench.wait(300)
    assert bench.requests[-1] == ("closing" if t_ms >= 815_000 else "free")
    return bench


# -- the goodbye -------------------------------------------------------------------------------------------------


def test_a_goodbye_in_wrap_up_stops_the_microphone_at_once_is_heard_out_and_closes_the_socket() -> None:
    bench = near_the_end()
    bench.say(GOODBYE, 5_000)
    assert not bench.microphone
    assert not bench.closed
    assert bench.records("goodbye")[-1]["phrase"] == "thank you so much for"
    bench.hear(5_000)
    assert bench.closed
    bench.drop("closed")
    assert bench.end == "interviewer said goodbye"


def test_a_goodbye_that_is_not_heard_out_is_waited_for_12_seconds() -> None:
    bench = near_the_end()
    bench.say(GOODBYE, 30_000)
    bench.wait(11_999)
    assert not bench.closed
    bench.wait(1)
    assert bench.closed


def test_thanks_for_sharing_in_minute_three_is_no_goodbye() -> None:
    bench = opened(call=QUIET)
    bench.until(180_000)
    bench.guest("I grew up beside a river.", 100)
    bench.wait(300)
    bench.reply("Thanks for sharing that. What a life!")
    assert bench.microphone
    assert not bench.closed
    assert bench.records("ignored")[-1]["what"] == "closing phrase too early"


def test_a_goodbye_counts_in_the_last_60_seconds_though_wrap_up_is_later() -> None:
    for left_ms, counts in ((61_000, False), (59_000, True)):
        bench = opened(call={**QUIET, "wrap_up_from": 0.99})
        bench.until(840_000 - left_ms - 400)
        bench.guest("I grew up beside a river.", 100)
        bench.wait(300)
        bench.say(GOODBYE)
        assert bool(bench.records("goodbye")) is counts


@pytest.mark.parametrize("phrase", Settings().call.closing_phrases["en"])
@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_every_closing_phrase_counts_with_either_apostrophe(phrase: str, apostrophe: str) -> None:
    bench = near_the_end()
    bench.say(f"Well, {phrase.capitalize()} now.".replace("'", apostrophe))
    assert bench.records("goodbye")


def test_closing_phrases_go_by_the_language_of_the_call() -> None:
    bench = near_the_end(plan=PLAN.model_copy(update={"language": "de"}))
    bench.say("Vielen Dank für das Gespräch. Auf Wiederhören!")
    assert bench.records("goodbye")


def test_closing_phrases_are_a_setting() -> None:
    quiet = {**QUIET, "closing_phrases": {"en": ("so long",)}}
    bench = opened(call=quiet)
    bench.until(760_000)
    bench.guest("I grew up beside a river.", 100)
    bench.wait(300)
    bench.say("Goodbye, and so long!")
    assert bench.records("goodbye")[-1]["phrase"] == "so long"


def test_room_noise_after_the_goodbye_gets_no_answer() -> None:
    bench = near_the_end()
    bench.say(GOODBYE, 5_000)
    before = len(bench.requests)
    bench.wait(1_000)
    bench.played(1_000)
    bench.guest("Is the oven on?", 1_500)
    bench.wait(300)
    bench.played(5_000, ended=True)
    bench.wait(2_000)
    assert len(bench.requests) == before
    assert bench.stopped == []
    assert bench.transcript()[-1][0] == "interviewer"


# -- the clock ---------------------------------------------------------------------------------------------------


def test_when_the_time_is_up_one_short_goodbye_is_asked_for_and_the_call_ends_by_itself() -> None:
    bench = opened(call=QUIET)
    bench.until(839_999)
    assert "closing" not in bench.requests
    bench.until(840_000)
    assert bench.requests[-1] == "closing"
    assert "Ask nothing more" in bench.asked_under
    bench.reply(GOODBYE)
    assert bench.closed
    bench.wait(3_000)
    assert bench.end == "time up"


def test_a_guest_turn_that_ends_in_the_last_25_seconds_is_answered_by_the_goodbye() -> None:
    near_the_end(816_000)


def test_a_guest_who_speaks_when_the_time_is_up_has_20_seconds_to_finish() -> None:
    bench = opened(call=QUIET)
    bench.until(835_000)
    bench.starts()
    bench.until(859_999)
    assert "closing" not in bench.requests
    bench.until(860_000)
    assert bench.requests[-1] == "closing"


def test_a_closing_reply_without_a_known_phrase_is_a_goodbye_too() -> None:
    bench = opened(call=QUIET)
    bench.until(840_000)
    bench.reply("It was a joy. Fare well, dear friend.")
    assert bench.closed


def test_a_goodbye_that_fails_is_tried_three_times_and_then_the_call_ends_without_it() -> None:
    bench = opened(call=QUIET)
    bench.until(840_000)
    for _ in range(3):
        assert bench.requests[-1] == "closing"
        bench.created()
        bench.done("failed")
        bench.wait(1_300)
    assert bench.requests.count("closing") == 3
    assert bench.closed


def test_a_service_that_never_closes_is_waited_for_3_seconds() -> None:
    bench = near_the_end()
    bench.reply(GOODBYE)
    closing = bench.now
    bench.until(closing + 2_999)
    assert bench.end is None
    bench.until(closing + 3_000)
    assert bench.end == "interviewer said goodbye"


# -- the guest and the person at the screen ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"), [("I have to stop now, sorry.", "guest: stop"), ("Okay, goodbye!", "guest: goodbye")]
)
def test_the_guest_ends_the_call(text: str, reason: str) -> None:
    bench = opened()
    bench.guest(text)
    assert bench.requests[-1] == "closing"
    bench.reply(GOODBYE)
    bench.drop("closed")
    assert bench.end == reason
    assert bench.records("request")[-1]["text"] == text


def test_end_at_the_screen_ends_at_once() -> None:
    bench = opened()
    bench.command("end")
    assert bench.closed
    bench.drop("closed")
    assert bench.end == "ended at the screen"


def test_a_drop_while_the_goodbye_plays_is_the_end() -> None:
    bench = near_the_end()
    bench.say(GOODBYE, 5_000)
    bench.drop("gone")
    bench.hear(5_000)
    bench.wait(3_000)
    assert bench.end == "interviewer said goodbye"
    assert len(bench.of(End)) == 1


# -- after the call ----------------------------------------------------------------------------------------------


def ended(**options: Any) -> Bench:
    bench = opened(**options)
    bench.guest("I grew up beside a river.", 100)
    bench.agents = False
    bench.jobs.clear()
    bench.command("end")
    bench.drop("closed")
    return bench


def test_after_the_call_the_agents_run_by_themselves_over_the_whole_transcript() -> None:
    bench = ended()
    order = []
    for agents in (["note_taker"], ["analyst", "follow_up"], ["writer"]):
        assert bench.running() == agents
        for agent in agents:
            assert len(bench.open_job(agent).data.turns) == 2  # type: ignore[attr-defined]
            order.append(agent)
            bench.answer(agent, bench.output_of(agent))
    assert bench.end == "ended at the screen"
    assert [len(bench.records(kind)) for kind in ("analysis", "follow_up", "essay")] == [1, 1, 1]
    assert bench.records("status")[-1]["status"] == "done"
    assert bench.core.deadline is None


def test_what_comes_once_the_connection_is_closed_is_put_down_as_an_old_ones_and_changes_no_turn() -> None:
    bench = ended()
    before = bench.transcript()
    item = bench.starts()
    bench.stops(item)
    bench.transcribed(item, "One more thing.")
    assert bench.transcript() == before
    assert [r["what"] for r in bench.records("ignored")][-4:] == ["frame of an old connection"] * 4


def test_the_last_note_taking_pass_knows_that_it_is_the_last() -> None:
    assert ended().open_job("note_taker").data.last is True  # type: ignore[attr-defined]


def test_agents_after_the_call_have_two_minutes_each_and_a_failure_is_told() -> None:
    bench = ended()
    began = bench.now
    bench.until(began + 119_999)
    assert bench.running() == ["note_taker"]
    bench.until(began + 120_000)
    assert bench.running()[-2:] == ["analyst", "follow_up"]
    bench.answer("analyst", None, error="no network")
    bench.answer("follow_up", bench.output_of("follow_up"))
    assert bench.end == "ended at the screen"
    assert "no analysis" in bench.records("status")[-1]["note"]
    assert bench.records("follow_up")


def test_a_call_in_which_the_guest_said_nothing_is_not_analysed() -> None:
    bench = opened()
    bench.command("end")
    bench.drop("closed")
    assert bench.end == "ended at the screen"
    assert bench.records("analysis") == []


def test_nothing_is_sent_once_the_socket_closes() -> None:
    bench = near_the_end()
    bench.reply(GOODBYE)
    place = next(i for i, action in enumerate(bench.actions) if isinstance(action, CloseConnection))
    bench.guest("Is the oven on?", 500)
    bench.wait(20_000)
    assert not [action for action in bench.actions[place:] if isinstance(action, Send)]


def test_an_ended_call_takes_nothing_any_more() -> None:
    bench = opened()
    bench.command("end")
    bench.drop("closed")
    assert bench.core.ended
    assert bench.command("extend", "60000") == []
    assert bench.frame("session.created") == []
    assert bench.core.deadline is None


def test_every_attempt_is_closed_when_the_call_is() -> None:
    bench = opened()
    bench.command("ask", "What colour was it?")
    assert bench.core.ledger.next is not None
    bench.command("end")
    bench.drop("closed")
    assert bench.core.ledger.next is None
    assert bench.core.ledger.current is None
