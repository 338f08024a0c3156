"""Responses: what they run under, how they grow, how they are cut, and the truth about what was voiced."""

from itertools import pairwise

import pytest

from interviewer.realtime.engine.brain import Asked, Line, Spoken
from tests.realtime.engine_bench import Bench, Frame, error_of, speech_ms, types

REPLY = "That must have been hard. What did you do next? And who helped you?"
ASKS = (
    Asked("what next", REPLY.index("What"), REPLY.index(" And")),
    Asked("own: who", REPLY.index("And"), len(REPLY)),
)
AUDIO, WORDS = "response.output_audio.delta", "response.output_audio_transcript.delta"


def sound_ms(bench: Bench, item_id: str) -> int:
    return sum(frame["audio_ms"] for frame in bench.frames(AUDIO) if frame["item_id"] == item_id)


def said(bench: Bench, item_id: str) -> str:
    return "".join(frame["delta"] for frame in bench.frames(WORDS) if frame["item_id"] == item_id)


def reply_until(kind: str, share: float = 0.0) -> Bench:
    """A reply on its way: up to its first frame of a type, and on until a share of its sound was generated."""
    bench = Bench(Spoken(REPLY, ASKS))
    bench.send("response.create")
    first = bench.until(kind)
    while sound_ms(bench, first.get("item_id", "")) < share * speech_ms(REPLY):
        bench.run(1)
    return bench


def done(bench: Bench) -> Frame:
    found: Frame = bench.until("response.done")["response"] if not bench.frames("response.done") else {}
    return found or bench.frames("response.done")[-1]["response"]


def test_a_reply_is_voiced_whole() -> None:
    bench = reply_until("response.done")

    (voiced,) = bench.engine.voiced
    assert (voiced.text, voiced.asks, voiced.total_ms) == (REPLY, ASKS, speech_ms(REPLY))
    assert said(bench, voiced.item_id) == REPLY
    assert sound_ms(bench, voiced.item_id) == speech_ms(REPLY)
    assert max(frame["audio_ms"] for frame in bench.frames(AUDIO)) == 200
    created_ms = next(ms for ms, frame in bench.timed if frame["type"] == "response.created")
    assert voiced.created_ms == created_ms


def test_a_reply_begins_soon_and_is_generated_far_faster_than_it_sounds() -> None:
    bench = reply_until("response.done")
    at = {frame["type"]: ms for ms, frame in reversed(bench.timed)}

    assert 80 <= at["response.created"] <= 200
    assert 250 <= at[AUDIO] - at["response.created"] <= 600
    generated_ms = at["response.output_audio.done"] - at[AUDIO]
    assert speech_ms(REPLY) / 13 < generated_ms < speech_ms(REPLY) / 11


def test_a_responses_own_instructions_replace_the_sessions() -> None:
    bench = Bench("One.", "Two.")
    bench.configure(instructions="Base.")
    bench.send("response.create", response={"instructions": "Base. Ask about the sea."})
    bench.until("response.done")
    bench.send("response.create")
    bench.run(5_000)

    assert [request.instructions for request in bench.brain.requests] == ["Base. Ask about the sea.", "Base."]
    assert [request.number for request in bench.brain.requests] == [0, 1]


def test_a_response_asked_for_behind_an_update_runs_under_it() -> None:
    bench = Bench("One.")
    bench.send("session.update", session={"type": "realtime", "instructions": "New."})
    bench.send("response.create")
    bench.run(5_000)

    assert bench.brain.requests[0].instructions == "New."


def test_metadata_comes_back_in_created_and_done() -> None:
    bench = Bench("One.")
    metadata = {"attempt": "a1", "question": "q7"}
    bench.send("response.create", response={"metadata": metadata})
    bench.run(5_000)

    for kind in ("response.created", "response.done"):
        assert [frame["response"]["metadata"] for frame in bench.frames(kind)] == [metadata]


def test_a_written_reply_has_no_sound() -> None:
    bench = Bench("Hello there.")
    bench.send("response.create", response={"output_modalities": ["text"]})
    bench.run(5_000)

    assert not bench.frames("response.output_audio")
    assert bench.frames("response.output_text.done")[0]["text"] == "Hello there."
    assert bench.engine.voiced[0].total_ms == 0


def test_several_items_of_one_reply_are_done_together_at_the_end() -> None:
    bench = Bench((Spoken("I see.", ()), Spoken("And then?", ())))
    bench.send("response.create")
    bench.run(5_000)

    kinds = [k for k in types(bench.frames()) if not k.endswith(".delta") and k not in ("session.created",)]
    opened = ["response.output_item.added", "conversation.item.added", "response.content_part.added"]
    closed = [
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "conversation.item.done",
        "response.output_item.done",
    ]
    assert kinds == ["response.created", *opened * 2, *closed * 2, "response.done", "rate_limits.updated"]
    assert [frame["output_index"] for frame in bench.frames("response.output_item.done")] == [0, 1]
    output = done(bench)["output"]
    assert [item["content"][0]["transcript"] for item in output] == ["I see.", "And then?"]


