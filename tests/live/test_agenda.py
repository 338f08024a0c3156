import threading
import time

from interviewer.live.agenda import Agenda
from interviewer.live.clock import WallClock

SPEED = 100.0


def taken(agenda: Agenda, until_ms: int) -> list[tuple[int, str]]:
    """What happens up to a deadline, with its times."""
    found: list[tuple[int, str]] = []
    while True:
        t_ms, happen = agenda.next(until_ms)
        if happen is None:
            assert t_ms >= until_ms
            return found
        found.append((t_ms, str(happen(t_ms))))


def test_what_was_put_off_comes_in_order_of_its_time() -> None:
    agenda = Agenda(WallClock(SPEED))
    agenda.later(400, lambda _: "second")
    agenda.later(200, lambda _: "first")
    agenda.later(400, lambda _: "third")
    agenda.later(90_000, lambda _: "never")
    assert taken(agenda, 1_000) == [(200, "first"), (400, "second"), (400, "third")]


def test_what_other_threads_post_wakes_whoever_waits_and_is_dated_on_arrival() -> None:
    clock = WallClock(SPEED)
    agenda = Agenda(clock)
    posted: list[int] = []

    def post() -> None:
        posted.append(clock.now_ms)
        agenda.post(lambda _: "came")
        posted.append(clock.now_ms)

    thread = threading.Thread(target=post)
    thread.start()
    t_ms, happen = agenda.next(None)
    thread.join()
    assert happen is not None
    assert posted[0] <= t_ms <= posted[1]


def test_what_came_before_a_deadline_is_dealt_with_before_it_however_late_it_is_looked_at() -> None:
    agenda = Agenda(WallClock(SPEED))
    agenda.post(lambda _: "in time")
    time.sleep(0.02)  # two seconds of the call's time
    assert [text for _, text in taken(agenda, 1_000)] == ["in time"]


def test_a_deadline_comes_at_the_speed_of_the_call() -> None:
    agenda = Agenda(WallClock(SPEED))
    began = time.monotonic()
    assert taken(agenda, 10_000) == []
    assert time.monotonic() - began >= 0.1
