"""The simulated guest behind a microphone and a loudspeaker: it knows what was said from the sound alone."""

import threading
import time
from typing import Final

from interviewer.audio.pcm import bytes_to_ms, ms_to_bytes, to_bytes
from interviewer.audio.playback import Playback
from interviewer.audio.ports import OnFrame, OnPlayed
from interviewer.audio.speech import Transcriber, synthesise
from interviewer.simulate.guest import Guest

_FRAME_MS: Final = 40
_NAP_S: Final = 0.01  # at high speed the frames of this long come at once


class SpokenGuest:
    """Hears what `speaker` plays, thinks, and speaks into `microphone`, at `speed` times real time.

    Both ends share one thread and one line of time, from when the first of them is opened to when both are closed;
    the guest lives on it. `heard` holds (response id, text) of what it heard, in order.
    """

    def __init__(self, guest: Guest, *, speed: float = 1.0) -> None:
        """`guest` measures its speech by `audio.speech.duration_ms`, as the sound does."""
        self.guest = guest
        self.heard: list[tuple[str, str]] = []
        self.microphone = _Microphone(self)
        self.speaker = _Speaker(self)
        self._speed = speed
        # Taken before the playback's own, always.
        self._lock = threading.RLock()
        self._on_frame: OnFrame | None = None
        self._on_played: OnPlayed | None = None
        self._playback = Playback(self._report)
        self._reports: list[tuple[str, int, bool]] = []
        self._played: dict[str, int] = {}
        self._transcriber = Transcriber()
        self._speech = bytearray()
        self._at_ms = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="spoken-guest", daemon=True)

    # -- time --------------------------------------------------------------------------------------------------

    def _open(self, *, on_frame: OnFrame | None = None, on_played: OnPlayed | None = None) -> None:
        with self._lock:
            self._on_frame, self._on_played = on_frame or self._on_frame, on_played or self._on_played
            if self._thread.ident is None:
                self._thread.start()

    def _close(self, *, microphone: bool) -> None:
        with self._lock:
            self._on_frame = None if microphone else self._on_frame
            self._on_played = self._on_played if microphone else None
            over = self._on_frame is None and self._on_played is None
        if over and self._thread.ident is not None:
            self._over.set()
            self._thread.join()

    def _run(self) -> None:
        began_s = time.monotonic()
        nap_s = max(_NAP_S, _FRAME_MS / 1_000 / self._speed)
        while not self._over.wait(nap_s):
            now_ms = (time.monotonic() - began_s) * 1_000 * self._speed
            while self._at_ms + _FRAME_MS <= now_ms and not self._over.is_set():
                self._step()

    def _step(self) -> None:
        """One frame of sound in and one out."""
        with self._lock:
            self._listen(self._playback.pull(ms_to_bytes(_FRAME_MS)))
            self._at_ms += _FRAME_MS
            frame = self._speak()
            if self._on_frame:
                self._on_frame(frame)

    # -- hearing -----------------------------------------------------------------------------------------------

    def _report(self, response_id: str, played_ms: int, ended: bool) -> None:
        self._reports.append((response_id, played_ms, ended))
        if self._on_played:
            self._on_played(response_id, played_ms, ended)

    def _listen(self, frame: bytes, *, finished: bool = True) -> None:
        """Hear a frame; the reports made while it was pulled say which part of it is whose."""
        reports, self._reports = self._reports, []
        at = 0
        for response_id, played_ms, ended in reports:
            played = ms_to_bytes(played_ms)
            end = at + played - self._played.get(response_id, 0)
            if played and response_id not in self._played:
                self.guest.voice_started(self._at_ms + bytes_to_ms(at))
            self._transcriber.feed(frame[at:end])
            self._played[response_id], at = played, end
            if ended and played:
                text = self._transcriber.take() or ""
                self.heard.append((response_id, text))
                self.guest.voice_ended(self._at_ms + bytes_to_ms(at), text, finished)

    def _silence(self, response_id: str) -> None:
        with self._lock:
            self._playback.stop(response_id)
            self._listen(b"", finished=False)

    # -- speaking ----------------------------------------------------------------------------------------------

    def _speak(self) -> bytes:
        self.guest.advance(self._at_ms)
        for edge in self.guest.take():
            if edge.on:
                self._speech += to_bytes(synthesise(self.guest.saying))
        size = ms_to_bytes(_FRAME_MS)
        frame = bytes(self._speech[:size])
        del self._speech[:size]
        return frame + bytes(size - len(frame))


class _Microphone:
    """The guest's `MicrophoneSource`."""

    def __init__(self, guest: SpokenGuest) -> None:
        self._guest = guest

    def start(self, on_frame: OnFrame) -> None:
        """See `MicrophoneSource.start`; once only."""
        self._guest._open(on_frame=on_frame)

    def stop(self) -> None:
        """See `MicrophoneSource.stop`."""
        self._guest._close(microphone=True)


class _Speaker:
    """The guest's `SpeakerSink`."""

    def __init__(self, guest: SpokenGuest) -> None:
        self._guest = guest

    def start(self, on_played: OnPlayed) -> None:
        """See `SpeakerSink.start`; once only."""
        self._guest._open(on_played=on_played)

    def play(self, response_id: str, pcm: bytes) -> None:
        """See `SpeakerSink.play`."""
        with self._guest._lock:
            self._guest._playback.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        """See `SpeakerSink.end`."""
        with self._guest._lock:
            self._guest._playback.end(response_id)

    def stop(self, response_id: str) -> None:
        """See `SpeakerSink.stop`."""
        self._guest._silence(response_id)

    def close(self) -> None:
        """See `SpeakerSink.close`."""
        self._guest._close(microphone=False)
