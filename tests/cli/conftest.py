"""A short call, made once, and the command line to look at it with."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from interviewer.cli.app import app
from interviewer.interview.demo import Demo, run_demo


@dataclass(frozen=True)
class Terminal:
    """Runs the command line in one home."""

    home: Path

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(app, ["--home", str(self.home), *arguments])

    def json(self, *arguments: str) -> dict[str, Any]:
        """The one object a command prints; it must succeed."""
        done = self(*arguments, "--json")
        assert done.exit_code == 0, done.stderr
        value: dict[str, Any] = json.loads(done.stdout)
        return value


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """A simulated call of a minute."""
    return run_demo("On call", minutes=1, seed=4, home=tmp_path_factory.mktemp("made"))


@pytest.fixture
def looking(made: Demo) -> Terminal:
    """The command line in the home of that call; for looking only."""
    return Terminal(made.journal.parents[1])


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """The command line in a home of the test's own."""
    return Terminal(tmp_path / "own")
