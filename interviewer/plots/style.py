"""One look for every figure: the colours of the palette on a light card that also fits a dark page."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from interviewer import palette
from interviewer.palette import DIM, GOODBYE, INK, PAPER, PHASES, RULE, SPEAKERS

if TYPE_CHECKING:
    from matplotlib.ft2font import FT2Font

__all__ = [
    "AGENTS",
    "DIM",
    "GOODBYE",
    "INK",
    "OTHER_AGENTS",
    "OUTCOMES",
    "PAPER",
    "PHASES",
    "RULE",
    "SPEAKERS",
    "WIDTH_IN",
    "Mark",
    "clock",
    "fitted",
    "look",
]

WIDTH_IN = 10.5
_FONT = "DejaVu Sans"  # comes with matplotlib, so figures are the same everywhere
_CUT, _UNKNOWN = "\N{HORIZONTAL ELLIPSIS}", "\N{WHITE SQUARE}"
_PROBE_PT = 100
_BOLD_IS_WIDER = 1.16


class Mark(NamedTuple):
    """How something is drawn: its colour, marker and name in the legend."""

    color: str
    marker: str
    label: str


OUTCOMES = {
    "delivered": Mark(palette.OUTCOMES["delivered"], "o", "delivered"),
    "held": Mark(palette.OUTCOMES["held"], "D", "held"),
    "released": Mark(palette.OUTCOMES["released"], "X", "released"),
    "superseded": Mark(palette.OUTCOMES["superseded"], "x", "set aside before it was asked"),
    "open": Mark(palette.OUTCOMES["open"], ">", "open"),
}
AGENTS = {
    "note_taker": Mark(palette.AGENTS["note_taker"], "o", "Note-Taker"),
    "researcher": Mark(palette.AGENTS["researcher"], "s", "Researcher"),
    "orchestrator": Mark(palette.AGENTS["orchestrator"], "^", "Orchestrator"),
}
OTHER_AGENTS = Mark(palette.OTHER_AGENTS, "D", "after the call")

_RC: dict[Any, Any] = {
    "font.family": [_FONT],
    "font.size": 9.0,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "figure.dpi": 110,
    "axes.facecolor": PAPER,
    "axes.edgecolor": RULE,
    "axes.labelcolor": DIM,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.0,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": DIM,
    "ytick.color": DIM,
    "xtick.labelcolor": DIM,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "ytick.major.size": 0.0,
    "figure.constrained_layout.w_pad": 0.12,
    "figure.constrained_layout.h_pad": 0.06,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
}


@contextmanager
def look() -> Iterator[None]:
    """Figures made inside have the project's look; nothing outside changes."""
    import matplotlib as mpl

    with mpl.rc_context(_RC):
        yield


def clock(minutes: float, _position: object = None) -> str:
    """A point of the call's clock, in minutes, as m:ss; also a tick formatter."""
    seconds = round(minutes * 60)
    return f"{seconds // 60}:{seconds % 60:02d}"


def fitted(text: object, most_pt: float, *, size: float = 9.0, bold: bool = False) -> str:
    """`text` on one line at most `most_pt` points wide at this size, made of characters that the font can draw."""
    line = " ".join("".join(map(_drawable, str(text))).split())
    room = most_pt / (size * (_BOLD_IS_WIDER if bold else 1.0))
    widths = list(accumulate(map(_advance, line)))
    if not widths or widths[-1] <= room:
        return line
    fits = sum(width <= room - _advance(_CUT) for width in widths)
    return f"{line[:fits].rstrip()}{_CUT}"


def _drawable(char: str) -> str:
    if char.isspace():
        return " "
    return char if unicodedata.category(char)[0] != "C" and _font().get_char_index(ord(char)) else _UNKNOWN


@cache
def _advance(char: str) -> float:
    """Width of a character as a share of the font's size."""
    font = _font()
    font.set_size(_PROBE_PT, 72)
    return float(font.load_char(ord(char)).linearHoriAdvance) / 65_536 / _PROBE_PT


def _font() -> "FT2Font":
    from matplotlib.font_manager import findfont, get_font

    return get_font(findfont(_FONT))
