import threading
from collections.abc import Iterator

import openai
import pytest


@pytest.fixture(autouse=True)
def _no_thread_stays() -> Iterator[None]:
    """A call takes all its threads with it. (The SDK is imported above: at twenty times the speed that is slow.)"""
    before = set(threading.enumerate())
    yield
    assert [thread.name for thread in set(threading.enumerate()) - before] == []


assert openai
