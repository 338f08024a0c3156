import queue
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from interviewer.audio.device import Microphone, Speaker
from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.errors import AudioError
from interviewer.live.gate import Gate
from interviewer.live.loudspeaker import Loudspeaker
from interviewer.settings import AudioSettings
from tests.patience import PATIENCE_S

HASTY = AudioSettings(lost_ms=200, reopen_ms=100)


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
    assert stream.calls == ["start", "abort", "close"]


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


def unplugged(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """No device can be opened from now on, until the returned function is called."""
    fake = sys.modules["sounddevice"]
    before = fake.RawInputStream

    def none(**_: Any) -> Stream:
        raise PortAudioError("Device unavailable [PaErrorCode -9985]")

    def plug(make: Any) -> None:
        for name in ("RawInputStream", "RawOutputStream"):
            monkeypatch.setattr(fake, name, make)

    plug(none)
    return lambda: plug(before)


def test_a_microphone_unplugged_in_a_call_is_named_gives_silence_and_is_taken_again(
    streams: list[Stream], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    problems: queue.Queue[str] = queue.Queue()
    frames: queue.Queue[bytes] = queue.Queue()
    microphone = Microphone("Headset", HASTY)
    microphone.report_to(problems.put)
    microphone.start(frames.put)
    streams[0].callback(memoryview(b"\1\0" * 960), 960, None, None)
    assert frames.get(timeout=PATIENCE_S) == b"\1\0" * 960
    plug_in = unplugged(monkeypatch)
    said = problems.get(timeout=PATIENCE_S)
    assert "the microphone (device 'Headset') is lost" in said
    assert said in caplog.text
    assert microphone.problem == said
    assert frames.get(timeout=PATIENCE_S) == bytes(1_920)
    plug_in()
    assert problems.get(timeout=PATIENCE_S) == ""
    assert [stream.calls for stream in streams] == [["start", "abort", "close"], ["start"]]
    streams[1].callback(memoryview(b"\2\0" * 960), 960, None, None)
    microphone.stop()
    assert [frames.get() for _ in range(frames.qsize())][-1] == b"\2\0" * 960
    assert problems.empty()


def test_a_lost_loudspeaker_plays_nothing_and_does_not_keep_the_guest_unheard(
    streams: list[Stream], monkeypatch: pytest.MonkeyPatch
) -> None:
    problems: queue.Queue[str] = queue.Queue()
    reports: list[tuple[str, int, bool]] = []
    sent: list[bool] = []
    device, microphone = Speaker(None, HASTY), Microphone(None)
    device.report_to(problems.put)
    loudspeaker = Loudspeaker(device, lambda *report: reports.append(report))
    gate = Gate(
        microphone,
        threshold=0.5,
        send=lambda pcm: sent.append(pcm.startswith(b"\1\0\1")),
        on_edge=lambda _: None,
        voice_is_out=lambda: loudspeaker.playing,
    )
    loudspeaker.start()
    gate.start()
    gate.on = gate.ready = True

    def hear(frames: int) -> None:
        for _ in range(frames):
            streams[1].callback(memoryview(b"\1\0" * 960), 960, None, None)

    loudspeaker.play("r1", b"\1\0" * 24_000)
    unplugged(monkeypatch)
    hear(1)
    assert "the loudspeaker (the default device) is lost" in problems.get(timeout=PATIENCE_S)
    hear(1)
    loudspeaker.stop("r1")  # as the call does when playback does not end
    assert reports == [("r1", 0, True)]
    hear(7)
    gate.stop()
    loudspeaker.close()
    # While it might still be heard, and 200 ms longer, silence; then the guest.
    assert sent == [False] * 7 + [True] * 2


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
