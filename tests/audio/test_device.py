import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from interviewer.audio.device import Microphone, Speaker
from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.errors import AudioError


class PortAudioError(Exception):
    pass


class Stream:
    """A stream of a machine that has audio; the test plays the hardware and calls `callback`."""

    latency = 0.04

    def __init__(self, *, callback: Callable[..., None], **options: Any) -> None:
        self.callback, self.options, self.calls = callback, options, list[str]()

    def __getattr__(self, name: str) -> Callable[[], None]:
        return lambda: self.calls.append(name)


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> list[Stream]:
    made: list[Stream] = []

    def make(**options: Any) -> Stream:
        if options["device"] == "none":
            raise ValueError("No input device matching 'none'")
        if options["device"] == 3:
            raise PortAudioError("Invalid sample rate [PaErrorCode -9997]")
        made.append(Stream(**options))
        return made[-1]

    fake = SimpleNamespace(RawInputStream=make, RawOutputStream=make, PortAudioError=PortAudioError)
    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    return made


def test_a_microphone_gives_frames_of_40_ms(streams: list[Stream]) -> None:
    frames: list[bytes] = []
    microphone: MicrophoneSource = Microphone()
    microphone.start(frames.append)
    [stream] = streams
    assert stream.options == {"samplerate": 24_000, "channels": 1, "dtype": "int16", "blocksize": 960, "device": None}
    stream.callback(memoryview(b"\1\0" * 960), 960, None, None)
    microphone.stop()
    microphone.stop()
    assert frames == [b"\1\0" * 960]
    assert stream.calls == ["start", "close"]


def test_a_speaker_counts_as_heard_what_has_left_the_device(streams: list[Stream]) -> None:
    reports: list[tuple[str, int, bool]] = []
    speaker: SpeakerSink = Speaker("Headphones")
    speaker.start(lambda *report: reports.append(report))
    speaker.play("r1", b"\1\0" * 24_000)
    buffer = bytearray(1_920)
    for _ in range(3):
        streams[0].callback(memoryview(buffer), 960, None, None)
    assert buffer == b"\1\0" * 960
    speaker.stop("r1")
    # three blocks of 40 ms were taken and the device is 40 ms behind
    assert reports == [("r1", 40, False), ("r1", 80, False), ("r1", 80, True)]
    streams[0].callback(memoryview(buffer), 960, None, None)
    assert buffer == bytes(1_920)
    speaker.close()
    assert streams[0].calls == ["start", "abort", "close"]


@pytest.mark.parametrize(
    ("device", "says"), [("none", "device 'none': No input"), (3, "device 3: Invalid sample rate")]
)
def test_a_device_that_cannot_be_used_is_named(streams: list[Stream], device: int | str, says: str) -> None:
    for kind in (Microphone, Speaker):
        with pytest.raises(AudioError, match=f"{says}.*browser's microphone.*WAV"):
            kind(device).start(lambda *_: None)


@pytest.mark.parametrize("missing", [OSError("PortAudio library not found"), ImportError("no module")])
def test_a_machine_without_portaudio(monkeypatch: pytest.MonkeyPatch, missing: Exception) -> None:
    class Finder:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "sounddevice":
                raise missing

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    with pytest.raises(AudioError, match=r"no microphone: PortAudio.*libportaudio2.*browser's microphone.*WAV"):
        Microphone().start(lambda _: None)
