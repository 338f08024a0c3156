"""A JupyterLab server of its own: temporary home, free port, token."""

import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, Self

from interviewer.cli.lab import PROMPT

_START_S: Final = 90.0
_STOP_S: Final = 20.0
_SETTINGS: Final = {
    # Cells out of sight would be taken out of the page, and a question about news laid over it.
    "notebook-extension/tracker": {"windowingMode": "none"},
    # Two tabs of one notebook would find that the other has saved it, and load it anew.
    "docmanager-extension/plugin": {"autosave": False},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
_OWN: Final = {
    "HOME": "home",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
}


class Lab:
    """Runs from `__enter__` to `__exit__`; notebooks lie in `root`, where kernels start."""

    def __init__(self, folder: Path) -> None:
        """`folder` is empty and stays behind."""
        self.root = folder / "notebooks"
        self._folder = folder
        self._token = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes]
        self._url = ""

    def __enter__(self) -> Self:
        for name in ("notebooks", *_OWN.values()):
            (self._folder / name).mkdir()
        for name, values in _SETTINGS.items():
            path = self._folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(values), encoding="utf-8")
        own = {name: str(self._folder / place) for name, place in _OWN.items()}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(), env={**os.environ, **own}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            self._url = self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def address(self, notebook: str) -> str:
        """Where a browser finds a notebook, with the token in it and a workspace as new."""
        return f"{self._url}lab/tree/{notebook}?token={self._token}&reset"

    @property
    def _log(self) -> Path:
        return self._folder / "lab.log"

    def _command(self) -> list[str]:
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": "0",
            "ServerApp.open_browser": "False",
            "ServerApp.root_dir": str(self.root),
            "ServerApp.allow_root": "True",
            "ServerApp.terminals_enabled": "False",
            "IdentityProvider.token": self._token,
            "LabApp.news_url": "",
            "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
            "LabApp.extension_manager": "readonly",
        }
        arguments = [f"--{name}={value}" for name, value in options.items()]
        return [sys.executable, "-m", "jupyterlab", "--expose-app-in-browser", PROMPT, *arguments]

    def _wait(self) -> str:
        """The server's address, once it listens."""
        until = time.monotonic() + _START_S
        while time.monotonic() < until and self._process.poll() is None:
            for path in (self._folder / "runtime").glob("jpserver-*.json"):
                if text := path.read_text(encoding="utf-8"):
                    return str(json.loads(text)["url"])
            time.sleep(0.1)
        raise RuntimeError(f"JupyterLab did not start:\n{self._log.read_text(encoding='utf-8')[-2_000:]}")
