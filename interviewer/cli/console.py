"""Where a command prints for people."""

import os
from typing import IO

from rich.console import Console

_NO_TERMINAL_WIDTH = 100


class PlainConsole(Console):
    """Reads nothing in a text as markup, and leaves a reader that is gone to the command."""

    def __init__(self, file: IO[str]) -> None:
        fixed = not (file.isatty() or "COLUMNS" in os.environ)
        width = _NO_TERMINAL_WIDTH if fixed else None
        super().__init__(file=file, markup=False, highlight=False, emoji=False, width=width)

    def on_broken_pipe(self) -> None:
        """Called while the error is handled."""
        raise
