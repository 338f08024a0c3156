import threading
from collections.abc import Iterator

import pytest
from openai import AsyncOpenAI


@pytest.fixture(autouse=True, scope="session")
def _sdk_is_loaded() -> None:
    """The SDK loads its parts on first use, which is a long time where time runs fast."""
    assert callable(AsyncOpenAI(api_key="none").realtime.connect)


@pytest.fixture(autouse=True)
def _no_thread_stays() -> Iterator[None]:
    """A call takes all its threads with it."""
    before = set(threading.enumerate())
    yield
    assert [thread.name for thread in set(threading.enumerate()) - before] == []
