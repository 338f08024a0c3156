"""The guest's turns: voice activity, pauses, commits by hand, transcription, the idle time-out."""

import pytest

from interviewer.realtime.engine.brain import Line
from tests.realtime.engine_bench import Bench, error_of, speech_ms, types

STARTED = "input_audio_buffer.speech_started"
STOPPED = "input_audio_buffer.speech_stopped"
COMMITTED = "input_audio_buffer.committed"
COMPLETED = "conversation.item.input_audio_transcription.completed"
BY_HAND = {"input": {"turn_detection": None}}


def at(bench: Bench, kind: str) -> list[int]:
    return [ms for ms, frame in bench.timed if frame["type"] == kind]


def test_speech_is_announced_after_the_detection_delay_and_ends_after_the_silence() -> None:
    bench = Bench()
    bench.listen(silence_duration_ms=1_200, prefix_padding_ms=300)
    bench.run(900)  # It is 1000 ms now.

    bench.speak("Hello there.", ms=2_000)
    bench.run(5_000)

    assert at(bench, STARTED) == [1_060]
    assert at(bench, STOPPED) == at(bench, COMMITTED) == [3_000 + 1_200]
    assert bench.frames(STARTED)[0]["audio_start_ms"] == 700
    assert bench.frames(STOPPED)[0]["audio_end_ms"] == 4_200


def test_the_audio_clock_counts_what_was_appended() -> None:
    bench = Bench()
    bench.listen(silence_duration_ms=500, prefix_padding_ms=300)
    for _ in range(25):
        bench.send("input_audio_buffer.append", audio_ms=40)
    bench.speak("Yes.", ms=100)
    bench.run(2_000)

    assert bench.frames(STARTED)[0]["audio_start_ms"] == 700


def test_a_pause_shorter_than_the_silence_goes_on_with_the_same_turn() -> None:
    bench = Bench("I see.")
    bench.listen(silence_duration_ms=1_000)
    bench.speak("I left in spring.")
    bench.run(999)
    bench.speak("It was raining.")
    bench.run(3_000)
    bench.send("response.create")
    bench.run(1_000)

    assert len(bench.frames(STARTED)) == len(bench.frames(COMMITTED)) == 1
    assert bench.frames(COMPLETED)[0]["transcript"] == "I left in spring. It was raining."
    assert bench.brain.requests[0].lines == (Line("user", "I left in spring. It was raining."),)


def test_a_pause_as_long_as_the_silence_makes_two_turns() -> None:
    bench = Bench()
    bench.listen(silence_duration_ms=1_000)
    bench.speak("I left in spring.")
    bench.run(1_000)
    bench.speak("It was raining.")
    bench.run(3_000)

    assert [frame["transcript"] for frame in bench.frames(COMPLETED)] == ["I left in spring.", "It was raining."]


def test_a_transcript_comes_200_to_1500_ms_after_the_commit_and_later_it_is_in_the_item() -> None:
    bench = Bench()
    bench.listen()
    for _ in range(20):
        bench.speak("Now.")
        bench.run(3_000)

    delays = [done - committed for committed, done in zip(at(bench, COMMITTED), at(bench, COMPLETED), strict=True)]
    assert min(delays) >= 200
    assert max(delays) <= 1_500
    assert len(set(delays)) > 5
    item_id = bench.frames(COMMITTED)[0]["item_id"]
    (kept,) = bench.send("conversation.item.retrieve", item_id=item_id)
    assert kept["item"]["content"] == [{"type": "input_audio", "transcript": "Now."}]


def test_the_model_knows_what_was_said_before_the_transcript_does() -> None:
    bench = Bench("I see.")
    bench.configure()  # No transcription at all.
    bench.send("session.update", session={"type": "realtime", "audio": BY_HAND})
    bench.run(100)
    bench.speak("I left in spring.")
    bench.send("input_audio_buffer.commit")
    bench.send("response.create")
    bench.run(5_000)

    assert bench.brain.requests[0].lines == (Line("user", "I left in spring."),)
    assert not bench.frames("conversation.item.input_audio_transcription")


def test_unintelligible_speech_fails_to_transcribe() -> None:
    bench = Bench()
    bench.listen(silence_duration_ms=1_000)
    bench.speak("I left")
    bench.run(500)
    bench.speak(None)
    bench.run(4_000)

    (failed,) = bench.frames("conversation.item.input_audio_transcription")
    assert failed["type"].endswith(".failed")
    assert failed["item_id"] == bench.frames(COMMITTED)[0]["item_id"]
    assert failed["error"]["code"] == "audio_unintelligible"


@pytest.mark.parametrize(("model", "usage"), [("gpt-realtime-whisper", "duration"), ("gpt-transcribe", "tokens")])
def test_transcripts_are_billed_by_the_models_measure(model: str, usage: str) -> None:
    bench = Bench()
    bench.configure(audio={"input": {"transcription": {"model": model}}})
    bench.speak("Now.", ms=1_000)
    bench.run(4_000)

    assert bench.frames(COMPLETED)[0]["usage"]["type"] == usage


