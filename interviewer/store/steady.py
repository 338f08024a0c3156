"""A journal that goes on when its disk takes no more: the rest is kept in memory and beside, and joined again later."""

import contextlib
import errno
import logging
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from interviewer.errors import JournalError
from interviewer.store.journal import Journal
from interviewer.store.lines import Line, decode
from interviewer.store.lost import note_lost

_AGAIN_S: Final = 2.0
_log = logging.getLogger(__name__)


class SteadyJournal:
    """Writes a journal. While its disk takes nothing, lines wait in memory, and a copy of them in the temp folder.

    `problem` says so as long as any wait; every two seconds, and when it is closed, they are tried again, in order, so
    that the journal has no gap. `rest` is the copy, as far as it could be written. One writer at a time. What neither
    takes until `close` is lost, and `problem` says how many lines.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.problem: JournalError | None = None
        self.rest: Path | None = None
        self._waiting: list[bytes] = []
        self._copied = 0
        self._copy: int | None = None
        self._tried_s = 0.0
        self._why = ""

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self.journal.path

    def write(self, kind: str, t_ms: int, data: Mapping[str, Any]) -> None:
        """Append one line, or keep it until the disk takes it. Raises JournalError if the data is not JSON."""
        self._waiting.append(self.journal.line(len(self._waiting) + 1, (kind, t_ms, data)))
        if self.problem is None or time.monotonic() - self._tried_s >= _AGAIN_S:
            self._write()
        elif self._waiting:
            self._keep()

    def close(self) -> None:
        """Try what waits once more, and close. What waits even then is in `rest`, or lost as `problem` says."""
        if self._waiting:
            self._write()
        if self._waiting and not self._whole():
            lost = len(self._waiting) - self._copied
            kept = f"; the first {self._copied} that waited in {self.rest}" if self._copied else ""
            words = "its last line is lost" if lost == 1 else f"its last {lost} lines are lost"
            self.problem = JournalError(f"{self.path}: {words}: no disk took them until its end{kept}")
            _log.error("%s", self.problem)
            note_lost(self.path, lost)
        self.journal.close()
        if self._copy is not None:
            os.close(self._copy)
            self._copy = None

    def _write(self) -> None:
        self._tried_s = time.monotonic()
        try:
            self.journal.append(self._waiting)
        except JournalError as error:
            first, self._why = self.problem is None, str(error)
            self._keep()
            if first:
                _log.error("%s", self.problem)
            return
        self._waiting.clear()
        if self.problem is not None:
            _log.warning("%s is whole again: all that waited is written", self.path)
            self.problem = None
            self._drop_copy()

    def _whole(self) -> bool:
        """Whether the copy holds all that waits."""
        return self.rest is not None and self._copied == len(self._waiting)

    def _where(self) -> str:
        if self._whole():
            return f"in {self.rest}: `interviewer recover` puts it back"
        return "in memory only: make room soon, in its folder or in the temp folder"

    def _keep(self) -> None:
        """Copy what waits to the temp folder, if that can be, and tell where it is."""
        self._copy_rest()
        self.problem = JournalError(f"{self._why}; the call goes on, and the rest of it is kept {self._where()}")

    def _copy_rest(self) -> None:
        with contextlib.suppress(OSError):
            if self._copy is None:
                descriptor, name = tempfile.mkstemp(prefix=rest_prefix(self.path.stem), suffix=".jsonl")
                self._copy, self.rest = descriptor, Path(name)
            while self._copied < len(self._waiting):
                _write_whole(self._copy, self._waiting[self._copied])
                self._copied += 1

    def _drop_copy(self) -> None:
        with contextlib.suppress(OSError):
            if self._copy is not None:
                os.close(self._copy)
            if self.rest is not None:
                self.rest.unlink()
        self._copy, self.rest, self._copied = None, None, 0


def _write_whole(descriptor: int, line: bytes) -> None:
    size = os.fstat(descriptor).st_size
    try:
        if os.write(descriptor, line) < len(line):
            os.ftruncate(descriptor, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.lseek(descriptor, 0, os.SEEK_END)


def rest_prefix(call_id: str) -> str:
    """How the names of copies in the temp folder begin; without an id, those of all calls."""
    return f"interviewer-rest-{call_id}-" if call_id else "interviewer-rest-"


def rests(call_id: str = "") -> list[Path]:
    """Copies that were left in the temp folder because a journal could not be written; only this user's own."""
    found = sorted(Path(tempfile.gettempdir()).glob(f"{rest_prefix(call_id)}*.jsonl"))
    return [path for path in found if path.is_file() and not path.is_symlink() and _is_ours(path)]


def _is_ours(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()
    return False


def rejoin(path: Path, rest: Path) -> int:
    """Put the lines of a copy back at the end of its journal, and remove the copy. Returns how many there were.

    Lines that the journal has are left out. Raises JournalError if some are missing between the two: then nothing is
    changed; and as `Journal.reopen` does.
    """
    try:
        raw = rest.read_bytes()
    except OSError as error:
        raise JournalError(f"cannot read {rest}: {error.strerror}") from None
    with Journal.reopen(path) as journal:
        lines = [line for line in raw.splitlines(keepends=True) if line.endswith(b"\n")]
        numbers = [found.n if isinstance(found := decode(line[:-1], 0, journal.seal), Line) else -1 for line in lines]
        new = [(n, line) for n, line in zip(numbers, lines, strict=True) if n < 0 or n > journal.last_n]
        if [n for n, _ in new] != list(range(journal.last_n + 1, journal.last_n + 1 + len(new))):
            raise JournalError(f"{rest} does not go on where {path} ends: it is left as it is")
        if new:
            journal.append([line for _, line in new])
    rest.unlink()
    return len(new)
