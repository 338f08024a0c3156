"""Text from guests, files and models, made harmless for a terminal."""

import os
import re

_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"  # titles, links, device control
    r"|\x1b[ -/]*[0-~]"
)
# All other control characters but line end and tab; and the marks that turn the direction of writing around.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_KEYS = re.compile(r"\bsk-[A-Za-z0-9_-]{8,}")


def clean(text: object) -> str:
    """`text` without escape sequences and control characters; line ends and tabs stay."""
    return _CONTROLS.sub("", _SEQUENCES.sub("", str(text).replace("\r\n", "\n")))


def one_line(text: object) -> str:
    """`text` cleaned, on one line."""
    return " ".join(clean(text).split())


def without_secrets(text: str) -> str:
    """`text` with the API key, and anything that looks like one, left out."""
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    return _KEYS.sub("[key]", text.replace(key, "[key]") if key else text)


def clock(t_ms: int | None) -> str:
    """Minutes and seconds of a length of time in ms."""
    seconds = (t_ms or 0) // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"
