"""A notebook open in a page: run cells, read what they print."""

import json
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Error, Page

from evals.browser.lab import Lab

_OPEN_MS: Final = 90_000
_EMPTY: Final = {
    "cells": [],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
_READY: Final = """
async () => {
  const panel = window.jupyterapp?.shell.currentWidget;
  if (!panel?.sessionContext || !panel.content?.model) return false;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
  return true;
}
"""
_RUN: Final = """
async ([code, wait]) => {
  const { commands, shell } = window.jupyterapp;
  await commands.execute("notebook:move-cursor-down");
  await commands.execute("notebook:insert-cell-below");
  const cell = shell.currentWidget.content.activeCell;
  cell.model.sharedModel.setSource(code);
  const done = commands.execute("notebook:run-cell");
  if (!wait) return [];
  await done;
  return cell.model.outputs.toJSON();
}
"""


class CellFailed(AssertionError):
    """A cell ended with an error; the text is its traceback's end."""


class Notebook:
    """A new, empty notebook with a kernel of its own."""

    def __init__(self, lab: Lab, page: Page, name: str) -> None:
        """Opens it and waits for the kernel."""
        self.lab = lab
        self.page = page
        self.path = lab.root / f"{name}.ipynb"
        if not self.path.exists():
            self.path.write_text(json.dumps(_EMPTY), encoding="utf-8")
        page.goto(lab.address(self.path.name), timeout=_OPEN_MS)
        self.wait_until(self._ready, _OPEN_MS)

    def _ready(self) -> bool:
        try:
            return bool(self.page.evaluate(_READY))
        except Error:  # a new workspace loads the page once more
            return False

    def run(self, code: str) -> str:
        """Run code in a new cell at the end and wait; what it printed. Raises CellFailed."""
        outputs: list[dict[str, Any]] = self.page.evaluate(_RUN, [code, True])
        for output in outputs:
            if output["output_type"] == "error":
                raise CellFailed(f"{output['ename']}: {output['evalue']}")
        return "".join("".join(output.get("text", "")) for output in outputs if output["output_type"] == "stream")

    def begin(self, code: str) -> None:
        """Run code in a new cell and do not wait."""
        self.page.evaluate(_RUN, [code, False])

    def value(self, expression: str) -> Any:
        """What a Python expression of the kernel is, by way of JSON."""
        return json.loads(self.run(f"import json\nprint(json.dumps(({expression})))"))

    def wait_until(self, true: Callable[[], Any], timeout_ms: int = 30_000) -> Any:
        """Ask until the answer is true, and give it. Raises TimeoutError."""
        for _ in range(timeout_ms // 100):
            if answer := true():
                return answer
            self.page.wait_for_timeout(100)
        raise TimeoutError(f"not within {timeout_ms} ms")

    def theme(self, name: str) -> None:
        """`light` or `dark`."""
        title = f"JupyterLab {name.title()}"
        self.page.evaluate("name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", title)
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=title)
