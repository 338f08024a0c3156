"""Work that fails and kills, and what comes of it on a cluster of this machine: `python -m tests.lab.deadly`."""

import json
import os
import signal
import sys

from interviewer.lab.executors import on_dask

POISON, FAILING = 5, 3


def work(item: int) -> int:
    """Ten times the item; one fails, and one kills its worker each time, whatever else that had to do."""
    if item == FAILING:
        raise ValueError("a bad item")
    if item == POISON:
        os.kill(os.getpid(), signal.SIGKILL)
    return item * 10


if __name__ == "__main__":
    from tests.lab.deadly import work as importable

    found = dict(on_dask(importable, list(range(8)), 2))
    told = {item: each if isinstance(each, int) else type(each).__name__ for item, each in found.items()}
    sys.stdout.write(json.dumps(told))
