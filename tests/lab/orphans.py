"""A program whose work is done in a process of its own, to be killed: `python -m tests.lab.orphans`."""

import os
import sys
import time

from interviewer.lab.executors import in_processes


def whose(item: int) -> int:
    """The process that works on it."""
    time.sleep(0.1 * item)
    return os.getpid()


if __name__ == "__main__":
    from tests.lab.orphans import whose as importable

    for _, worker in in_processes(importable, range(600), 1):
        sys.stdout.write(f"{worker}\n")
        sys.stdout.flush()
