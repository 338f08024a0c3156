"""Where sound lies on the call's line of time, however its pieces arrive."""

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from interviewer.audio.pcm import Samples, to_bytes
from interviewer.audio.track import LATE_MS, Track

FRAME_MS = 40
MS = 24  # samples


def frame(value: int, ms: int = FRAME_MS) -> bytes:
    return to_bytes(np.full(ms * MS, value, dtype=np.int16))


def heard(track: Track, ms: int) -> Samples:
    """All there is once `ms` have passed and nothing more came."""
    return track.take(track.settle(ms))


def begins_ms(sound: Samples, value: int) -> float:
    return float(np.flatnonzero(sound == value)[0]) / MS


def test_each_piece_ends_when_it_was_heard() -> None:
    track = Track()
    track.add(1_000, frame(7))
    track.add(2_400, frame(8, 250))
    sound = heard(track, 3_000)
    assert len(sound) == 3_000 * MS
    assert (begins_ms(sound, 7), begins_ms(sound, 8)) == (960, 2_150)
    assert [np.count_nonzero(sound == value) for value in (7, 8)] == [40 * MS, 250 * MS]


def test_jitter_of_the_arrival_leaves_no_gap_in_the_sound() -> None:
    track = Track()
    late = np.random.default_rng(0).integers(0, 90, 100)
    for number in range(100):
        track.add((number + 1) * FRAME_MS + int(late[number]), frame(number + 1))
    sound = heard(track, 5_000)
    first = int(np.flatnonzero(sound)[0])
    expected = np.repeat(np.arange(1, 101), FRAME_MS * MS)
    assert np.array_equal(sound[first : first + len(expected)], expected)
    assert first <= 20 * MS


def test_after_a_stall_the_frames_that_come_at_once_lie_where_they_were_spoken() -> None:
    track = Track()
    for number in range(100):
        at = (number + 1) * FRAME_MS
        track.add(max(at, 2_800) if at > 1_000 else at, frame(number + 1))
    sound = heard(track, 4_000)
    assert np.array_equal(sound, np.repeat(np.arange(1, 101), FRAME_MS * MS))


def test_where_frames_were_lost_there_is_silence_and_the_rest_keeps_its_place() -> None:
    track = Track()
    for number in range(100):
        if not 25 <= number < 40:
            track.add((number + 1) * FRAME_MS, frame(number + 1))
    sound = heard(track, 4_000)
    expected = np.repeat(np.arange(1, 101), FRAME_MS * MS)
    expected[1_000 * MS : 1_600 * MS] = 0
    assert np.array_equal(sound, expected)


def test_a_microphone_that_is_gone_for_long_is_silence_as_time_goes_by() -> None:
    track = Track()
    track.add(40, frame(1))
    assert track.settle(9_000) == 9_000 * MS
    track.add(60_000, frame(2))
    assert track.settle(57_000) == 57_000 * MS
    sound = heard(track, 60_000)
    assert begins_ms(sound, 2) == 59_960


def test_a_clock_that_runs_fast_or_slow_moves_the_sound_by_20_ms_at_most_after_each_pause() -> None:
    for rate in (0.999, 1.001):  # ten times worse than a bad sound card
        track = Track()
        for number in range(25 * 60):
            pause = number % 250 >= 220  # the last 1.2 s of every 10 s
            track.add(round((number + 1) * FRAME_MS * rate), frame(0 if pause else 1_000 + number))
        sound = heard(track, round(60_000 * rate))
        for number in range(250, 25 * 60, 250):  # the first frame after each pause
            at = np.flatnonzero(sound == 1_000 + number)[0] / MS
            assert abs(at - number * FRAME_MS * rate) <= 21


LOUD = (np.arange(1_000 * FRAME_MS * MS) % 30_000 + 1_000).astype(np.int16)
"""40 s that are nowhere quiet, each sample another than its neighbours, as 1000 frames."""


