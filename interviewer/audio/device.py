"""The computer's own microphone and loudspeaker, through `sounddevice` and PortAudio.

There is no echo cancellation here: the voice hears itself unless the guest wears headphones or the caller keeps the
microphone shut while something is being played.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from interviewer.audio.attended import Attended
from interviewer.audio.pcm import RATE, SAMPLE_BYTES, ms_to_bytes, silence
from interviewer.audio.playback import Playback
from interviewer.audio.ports import OnFrame, OnPlayed
from interviewer.errors import AudioError
from interviewer.settings import AudioSettings

_FRAME_MS = 40
_INSTEAD = "use the browser's microphone in a notebook, or a WAV file"
_LISTED = "choose another (`interviewer doctor --audio` lists them)"

Device = int | str | None
"""Index or part of the name, as `sounddevice.query_devices()` lists them; None: the system's default."""


class Microphone(Attended):
    """Frames of 40 ms from a recording device. `on_frame` is called from PortAudio's thread.

    If the device is lost, silence comes in its place, from a thread of this object, until it is back.
    """

    def __init__(self, device: Device = None, settings: AudioSettings | None = None) -> None:
        super().__init__(f"the microphone ({_name(device)})", settings or AudioSettings())
        self._device = device
        self._on_frame: OnFrame

    def start(self, on_frame: OnFrame) -> None:
        """Begin to record. Raises AudioError if there is no PortAudio, no such device, or it refuses 24 kHz."""
        self._on_frame = on_frame
        self._attend()

    def stop(self) -> None:
        """End; see `MicrophoneSource.stop`."""
        self._leave()

    def _open(self) -> Any:
        def heard(data: Any, _frames: int, _time: Any, _status: Any) -> None:
            self._moved()
            self._on_frame(bytes(data))

        with _portaudio("microphone", self._device) as portaudio:
            stream = portaudio.RawInputStream(callback=heard, **_options(self._device))
            stream.start()
        return stream

    def _meanwhile(self) -> None:
        self._on_frame(silence(_FRAME_MS))


class Speaker(Attended):
    """Plays on an output device. `on_played` is called from PortAudio's thread, or from `stop`.

    If the device is lost nothing is played and nothing reported, until it is back.
    """

    def __init__(self, device: Device = None, settings: AudioSettings | None = None) -> None:
        super().__init__(f"the loudspeaker ({_name(device)})", settings or AudioSettings())
        self._device = device
        self._playback: Playback

    def start(self, on_played: OnPlayed) -> None:
        """Open the device, before anything else. Raises AudioError as `Microphone.start` does."""
        self._playback = Playback(on_played)
        self._attend()

    def play(self, response_id: str, pcm: bytes) -> None:
        """See `SpeakerSink.play`."""
        self._playback.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        """See `SpeakerSink.end`."""
        self._playback.end(response_id)

    def stop(self, response_id: str) -> None:
        """See `SpeakerSink.stop`. What the device itself has buffered still sounds and is not counted as heard."""
        self._playback.stop(response_id)

    def close(self) -> None:
        """Release the device."""
        self._leave()

    def _open(self) -> Any:
        def wanted(data: Any, frames: int, _time: Any, _status: Any) -> None:
            self._moved()
            data[:] = self._playback.pull(frames * SAMPLE_BYTES)

        with _portaudio("loudspeaker", self._device) as portaudio:
            stream = portaudio.RawOutputStream(callback=wanted, **_options(self._device))
            self._playback.lag(round(stream.latency * 1_000))
            stream.start()
        return stream


def _name(device: Device) -> str:
    return "the default device" if device is None else f"device {device!r}"


def _options(device: Device) -> dict[str, Any]:
    block = ms_to_bytes(_FRAME_MS) // SAMPLE_BYTES
    return {"samplerate": RATE, "channels": 1, "dtype": "int16", "blocksize": block, "device": device}


@contextlib.contextmanager
def _portaudio(what: str, device: Device) -> Iterator[Any]:
    """The `sounddevice` module; its errors, and its absence, become AudioError."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise AudioError(
            f"no {what}: PortAudio is not installed ({error}); install it (for example the package libportaudio2), "
            f"or {_INSTEAD}"
        ) from None
    try:
        yield sounddevice
    except (sounddevice.PortAudioError, ValueError) as error:
        raise AudioError(f"the {what} cannot be used, {_name(device)}: {error}; {_LISTED}, or {_INSTEAD}") from None
