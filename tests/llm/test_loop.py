import asyncio
import functools
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from interviewer.llm import loop


async def _where() -> int:
    return id(asyncio.get_running_loop())


def test_agents_that_start_side_by_side_share_one_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client belongs to the loop that it was first used on; the first two agents of a call come together."""
    monkeypatch.setattr(loop, "_loop", functools.cache(loop._loop.__wrapped__))
    new, together = asyncio.new_event_loop, threading.Barrier(6)

    def slowly() -> asyncio.AbstractEventLoop:
        time.sleep(0.05)
        return new()

    def ask() -> int:
        together.wait()
        return loop.run(_where())

    monkeypatch.setattr(asyncio, "new_event_loop", slowly)
    with ThreadPoolExecutor(6) as pool:
        assert len({asked.result() for asked in [pool.submit(ask) for _ in range(6)]}) == 1
