"""`lab`: JupyterLab on the notebooks."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from interviewer.cli.session import Session, command
from interviewer.errors import NotFound, PortInUse

PROMPT = "--ServerApp.kernel_websocket_connection_class=interviewer.widgets.websocket.PromptConnection"
"""Has JupyterLab send sound at once; see there."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "lab")(lab)


def lab(
    session: Session,
    extra: Annotated[list[str] | None, typer.Argument(metavar="-- EXTRA", help="More for `jupyter lab`.")] = None,
    port: Annotated[int | None, typer.Option("--port", min=1, max=65535, help="Just this port, or none.")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in a browser.")] = True,
) -> None:
    """Open JupyterLab on the notebooks; their kernels use the same home."""
    from interviewer.store.home import home

    place = home(session.home)
    if port is not None:
        _require_free(port)
    folder = notebooks(place.root)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", PROMPT]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"] if port is not None else []
    command += [] if browser else ["--no-browser"]
    # JupyterLab refuses root unless told; in a container there is often nobody else.
    command += ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    session.tell(f"JupyterLab on {folder}; Ctrl-C ends it.")
    _become([*command, *(extra or ())], {**os.environ, "INTERVIEWER_HOME": str(place.root)})


def notebooks(root: Path) -> Path:
    """The checkout's notebooks; else, under `root`, copies of the installed package's. Own changes stay.

    Raises NotFound if there are none.
    """
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "notebooks"
    if checkout.is_dir() and (package.parent / "pyproject.toml").is_file():
        return checkout
    source = package / "_data" / "notebooks"
    if not source.is_dir():
        raise NotFound("the notebooks are missing from this installation; install the package again")
    target = root / "notebooks"
    for path in sorted(source.rglob("*")):
        copy = target / path.relative_to(source)
        if path.is_file() and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    return target


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise PortInUse(f"port {port} cannot be used: {error.strerror}; choose another with --port") from None


def _become(command: list[str], environment: dict[str, str]) -> NoReturn:
    """Run in this process's place, so that signals and the exit code are JupyterLab's; Windows cannot do that."""
    if os.name == "posix":
        os.execve(command[0], command, environment)  # noqa: S606  our own interpreter
    sys.exit(subprocess.call(command, env=environment))  # noqa: S603  our own interpreter
