"""A microphone that is a WAV file, and a loudspeaker that is the clock, and a WAV file if wanted."""

from pathlib import Path
from typing import Final

from interviewer.audio import wav
from interviewer.audio.pace import FRAME_MS, Pace
from interviewer.audio.pcm import ms_to_bytes
from interviewer.audio.playback import Playback
from interviewer.audio.ports import OnFrame, OnPlayed
from interviewer.errors import AudioError

_FRAME_BYTES: Final = ms_to_bytes(FRAME_MS)


class FileMicrophone:
    """Plays a WAV file into `on_frame` at `speed` times real time, then silence, in frames of 40 ms."""

    def __init__(self, path: Path, *, speed: float = 1.0) -> None:
        """Raises AudioError if the file cannot be used."""
        self._pcm = wav.read(path)
        if not self._pcm:
            raise AudioError(f"{path} holds no sound: a microphone needs some")
        self._at = 0
        self._pace = Pace(self._step, speed)
        self._on_frame: OnFrame

    def start(self, on_frame: OnFrame) -> None:
        """Begin at the file's beginning. A microphone is started once."""
        self._on_frame = on_frame
        self._pace.start()

    def stop(self) -> None:
        """End; see `MicrophoneSource.stop`."""
        self._pace.stop()

    def _step(self) -> None:
        frame = self._pcm[self._at : self._at + _FRAME_BYTES]
        self._at += _FRAME_BYTES
        self._on_frame(frame if len(frame) == _FRAME_BYTES else frame + bytes(_FRAME_BYTES - len(frame)))


class FileSpeaker:
    """Plays by the clock, at `speed` times real time; `close` writes all of it, silence too, to `path` if given."""

    def __init__(self, path: Path | None = None, *, speed: float = 1.0) -> None:
        self._path = path
        self._played = bytearray()
        self._pace = Pace(self._step, speed)
        self._playback: Playback

    def start(self, on_played: OnPlayed) -> None:
        """Begin to play what comes. A speaker is started once, before anything else."""
        self._playback = Playback(on_played, latency_ms=FRAME_MS)
        self._pace.start()

    def play(self, response_id: str, pcm: bytes) -> None:
        """See `SpeakerSink.play`."""
        self._playback.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        """See `SpeakerSink.end`."""
        self._playback.end(response_id)

    def stop(self, response_id: str) -> None:
        """See `SpeakerSink.stop`."""
        self._playback.stop(response_id)

    def close(self) -> None:
        """Stop the clock and write the file. Raises AudioError if it cannot be written."""
        self._pace.stop()
        if self._path is not None:
            wav.write(self._path, bytes(self._played))

    def _step(self) -> None:
        frame = self._playback.pull(_FRAME_BYTES)
        if self._path is not None:
            self._played += frame
