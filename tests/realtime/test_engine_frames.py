"""Every frame the engine can send is one the official SDK accepts, strictly."""

from interviewer.realtime.engine.brain import Spoken
from tests.realtime.engine_bench import MODELS, Bench, types, validate

ANSWER = "I grew up by the sea and my father repaired boats."


def _long_exchange() -> Bench:
    bench = Bench("Welcome. How did it begin?", (Spoken("I see.", ()), Spoken("And then?", ())), "Goodbye then.", "Hm.")
    bench.listen(idle_timeout_ms=5_000)
    bench.send("response.create", response={"instructions": "Open.", "metadata": {"attempt": "1"}})
    bench.until("response.done")
    bench.run(500)
    bench.speak(ANSWER)
    bench.run(200)
    bench.send("response.create", event_id="mine")
    bench.send("response.create", event_id="second")
    first = bench.until("response.output_audio.delta")
    bench.send("conversation.item.truncate", item_id=first["item_id"], content_index=0, audio_end_ms=100)
    bench.send("response.cancel", response_id=first["response_id"])
    bench.send("response.cancel")
    bench.speak(None)
    bench.run(3_000)
    bench.write("A note.", id="item_note")
    bench.send("conversation.item.retrieve", item_id="item_note")
    bench.send("conversation.item.delete", item_id="item_note")
    bench.send("conversation.item.create", item={"type": "function_call_output", "call_id": "c", "output": "x"})
    bench.send("input_audio_buffer.append", audio_ms=40)
    bench.send("input_audio_buffer.commit")
    bench.send("input_audio_buffer.append", audio_ms=400)
    bench.send("input_audio_buffer.commit")
    bench.send("input_audio_buffer.clear")
    bench.send("response.create", response={"output_modalities": ["text"], "conversation": "none", "input": []})
    bench.run(3_000)
    bench.send("response.create")
    bench.run(60_000)
    bench.configure(
        audio={"input": {"turn_detection": {"type": "semantic_vad"}, "transcription": None}, "output": {"speed": 1.1}},
        tools=[{"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}}],
        tracing={"workflow_name": "w"},
        reasoning={"effort": "low"},
    )
    bench.send("session.update", session={"type": "realtime", "audio": {"output": {"voice": "cedar"}}})
    bench.send("no.such.event")
    bench.run(1_000)
    return bench


def test_every_frame_of_a_long_exchange_validates_strictly_against_the_sdk() -> None:
    bench = _long_exchange()

    for frame in bench.frames():
        validate(frame)
    # Of the SDK's types these alone are missing: tools, MCP, WebRTC, telephones, diarisation and the dead beta.
    unseen = sorted(set(MODELS) - set(types(bench.frames())))
    assert unseen == [
        "conversation.created",
        "conversation.item.created",
        "conversation.item.input_audio_transcription.segment",
        "input_audio_buffer.dtmf_event_received",
        "mcp_list_tools.completed",
        "mcp_list_tools.failed",
        "mcp_list_tools.in_progress",
        "output_audio_buffer.cleared",
        "output_audio_buffer.started",
        "output_audio_buffer.stopped",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.mcp_call.completed",
        "response.mcp_call.failed",
        "response.mcp_call.in_progress",
        "response.mcp_call_arguments.delta",
        "response.mcp_call_arguments.done",
    ]


def test_identifiers_are_unique_and_of_the_services_form() -> None:
    frames = _long_exchange().frames()

    event_ids = [frame["event_id"] for frame in frames]
    assert len(set(event_ids)) == len(event_ids)
    assert all(event_id.startswith("event_") and len(event_id) == 27 for event_id in event_ids)
    assert frames[0]["session"]["id"].startswith("sess_")
    created = next(frame for frame in frames if frame["type"] == "response.created")["response"]
    assert created["id"].startswith("resp_")
    assert created["conversation_id"].startswith("conv_")


def test_the_same_seed_gives_the_same_frames_at_the_same_times_and_another_seed_others() -> None:
    assert _long_exchange().timed == _long_exchange().timed

    def session_id(seed: int) -> str:
        return str(Bench(seed=seed).frames()[0]["session"]["id"])

    assert session_id(1) != session_id(2)


def test_the_session_expires_an_hour_after_it_started() -> None:
    session = Bench(started_unix_s=1_785_214_050).frames()[0]["session"]
    assert session["expires_at"] == 1_785_217_650
