"""The computer's own microphone and loudspeaker, through `sounddevice` and PortAudio.

There is no echo cancellation here: the voice hears itself unless the guest wears headphones or the caller keeps the
microphone shut while something is being played.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from interviewer.audio.pcm import RATE, SAMPLE_BYTES, ms_to_bytes
from interviewer.audio.playback import Playback
from interviewer.audio.ports import OnFrame, OnPlayed
from interviewer.errors import AudioError

_FRAME_MS = 40
_INSTEAD = "use the browser's microphone in a notebook, or a WAV file"

Device = int | str | None
"""Index or part of the name, as `sounddevice.query_devices()` lists them; None: the system's default."""


class Microphone:
    """Frames of 40 ms from a recording device. `on_frame` is called from PortAudio's thread."""

    def __init__(self, device: Device = None) -> None:
        self._device = device
        self._stream: Any = None

    def start(self, on_frame: OnFrame) -> None:
        """Begin to record. Raises AudioError if there is no PortAudio, no such device, or it refuses 24 kHz."""

        def heard(data: Any, _frames: int, _time: Any, _status: Any) -> None:
            on_frame(bytes(data))

        with _portaudio("microphone", self._device) as portaudio:
            self._stream = portaudio.RawInputStream(callback=heard, **_options(self._device))
            self._stream.start()

    def stop(self) -> None:
        """End; see `MicrophoneSource.stop`."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()


class Speaker:
    """Plays on an output device. `on_played` is called from PortAudio's thread, or from `stop`."""

    def __init__(self, device: Device = None) -> None:
        self._device = device
        self._stream: Any = None
        self._playback: Playback

    def start(self, on_played: OnPlayed) -> None:
        """Open the device, before anything else. Raises AudioError as `Microphone.start` does."""

        def wanted(data: Any, frames: int, _time: Any, _status: Any) -> None:
            data[:] = self._playback.pull(frames * SAMPLE_BYTES)

        with _portaudio("loudspeaker", self._device) as portaudio:
            self._stream = portaudio.RawOutputStream(callback=wanted, **_options(self._device))
            self._playback = Playback(on_played, latency_ms=round(self._stream.latency * 1_000))
            self._stream.start()

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
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.abort()
            stream.close()


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
        name = "the default device" if device is None else f"device {device!r}"
        raise AudioError(f"the {what} cannot be used, {name}: {error}; choose another, or {_INSTEAD}") from None
