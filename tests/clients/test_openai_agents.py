import os

import pytest

from evals.clients.clients import openai_agents
from evals.clients.environment import CannotInstall


def test_the_agents_sdk_holds_a_spoken_exchange() -> None:
    try:
        outcome = openai_agents()
    except CannotInstall as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"the client cannot be installed here, is there a network? {error}")
    assert outcome.wrong == ()
