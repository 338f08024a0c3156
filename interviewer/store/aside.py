"""A damaged database, set aside: another is made from the journals, and nothing of the old one is thrown away."""

import contextlib
from datetime import datetime
from pathlib import Path
from typing import Final

_MARK: Final = ".damaged-"
_LOG: Final = ".wal"  # what DuckDB had not yet written into the file itself


def identity(path: Path) -> tuple[int, int] | None:
    """Tells whether `path` is still the same file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def put_aside(path: Path) -> Path:
    """Rename the database at `path`, with its log, to a name of today; gives the new one. Raises OSError."""
    to = path.with_name(f"{path.stem}{_MARK}{datetime.now():%Y%m%d-%H%M%S-%f}{path.suffix}")
    path.rename(to)
    with contextlib.suppress(FileNotFoundError):
        path.with_name(path.name + _LOG).rename(to.with_name(to.name + _LOG))
    return to


def set_aside(path: Path) -> list[Path]:
    """The files that were set aside of the database at `path`."""
    return sorted(path.parent.glob(f"{path.stem}{_MARK}*"))
