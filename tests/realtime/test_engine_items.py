"""Conversation items: seeded, retrieved, deleted, truncated; and the session they live in."""

from typing import Any

import pytest

from interviewer.realtime.engine.brain import Line
from tests.realtime.engine_bench import Bench, error_of, speech_ms, types

REPLY = "abcdefghij" * 4  # 40 characters, 2800 ms.


def spoken() -> tuple[Bench, str]:
    """A bench after one reply, and the id of its item."""
    bench = Bench(REPLY, "Next.")
    bench.send("response.create")
    bench.until("response.done")
    return bench, bench.engine.voiced[0].item_id


def lines(bench: Bench) -> tuple[Line, ...]:
    """What the model sees now."""
    bench.send("response.create")
    bench.run(5_000)
    return bench.brain.requests[-1].lines


def test_an_item_keeps_the_clients_id_and_names_its_predecessor() -> None:
    bench = Bench()
    bench.write("One.", id="item_mine_1")
    added, done = bench.write("Two.", id="item_mine_2")

    assert types([added, done]) == ["conversation.item.added", "conversation.item.done"]
    for frame in (added, done):
        assert frame["previous_item_id"] == "item_mine_1"
        assert frame["item"]["id"] == "item_mine_2"


def test_items_are_seen_in_their_order() -> None:
    bench = Bench()
    bench.write("Two.", id="two")
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Three."}]}
    bench.send("conversation.item.create", item=item, previous_item_id="two")
    item = {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "One."}]}
    bench.send("conversation.item.create", item=item, previous_item_id="root")

    assert lines(bench) == (Line("system", "One."), Line("user", "Two."), Line("assistant", "Three."))


def test_a_deleted_item_is_gone() -> None:
    bench = Bench()
    bench.write("One.", id="one")
    bench.write("Two.", id="two")

    assert types(bench.send("conversation.item.delete", item_id="one")) == ["conversation.item.deleted"]
    assert lines(bench) == (Line("user", "Two."),)
    assert error_of(bench.send("conversation.item.retrieve", item_id="one"))["code"] == "item_retrieve_invalid_item_id"


def test_a_reply_can_be_retrieved() -> None:
    bench, item_id = spoken()
    (frame,) = bench.send("conversation.item.retrieve", item_id=item_id)

    assert frame["item"]["status"] == "completed"
    assert frame["item"]["content"] == [{"type": "output_audio", "transcript": REPLY}]


@pytest.mark.parametrize(("played_ms", "kept"), [(0, ""), (700, "abcdefghij"), (1_400, "abcdefghij" * 2)])
def test_a_truncated_reply_is_known_as_far_as_it_was_played(played_ms: int, kept: str) -> None:
    bench, item_id = spoken()
    sent = bench.send("conversation.item.truncate", item_id=item_id, content_index=0, audio_end_ms=played_ms)

    assert types(sent) == ["conversation.item.truncated"]
    assert sent[0]["audio_end_ms"] == played_ms
    assert lines(bench) == (Line("assistant", kept),)
    (frame,) = bench.send("conversation.item.retrieve", item_id=item_id)
    assert frame["item"]["content"][0]["transcript"] is None, "the service drops the transcript of a cut item"


def test_truncating_past_the_end_is_refused_and_changes_nothing() -> None:
    bench, item_id = spoken()
    end_ms = speech_ms(REPLY)

    past = {"item_id": item_id, "content_index": 0, "audio_end_ms": end_ms + 1}
    refused = error_of(bench.send("conversation.item.truncate", **past))
    assert refused["message"] == f"Audio content of {end_ms}ms is already shorter than {end_ms + 1}ms"
    at_end = {**past, "audio_end_ms": end_ms}
    assert types(bench.send("conversation.item.truncate", **at_end)) == ["conversation.item.truncated"]
    assert lines(bench) == (Line("assistant", REPLY),)


def test_only_the_models_sound_can_be_truncated() -> None:
    bench = Bench()
    bench.write("One.", id="one")
    sent = bench.send("conversation.item.truncate", item_id="one", content_index=0, audio_end_ms=0)

    assert error_of(sent)["message"] == "Only model output audio messages can be truncated"


TEXT = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}
SOUND = {"type": "message", "role": "assistant", "content": [{"type": "output_audio", "transcript": "x"}]}


