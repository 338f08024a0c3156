"""A home's own thresholds, kept by one process after the other."""

import os
from pathlib import Path

from interviewer.errors import MatchError
from interviewer.matching import thresholds
from interviewer.matching.thresholds import Threshold
from interviewer.store.locks import hold

_LOCK = "thresholds.lock"


def keep(threshold: Threshold, folder: Path, *, replace: bool = False) -> Path:
    """Keep a threshold in a home, whose file is returned; what another process keeps meanwhile is not lost.

    Raises MatchError if the name is taken and not to be replaced, or if the file cannot be written.
    """
    path = folder / _LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise MatchError(f"cannot write {path}: {error.strerror}") from None
    try:
        if not hold(descriptor):
            raise MatchError(f"{folder / thresholds.FILE} is being written by another process: try once more")
        thresholds.free(threshold.name, folder, replace=replace)
        return thresholds.save(threshold, folder)
    finally:
        os.close(descriptor)
