"""Text from guests, files and models, made harmless for a terminal."""

import os
from collections.abc import Mapping

from interviewer.keys import VARIABLE, without_keys
from interviewer.model.counting import counted as counted
from interviewer.store.plain import harmless


def clean(text: object) -> str:
    """`text` without escape sequences and control characters; line ends and tabs stay."""
    return harmless(str(text))


def one_line(text: object) -> str:
    """`text` cleaned, on one line."""
    return " ".join(clean(text).split())


def without_secrets(text: str) -> str:
    """`text` with the API keys, and anything that looks like one, left out."""
    return without_keys(text, os.environ.get(VARIABLE, "").strip())


def clock(t_ms: int | None) -> str:
    """Minutes and seconds of a length of time in ms."""
    seconds = (t_ms or 0) // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"


def played_back(reused: Mapping[str, tuple[int, int]]) -> str:
    """By agent, how many of its runs came from a tape: `(played back, made anew)` each."""
    return ", ".join(f"{agent} {back} of {back + anew}" for agent, (back, anew) in reused.items())
