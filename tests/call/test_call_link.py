"""The connection: time-outs, drops, epochs."""

from typing import Any

from interviewer.call.actions import CloseConnection, Connect, Send
from interviewer.call.inputs import Begin, Connected, Frame
from interviewer.memory.earlier import Earlier
from interviewer.model.notes import Idea, Notes
from tests.call.bench import Q1, Q2, Bench, ask, opened

EARLIER = Earlier(notes=Notes(ideas=(Idea(id="i1", text="rivers are teachers", quote="", turn="t1"),)))


def epochs(bench: Bench) -> list[int]:
    return [action.epoch for action in bench.of(Connect)]


def reconnect(bench: Bench) -> None:
    """The newest connection that was asked for comes about."""
    while epochs(bench)[-1] == bench.epoch:
        bench.until(max(bench.now, bench.core.deadline or 0))
    bench.connect()


def test_a_session_begins_with_one_connection() -> None:
    bench = Bench()
    bench.step(Begin(0))
    assert epochs(bench) == [1]
    bench.step(Begin(0))
    assert epochs(bench) == [1]


def test_nothing_is_sent_before_the_session_is_created() -> None:
    bench = Bench()
    bench.step(Begin(0))
    bench.step(Connected(0, 1))
    bench.wait(5_000)
    assert bench.of(Send) == []


def test_trap_12_connecting_is_given_up_after_15_seconds_and_tried_five_times_more() -> None:
    bench = Bench()
    bench.step(Begin(0))
    bench.until(14_999)
    assert bench.records("status")[-1]["status"] == "connecting"
    bench.until(15_000)
    assert bench.records("status")[-1] == {"status": "disconnected", "epoch": 1, "reason": "no session in time"}
    bench.until(300_000)
    assert epochs(bench) == [1, 2, 3, 4, 5, 6]
    assert bench.end == "the connection could not be made"


def test_trap_12_a_connection_that_is_refused_again_and_again_ends_the_call() -> None:
    bench = Bench()
    bench.step(Begin(0))
    while bench.end is None:
        bench.epoch = epochs(bench)[-1]
        bench.drop("refused")
        bench.wait(5_000)
    assert len(epochs(bench)) == 6
    assert bench.end == "disconnected"


def test_pauses_between_tries_grow() -> None:
    bench = Bench()
    bench.step(Begin(0))
    pauses = []
    for _ in range(5):
        bench.epoch = epochs(bench)[-1]
        bench.drop("refused")
        assert bench.core.deadline is not None
        pauses.append(bench.core.deadline - bench.now)
        bench.until(bench.core.deadline)
    # Half to all of 500 ms, doubling up to eight times it.
    for pause, most in zip(pauses, (500, 1_000, 2_000, 4_000, 4_000), strict=True):
        assert most // 2 <= pause <= most


def first_pause(unix_s: int) -> int:
    bench = Bench()
    bench.step(Begin(0, unix_s))
    bench.epoch = 1
    bench.drop("refused")
    assert bench.core.deadline is not None
    return bench.core.deadline - bench.now


def test_calls_that_lose_their_service_at_once_do_not_come_back_at_once() -> None:
    pauses = [first_pause(unix_s) for unix_s in range(1_796_000_000, 1_796_000_040)]
    assert pauses == [first_pause(unix_s) for unix_s in range(1_796_000_000, 1_796_000_040)]  # a replay waits as long
    # Drawn evenly from 250 to 500 ms.
    assert all(250 <= pause <= 500 for pause in pauses)
    assert len(set(pauses)) > 25
    assert (min(pauses) < 300, max(pauses) > 450) == (True, True)


def test_trap_12_an_error_of_the_service_never_ends_the_call() -> None:
    bench = opened()
    for error in ({"type": "server_error", "code": None, "event_id": None}, {}, None):
        bench.frame("error", error=error)
    bench.frame("error")
    assert bench.end is None
    assert not bench.closed
    assert len([r for r in bench.records("ignored") if r["what"] == "error of the service"]) == 4
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    assert bench.requests[-1] == "free"


def test_trap_11_a_reconnect_keeps_transcript_memory_and_clock() -> None:
    bench = opened(earlier=EARLIER)
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.reply("A river!")
    bench.until(60_000)
    bench.run(0)
    bench.drop()
    reconnect(bench)
    assert epochs(bench) == [1, 2]
    assert bench.transcript()[:2] == [("interviewer", f"Welcome. {Q1}"), ("guest", "I grew up beside a river.")]
    bench.until(120_000)
    bench.tick()
    assert bench.core.elapsed_ms == 120_000
    assert "rivers are teachers" in bench.guidance


def test_trap_11_the_new_session_is_told_what_was_said_and_the_voice_picks_up() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.reply("A river!")
    bench.drop()
    reconnect(bench)
    told = [
        (event["item"]["role"], event["item"]["content"][0]["type"], event["item"]["content"][0]["text"])
        for event in bench.sent("conversation.item.create")
    ]
    assert told == [
        ("assistant", "output_text", f"Welcome. {Q1}"),
        ("user", "input_text", "I grew up beside a river."),
        ("assistant", "output_text", "A river!"),
    ]
    assert bench.requests[-1] == "resume"
    first = bench.sent("session.update")[-1]["session"]
    assert first["audio"]["input"]["turn_detection"]["create_response"] is False


