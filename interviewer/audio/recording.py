"""A call's sound, kept: the guest on the left, on the right what was played of the interviewer."""

import logging
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import numpy as np

from interviewer.audio.flac import FlacWriter
from interviewer.audio.overheard import Overheard
from interviewer.audio.pcm import RATE, ms_to_bytes
from interviewer.audio.ports import SpeakerSink
from interviewer.audio.track import LATE_MS, Track
from interviewer.errors import AudioError

_STEP: Final = RATE // 5  # written at once: 200 ms
_NAP_S: Final = 0.2

_log = logging.getLogger(__name__)

_Piece = tuple[Literal["guest", "voice"], int, bytes]


class Recording:
    """Writes a FLAC file while the call runs; its first sample is the call's beginning, so times are positions.

    If it is begun later than the call, as when a call is resumed, silence stands for what came before.

    Whatever it is given is dated and put aside; a thread of its own does the rest. It never fails: `error` says why
    no more is kept, and the call goes on.
    """

    def __init__(self, path: Path) -> None:
        """`path`: a new file; its folder is made. Nothing is written before `start`."""
        self.path = path
        self.error: AudioError | None = None
        self._tracks: dict[str, Track] = {}
        self._came: queue.SimpleQueue[_Piece] = queue.SimpleQueue()
        self._written = 0
        self._over = threading.Event()
        self._now: Callable[[], int]
        self._file: FlacWriter | None = None
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)

    def start(self, now: Callable[[], int]) -> None:
        """Begin; `now` gives the call's time in ms."""
        self._now = now
        try:
            self._file = FlacWriter(self.path)
        except AudioError as error:
            self._failed(error)
        else:
            self._written = now() * RATE // 1_000
            self._tracks = {side: Track(self._written) for side in ("guest", "voice")}
            self._thread.start()

    def guest(self, pcm: bytes) -> None:
        """What was taken of the microphone just now; silence where it was shut."""
        self._add("guest", pcm)

    def voice(self, pcm: bytes) -> None:
        """What was played, up to now."""
        self._add("voice", pcm)

    def speaker(self, sink: SpeakerSink) -> SpeakerSink:
        """The same loudspeaker, of which is kept what it reports as played."""
        return _Kept(sink, self.voice)

    def close(self) -> None:
        """Write what is left and close the file. Closing twice does no harm."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _add(self, side: Literal["guest", "voice"], pcm: bytes) -> None:
        if self._file is not None and self.error is None:
            self._came.put((side, self._now(), pcm))

    def _run(self) -> None:
        assert self._file is not None
        for act in (self._keep, self._file.close):
            try:
                act()
            except AudioError as error:
                self._failed(error)

    def _keep(self) -> None:
        assert self._file is not None
        for at in range(0, self._written, RATE):
            self._file.write(np.zeros((min(RATE, self._written - at), 2), dtype=np.int16))
        while not self._over.wait(_NAP_S):
            self._take_in()
            self._write(self._now() - LATE_MS, _STEP)
        self._take_in()
        self._write_rest()

    def _take_in(self) -> None:
        while not self._came.empty():
            side, t_ms, pcm = self._came.get()
            self._tracks[side].add(t_ms, pcm)

    def _write(self, t_ms: int, least: int) -> None:
        self._write_to(min(track.settle(max(0, t_ms)) for track in self._tracks.values()), least)

    def _write_rest(self) -> None:
        """All there is: what came late ends after the call."""
        now = self._now()
        known = max(track.settle(now) for track in self._tracks.values())
        for track in self._tracks.values():
            track.silence(known)
        self._write_to(known, 1)

    def _write_to(self, known: int, least: int) -> None:
        while known >= self._written + least and self._file is not None:
            self._written = min(known, self._written + RATE)
            sides = [track.take(self._written) for track in self._tracks.values()]
            self._file.write(np.stack(sides, axis=1))

    def _failed(self, error: AudioError) -> None:
        if self.error is None:
            self.error = error
            _log.warning("%s", error)


class _Kept(Overheard):
    """Tells what was played, not what was given."""

    def __init__(self, sink: SpeakerSink, heard: Callable[[bytes], None]) -> None:
        super().__init__(sink)
        self._heard = heard
        # Never held while the sink is called, which holds its own lock while it reports.
        self._lock = threading.Lock()
        self._unplayed: dict[str, bytearray] = {}
        self._played: dict[str, int] = {}

    def given(self, response_id: str, pcm: bytes) -> None:
        with self._lock:
            self._unplayed.setdefault(response_id, bytearray()).extend(pcm)

    def played(self, response_id: str, played_ms: int, ended: bool) -> None:
        with self._lock:
            unplayed = self._unplayed.get(response_id, bytearray())
            fresh = max(0, ms_to_bytes(played_ms) - self._played.get(response_id, 0))
            heard = bytes(unplayed[:fresh])
            del unplayed[:fresh]
            self._played[response_id] = self._played.get(response_id, 0) + len(heard)
            if ended:
                self._unplayed.pop(response_id, None)
        if heard:
            self._heard(heard)
