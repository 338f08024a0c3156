"""Whatever a client does, and whenever the guest speaks, the engine keeps the protocol's promises."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.realtime.engine.brain import Asked, Spoken
from tests.realtime.engine_bench import Bench, Frame, validate

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "id", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
NAMES = st.sampled_from(["one", "two", "three"])
DETECTION = st.sampled_from(
    [
        None,
        {"type": "server_vad"},
        {"type": "server_vad", "create_response": False, "interrupt_response": False, "silence_duration_ms": 0},
        {"type": "server_vad", "idle_timeout_ms": 5_000},
        {"type": "semantic_vad", "eagerness": "high"},
    ]
)
UPDATE = st.builds(
    lambda detection, written, voice: {
        "type": "realtime",
        "audio": {
            "input": {"turn_detection": detection, "transcription": {"model": "whisper-1"} if written else None},
            "output": {"voice": voice},
        },
    },
    DETECTION,
    st.booleans(),
    st.sampled_from(["alloy", "marin"]),
)
ITEM = st.builds(
    lambda name, role: {
        "id": name,
        "type": "message",
        "role": role,
        "content": [{"type": "output_text" if role == "assistant" else "input_text", "text": "words"}],
    },
    NAMES | st.none(),
    st.sampled_from(["user", "assistant", "system"]),
)
RESPONSE = st.fixed_dictionaries(
    {},
    optional={
        "conversation": st.sampled_from(["auto", "none"]),
        "output_modalities": st.sampled_from([["audio"], ["text"]]),
        "metadata": st.just({"attempt": "1"}),
        "max_output_tokens": st.sampled_from(["inf", 10]),
        "input": st.lists(ITEM | st.builds(lambda name: {"type": "item_reference", "id": name}, NAMES), max_size=2),
    },
)


def _event(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Frame]:
    optional = {"event_id": st.just("mine")}
    sound = st.fixed_dictionaries({"type": st.just(kind), **fields}, optional=optional)
    broken = st.fixed_dictionaries({"type": st.just(kind)}, optional=dict.fromkeys(fields, JUNK))
    return st.integers(0, 9).flatmap(lambda roll: broken if roll == 0 else sound)


# "last" stands for the model's latest item or response.
EVENTS = st.one_of(
    _event("session.update", session=UPDATE),
    _event("input_audio_buffer.append", audio_ms=st.integers(0, 200)),
    _event("input_audio_buffer.commit"),
    _event("input_audio_buffer.clear"),
    _event("conversation.item.create", item=ITEM, previous_item_id=NAMES | st.none()),
    _event("conversation.item.retrieve", item_id=NAMES | st.just("last")),
    _event("conversation.item.delete", item_id=NAMES | st.just("last")),
    _event(
        "conversation.item.truncate",
        item_id=st.just("last") | NAMES,
        content_index=st.just(0),
        audio_end_ms=st.integers(0, 3_000),
    ),
    _event("response.create", response=RESPONSE | st.none()),
    _event("response.create"),
    _event("response.cancel"),
    _event("response.cancel", response_id=st.just("last")),
    st.dictionaries(st.sampled_from(["type", "event_id"]), JUNK, max_size=2),
)
VOICE = st.one_of(st.just(True), st.sampled_from(["I left in spring.", "", None]))
STEPS = st.lists(st.tuples(st.integers(0, 1_500), EVENTS | VOICE), max_size=25)
REPLIES: list[Spoken | tuple[Spoken, ...]] = [
    Spoken("How did that feel?", (Asked("feel", 0, 18),)),
    (Spoken("I see.", ()), Spoken("And then? What next?", (Asked("then", 0, 9), Asked("next", 10, 20)))),
    (),
    Spoken("", ()),
    Spoken(" Grüße — ça va ?  ", ()),
]


def play(steps: list[tuple[int, Any]]) -> Bench:
    bench = Bench(*REPLIES * 8)
    for wait_ms, step in steps:
        bench.run(wait_ms)
        if isinstance(step, dict):
            bench.engine.receive(bench.now_ms, _resolved(bench, step))
        else:
            bench.engine.voice(bench.now_ms, step is True, None if step is True else step)
    # Long enough for every reply to end; a session that prompts a silent guest never falls quiet.
    bench.run(20_000)
    return bench


def _resolved(bench: Bench, event: Frame) -> Frame:
    last = bench.engine.voiced[-1] if bench.engine.voiced else None
    found = {"item_id": last.item_id, "response_id": last.response_id} if last else {}
    return {key: found.get(key, value) if value == "last" else value for key, value in event.items()}


@settings(max_examples=120)
@given(STEPS)
def test_any_client_gets_valid_frames_with_unique_ids(steps: list[tuple[int, Any]]) -> None:
    frames = play(steps).frames()

    for frame in frames:
        validate(frame)
    assert len({frame["event_id"] for frame in frames}) == len(frames)


@settings(max_examples=120)
@given(STEPS)
def test_one_response_at_a_time_and_each_created_is_done_once(steps: list[tuple[int, Any]]) -> None:
    active: set[str] = set()
    finished: list[str] = []
    bench = play(steps)
    bench.send("session.update", session={"type": "realtime", "audio": {"input": {"turn_detection": None}}})
    bench.run(20_000)
    for frame in bench.frames("response."):
        response = frame.get("response", {})
        if frame["type"] == "response.created" and response["conversation_id"]:
            assert not active, "a second response began"
            active.add(response["id"])
        elif frame["type"] == "response.done":
            active.discard(response["id"])
            finished.append(response["id"])
    created = [frame["response"]["id"] for frame in bench.frames("response.created")]
    assert sorted(created) == sorted(finished)
    assert len(set(finished)) == len(finished)


@settings(max_examples=60)
@given(STEPS)
def test_the_truth_log_says_what_the_frames_say(steps: list[tuple[int, Any]]) -> None:
    bench = play(steps)
    for voiced in bench.engine.voiced:
        mine = [frame for frame in bench.frames("response.") if frame.get("item_id") == voiced.item_id]
        sound = [frame["audio_ms"] for frame in mine if frame["type"] == "response.output_audio.delta"]
        words = [frame["delta"] for frame in mine if frame["type"].endswith(("transcript.delta", "text.delta"))]
        assert (voiced.total_ms, voiced.text) == (sum(sound), "".join(words))
        assert all(ask.end <= len(voiced.text) for ask in voiced.asks)


@settings(max_examples=30)
@given(STEPS)
def test_the_same_seed_and_the_same_client_give_the_same_frames(steps: list[tuple[int, Any]]) -> None:
    assert play(steps).timed == play(steps).timed