def test_a_disconnect_releases_what_waits_and_what_has_no_done() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.created()
    bench.audio(4_000)
    bench.command("ask", "What colour was it?")
    bench.drop()
    assert sorted(bench.endings()) == [("q2", "disconnected"), ("u1", "disconnected")]
    assert bench.core.ledger.next is None
    assert bench.core.ledger.current is None


def test_finished_audio_plays_on_through_a_disconnect_and_is_delivered() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.say(f"A river. {Q2}")
    bench.drop()
    assert bench.status("q2") == "pending"
    bench.played(4_000, ended=True)
    assert bench.status("q2") == "delivered"


def test_frames_and_drops_of_an_old_connection_change_nothing() -> None:
    bench = opened()
    bench.drop()
    reconnect(bench)
    events = len(bench.core.ledger.events)
    transcript = bench.transcript()
    old: list[dict[str, Any]] = [
        {"type": "input_audio_buffer.speech_started", "item_id": "x"},
        {"type": "input_audio_buffer.committed", "item_id": "x"},
        {"type": "response.output_audio.delta", "response_id": "x", "item_id": "y", "audio_ms": 20},
        {"type": "response.created", "response": {"id": "x", "metadata": None}},
        {"type": "session.updated", "session": {}},
    ]
    for frame in old:
        bench.step(Frame(bench.now, 1, frame))
    current, bench.epoch = bench.epoch, 1
    bench.drop("again")
    bench.epoch = current
    assert len(bench.core.ledger.events) == events
    assert bench.transcript() == transcript
    assert epochs(bench) == [1, 2]


def test_a_reconnect_before_the_opening_opens_again() -> None:
    bench = Bench(acks=False).begin()
    bench.drop()
    bench.acks = True
    reconnect(bench)
    assert bench.requests == ["opening"]
    bench.reply(f"Welcome. {Q1}")
    assert bench.status("q1") == "delivered"
    assert bench.endings() == [("q1", "disconnected")]


def test_too_many_drops_in_a_row_end_the_call_and_a_good_connection_starts_the_count_again() -> None:
    bench = opened()
    for _ in range(7):
        bench.drop()
        reconnect(bench)
    assert bench.end is None
    assert not bench.of(CloseConnection)


def test_a_first_update_that_is_lost_or_refused_is_sent_again_whole() -> None:
    for refused in (False, True):
        bench = Bench(acks=False).begin()
        if refused:
            bench.refuse(bench.sent("session.update")[0]["event_id"])
        else:
            bench.wait(3_000)
        first, second = bench.sent("session.update")
        assert second["session"]["audio"] == first["session"]["audio"]
        bench.ack()
        assert bench.requests == ["opening"]


def test_frames_that_were_on_their_way_when_the_connection_went_change_nothing() -> None:
    bench = Bench(acks=False).begin()
    update = bench.sent("session.update")[-1]["session"]
    bench.drop()
    bench.wait(80)
    bench.frame("session.updated", session=update)
    assert bench.requests == []
    assert bench.events("accepted") == []
    bench.drop("again")
    assert [r["status"] for r in bench.records("status")].count("disconnected") == 1


def test_no_new_connection_is_made_while_the_call_ends() -> None:
    bench = opened()
    bench.drop()
    bench.command("end")
    bench.wait(60_000)
    assert epochs(bench) == [1]
    assert bench.end == "ended at the screen"


def ageing(seconds: int) -> Bench:
    """An opened call whose session ends after so many seconds."""
    bench = Bench(call={"target_ms": 900_000, "silence_ends_ms": 900_000})
    bench.step(Begin(0))
    bench.epoch = 1
    bench.step(Connected(0, 1))
    bench.frame("session.created", session={"type": "realtime", "expires_at": seconds})
    bench.reply(f"Welcome. {Q1}")
    return bench


def test_a_session_is_renewed_before_its_end_while_a_reply_is_being_played() -> None:
    bench = ageing(400)
    bench.run(299_000)
    bench.guest("I grew up beside a river.", 2_000)
    bench.wait(300)
    bench.say(f"A river. {Q2}", 6_000)
    # A quarter of its life before the end, since that is less than the two minutes of the setting.
    bench.tick()
    assert epochs(bench) == [1, 2]
    said = len(bench.requests)
    bench.connect()
    assert bench.records("status")[-1] == {"status": "live", "epoch": 2}
    assert len(bench.requests) == said, "nobody was cut off, so nobody says so"
    assert bench.sent("conversation.item.create")[0]["item"]["content"][0]["text"] == f"Welcome. {Q1}"
    bench.played(6_000, ended=True)
    assert bench.transcript()[-1] == ("interviewer", f"A river. {Q2}")


def test_a_session_is_not_renewed_while_the_guest_speaks() -> None:
    bench = ageing(400)
    bench.run(299_000)
    item = bench.starts()
    bench.wait(60_000)
    bench.tick()
    assert epochs(bench) == [1]
    bench.stops(item)


def test_a_service_that_does_not_say_when_a_session_ends_is_taken_to_mean_an_hour() -> None:
    bench = Bench(call={"target_ms": 3_600_000, "silence_ends_ms": 4_000_000}).ready()
    bench.reply(f"Welcome. {Q1}")
    bench.run(3_400_000)
    assert epochs(bench) == [1]
    bench.run(150_000)
    assert epochs(bench) == [1, 2]
