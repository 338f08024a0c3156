"""The clients, each with what it needs."""

import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from evals.clients import environment
from evals.clients.exchange import Outcome, hold

OPENAI_AGENTS: Final = "openai-agents==0.24.0"
"""Needs websockets before 17, which this project's own environment does not have."""

_HERE: Final = Path(__file__).parent


def openai_agents() -> Outcome:
    """The OpenAI Agents SDK, in a throw-away environment. Raises CannotInstall."""
    with tempfile.TemporaryDirectory(prefix="interviewer-client-") as folder:
        python = environment.make(Path(folder) / "venv", OPENAI_AGENTS)
        return hold(OPENAI_AGENTS, python, _HERE / "openai_agents_client.py", Path(folder))


def sdk() -> Outcome:
    """The official SDK's own Realtime client, as installed here."""
    with tempfile.TemporaryDirectory(prefix="interviewer-client-") as folder:
        return hold("openai", sys.executable, _HERE / "sdk_client.py", Path(folder))


CLIENTS: Final[Mapping[str, Callable[[], Outcome]]] = {"openai-agents": openai_agents, "sdk": sdk}
