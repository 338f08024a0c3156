"""A damaged database, set aside: another is made from the journals, and nothing of the old one is thrown away."""

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from interviewer.store import locks

_MARK: Final = ".damaged-"
_LOG: Final = ".wal"  # what DuckDB had not yet written into the file itself


def identity(path: Path) -> tuple[int, int] | None:
    """Tells whether `path` is still the same file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def put_aside(path: Path, seen: tuple[int, int] | None) -> Path | None:
    """Rename the database at `path`, with its log, to a name of today; gives the new one. Raises OSError.

    None if it is not the file any more that was `seen`: another process has set that aside.
    """
    with _alone(path) as alone:
        if not alone or identity(path) != seen:
            return None
        to = path.with_name(f"{path.stem}{_MARK}{datetime.now():%Y%m%d-%H%M%S-%f}{path.suffix}")
        path.rename(to)
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + _LOG).rename(to.with_name(to.name + _LOG))
        return to


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Whether no other process sets the same database aside just now."""
    guard = path.with_name(f"{path.name}.lock")
    descriptor = os.open(guard, os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    try:
        yield locks.hold(descriptor)
    finally:
        os.close(descriptor)
        # Whoever waits for it meanwhile finds another database at `path`, and does nothing.
        with contextlib.suppress(OSError):
            guard.unlink()


def set_aside(path: Path) -> list[Path]:
    """The files that were set aside of the database at `path`."""
    return sorted(path.parent.glob(f"{path.stem}{_MARK}*"))
