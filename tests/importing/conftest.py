"""Transcripts written by hand, after each format's public description."""

from collections.abc import Callable
from pathlib import Path

import pytest

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a file: `written(text, "talk.vtt")`, in UTF-8 or another encoding."""

    def write(text: str, name: str = "talk.txt", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write