def arriving(late_ms: NDArray[np.int64], sound: Samples, rest_ms: int = 0) -> Samples:
    """What is kept of frames that come so late, in order, written 3 s behind and five times a second as in a call."""
    arrivals = np.maximum.accumulate((np.arange(len(late_ms)) + 1) * FRAME_MS + late_ms).tolist()
    frames = list(zip(arrivals, np.split(sound, len(late_ms)), strict=True))
    track, kept = Track(), []
    for now in range(0, arrivals[-1] + rest_ms, 200):
        while frames and frames[0][0] <= now:
            at, piece = frames.pop(0)
            track.add(at, to_bytes(piece))
        kept.append(track.take(track.settle(max(0, now - LATE_MS))))
    for at, piece in frames:
        track.add(at, to_bytes(piece))
    return np.concatenate([*kept, heard(track, arrivals[-1] + rest_ms)])


def wandering(seed: int) -> NDArray[np.int64]:
    """A busy machine: by how much frames are late changes from one to the next, and is up to 300 ms."""
    return np.cumsum(np.random.default_rng(seed).normal(0, 12, 1_000)).clip(0, 300).astype(np.int64)


def in_bursts(seed: int) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(1_000) < 0.05, rng.integers(0, 900, 1_000), rng.integers(0, 20, 1_000))


@pytest.mark.parametrize("late", [wandering(3), wandering(5), in_bursts(2), in_bursts(3)])
def test_late_frames_are_kept_whole_and_in_order(late: NDArray[np.int64]) -> None:
    kept = arriving(late, LOUD)
    assert np.array_equal(kept[kept != 0], LOUD)


@pytest.mark.parametrize("late", [wandering(0), in_bursts(3), in_bursts(5)])
def test_frames_that_are_hardly_late_have_no_silence_between_them(late: NDArray[np.int64]) -> None:
    kept = arriving(late, LOUD)
    first = int(np.flatnonzero(kept)[0])
    assert np.array_equal(kept[first : first + len(LOUD)], LOUD)


def test_what_comes_later_than_can_be_waited_for_is_kept_whole_and_made_up_for_in_the_next_pause() -> None:
    sound = LOUD.copy()
    pause = slice(600 * FRAME_MS * MS, 700 * FRAME_MS * MS)
    sound[pause] = 0
    number = np.arange(1_000)
    # Six seconds of frames that come all at once.
    late = np.where((number >= 200) & (number < 350), (350 - number) * FRAME_MS, 0)
    kept = arriving(late, sound)
    assert np.array_equal(kept[kept != 0], sound[sound != 0])
    speech, after = sound[: pause.start], sound[pause.stop :]
    behind = int(np.flatnonzero(kept)[len(speech) - 1]) - (pause.start - 1)
    assert 2_500 * MS < behind <= 3_200 * MS
    assert np.array_equal(kept[-len(after) :], after)
    assert len(kept) - len(sound) <= 20 * MS  # in its place again


def seconds_for(pieces: int) -> float:
    """Of processor time, to put a backlog in order."""
    track = Track()
    for number in range(pieces):
        track.add((number + 1) * FRAME_MS, frame(number % 250 + 1))
    began = time.process_time()
    sound = heard(track, pieces * FRAME_MS)
    took = time.process_time() - began
    assert sound[-1] == (pieces - 1) % 250 + 1
    return took


def test_twice_the_backlog_takes_twice_the_time() -> None:
    # Were each piece compared with all that wait, it would be four times.
    assert min(seconds_for(4_000) / seconds_for(2_000) for _ in range(2)) < 3


def test_it_can_be_taken_in_parts() -> None:
    track = Track()
    for number in range(50):
        track.add((number + 1) * FRAME_MS, frame(number + 1))
    known = track.settle(2_000)
    parts = [track.take(position) for position in (0, 7, 24_000, 24_000, known)]
    assert [len(part) for part in parts] == [0, 7, 23_993, 0, 24_000]
    assert np.array_equal(np.concatenate(parts), np.repeat(np.arange(1, 51), FRAME_MS * MS))
