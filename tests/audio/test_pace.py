import logging
import queue
import threading
import time

import pytest

from interviewer.audio.pace import Pace
from tests.patience import PATIENCE_S

FAST = 50.0  # 0.8 ms a beat


def test_all_that_go_equally_fast_share_a_thread_which_ends_with_them() -> None:
    seen: queue.Queue[tuple[str, threading.Thread]] = queue.Queue()
    paces = [Pace(lambda n=name: seen.put((n, threading.current_thread())), FAST) for name in "ab"]  # type: ignore[misc]
    for pace in paces:
        pace.start()
    threads: dict[str, threading.Thread] = {}
    while len(threads) < 2:
        name, thread = seen.get(timeout=PATIENCE_S)
        threads[name] = thread
    assert threads["a"] is threads["b"]
    for pace in paces:
        pace.stop()
    assert not threads["a"].is_alive()


def test_one_that_breaks_is_logged_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    broken = threading.Event()
    beats: queue.Queue[bool] = queue.Queue()

    def fail() -> None:
        broken.set()
        raise RuntimeError("no more sound")

    one, other = Pace(fail, FAST), Pace(lambda: beats.put(broken.is_set()), FAST)
    with caplog.at_level(logging.ERROR):
        other.start()
        one.start()
        while not beats.get(timeout=PATIENCE_S):
            pass
        assert [beats.get(timeout=PATIENCE_S) for _ in range(5)] == [True] * 5
        other.stop()
        one.stop()
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["no more sound"]


def test_a_stop_waits_for_the_step_under_way_and_none_comes_after_it() -> None:
    began, ended = threading.Event(), threading.Event()

    def step() -> None:
        began.set()
        time.sleep(0.05)
        ended.set()

    pace = Pace(step, FAST)
    pace.start()
    assert began.wait(PATIENCE_S)
    pace.stop()
    assert ended.is_set()
    ended.clear()
    time.sleep(0.01)
    assert not ended.is_set()
