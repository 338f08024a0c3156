"""Other people's clients, each with what it needs, and one way to run them all against the simulated service."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from evals.clients import environment
from evals.clients.exchange import Outcome, hold

OPENAI: Final = "openai==3.57.0"
"""The protocol's own types, which all Python clients share; each is given the same."""

ROOT: Final = Path(__file__).parents[2]
_PROGRAMS: Final = Path(__file__).parent / "programs"
PYTHON: Final[Mapping[str, tuple[str, ...]]] = {
    "openai_agents": ("openai-agents==0.24.0", OPENAI),
    "pydantic_ai_realtime": ("pydantic-ai-slim[openai,realtime]==2.68.0", OPENAI),
    "livekit_agents": ("livekit-plugins-openai==1.8.9", OPENAI),
    "pipecat_pipeline": ("pipecat-ai[openai]==1.14.0", OPENAI),
}
_NODE: Final[Mapping[str, tuple[str, ...]]] = {"agents_realtime": ("@openai/agents-realtime@0.20.0",)}


def python_client(program: str) -> Outcome:
    """A program in a throw-away Python environment. Raises CannotInstall."""
    requirements = PYTHON[program]
    with tempfile.TemporaryDirectory(prefix="interviewer-client-") as folder:
        python = environment.make(Path(folder) / "venv", *requirements)
        command = (str(python), "-E", "-s", "-m", f"evals.clients.programs.{program}")
        return hold(", ".join(requirements), command, Path(folder))


def node_client(program: str) -> Outcome:
    """A program in a throw-away folder of npm packages. Raises CannotInstall."""
    packages = _NODE[program]
    with tempfile.TemporaryDirectory(prefix="interviewer-client-") as folder:
        place = environment.make_node(Path(folder) / "node", *packages)
        script = shutil.copy(_PROGRAMS / f"{program}.mjs", place)
        return hold(", ".join(packages), ("node", str(script)), Path(folder))


def sdk() -> Outcome:
    """The official SDK's own Realtime client, as installed here."""
    with tempfile.TemporaryDirectory(prefix="interviewer-client-") as folder:
        return hold(OPENAI, (sys.executable, "-E", "-s", "-m", "evals.clients.programs.sdk"), Path(folder))


CLIENTS: Final[Mapping[str, Callable[[], Outcome]]] = {
    "sdk": sdk,
    "openai-agents": partial(python_client, "openai_agents"),
    "pydantic-ai": partial(python_client, "pydantic_ai_realtime"),
    "livekit": partial(python_client, "livekit_agents"),
    "pipecat": partial(python_client, "pipecat_pipeline"),
    "agents-realtime": partial(node_client, "agents_realtime"),
}
