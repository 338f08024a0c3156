"""Work that is lost with its worker is done again; what kills a worker is told from its neighbours."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from interviewer.errors import ReplayError
from interviewer.lab.executors import ClusterLost, WorkerDied, in_processes, in_threads, on_dask, serially
from tests.lab.deadly import FAILING, POISON, work
from tests.lab.orphans import whose
from tests.patience import PATIENCE_S, until
from tests.project.checkout import ROOT, python


def check(outcomes: "dict[int, int | Exception]", count: int) -> None:
    assert {item: each for item, each in outcomes.items() if isinstance(each, int)} == {
        item: item * 10 for item in range(count) if item not in (POISON, FAILING)
    }
    assert isinstance(outcomes[FAILING], ValueError)
    assert isinstance(outcomes[POISON], WorkerDied)
    assert len(outcomes) == count


def test_processes_that_die_lose_nothing() -> None:
    check(dict(in_processes(work, range(8), 2)), 8)


def test_with_one_job_a_task_that_kills_its_process_does_not_kill_this_one() -> None:
    check(dict(in_processes(work, range(8), 1)), 8)


def _gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_processes_go_when_nobody_listens_any_more() -> None:
    outcomes = in_processes(whose, range(600), 2)  # what its threads raise fails the test
    _, worker = next(outcomes)
    assert isinstance(worker, int)
    assert not _gone(worker)
    outcomes.close()
    assert _gone(worker)


def test_processes_go_with_the_program_that_began_them() -> None:
    program = subprocess.Popen([sys.executable, "-m", "tests.lab.orphans"], cwd=ROOT, stdout=subprocess.PIPE)
    assert program.stdout is not None
    with program:
        worker = int(program.stdout.readline())
        program.kill()
        program.stdout.read()  # ends once nobody holds it open
    until(lambda: _gone(worker))


def test_a_cluster_on_this_machine_finishes_although_workers_are_killed() -> None:
    told = json.loads(python("-m", "tests.lab.deadly"))  # apart from what other tests left in this process
    assert {int(item): each for item, each in told.items()} == {
        **{item: item * 10 for item in range(8)},
        FAILING: "ValueError",
        POISON: "WorkerDied",
    }


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.lab.executors._ANSWERS_S", 1)
    with pytest.raises(ReplayError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(on_dask(abs, [1], 1, "tcp://127.0.0.1:9"))


@pytest.mark.parametrize("answers", [1, 2])
def test_a_scheduler_that_dies_is_no_fault_of_a_task(monkeypatch: pytest.MonkeyPatch, answers: int) -> None:
    class Future:
        def result(self) -> int:
            if client.asked < answers:
                return 0
            raise CancelledError("scheduler-connection-lost")

    class Client:
        """Of a scheduler that answers a few times."""

        asked = 0

        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __enter__(self) -> "Client":
            return client

        def __exit__(self, *_: object) -> None:
            pass

        def nthreads(self) -> list[int]:
            self.asked += 1
            if self.asked > answers:
                raise OSError("Timed out trying to connect")
            return [1]

        def submit(self, *_: object, **__: object) -> Future:
            waiting.append(Future())
            return waiting[-1]

    class Arriving:
        def add(self, _: Future) -> None:
            pass

        def __iter__(self) -> Iterator[Future]:
            while waiting:
                yield waiting.pop(0)

    client, waiting = Client(), list[Future]()
    monkeypatch.setattr("distributed.Client", Client)
    monkeypatch.setattr("distributed.as_completed", lambda _: Arriving())
    monkeypatch.setattr("interviewer.lab.executors._AHEAD", 1)
    with pytest.raises(ClusterLost, match=r"scheduler at tcp://127\.0\.0\.1:9 is gone: "):
        list(on_dask(abs, [1, 2, 3], 1, "tcp://127.0.0.1:9"))


def test_threads_work_side_by_side_and_stop_when_nobody_listens() -> None:
    begun: list[int] = []
    both = threading.Barrier(2, timeout=PATIENCE_S)

    def wait(item: int) -> int:
        begun.append(item)
        if item < 2:
            both.wait()  # passes only if two are at work at once
        return item

    assert dict(in_threads(wait, range(6), 2)) == {item: item for item in range(6)}
    begun.clear()

    def slow(item: int) -> None:
        begun.append(item)
        time.sleep(0.01)

    outcomes = in_threads(slow, range(1_000), 2)
    next(outcomes)
    outcomes.close()
    assert len(begun) < 20


def test_one_after_the_other_a_failure_is_an_outcome() -> None:
    found = dict(serially(lambda item: 1 / item, [1.0, 0.0, 2.0]))
    assert (found[1.0], found[2.0]) == (1.0, 0.5)
    assert isinstance(found[0.0], ZeroDivisionError)
