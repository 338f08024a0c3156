"""A sound card that is watched: unplugged in the middle of a call it is named, and taken again once it is back."""

import contextlib
import logging
import threading
import time
from abc import ABC, abstractmethod
from typing import Any, Final

from interviewer.audio.ports import OnProblem
from interviewer.errors import AudioError
from interviewer.settings import AudioSettings

_GLANCE_S: Final = 0.25
_FRAME_S: Final = 0.04

_log = logging.getLogger(__name__)


class Attended(ABC):
    """A stream of PortAudio's whose callback says `_moved`; if it falls silent the stream is closed and opened anew."""

    def __init__(self, what: str, settings: AudioSettings) -> None:
        self.problem = ""
        self._what = what
        self._settings = settings
        self._stream: Any = None
        self._moved_s = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="sound-card", daemon=True)
        self._on_problem: OnProblem = lambda _: None

    def report_to(self, on_problem: OnProblem) -> None:
        """See `Reporter.report_to`."""
        self._on_problem = on_problem

    @abstractmethod
    def _open(self) -> Any:
        """A stream that runs. Raises AudioError."""

    def _meanwhile(self) -> None:  # noqa: B027  most devices have nothing to do
        """Called every 40 ms while the device is lost."""

    def _moved(self) -> None:
        """The device gave or took sound."""
        self._moved_s = time.monotonic()

    def _attend(self) -> None:
        """Open, once. Raises AudioError."""
        self._moved()
        self._stream = self._open()
        self._thread.start()

    def _leave(self) -> None:
        """Close; a second time does no harm."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._close()

    def _close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.abort()
            stream.close()

    def _watch(self) -> None:
        tried_s = 0.0
        while not self._over.wait(_FRAME_S if self.problem else _GLANCE_S):
            now_s = time.monotonic()
            if not self.problem and now_s - self._moved_s >= self._settings.lost_ms / 1_000:
                self._lost()
                tried_s = now_s
            elif self.problem:
                self._meanwhile()
                if now_s - tried_s >= self._settings.reopen_ms / 1_000:
                    self._again()
                    tried_s = time.monotonic()

    def _lost(self) -> None:
        every_s = self._settings.reopen_ms / 1_000
        self._tell(
            f"{self._what} is lost: it was unplugged, or another program took it. The call goes on without it; it is "
            f"tried again every {every_s:g} s"
        )
        # PortAudio may refuse to close what is not there any more.
        with contextlib.suppress(Exception):
            self._close()

    def _again(self) -> None:
        try:
            stream = self._open()
        except AudioError:
            return
        self._moved()
        self._stream = stream
        self._tell("")

    def _tell(self, problem: str) -> None:
        self.problem = problem
        _log.warning("%s", problem or f"{self._what} is back")
        self._on_problem(problem)
