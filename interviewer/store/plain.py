"""Text from guests, files and models, made harmless: nothing in it acts on a terminal or turns the writing around."""

import re

_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"  # titles, links, device control
    r"|\x1b[ -/]*[0-~]"
)
# All other control characters but line end and tab; and the marks that turn the direction of writing around.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    """`text` without escape sequences and control characters; line ends and tabs stay."""
    return _CONTROLS.sub("", _SEQUENCES.sub("", text.replace("\r\n", "\n")))


def escaped_json(text: str) -> str:
    """JSON on one or more lines, with those characters escaped where they stand in strings: the same value."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
