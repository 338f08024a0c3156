"""An environment of its own for what this project cannot, or need not, share its own with."""

import shutil
import subprocess
import sys
from pathlib import Path

_LIMIT_S = 300.0


class CannotInstall(Exception):
    """The environment could not be made; most often there is no way to a package index."""


def make(folder: Path, requirement: str) -> Path:
    """A new virtual environment in `folder` with `requirement`; gives its Python. Raises CannotInstall."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if uv := shutil.which("uv"):
        _run(uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(folder))
        _run(uv, "pip", "install", "--quiet", "--no-config", "--python", str(python), requirement)
    else:
        _run(sys.executable, "-m", "venv", str(folder))
        _run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement)
    return python


def add(python: Path, requirement: str) -> None:
    """Install `requirement`, and nothing it asks for, into the environment of this Python. Raises CannotInstall."""
    if uv := shutil.which("uv"):
        _run(uv, "pip", "install", "--quiet", "--no-config", "--no-deps", "--python", str(python), requirement)
    else:
        _run(str(python), "-m", "pip", "install", "--quiet", "--no-deps", requirement)


def _run(*command: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        raise CannotInstall(f"{Path(command[0]).name} did not end within {_LIMIT_S:g} s") from None
    if done.returncode:
        raise CannotInstall(done.stderr.strip()[-2_000:])
