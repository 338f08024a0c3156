"""How well scores fit labels, in a line and a table for people."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from interviewer.cli.tables import table
from interviewer.cli.text import counted, one_line

if TYPE_CHECKING:
    from rich.console import RenderableType


def heading(found: Mapping[str, Any], what: str) -> str:
    """Which file was scored, by what, and where the rows went."""
    by = f"{found['scorer']}/{found['version']}" if found["version"] else found["scorer"]
    unknown = f", {found['unknown']} without a score" if found["unknown"] else ""
    told = f"{one_line(found['file'])}: {counted(found['n'], what)}{unknown}, by {one_line(by)}"
    return f"{told}; the rows with it are in {one_line(found['out'])}" if found["out"] else told


def fit(found: Mapping[str, Any], positive: str) -> "Iterator[RenderableType]":
    """The figures of `matching.figures`; `positive`: what a pair is that the label says yes to."""
    if not found["labelled"]:
        yield "No pair has a label, so nothing says how well the scores tell."
        return
    weighed = " by weight" if found["weighted"] else ""
    share = f" ({percent(found['prevalence'])}{weighed})" if found["prevalence"] is not None else ""
    yield f"Labelled: {counted(found['labelled'], 'pair')}, of which {found['positive']} {positive}{share}."
    if found["ap"] is None:
        yield "Average precision: not to be told from these labels and scores."
    else:
        yield f"Average precision: {found['ap']:.3f}; of scores that tell nothing {found['prevalence']:.3f}."
    if found["thresholds"]:
        made = table("threshold", "above", "precision", "recall", "flagged", right=_FIGURES)
        for one in found["thresholds"]:
            shares = [percent(one[name]) for name in _FIGURES[1:]]
            made.add_row(Text(one_line(one["name"])), f"{one['threshold']:.3f}", *shares)
        yield made


def percent(value: float | None) -> str:
    """A share for people; empty where it is not known."""
    return "" if value is None else f"{100 * value:.1f} %"


_FIGURES = ("above", "precision", "recall", "flagged")
