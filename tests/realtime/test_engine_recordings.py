"""The engine against recorded sessions with the real service: same events, same order, same fields."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.realtime.engine_bench import Bench, Frame

FOLDER = Path(__file__).resolve().parents[2] / "data" / "realtime"
GUEST = "Hello, my name is Marcelo."

# The recordings lack this event, which the service sends after every response.
UNRECORDED = "rate_limits.updated"
TRANSCRIPTION = "conversation.item.input_audio_transcription."


def recorded(name: str) -> list[tuple[str, Frame]]:
    loaded = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return [(entry["direction"], entry["data"]) for entry in loaded["interactions"]]


def received(name: str) -> list[Frame]:
    return [frame for direction, frame in recorded(name) if direction == "received"]


def replayed(name: str, *replies: str, start: int = 0) -> Bench:
    """Send what the recorded client sent, from its `start`-th event on; one that sent audio gets the guest's voice."""
    bench = Bench(*replies)
    sent = [frame for direction, frame in recorded(name) if direction == "sent"][start:]
    for frame in sent:
        if frame["type"] != "input_audio_buffer.append":
            bench.engine.receive(bench.now_ms, frame)
            bench.run(100 if frame["type"] == "session.update" else 0)
    if any(frame["type"] == "input_audio_buffer.append" for frame in sent):
        bench.speak(GUEST, ms=2_500)
    bench.run(30_000)
    return bench


def outline(frames: Iterable[Frame]) -> list[str]:
    """Types in order: runs of deltas become one, transcription (which may come at any time) is left out."""
    found: list[str] = []
    for frame in frames:
        kind = frame["type"]
        if kind.startswith(TRANSCRIPTION) or kind == UNRECORDED:
            continue
        kind = "deltas" if kind.endswith(".delta") else kind
        if not (kind == "deltas" and found[-1] == "deltas"):
            found.append(kind)
    return found


def keys(value: Any, at: str = "") -> set[str]:
    """Every key in a frame, as a path."""
    if isinstance(value, dict):
        return {f"{at}.{name}" for name in value}.union(*(keys(held, f"{at}.{name}") for name, held in value.items()))
    if isinstance(value, list):
        return set().union(*(keys(element, f"{at}[]") for element in value))
    return set()


CASES = {
    "text_in_audio_out_turn": ["Hi there!"],
    "message_history_seeding": ["Your name is Alice, and your favorite color is teal!"],
    "audio_in_server_vad_turn": ["Hello, Marcelo! Great to meet you. How can I help you today?"],
}


@pytest.mark.parametrize("name", CASES)
def test_events_come_in_the_recorded_order(name: str) -> None:
    ours = outline(replayed(name, *CASES[name]).frames())

    assert ours == outline(received(name))


def test_a_function_result_and_the_reply_to_it_come_in_the_recorded_order() -> None:
    name = "tool_call_round"
    sent = [frame["type"] for direction, frame in recorded(name) if direction == "sent"]
    assert sent[3:] == ["conversation.item.create", "response.create"]
    whole = received(name)
    created = [i for i, frame in enumerate(whole) if frame["type"] == "response.created"]
    tail = whole[created[1] - 2 :]

    bench = Bench("It is foggy and 12 degrees in London.")
    bench.configure(output_modalities=["text"])
    before = len(bench.timed)
    for frame in [frame for direction, frame in recorded(name) if direction == "sent"][3:]:
        bench.engine.receive(bench.now_ms, frame)
    bench.run(5_000)

    ours = [frame for _, frame in bench.timed[before:]]
    assert outline(ours) == outline(tail)
    assert keys(tail[0]) <= keys(ours[0])


@pytest.mark.parametrize("name", CASES)
def test_frames_have_every_recorded_field(name: str) -> None:
    ours: dict[str, set[str]] = {}
    for frame in replayed(name, *CASES[name]).frames():
        ours.setdefault(frame["type"], set()).update(keys(frame))

    for frame in received(name):
        missing = {key for key in keys(frame) - ours[frame["type"]] if not key.endswith(".obfuscation")}
        assert not missing, f"{frame['type']} lacks {sorted(missing)}"


@pytest.mark.parametrize("name", CASES)
def test_the_effective_session_equals_the_recorded_one(name: str) -> None:
    def effective(frames: Iterable[Frame]) -> Frame:
        session = next(frame["session"] for frame in frames if frame["type"] == "session.updated")
        per_session = ("id", "expires_at", "model", "instructions")
        return {key: value for key, value in session.items() if key not in per_session}

    assert effective(replayed(name).frames()) == effective(received(name))


def test_predecessors_are_named_as_recorded() -> None:
    """A spoken item's done names none, a written one's does; every added names the item before."""
    for name in CASES:
        ours, theirs = replayed(name, *CASES[name]).frames(), received(name)
        for kind in ("conversation.item.added", "input_audio_buffer.committed"):
            named = [
                [f["previous_item_id"] is not None for f in frames if f["type"] == kind] for frames in (ours, theirs)
            ]
            assert named[0] == named[1]
        last = [[f for f in frames if f["type"] == "conversation.item.done"][-1] for frames in (ours, theirs)]
        assert (last[0]["previous_item_id"] is None) == (last[1]["previous_item_id"] is None)


def test_transcript_deltas_lead_and_join_to_the_transcript() -> None:
    frames = replayed("audio_in_server_vad_turn", *CASES["audio_in_server_vad_turn"]).frames()
    deltas = [
        f for f in frames if f["type"] in ("response.output_audio_transcript.delta", "response.output_audio.delta")
    ]

    assert deltas[0]["type"] == "response.output_audio_transcript.delta"
    kinds = [frame["type"] for frame in deltas]
    assert kinds != sorted(kinds), "words and sound are interleaved"
    said = "".join(frame["delta"] for frame in deltas if frame["type"].endswith("transcript.delta"))
    assert said == CASES["audio_in_server_vad_turn"][0]
    heard = [f["delta"] for f in frames if f["type"] == f"{TRANSCRIPTION}delta"]
    assert "".join(heard) == GUEST
