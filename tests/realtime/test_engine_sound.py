"""What a driver needs that hears and makes real sound: edges known late, sound during an update, words in time."""

import pytest

from tests.realtime.engine_bench import Bench, speech_ms, types

STARTED, STOPPED = "input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped"


def append(bench: Bench, audio_ms: int) -> None:
    bench.send("input_audio_buffer.append", audio_ms=audio_ms)


def edges(late_ms: int) -> tuple[list[tuple[int, dict[str, object]]], Bench]:
    """A turn from 1000 to 2000 ms, each edge told `late_ms` after it happened; the frames about it with their times."""
    bench = Bench()
    bench.listen(silence_duration_ms=500)
    bench.run(1_000 + late_ms - bench.now_ms)
    append(bench, 1_000 + late_ms)
    bench.engine.voice(1_000, True, audio_ms=1_000)
    bench.run(1_000)
    append(bench, 1_000)
    bench.engine.voice(2_000, False, "I left.", audio_ms=2_000)
    bench.run(1_000)
    append(bench, 1_000)
    bench.run(3_000)
    fields = ("type", "audio_start_ms", "item_id")
    return [(t, {k: frame.get(k) for k in fields}) for t, frame in bench.timed if "input_audio" in frame["type"]], bench


@pytest.mark.parametrize("late_ms", [1, 40, 60])
def test_an_edge_told_late_counts_from_when_it_was(late_ms: int) -> None:
    in_time, _ = edges(0)
    late, bench = edges(late_ms)
    assert late == in_time
    assert [t for t, frame in bench.timed if frame["type"] in (STARTED, STOPPED)] == [1_060, 2_500]
    # 300 ms of padding before the voice.
    assert bench.frames(STARTED)[0]["audio_start_ms"] == 700


def test_an_edge_told_after_what_it_sets_off_sets_it_off_at_once() -> None:
    bench = Bench()
    bench.listen(silence_duration_ms=200)
    bench.run(2_000)
    bench.engine.voice(bench.now_ms - 240, True)
    assert types(bench.run(0)) == [STARTED]


def test_sound_goes_on_while_an_update_is_worked_on() -> None:
    bench = Bench()
    append(bench, 1_000)
    bench.send("session.update", session={"type": "realtime"})
    append(bench, 500)
    bench.engine.voice(bench.now_ms, True)
    bench.run(500)
    assert bench.frames(STARTED)[0]["audio_start_ms"] == 1_500 - 300


def test_sound_after_a_commit_that_waits_for_an_update_is_not_committed() -> None:
    bench = Bench()
    append(bench, 50)
    bench.send("session.update", session={"type": "realtime"})
    bench.send("input_audio_buffer.commit")
    append(bench, 5_000)
    bench.run(100)
    (error,) = bench.frames("error")
    assert "50.00ms" in error["error"]["message"]


def test_frames_not_yet_taken_are_due_at_once() -> None:
    bench = Bench()
    bench.run(500)
    bench.engine.receive(500, {"type": "response.cancel"})
    assert bench.engine.deadline == 500
    assert types(bench.engine.take()) == ["error"]
    assert bench.engine.deadline != 500


def test_every_word_is_there_before_any_of_its_sound_in_any_script() -> None:
    text = "Über naïve Müßiggänger — “déjà vu” — schließlich: 你好，世界 ok ok ok"
    bench = Bench(text)
    bench.send("response.create")
    bench.run(10_000)
    known_bytes = sound_ms = 0
    for frame in bench.frames("response.output_audio"):
        if frame["type"].endswith("transcript.delta"):
            known_bytes += len(frame["delta"].encode())
        elif frame["type"] == "response.output_audio.delta":
            sound_ms += frame["audio_ms"]
            assert 70 * known_bytes >= sound_ms
    assert sound_ms == speech_ms(text)
