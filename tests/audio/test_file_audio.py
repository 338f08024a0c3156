import queue
import time
from pathlib import Path

import pytest

from interviewer.audio import wav
from interviewer.audio.file import FileMicrophone, FileSpeaker
from interviewer.audio.pcm import silence
from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.errors import AudioError
from tests.patience import PATIENCE_S


def test_a_file_is_heard_from_its_beginning_and_silence_follows(tmp_path: Path) -> None:
    wav.write(tmp_path / "a.wav", b"\1\0" * 1_000)
    frames: queue.Queue[bytes] = queue.Queue()
    microphone: MicrophoneSource = FileMicrophone(tmp_path / "a.wav", speed=50)
    microphone.start(frames.put)
    got = [frames.get(timeout=PATIENCE_S) for _ in range(4)]
    microphone.stop()
    count = frames.qsize()
    assert got == [b"\1\0" * 960, b"\1\0" * 40 + bytes(1_840), bytes(1_920), bytes(1_920)]
    assert frames.qsize() == count


def test_it_is_no_faster_than_its_speed(tmp_path: Path) -> None:
    wav.write(tmp_path / "a.wav", silence(40))
    frames: queue.Queue[bytes] = queue.Queue()
    microphone = FileMicrophone(tmp_path / "a.wav", speed=4)
    began = time.monotonic()
    microphone.start(frames.put)
    for _ in range(11):
        frames.get(timeout=PATIENCE_S)
    took = time.monotonic() - began
    microphone.stop()
    assert took >= 0.1  # the eleventh frame is due after ten of 10 ms


def test_a_missing_file_is_known_before_the_call() -> None:
    with pytest.raises(AudioError, match="no such audio file"):
        FileMicrophone(Path("gone.wav"))


def test_a_speaker_reports_and_keeps_what_was_played(tmp_path: Path) -> None:
    reports: queue.Queue[tuple[str, int, bool]] = queue.Queue()
    speaker: SpeakerSink = FileSpeaker(tmp_path / "out.wav", speed=50)
    speaker.start(lambda *report: reports.put(report))
    speaker.play("r1", b"\1\0" * 1_920)
    speaker.end("r1")
    got = [reports.get(timeout=PATIENCE_S) for _ in range(2)]
    speaker.close()
    assert got == [("r1", 40, False), ("r1", 80, True)]
    assert wav.read(tmp_path / "out.wav").strip(b"\0") == (b"\1\0" * 1_920).strip(b"\0")


def test_stop_is_heard_at_once() -> None:
    reports: queue.Queue[tuple[str, int, bool]] = queue.Queue()
    speaker = FileSpeaker(speed=50)
    speaker.start(lambda *report: reports.put(report))
    speaker.play("r1", silence(600_000))
    first = reports.get(timeout=PATIENCE_S)
    speaker.stop("r1")
    last = first
    while not last[2]:
        last = reports.get(timeout=PATIENCE_S)
    speaker.close()
    assert 0 < last[1] < 600_000
    assert reports.empty()
