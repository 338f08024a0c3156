"""A microphone that is a WAV file, and a loudspeaker that is the clock, and a WAV file if wanted."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from interviewer.audio import wav
from interviewer.audio.pcm import ms_to_bytes
from interviewer.audio.playback import Playback
from interviewer.audio.ports import OnFrame, OnPlayed

_FRAME_MS = 40


class _Pace:
    """Calls `step` every `_FRAME_MS` / `speed` milliseconds, on a thread of its own, without drift."""

    def __init__(self, step: Callable[[], None], speed: float) -> None:
        self._step = step
        self._period_s = _FRAME_MS / 1_000 / speed
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="audio", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._over.wait(max(0.0, due - time.monotonic())):
            self._step()
            due += self._period_s


class FileMicrophone:
    """Plays a WAV file into `on_frame` at `speed` times real time, then silence, in frames of 40 ms."""

    def __init__(self, path: Path, *, speed: float = 1.0) -> None:
        """Raises AudioError if the file cannot be used."""
        self._pcm = wav.read(path)
        self._at = 0
        self._pace = _Pace(self._step, speed)
        self._on_frame: OnFrame

    def start(self, on_frame: OnFrame) -> None:
        """Begin at the file's beginning. A microphone is started once."""
        self._on_frame = on_frame
        self._pace.start()

    def stop(self) -> None:
        """End; see `MicrophoneSource.stop`."""
        self._pace.stop()

    def _step(self) -> None:
        size = ms_to_bytes(_FRAME_MS)
        frame = self._pcm[self._at : self._at + size]
        self._at += size
        self._on_frame(frame + bytes(size - len(frame)))


class FileSpeaker:
    """Plays by the clock, at `speed` times real time; `close` writes all of it, silence too, to `path` if given."""

    def __init__(self, path: Path | None = None, *, speed: float = 1.0) -> None:
        self._path = path
        self._played = bytearray()
        self._pace = _Pace(self._step, speed)
        self._playback: Playback

    def start(self, on_played: OnPlayed) -> None:
        """Begin to play what comes. A speaker is started once, before anything else."""
        self._playback = Playback(on_played, latency_ms=_FRAME_MS)
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
        frame = self._playback.pull(ms_to_bytes(_FRAME_MS))
        if self._path is not None:
            self._played += frame
