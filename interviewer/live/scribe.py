"""The hand that writes the journal of a live call, and puts the pen down when it can write no more."""

from collections.abc import Callable
from typing import Any

from interviewer.errors import InterviewerError, JournalError

Write = Callable[[str, int, dict[str, Any]], object]
"""Takes (kind, t_ms, data) of each line of the journal; may raise JournalError or OSError."""


class Scribe:
    """Writes until it fails; `error` says why. It is not tried again: a journal with a gap folds to another call."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self.error: InterviewerError | None = None

    def note(self, kind: str, t_ms: int, data: dict[str, Any]) -> None:
        """Write one line, if all before it could be written."""
        if self.error is not None:
            return
        try:
            self._write(kind, t_ms, data)
        except InterviewerError as error:
            self.error = error
        except OSError as error:
            self.error = JournalError(f"the journal cannot be written: {error.strerror or error}")