def test_a_reply_without_anything_to_say_is_a_bare_done() -> None:
    bench = Bench(())
    bench.send("response.create")
    bench.run(5_000)

    assert types(bench.frames("response")) == ["response.created", "response.done"]
    assert done(bench)["output"] == []


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_a_cancelled_reply_keeps_what_was_generated(share: float) -> None:
    bench = reply_until(AUDIO, share)
    sent = bench.send("response.cancel", response_id=bench.engine.voiced[0].response_id)

    assert types(sent) == [
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "conversation.item.done",
        "response.output_item.done",
        "response.done",
        "rate_limits.updated",
    ]
    response = done(bench)
    assert response["status"] == "cancelled"
    assert response["status_details"] == {"type": "cancelled", "reason": "client_cancelled"}
    (voiced,) = bench.engine.voiced
    assert voiced.text == said(bench, voiced.item_id)
    assert voiced.text
    assert REPLY.startswith(voiced.text)
    assert voiced.text != REPLY
    assert share * speech_ms(REPLY) <= voiced.total_ms == sound_ms(bench, voiced.item_id) < speech_ms(REPLY)
    assert response["output"][0]["status"] == "incomplete"
    assert response["output"][0]["content"] == [{"type": "output_audio", "transcript": voiced.text}]
    assert bench.run(10_000) == []


@pytest.mark.parametrize(("share", "whole"), [(0.3, 0), (0.6, 0), (0.75, 1), (0.97, 1), (1.0, 2)])
def test_a_question_counts_as_voiced_once_its_sentence_is_whole(share: float, whole: int) -> None:
    # The first question ends after 47 of 67 characters, at 70 % of the sound.
    bench = reply_until(AUDIO, share)
    bench.send("response.cancel")

    assert bench.engine.voiced[0].asks == ASKS[:whole]


def test_a_reply_cancelled_before_it_began_is_a_bare_done() -> None:
    bench = Bench(REPLY)
    bench.send("response.create", response={"metadata": {"attempt": "1"}})
    sent = bench.send("response.cancel")

    assert types(sent) == ["response.created", "response.done", "rate_limits.updated"]
    assert sent[1]["response"]["output"] == []
    assert sent[1]["response"]["metadata"] == {"attempt": "1"}
    assert bench.run(10_000) == []


def test_a_cancel_must_name_the_active_response_or_none() -> None:
    bench = reply_until("response.created")

    refused = error_of(bench.send("response.cancel", response_id="resp_other", event_id="mine"))
    assert (refused["code"], refused["event_id"]) == ("response_cancel_not_active", "mine")
    assert types(bench.send("response.cancel"))[0] == "response.done"
    again = error_of(bench.send("response.cancel"))
    assert again["message"] == "Cancellation failed: no active response found"


def test_a_second_response_is_refused_and_the_first_goes_on() -> None:
    bench = Bench(REPLY)
    bench.send("response.create")
    bench.send("response.create", event_id="second")
    bench.run(20_000)

    refused = error_of(bench.frames())
    assert refused["code"] == "conversation_already_has_active_response"
    assert refused["event_id"] == "second"
    assert refused["message"] == (
        f"Conversation already has an active response in progress: {done(bench)['id']}. "
        "Wait until the response is finished before creating a new one."
    )
    assert types(bench.frames("response.created")) == ["response.created"]
    assert done(bench)["status"] == "completed"


def test_a_response_outside_the_conversation_leaves_no_item_and_may_run_beside_another() -> None:
    bench = Bench(REPLY, "A summary.", "Next.")
    given = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Sum up."}]}]
    bench.send("response.create")
    bench.send("response.create", response={"conversation": "none", "input": given, "output_modalities": ["text"]})
    bench.run(10_000)
    bench.send("response.create")
    bench.run(10_000)

    seen = {request.number: request.lines for request in bench.brain.requests}
    assert seen == {0: (), 1: (Line("user", "Sum up."),), 2: (Line("assistant", REPLY),)}
    aside = next(f["response"] for f in bench.frames("response.done") if f["response"]["conversation_id"] is None)
    assert aside["output"][0]["content"] == [{"type": "output_text", "text": "A summary."}]


def test_a_reply_over_its_token_limit_is_incomplete() -> None:
    bench = Bench(REPLY)
    bench.send("response.create", response={"max_output_tokens": 40})
    bench.run(10_000)

    response = done(bench)
    assert (response["status"], response["status_details"]["reason"]) == ("incomplete", "max_output_tokens")
    assert response["usage"]["output_tokens"] <= 40
    assert sound_ms(bench, bench.engine.voiced[0].item_id) < speech_ms(REPLY)


def test_usage_counts_text_and_sound_and_what_was_read_before() -> None:
    bench = Bench("x" * 40, "y" * 40)  # 10 tokens of text, 2800 ms of sound: 56 tokens.
    bench.configure(instructions="i" * 400)  # 100 tokens.
    bench.write("w" * 80)  # 20 tokens.
    bench.send("response.create")
    bench.until("response.done")
    bench.send("response.create")
    bench.run(5_000)

    first, second = (frame["response"]["usage"] for frame in bench.frames("response.done"))
    assert first["output_token_details"] == {"text_tokens": 10, "audio_tokens": 56}
    assert (first["input_tokens"], first["output_tokens"], first["total_tokens"]) == (120, 66, 186)
    assert first["input_token_details"]["cached_tokens"] == 0
    assert second["input_tokens"] == 186
    assert second["input_token_details"]["cached_tokens"] == 64


def test_words_never_run_far_ahead_of_their_sound() -> None:
    bench = reply_until("response.done")
    words = heard_ms = 0
    for frame in bench.frames("response.output_audio"):
        if frame["type"] == WORDS:
            assert words * 70 <= heard_ms + 200
            words += len(frame["delta"])
        elif frame["type"] == AUDIO:
            heard_ms += frame["audio_ms"]
    times = [ms for ms, _ in bench.timed]
    assert all(a <= b for a, b in pairwise(times))
