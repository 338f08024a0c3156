"""The recording of a call: who is on which side, when, and what becomes of it when the disk does not play along."""

import time
from pathlib import Path

import numpy as np
import pytest

from interviewer.audio import flac
from interviewer.audio.pcm import Samples, to_bytes
from interviewer.audio.playback import Playback
from interviewer.audio.ports import OnPlayed
from interviewer.audio.recording import Recording

MS = 24  # samples
MARKER_HZ = 1_000


class Clock:
    """The call's time, as the test has it."""

    ms = 0

    def now(self) -> int:
        return self.ms


class PulledSpeaker:
    """A loudspeaker 40 ms behind, whose device is the test."""

    def start(self, on_played: OnPlayed) -> None:
        self.playback = Playback(on_played, latency_ms=40)

    def play(self, response_id: str, pcm: bytes) -> None:
        self.playback.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        self.playback.end(response_id)

    def stop(self, response_id: str) -> None:
        self.playback.stop(response_id)

    def close(self) -> None:
        return


def marker(ms: int) -> bytes:
    seconds = np.arange(ms * MS) / 24_000
    return to_bytes((8_000 * np.sin(2 * np.pi * MARKER_HZ * seconds)).astype(np.int16))


def sounding_ms(side: Samples) -> tuple[float, float]:
    loud = np.flatnonzero(np.abs(side.astype(int)) > 1_000)
    return float(loud[0]) / MS, float(loud[-1]) / MS


def test_each_side_is_where_it_was_heard_and_only_what_was_played_is_kept(tmp_path: Path) -> None:
    clock, device = Clock(), PulledSpeaker()
    recording = Recording(tmp_path / "call.flac")
    recording.start(clock.now)
    speaker = recording.speaker(device)
    reports: list[tuple[str, int, bool]] = []
    speaker.start(lambda *report: reports.append(report))
    for clock.ms in range(40, 10_040, 40):
        # The guest: a marker from 2.00 to 2.40 s. The voice: 3 s of marker given at 5.0 s and stopped at 6.0 s.
        recording.guest(marker(40) if 2_000 < clock.ms <= 2_400 else bytes(1_920))
        if clock.ms == 5_000:
            speaker.play("r1", marker(3_000))
            speaker.end("r1")
        device.playback.pull(1_920)
        if clock.ms == 6_000:
            speaker.stop("r1")
    recording.close()
    guest, voice = flac.read(recording.path).T
    assert len(guest) == 10_000 * MS
    assert sounding_ms(guest) == pytest.approx((2_000, 2_400), abs=1)
    # Pulled at 5.00 s and 40 ms behind: heard from 5.00 s on, the last at 6.00 s.
    assert reports[-1] == ("r1", 1_000, True)
    assert sounding_ms(voice) == pytest.approx((5_000, 6_000), abs=1)


def test_it_is_written_while_the_call_runs(tmp_path: Path) -> None:
    clock = Clock()
    recording = Recording(tmp_path / "call.flac")
    recording.start(clock.now)
    for clock.ms in range(40, 8_040, 40):
        recording.guest(marker(40))
    for _ in range(100):
        if recording.path.stat().st_size and flac.length_ms(recording.path) > 4_000:
            break
        time.sleep(0.05)
    growing = flac.length_ms(recording.path)
    recording.close()
    assert 4_000 < growing <= 5_000  # the last three seconds may still be put in order
    assert flac.length_ms(recording.path) == 8_000


def test_what_came_too_late_for_its_place_is_in_the_file_all_the_same(tmp_path: Path) -> None:
    clock = Clock()
    recording = Recording(tmp_path / "call.flac")
    recording.start(clock.now)
    for clock.ms in range(40, 8_040, 40):
        recording.voice(bytes(1_920))
    while flac.length_ms(recording.path) < 4_000 if recording.path.stat().st_size else True:
        time.sleep(0.05)
    # The line was dead for 8 s, and all the guest said meanwhile comes now.
    late = marker(8_000)
    recording.guest(late)
    recording.close()
    guest = flac.read(recording.path)[:, 0]
    assert np.array_equal(guest[-8_000 * MS :], np.frombuffer(late, dtype=np.int16))


def test_a_disk_that_is_full_ends_the_recording_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    resource = pytest.importorskip("resource")
    noise = to_bytes(np.random.default_rng(0).integers(-9_000, 9_000, 960).astype(np.int16))
    clock = Clock()
    recording = Recording(tmp_path / "call.flac")
    recording.start(clock.now)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, unlimited[1]))
    try:
        for clock.ms in range(40, 12_040, 40):
            recording.guest(noise)
        recording.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    recording.guest(noise)
    recording.close()
    assert "no more of the call's sound is kept" in str(recording.error)
    assert str(recording.error) in caplog.text
    assert flac.length_ms(recording.path) > 500


def test_a_folder_that_cannot_be_made_is_named_and_the_call_is_not_disturbed(tmp_path: Path) -> None:
    (tmp_path / "audio").write_text("in the way")
    clock, device = Clock(), PulledSpeaker()
    recording = Recording(tmp_path / "audio" / "call.flac")
    recording.start(clock.now)
    speaker = recording.speaker(device)
    reports: list[tuple[str, int, bool]] = []
    speaker.start(lambda *report: reports.append(report))
    speaker.play("r1", marker(40))
    speaker.end("r1")
    recording.guest(marker(40))
    device.playback.pull(1_920)
    device.playback.pull(1_920)
    speaker.close()
    recording.close()
    assert reports == [("r1", 40, True)]
    assert "audio" in str(recording.error)
