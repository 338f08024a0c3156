"""Who writes a file: a lock on its open descriptor, which the system itself lets go of when the process dies."""

import errno
import os
import sys
import time
from pathlib import Path
from typing import Final

_TRIES: Final = 20
_PAUSE_S: Final = 0.01  # somebody who only looks holds the lock for a moment
_HELD: Final = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK})
# Windows locks bytes, and nobody else may read those: one that no journal reaches.
_FAR: Final = 2**31 - 2

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, *, shared: bool) -> None:
        del shared  # there is one kind only
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int, *, shared: bool) -> None:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def hold(descriptor: int) -> bool:
    """Lock the file of this descriptor until it is closed or the process dies; False if somebody else holds it.

    On a file system that knows no locks it counts as held by nobody.
    """
    for _ in range(_TRIES):
        if _try(descriptor, shared=False):
            return True
        time.sleep(_PAUSE_S)
    return False


def is_held(path: Path) -> bool:
    """Whether a living process, this one included, holds the file. False for one that cannot be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return False
    try:
        return not _try(descriptor, shared=True)
    finally:
        os.close(descriptor)


def _try(descriptor: int, *, shared: bool) -> bool:
    try:
        _lock(descriptor, shared=shared)
    except OSError as error:
        return error.errno not in _HELD
    return True
