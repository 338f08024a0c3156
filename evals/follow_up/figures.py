"""The results as one picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.follow_up.calls import PLAN, TOPIC, WITH, WITHOUT
from interviewer.palette import OUTCOMES, SPEAKERS
from interviewer.plots.style import DIM, RULE, WIDTH_IN, look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = dict[str, Any]
_COLOURS = {WITHOUT: OUTCOMES["superseded"], WITH: OUTCOMES["delivered"]}
_NAMES = {PLAN: "one plan for\nboth calls", TOPIC: "a topic that\nwas picked"}


def draw(returned: Sequence[Row], rebuilt: Sequence[Row], path: Path) -> None:
    """Repeats and new details with and without memory; precision and recall of what is rebuilt from a transcript."""
    from matplotlib.figure import Figure

    with look():
        figure = Figure(figsize=(WIDTH_IN, 3.6), layout="constrained")
        repeats, details, again = figure.subplots(1, 3, width_ratios=(1, 1, 1.5))
        _bars(repeats, returned, "repeat_rate", "Repeats, of questions heard")
        _bars(details, returned, "new_details", "New details, a call")
        _points(again, rebuilt)
        handles, labels = repeats.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower left", ncols=2, labelcolor=DIM)
        figure.savefig(path, dpi=130, metadata={"Software": None})


def _bars(axes: "Axes", rows: Sequence[Row], name: str, title: str) -> None:
    for place, memory in enumerate((WITHOUT, WITH)):
        for at, scenario in enumerate(_NAMES):
            row = next(row for row in rows if (row["scenario"], row["memory"]) == (scenario, memory))
            value = row[name] or 0.0
            reach = [[value - (row[f"{name}_low"] or 0.0)], [(row[f"{name}_high"] or value) - value]]
            axes.bar(
                at + (place - 0.5) * 0.36,
                value,
                width=0.33,
                color=_COLOURS[memory],
                yerr=reach,
                ecolor=DIM,
                capsize=2,
                label=memory if at == 0 else None,
            )
    axes.set_xticks(range(len(_NAMES)), list(_NAMES.values()))
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")
    axes.set_title(title)


def _points(axes: "Axes", rows: Sequence[Row]) -> None:
    marks = {"precision": ("o", SPEAKERS["interviewer"]), "recall": ("D", OUTCOMES["held"])}
    for place, row in enumerate(rows):
        axes.axhline(place, color=RULE, lw=0.6, zorder=0)
        for shift, (name, (marker, colour)) in zip((-0.12, 0.12), marks.items(), strict=True):
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            axes.plot([low, high], [place + shift] * 2, color=colour, lw=1.4)
            axes.plot([row[name]], [place + shift], marker, color=colour, ms=6, label=name if place == 0 else None)
    axes.set_yticks(range(len(rows)), [f"{row['way']}, over {row['threshold']:.2f}" for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 1.02)
    axes.set_title("Planned questions rebuilt from a transcript")
    axes.legend(loc="lower left", labelcolor=DIM)
