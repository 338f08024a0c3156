"""What takes time, on threads of its own; what goes wrong there is kept in words, as nobody reads a thread's trace."""

import logging
import threading
from collections.abc import Callable

from interviewer.errors import InterviewerError
from interviewer.keys import api_key, without_keys

_log = logging.getLogger(__name__)


class Tasks:
    """Tasks by name, one of a name at a time. `problem` is what went wrong last, in a sentence without keys."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: dict[str, str] = {}
        self.problem = ""

    @property
    def busy(self) -> dict[str, str]:
        """What is being done, in words, by name."""
        with self._lock:
            return dict(self._busy)

    def begin(
        self, name: str, words: str, act: Callable[[], object], on_over: Callable[[], object] | None = None
    ) -> None:
        """Begin, and return at once; nothing if one of this name is under way. `on_over` is called in any case."""
        with self._lock:
            if name in self._busy:
                return
            self._busy[name] = words
            self.problem = ""
        threading.Thread(target=self._run, args=(name, act, on_over), name=f"interview-{name}", daemon=True).start()

    def went_wrong(self, error: BaseException) -> None:
        """Tell of it, unless something else went wrong before."""
        if not self.problem:
            self.problem = _told(error)

    def _run(self, name: str, act: Callable[[], object], on_over: Callable[[], object] | None) -> None:
        try:
            act()
        except Exception as error:
            if not isinstance(error, InterviewerError):
                _log.exception("%s failed", name)
            self.problem = _told(error)
        finally:
            with self._lock:
                self._busy.pop(name, None)
            if on_over is not None:
                on_over()


def _told(error: BaseException) -> str:
    text = str(error) if isinstance(error, InterviewerError) else f"{type(error).__name__}: {error}"
    return without_keys(text, api_key())
