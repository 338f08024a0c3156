"""Inputs as they are stored, and inputs that make no sense."""

import json
from typing import Any

import pytest

from interviewer.call.inputs import (
    Answer,
    Begin,
    Command,
    Connected,
    Disconnected,
    Frame,
    Input,
    Mic,
    Playback,
    PlaybackFailed,
    Tick,
    decode,
    encode,
)
from interviewer.errors import JournalError
from tests.call.bench import Bench, opened

INPUTS: list[Input] = [
    Begin(0),
    Connected(1, 1),
    Disconnected(2, 1, "gone"),
    Frame(3, 1, {"type": "session.created", "session": {"a": [1, None]}}),
    Mic(4, True),
    Playback(5, "resp_1", 40, True),
    PlaybackFailed(6, "resp_1", "no device"),
    Answer(7, "j1", {"proposal": None}, "", 12, "m", 3, 4),
    Answer(8, "j1", None, "no network"),
    Command(9, "extend", "60000"),
    Tick(10),
]


@pytest.mark.parametrize("record", INPUTS, ids=lambda record: type(record).__name__)
def test_an_input_survives_being_written_down(record: Input) -> None:
    assert decode(json.loads(json.dumps(encode(record)))) == record


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"type": "telegram", "t_ms": 0}, "telegram"),
        ({"t_ms": 0}, "None"),
        ({"type": "tick"}, "t_ms"),
        ({"type": "tick", "t_ms": 0, "colour": "red"}, "colour"),
    ],
)
def test_what_does_not_fit_is_named(data: dict[str, Any], named: str) -> None:
    with pytest.raises(JournalError, match=named):
        decode(data)


MALFORMED: list[dict[str, Any]] = [
    {"type": "session.updated"},
    {"type": "session.updated", "session": None},
    {"type": "input_audio_buffer.speech_started"},
    {"type": "input_audio_buffer.committed", "item_id": ["x"]},
    {"type": "conversation.item.input_audio_transcription.completed", "item_id": "x"},
    {"type": "conversation.item.input_audio_transcription.completed", "item_id": "x", "transcript": None},
    {"type": "conversation.item.input_audio_transcription.delta", "item_id": "x"},
    {"type": "input_audio_buffer.speech_started", "item_id": []},
    {"type": "input_audio_buffer.committed", "item_id": 7},
    {"type": "response.output_audio.delta", "response_id": {}, "item_id": "x", "audio_ms": 20},
    {"type": "response.created", "response": {"id": [], "metadata": None}},
    {"type": "response.created"},
    {"type": "response.created", "response": None},
    {"type": "response.created", "response": {"metadata": None}},
    {"type": "response.done", "response": {}},
    {"type": "response.output_audio_transcript.done", "transcript": "x"},
    {"type": "error", "error": "all of it"},
]


def goes_on(bench: Bench) -> bool:
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.reply("A river!")
    return bench.requests[-1] == "free" and bench.transcript()[-1] == ("interviewer", "A river!")


@pytest.mark.parametrize("frame", MALFORMED, ids=str)
def test_a_malformed_frame_is_recorded_and_harmless(frame: dict[str, Any]) -> None:
    bench = opened()
    events = len(bench.core.ledger.events)
    bench.step(Frame(bench.now, 1, frame))
    assert bench.records("ignored")
    assert len(bench.core.ledger.events) == events
    assert goes_on(bench)


@pytest.mark.parametrize("frame", [{"type": "rate_limits.updated"}, {"type": "new.thing", "x": 1}, {"type": ""}])
def test_an_unknown_frame_changes_nothing(frame: dict[str, Any]) -> None:
    bench = opened()
    assert [type(a).__name__ for a in bench.step(Frame(bench.now, 1, frame))] in ([], ["Record"])
    assert goes_on(bench)


def test_reports_of_responses_and_jobs_nobody_knows_change_nothing() -> None:
    bench = opened()
    events = len(bench.core.ledger.events)
    bench.step(Playback(bench.now, "resp_77", 5_000, True))
    bench.step(PlaybackFailed(bench.now, "resp_77", "no device"))
    bench.step(Answer(bench.now, "j77", {}))
    assert len(bench.core.ledger.events) == events
    assert goes_on(bench)


def test_time_never_runs_backwards() -> None:
    bench = opened()
    bench.step(Tick(5_000))
    bench.step(Tick(1_000))
    assert bench.core.elapsed_ms == 5_000
