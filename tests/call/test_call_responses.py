"""Responses of the service, whatever order their events come in."""

from typing import Any

import pytest

from interviewer.call.core import Core
from interviewer.call.inputs import decode, encode
from tests.call.bench import Q1, Q2, Bench, ask, opened


def asked(**options: Any) -> Bench:
    """q2 was asked for; the service has not answered yet."""
    bench = opened(**options)
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    assert bench.requests[-1] == "question"
    return bench


def cancelled_by_id(bench: Bench) -> list[str]:
    return [event["response_id"] for event in bench.sent("response.cancel")]


# -- binding -----------------------------------------------------------------------------------------------------


def test_the_echoed_metadata_binds_a_response() -> None:
    bench = asked()
    response = bench.created()
    started = bench.events("started")[-1]
    assert (started.question_id, started.evidence["response_id"], started.basis) == ("q2", response, "protocol")


def test_without_metadata_the_order_binds_and_the_evidence_says_inferred() -> None:
    bench = opened(echo=False)
    assert bench.status("q1") == "delivered"
    assert {e.basis for e in bench.events("started")} == {"inferred"}


def test_a_response_that_is_not_ours_is_cancelled_by_its_id_and_never_credited() -> None:
    bench = asked()
    bench.created(id="foreign", metadata=None)
    bench.response = "foreign"
    bench.audio(4_000)
    bench.words(Q2)
    bench.done(metadata=None)
    bench.played(4_000, ended=True)
    assert cancelled_by_id(bench) == ["foreign"]
    assert bench.stopped == ["foreign"]
    assert bench.status("q2") == "pending"
    assert len(bench.core.ledger.heard) == 1
    bench.reply(f"A river. {Q2}")
    assert bench.status("q2") == "delivered"


def test_a_response_nobody_asked_for_is_cancelled() -> None:
    bench = opened()
    bench.created(id="foreign", metadata={"reply": "77"})
    assert cancelled_by_id(bench) == ["foreign"]
    assert len(bench.transcript()) == 1


def test_a_done_without_a_created_counts() -> None:
    bench = asked()
    bench.response, bench.item = "resp_9", "item_9"
    content = [{"type": "output_audio", "transcript": Q2}]
    output = [{"type": "message", "role": "assistant", "id": "item_9", "content": content}]
    bench.done(output=output)
    assert [e.kind for e in bench.core.ledger.events if e.question_id == "q2" and e.attempt_id][:4] == [
        "selected",
        "accepted",
        "started",
        "generated",
    ]


def test_a_doubled_done_and_a_doubled_created_count_once() -> None:
    bench = asked()
    response = bench.say(f"A river. {Q2}")
    before = len(bench.core.ledger.events)
    bench.done()
    bench.frame("response.created", response={"id": response, "metadata": None})
    assert len(bench.core.ledger.events) == before
    bench.hear(4_000)
    assert bench.status("q2") == "delivered"
    assert bench.core.ledger.anomalies == []


def test_the_transcript_of_done_stands_in_for_one_that_did_not_come() -> None:
    bench = asked()
    bench.created()
    bench.audio(4_000)
    content = [{"type": "output_audio", "transcript": f"A river. {Q2}"}]
    bench.done(output=[{"type": "message", "role": "assistant", "id": bench.item, "content": content}])
    bench.hear(4_000)
    assert bench.status("q2") == "delivered"


def test_a_transcript_over_several_items_is_read_whole() -> None:
    bench = asked()
    bench.created()
    bench.audio(2_000)
    bench.words("A river.")
    bench.new_item()
    bench.audio(3_000)
    bench.words(Q2)
    bench.done()
    generated = bench.events("generated")[-1]
    # The question is the whole second item, so it ends with the audio.
    assert (generated.evidence["item_id"], generated.evidence["end_ms"]) == (bench.item, 5_000)
    bench.played(4_749)
    assert bench.status("q2") == "pending"
    bench.played(4_750)
    assert bench.status("q2") == "delivered"
    assert bench.transcript()[-1] == ("interviewer", f"A river. {Q2}")


def test_text_only_counts_as_shown() -> None:
    bench = asked()
    bench.created()
    bench.frame("response.output_text.done", response_id=bench.response, item_id=bench.new_item(), text=Q2)
    bench.done()
    assert bench.status("q2") == "delivered"
    assert bench.events("delivered")[-1].evidence["displayed"] is True


# -- failing -----------------------------------------------------------------------------------------------------


def test_a_refused_request_releases_and_is_asked_again_after_a_second() -> None:
    bench = asked()
    bench.refuse(bench.sent("response.create")[-1]["event_id"], "conversation_already_has_active_response")
    assert bench.endings() == [("q2", "refused")]
    count = len(bench.requests)
    bench.wait(999)
    assert len(bench.requests) == count
    bench.wait(301)
    assert bench.requests[count:] == ["free"]


@pytest.mark.parametrize(("wait_ms", "step"), [(5_000, "requested"), (8_000, "created"), (8_000, "audio")])
def test_a_response_that_stalls_is_given_up(wait_ms: int, step: str) -> None:
    bench = asked()
    if step != "requested":
        bench.created()
    if step == "audio":
        bench.audio(500)
    bench.wait(wait_ms - 1)
    assert bench.status("q2") == "pending"
    bench.wait(1)
    assert bench.endings() == [("q2", "timed_out")]
    assert cancelled_by_id(bench) == ([] if step == "requested" else [bench.response])


def test_a_response_created_after_it_was_given_up_is_cancelled() -> None:
    bench = asked()
    late = bench.sent("response.create")[-1]["response"]["metadata"]
    bench.wait(5_000)
    bench.created(metadata=late)
    assert cancelled_by_id(bench) == [bench.response]
    assert bench.status("q2") == "available"


