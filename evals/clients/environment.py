"""An environment of its own for what this project cannot, or need not, share its own with."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

_LIMIT_S = 300.0


class CannotInstall(Exception):
    """The environment could not be made; most often there is no way to a package index."""


def make(folder: Path, *requirements: str) -> Path:
    """A new virtual environment in `folder` with `requirements`; gives its Python. Raises CannotInstall."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if uv := shutil.which("uv"):
        _run(uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(folder))
        _run(uv, "pip", "install", "--quiet", "--no-config", "--python", str(python), *requirements)
    else:
        _run(sys.executable, "-m", "venv", str(folder))
        _run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)
    return python


def add(python: Path, requirement: str) -> None:
    """Install `requirement`, and nothing it asks for, into the environment of this Python. Raises CannotInstall."""
    if uv := shutil.which("uv"):
        _run(uv, "pip", "install", "--quiet", "--no-config", "--no-deps", "--python", str(python), requirement)
    else:
        _run(str(python), "-m", "pip", "install", "--quiet", "--no-deps", requirement)


def versions(python: Path | str, *packages: str) -> dict[str, str]:
    """The versions of packages in the environment of this Python, as installed."""
    code = "import importlib.metadata as m, json, sys; print(json.dumps({n: m.version(n) for n in sys.argv[1:]}))"
    done = subprocess.run([str(python), "-I", "-c", code, *packages], capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def make_node(folder: Path, *packages: str) -> Path:
    """A new folder with these npm packages in it, as `name@version`; gives it. Raises CannotInstall."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise CannotInstall("it runs in Node, and there are no node and npm on the path")
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _run(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *packages)
    return folder


def _run(*command: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        raise CannotInstall(f"{Path(command[0]).name} did not end within {_LIMIT_S:g} s") from None
    if done.returncode:
        raise CannotInstall(done.stderr.strip()[-2_000:])