@pytest.mark.parametrize(
    ("event", "code", "param"),
    [
        ({"type": "no.such.event"}, "invalid_value", "type"),
        ({}, "missing_required_parameter", "type"),
        ({"type": 7}, "invalid_type", "type"),
        ({"type": "conversation.item.create"}, "missing_required_parameter", "item"),
        ({"type": "conversation.item.create", "item": {"type": "poem"}}, "invalid_value", "item.type"),
        ({"type": "conversation.item.create", "item": {**TEXT, "role": "host"}}, "invalid_value", "item.role"),
        ({"type": "conversation.item.create", "item": SOUND}, "missing_required_parameter", "item.content[0].text"),
        ({"type": "conversation.item.create", "item": {**TEXT, "id": "x" * 33}}, "string_above_max_length", "item.id"),
        ({"type": "conversation.item.create", "item": {**TEXT, "id": "taken"}}, "invalid_value", "item.id"),
        (
            {"type": "conversation.item.create", "item": TEXT, "previous_item_id": "gone"},
            "invalid_value",
            "previous_item_id",
        ),
        ({"type": "conversation.item.delete", "item_id": "gone"}, "item_delete_invalid_item_id", None),
        (
            {"type": "conversation.item.truncate", "item_id": "gone", "content_index": 0, "audio_end_ms": 1},
            "item_truncate_invalid_item_id",
            None,
        ),
        ({"type": "response.create", "response": {"mood": "merry"}}, "unknown_parameter", "response.mood"),
        ({"type": "response.create", "response": {"metadata": {"n": 1}}}, "invalid_type", "response.metadata.n"),
    ],
)
def test_a_faulty_event_is_answered_by_an_error_that_names_it(event: dict[str, Any], code: str, param: Any) -> None:
    bench = Bench()
    bench.write("One.", id="taken")
    bench.engine.receive(0, {"event_id": "mine", **event})
    error = error_of(bench.run(1_000))

    assert error["type"] == "invalid_request_error"
    assert (error["code"], error["param"], error["event_id"]) == (code, param, "mine")


def test_an_update_is_answered_in_60_to_100_ms_with_the_whole_session() -> None:
    bench = Bench()
    base = bench.frames()[0]["session"]
    for number in range(20):
        bench.send("session.update", session={"type": "realtime", "instructions": f"Revision {number}."})
        sent_ms = bench.now_ms
        session = bench.until("session.updated")["session"]
        assert 60 <= bench.now_ms - sent_ms <= 100
        assert session == {**base, "instructions": f"Revision {number}."}


def test_updates_are_handled_in_order_and_what_follows_waits() -> None:
    bench = Bench()
    for text in ("First.", "Second."):
        bench.send("session.update", session={"type": "realtime", "instructions": text})
    assert bench.write("Hello.") == []
    sent = bench.run(200)

    assert types(sent) == ["session.updated"] * 2 + ["conversation.item.added", "conversation.item.done"]
    assert [frame["session"]["instructions"] for frame in sent[:2]] == ["First.", "Second."]


def test_an_update_merges_into_what_is_there() -> None:
    bench = Bench()
    bench.listen(silence_duration_ms=1_200)
    (updated,) = bench.configure(audio={"input": {"turn_detection": {"type": "server_vad", "threshold": 0.7}}})

    assert updated["session"]["audio"]["input"] == {
        "format": {"type": "audio/pcm", "rate": 24_000},
        "transcription": {"model": "gpt-transcribe", "language": None, "prompt": None},
        "noise_reduction": None,
        "turn_detection": {
            "type": "server_vad",
            "threshold": 0.7,
            "prefix_padding_ms": 300,
            "silence_duration_ms": 1_200,
            "idle_timeout_ms": None,
            "create_response": False,
            "interrupt_response": False,
        },
    }


def test_null_turns_turn_detection_off() -> None:
    (updated,) = Bench().configure(audio={"input": {"turn_detection": None}})
    assert updated["session"]["audio"]["input"]["turn_detection"] is None


@pytest.mark.parametrize(
    ("session", "code", "param"),
    [
        (None, "missing_required_parameter", "session"),
        ({"instructions": "x"}, "missing_required_parameter", "session.type"),
        ({"type": "transcription"}, "invalid_parameter", "session.type"),
        ({"type": "realtime", "voice": "alloy"}, "unknown_parameter", "session.voice"),
        ({"type": "realtime", "instructions": 5}, "invalid_type", "session.instructions"),
        ({"type": "realtime", "output_modalities": ["audio", "text"]}, "invalid_value", "session.output_modalities"),
        ({"type": "realtime", "max_output_tokens": 0}, "integer_below_min_value", "session.max_output_tokens"),
        (
            {"type": "realtime", "audio": {"input": {"turn_detection": {"type": "psychic"}}}},
            "invalid_value",
            "session.audio.input.turn_detection.type",
        ),
        (
            {"type": "realtime", "audio": {"output": {"speed": 9}}},
            "integer_above_max_value",
            "session.audio.output.speed",
        ),
    ],
)
def test_a_faulty_update_is_refused_whole(session: Any, code: str, param: str) -> None:
    bench = Bench()
    before = bench.frames()[0]["session"]
    bench.send("session.update", session=session, event_id="mine")
    error = error_of(bench.run(100))

    assert (error["code"], error["param"], error["event_id"]) == (code, param, "mine")
    assert bench.configure()[0]["session"] == before


def test_the_voice_is_fixed_once_the_model_has_spoken() -> None:
    bench = Bench(REPLY)
    (updated,) = bench.configure(audio={"output": {"voice": "marin"}})
    assert updated["session"]["audio"]["output"]["voice"] == "marin"
    bench.send("response.create")
    bench.until("response.done")

    error = error_of(bench.configure(audio={"output": {"voice": "cedar"}}))
    assert error["code"] == "cannot_update_voice"
    assert error["message"] == "Cannot update a conversation's voice if assistant audio is present."
    assert types(bench.configure(audio={"output": {"voice": "marin"}})) == ["session.updated"]
    refused = error_of(bench.send("response.create", response={"audio": {"output": {"voice": "cedar"}}}))
    assert refused["code"] == "cannot_update_voice"
