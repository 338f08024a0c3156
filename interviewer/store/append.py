"""One JSON object a line, added to a file that people's work is in."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Add a line to a file of such, made if it is not there; it is on the disk before this returns. Raises OSError."""
    with path.open("ab") as file:
        # A line that a crash cut off is ended first: it must not take this one with it.
        torn = file.tell() and path.read_bytes()[-1:] != b"\n"
        file.write(b"\n" * bool(torn) + json.dumps(line, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")
        file.flush()
        os.fsync(file.fileno())
