"""Where the work of a sweep is done: here, in threads, in processes, or on a Dask cluster. A lost worker loses no work.

Each gives (task, outcome) as they come, in any order, and every task once. What a task raises is its outcome, and so is
`WorkerDied` for one that takes its worker with it again and again.
"""

import contextlib
import itertools
import logging
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from typing import Any, Final, TypeVar

from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError

from interviewer.errors import ReplayError

Item = TypeVar("Item")
Given = TypeVar("Given")
Outcomes = Generator[tuple[Item, Given | Exception], None, None]
Work = Callable[[Item], Given]

_ANSWERS_S: Final = 10
_QUIET: Final = logging.CRITICAL  # what its log tells of lost workers is told by the outcomes
_BACK_S: Final = 60  # for a worker that was lost to be replaced
_ALONE: Final = 2
_LOOK_S: Final = 1  # how often a process looks whether its parent is there
_AHEAD: Final = 4
"""Tasks handed out for each worker, so that none waits and few are in memory."""
_QUEUED: Final = 2
"""The same for a process: as many as loky's own queue takes; of those beyond it loky loses count when stopped."""


class ClusterLost(ReplayError):
    """The cluster that the work was done on went away, and not only a worker of it."""


class WorkerDied(ReplayError):
    """The process that worked on this died of it: killed, out of memory, or crashed in a library."""


def serially(work: Work[Item, Given], items: Iterable[Item]) -> Outcomes[Item, Given]:
    """One after the other, here."""
    for item in items:
        yield item, _tried(work, item)


def in_threads(work: Work[Item, Given], items: Iterable[Item], jobs: int) -> Outcomes[Item, Given]:
    """In threads of this process: for work that waits for a model most of the time."""
    left = iter(items)
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="replay")
    running: dict[Future[Given | Exception], Item] = {}
    try:
        while True:
            for item in itertools.islice(left, jobs + 1 - len(running)):
                running[pool.submit(_tried, work, item)] = item
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # nobody waits for what is under way


def in_processes(work: Work[Item, Given], items: Iterable[Item], jobs: int) -> Outcomes[Item, Given]:
    """In processes of this machine, by loky.

    When one dies the work is begun again where it was; those that it may have died of are tried alone, so that one bad
    task is told from its neighbours.
    """
    left = dict(enumerate(items))
    while left:
        try:
            yield from _parallel(work, left, jobs)
        except TerminatedWorkerError:
            suspects = list(itertools.islice(left, _QUEUED * jobs))
            for number in suspects:
                alone = {number: left[number]}
                try:
                    yield from _parallel(work, alone, jobs)
                except TerminatedWorkerError as error:
                    yield alone[number], WorkerDied(f"its process died: {str(error).splitlines()[0]}")
                del left[number]


def on_dask(work: Work[Item, Given], items: Sequence[Item], jobs: int, address: str = "") -> Outcomes[Item, Given]:
    """On the Dask cluster at `address`; without one, on `jobs` processes of this machine, for as long as it takes.

    Workers at other machines need this package and the recordings under the same paths. A worker that is lost is
    replaced and its tasks are done by others; what may have killed it is tried alone in the end. Raises ReplayError if
    Dask is not installed or nothing answers, ClusterLost if the scheduler goes away.
    """
    check_dask()
    import dask.config
    from distributed import Client, LocalCluster
    from distributed.utils import silence_logging_cmgr

    with contextlib.ExitStack() as stack:
        # Of its own cluster all that a lost worker had is given back at once, and not tried on four workers in turn.
        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
        for name in ("distributed", "distributed.client"):
            stack.enter_context(silence_logging_cmgr(_QUIET, name))
        where: Any = address
        if not address:
            own = {"threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1", "silence_logs": _QUIET}
            where = stack.enter_context(LocalCluster(n_workers=jobs, processes=True, **own))  # type: ignore[no-untyped-call]
        try:
            client = stack.enter_context(Client(where, timeout=_ANSWERS_S))  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise _nobody(address, error) from None
        try:
            yield from _through(client, work, items)
        except (OSError, CancelledError) as error:
            raise ClusterLost(f"the Dask scheduler{f' at {address}' if address else ''} is gone: {error}") from None


def check_dask(address: str = "") -> None:
    """Raises ReplayError if Dask is not installed, or no scheduler answers at `address`."""
    try:
        from distributed import Client
    except ImportError:
        raise ReplayError("Dask is not installed: pip install 'interviewer[dask]'") from None
    if address:
        try:
            Client(address, timeout=_ANSWERS_S).close()  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise _nobody(address, error) from None


def _nobody(address: str, error: Exception) -> ReplayError:
    return ReplayError(f"no Dask scheduler answers at {address}: {error}")


def _through(client: Any, work: Work[Item, Given], items: Sequence[Item]) -> Outcomes[Item, Given]:
    """All tasks through a cluster, few of them at a time: what is done is fetched before its worker can be lost."""
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    left = deque(items)
    running: dict[Any, Item] = {}
    arriving = as_completed([])  # type: ignore[no-untyped-call]

    def hand_out() -> None:
        while left and len(running) < _AHEAD * max(1, len(client.nthreads())):
            future = client.submit(_tried, work, left[0], pure=False)
            running[future] = left.popleft()
            arriving.add(future)  # type: ignore[no-untyped-call]

    suspects: list[Item] = []
    hand_out()
    for future in arriving:
        item = running.pop(future)
        try:
            outcome: Any = future.result()
        except KilledWorker:
            suspects.append(item)
        except (OSError, CancelledError):
            raise
        except Exception as error:  # what came back cannot be read
            yield item, error
        else:
            yield item, outcome
        hand_out()
    for item in suspects:
        yield item, _alone(client, work, item)


def _alone(client: Any, work: Work[Item, Given], item: Item) -> Any:
    """The outcome of a task that may have killed a worker, with nothing else on the cluster.

    It is tried again once its worker is back: the first time may have come to one that was about to go.
    """
    from distributed.scheduler import KilledWorker

    died = ""
    for _ in range(_ALONE):
        try:
            client.wait_for_workers(1, timeout=_BACK_S)
            return client.submit(_tried, work, item, pure=False).result()
        except KilledWorker as error:
            died = str(error).splitlines()[0]
        except TimeoutError as error:  # no worker came back
            return error
        except (OSError, CancelledError):
            raise
        except Exception as error:
            return error
    return WorkerDied(f"its worker died: {died}")


def _parallel(work: Work[Item, Given], left: dict[int, Item], jobs: int) -> Outcomes[Item, Given]:
    """Works on what is `left`, and takes out of it what is done. Raises TerminatedWorkerError."""
    pool = get_reusable_executor(max_workers=jobs, initializer=_settle, initargs=(os.getpid(),))
    numbers = iter(list(left))
    running: dict[Future[Given | Exception], int] = {}
    try:
        while True:
            for number in itertools.islice(numbers, _QUEUED * jobs - len(running)):
                running[pool.submit(_tried, work, left[number])] = number
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                outcome = future.result()
                yield left.pop(running.pop(future)), outcome
    finally:
        if running:  # nobody waits for what is under way
            pool.shutdown(wait=True, kill_workers=True)


def _settle(parent: int) -> None:
    """In a worker: Ctrl-C is for its parent to hear, and without that it goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_go_with, args=(parent,), daemon=True).start()


def _go_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)


def _tried(work: Work[Item, Given], item: Item) -> Given | Exception:
    try:
        return work(item)
    except Exception as error:
        return error