def test_turns_are_answered_and_replies_interrupted_when_the_client_leaves_that_to_the_service() -> None:
    bench = Bench("Tell me about the house you grew up in.", "Go on.")
    bench.listen(create_response=True, interrupt_response=True)
    bench.speak("Good morning.")
    bench.until("response.output_audio.delta")
    before = len(bench.timed)
    bench.speak("Wait.", ms=500)

    sent = [frame for _, frame in bench.timed[before:]]
    begun = types(sent).index(STARTED)
    assert types(sent)[begun + 1 :] == [
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "conversation.item.done",
        "response.output_item.done",
        "response.done",
        "rate_limits.updated",
    ]
    done = bench.frames("response.done")[0]["response"]
    assert (done["status"], done["status_details"]["reason"]) == ("cancelled", "turn_detected")
    bench.run(20_000)
    assert [frame["response"]["metadata"] for frame in bench.frames("response.created")] == [None, None]


def test_nothing_is_answered_or_interrupted_when_both_are_off() -> None:
    bench = Bench("Tell me about the house you grew up in.")
    bench.listen()
    bench.send("response.create")
    bench.until("response.output_audio.delta")
    bench.speak("Wait.", ms=200)
    bench.run(20_000)

    assert [frame["response"]["status"] for frame in bench.frames("response.done")] == ["completed"]


def test_without_turn_detection_the_client_commits() -> None:
    bench = Bench()
    bench.configure(audio=BY_HAND)
    bench.speak("Hello.", ms=500)

    assert types(bench.send("input_audio_buffer.commit")) == [
        COMMITTED,
        "conversation.item.added",
        "conversation.item.done",
    ]
    assert not bench.frames(STARTED)
    assert error_of(bench.send("input_audio_buffer.commit"))["code"] == "input_audio_buffer_commit_empty"


def test_a_commit_of_less_than_100_ms_is_refused_in_the_services_words() -> None:
    bench = Bench()
    bench.configure(audio=BY_HAND)
    bench.send("input_audio_buffer.append", audio_ms=40)
    bench.send("input_audio_buffer.append", audio_ms=40)

    assert error_of(bench.send("input_audio_buffer.commit"))["message"] == (
        "Error committing input audio buffer: buffer too small. "
        "Expected at least 100ms of audio, but buffer only has 80.00ms of audio."
    )


def test_a_cleared_buffer_is_forgotten() -> None:
    bench = Bench("Yes?")
    bench.listen()
    bench.speak("Forget this.")
    assert types(bench.send("input_audio_buffer.clear")) == ["input_audio_buffer.cleared"]
    bench.run(5_000)
    assert not bench.frames(COMMITTED)

    bench.speak("Keep this.")
    bench.run(5_000)
    assert [frame["transcript"] for frame in bench.frames(COMPLETED)] == ["Keep this."]


@pytest.mark.parametrize(("eager", "patient"), [("high", "medium"), ("medium", "low")])
def test_semantic_vad_waits_longer_the_less_eager_it_is(eager: str, patient: str) -> None:
    def waited(eagerness: str) -> int:
        bench = Bench()
        detection = {"type": "semantic_vad", "eagerness": eagerness, "create_response": False}
        bench.configure(audio={"input": {"turn_detection": detection}})
        bench.speak("Hello.")
        ended_ms = bench.now_ms
        bench.until(COMMITTED)
        return bench.now_ms - ended_ms

    assert waited(eager) < waited(patient)


def test_a_silent_guest_is_spoken_to_again_after_the_idle_timeout() -> None:
    reply = "Are you there?"
    bench = Bench(reply, reply)
    bench.listen(idle_timeout_ms=5_000)
    bench.send("response.create", response={"metadata": {"attempt": "1"}})
    bench.until("response.done")
    done_ms, seen = bench.now_ms, len(bench.timed)
    bench.until("input_audio_buffer.timeout_triggered")

    assert bench.now_ms == done_ms + speech_ms(reply) + 5_000
    bench.until("response.created")
    sent = [frame for _, frame in bench.timed[seen:] if not frame["type"].startswith("rate_limits")]
    kinds = [kind for kind in types(sent) if "transcription" not in kind]
    assert kinds == [
        "input_audio_buffer.timeout_triggered",
        "conversation.item.added",
        "conversation.item.done",
        COMMITTED,
        "conversation.item.added",
        "conversation.item.done",
        "response.created",
    ]
    roles = [frame["item"]["role"] for frame in sent if frame["type"] == "conversation.item.added"]
    assert roles == ["system", "user"]
    assert sent[-1]["response"]["metadata"] is None


def test_a_guest_who_speaks_stops_the_idle_timeout() -> None:
    bench = Bench("Are you there?")
    bench.listen(idle_timeout_ms=5_000)
    bench.send("response.create")
    bench.until("response.done")
    bench.speak("Yes.")
    bench.run(60_000)

    assert not bench.frames("input_audio_buffer.timeout_triggered")