@pytest.mark.parametrize("status", ["failed", "incomplete", "cancelled"])
def test_a_response_that_did_not_complete_delivers_nothing(status: str) -> None:
    bench = asked()
    bench.say(f"A river. {Q2}", status=status)
    bench.played(1_000, ended=True)
    assert bench.endings() == [("q2", status)]
    assert bench.status("q2") == "available"
    assert bench.core.ledger.attempts["a2"].heard_ms == 1_000


def test_trap_10_a_failed_response_leaves_the_guest_s_microphone_on_and_is_tried_again() -> None:
    bench = asked()
    bench.created()
    bench.done("failed", status_details={"error": {"code": "server_error"}})
    assert bench.microphone
    assert bench.records("reply")[-1]["reason"] == "server_error"
    bench.wait(1_300)
    assert bench.requests[-1] == "free"


def test_replies_that_fail_again_and_again_give_the_guest_the_floor_after_three() -> None:
    bench = asked()
    for _ in range(5):
        if len(bench.requests) > bench._responses:
            bench.created()
            bench.done("failed")
        bench.wait(1_000)
    assert bench.requests == ["opening", "question", "free", "free"]
    bench.guest("Are you there?")
    bench.wait(300)
    assert len(bench.requests) == 5


def test_a_failed_opening_is_tried_again() -> None:
    bench = Bench().ready()
    bench.created()
    bench.done("failed")
    bench.wait(1_000)
    assert bench.requests == ["opening", "opening"]


def test_trap_10_received_is_not_played() -> None:
    bench = asked()
    bench.say(f"A river. {Q2}")
    bench.wait(3_000)
    assert bench.status("q2") == "pending"
    # Nothing more is asked for while the audio plays.
    assert bench.core._replies.active is not None
    bench.played(4_000, ended=True)
    assert bench.status("q2") == "delivered"


def test_a_player_that_never_reports_the_end_is_waited_for_3_seconds_beyond_the_audio() -> None:
    bench = asked()
    bench.say(f"A river. {Q2}")
    bench.played(1_000)
    bench.wait(6_999)
    assert bench.status("q2") == "pending"
    bench.wait(1)
    assert bench.endings() == [("q2", "not_played")]


def test_a_player_that_fails_releases_the_question() -> None:
    bench = asked()
    bench.say(f"A river. {Q2}")
    bench.playback_failed()
    assert bench.endings() == [("q2", "not_played")]


def test_more_played_than_arrived_is_not_believed() -> None:
    bench = asked()
    bench.created()
    bench.audio(1_000)
    bench.words(f"A river. {Q2}")
    bench.played(60_000)
    bench.audio(3_000)
    bench.done()
    assert bench.status("q2") == "pending"
    assert bench.core._replies.active is not None
    assert bench.core._replies.active.played_ms == 1_000


def test_what_is_played_never_falls() -> None:
    bench = asked()
    bench.say(f"A river. {Q2}")
    bench.played(3_900)
    bench.played(100)
    assert bench.status("q2") == "delivered"


def test_the_reply_is_written_down_with_its_times() -> None:
    bench = asked()
    requested = bench.now
    bench.wait(80)
    bench.created()
    bench.wait(200)
    bench.audio(4_000)
    bench.words(f"A river. {Q2}")
    bench.wait(50)
    bench.done(usage={"total_tokens": 12})
    bench.hear(4_000)
    record = bench.records("reply")[-1]
    times = ("requested_ms", "created_ms", "first_audio_ms", "done_ms", "ended_ms")
    assert [record[name] - requested for name in times] == [0, 80, 280, 330, 4_330]
    assert (record["played_ms"], record["total_ms"], record["usage"]) == (4_000, 4_000, {"total_tokens": 12})
    assert Q1 not in record["text"]


def test_a_second_done_for_a_response_that_is_over_changes_nothing_whatever_it_names() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    first = bench.reply(f"A river. {Q2}")
    bench.guest("We fished there.")
    bench.wait(300)
    events = len(bench.core.ledger.events)
    metadata = bench.sent("response.create")[-1]["response"]["metadata"]
    bench.frame("response.done", response={"id": first, "status": "completed", "output": [], "metadata": metadata})
    assert bench.core.ledger.anomalies == []
    assert len(bench.core.ledger.events) == events
    bench.reply("We fished, too.")
    assert bench.transcript()[-1] == ("interviewer", "We fished, too.")


@pytest.mark.parametrize(("since_end_ms", "given_up"), [(2_900, False), (3_100, True)])
def test_sound_that_stalled_may_play_to_its_end(since_end_ms: int, *, given_up: bool) -> None:
    """A second of sound, a stall of five seconds, four more: a player has them played nine seconds after the first."""
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.created()
    bench.audio(1_000)
    bench.wait(5_000)
    bench.audio(4_000)
    bench.words("What was that like?")
    bench.done()
    bench.played(1_500)
    bench.wait(4_000 + since_end_ms)
    assert (bench.response in bench.stopped) is given_up


@pytest.mark.parametrize("odd", ["abc", [1, 2], 1.5, True, 0])
@pytest.mark.parametrize("name", ["usage", "status_details", "output"])
def test_a_response_with_a_field_that_is_something_else_is_heard_all_the_same(name: str, odd: Any) -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(400)
    bench.created()
    bench.audio(2_000)
    bench.words("I see. And then?")
    bench.done(**{name: odd})
    bench.hear(2_000)
    bench.wait(1_000)
    assert bench.records("reply")[-1]["status"] == "completed"
    assert bench.transcript()[-1] == ("interviewer", "I see. And then?")
    again = Core(bench.setup)
    assert [again.step(decode(encode(record))) for record in bench.inputs] == bench.steps
