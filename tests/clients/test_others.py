"""Other people's programs that install in seconds; `python -m evals.clients all` has them all."""

import os

import pytest

from evals.clients.clients import CLIENTS
from evals.clients.environment import CannotInstall
from evals.clients.exchange import Outcome
from evals.clients.servers import SERVERS


def outcome(name: str) -> Outcome:
    try:
        return {**CLIENTS, **SERVERS}[name]()
    except CannotInstall as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"it cannot be installed here, is there a network? {error}")


@pytest.mark.parametrize("client", ["openai-agents", "pydantic-ai"])
def test_a_client_holds_a_spoken_exchange_with_the_simulated_service(client: str) -> None:
    assert outcome(client).wrong == ()


def test_with_a_server_that_sends_text_and_no_metadata_the_ledger_is_inferred_displayed_and_right() -> None:
    call = outcome("aimock")
    assert call.wrong == ()
    assert call.summary["responses_bound_by"] == ["inferred"]
    assert call.summary["questions_heard"] == call.summary["questions_sent"] > 1
    assert call.summary["typed"] > 2
