"""The parts that widgets are joined from: anywidget takes one module and one style sheet of each."""

from pathlib import Path
from typing import Final

from interviewer import palette

_STATIC: Final = Path(__file__).parent / "static"
FRAME: Final = "shared/frame"
"""The look of every widget: its frame, its colours by theme, and plain controls."""


def module(*parts: str) -> str:
    """One module of these scripts in `static`, named without their ending, in this order."""
    return "\n".join(_read(f"{part}.js") for part in parts)


def style(*parts: str) -> str:
    """One style sheet of these in `static`, named likewise, after the frame that all have."""
    return "\n".join([palette.css(".iv-frame"), *(_read(f"{part}.css") for part in (FRAME, *parts))])


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")
