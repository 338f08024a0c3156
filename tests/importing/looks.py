"""What the tests look at in a conversation."""

from pathlib import Path
from typing import Any

from interviewer.importing.read import read_transcript


def said(path: Path, **how: Any) -> list[tuple[str, str]]:
    """(speaker, text) of every turn."""
    return [(turn.speaker, turn.text) for turn in read_transcript(path, **how).turns]


def timed(path: Path, **how: Any) -> list[tuple[str, int, int, str]]:
    """(speaker, start, end, where the times are from) of every turn."""
    turns = read_transcript(path, **how).turns
    return [(turn.speaker, turn.started_ms, turn.ended_ms, turn.times) for turn in turns]
