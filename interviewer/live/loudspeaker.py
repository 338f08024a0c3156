"""The interviewer's voice on its way out: what is being heard, and how much of it the core is told."""

import threading
from collections.abc import Callable

from interviewer.audio.ports import SpeakerSink

REPORT_EVERY_MS = 250


class Loudspeaker:
    """A sink with fewer reports: the first of a response, one every 250 ms of its audio, and the last."""

    def __init__(self, sink: SpeakerSink, report: Callable[[str, int, bool], None]) -> None:
        self._sink = sink
        self._report = report
        # Never held while the sink is called, which holds its own lock while it reports.
        self._lock = threading.Lock()
        self._playing: set[str] = set()
        self._over: set[str] = set()
        self._reported: dict[str, int] = {}
        self._started = False

    @property
    def playing(self) -> bool:
        """Whether something was given to play that has not been played to its end."""
        return bool(self._playing)

    def start(self) -> None:
        """Open the sink. Raises AudioError as it does."""
        self._sink.start(self._played)
        self._started = True

    def play(self, response_id: str, pcm: bytes) -> None:
        """Append audio to a response; ignored once that was stopped."""
        with self._lock:
            if response_id in self._over:
                return
            self._playing.add(response_id)
        self._sink.play(response_id, pcm)

    def end(self, response_id: str) -> None:
        """No more audio comes for this response."""
        self._sink.end(response_id)

    def stop(self, response_id: str) -> None:
        """Fall silent at once, and stay silent for this response."""
        self._sink.stop(response_id)

    def close(self) -> None:
        """Release the sink; nothing is reported after that. Closing twice does no harm."""
        if self._started:
            self._started = False
            self._playing.clear()
            self._sink.close()

    def _played(self, response_id: str, played_ms: int, ended: bool) -> None:
        with self._lock:
            if ended:
                self._playing.discard(response_id)
                self._over.add(response_id)
            elif played_ms < self._reported.get(response_id, -REPORT_EVERY_MS) + REPORT_EVERY_MS:
                return
            self._reported[response_id] = played_ms
        self._report(response_id, played_ms, ended)
