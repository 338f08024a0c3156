"""The plots of the evaluation, in the look of the package's own."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evals.repetition.fitting import PREVALENCE
from evals.repetition.scored import SCORERS
from evals.repetition.tables import REAL, UNWANTED, Row
from interviewer.plots.style import DIM, RULE, WIDTH_IN, look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito (2008), the baseline in grey.
COLOURS = dict(zip(SCORERS, ("#A9ACB2", "#56B4E9", "#E69F00", "#0072B2", "#008F68", "#D55E00"), strict=True))
_LEAST = 0.001
_TICKS = [".001", ".01", ".1", "1"]
TITLES = {
    REAL: "in real interviews",
    UNWANTED: "unwanted, injected",
    "injected": "injected, hard others",
    "banking77": "BANKING77",
    "clinc150": "CLINC150",
}


def draw(tables: dict[str, list[Row]], folder: Path) -> None:
    """Write the three plots."""
    with look():
        _save(folder / "curves.png", 4.6, tables["curves"], tables["average_precision"], panel=_curves, label="recall")
        _save(folder / "cost.png", 3.9, tables["cost"], [], panel=_cost, label="cost of a miss, in false flags")
        _save(
            folder / "calibration.png", 3.9, tables["calibration"], [], panel=_calibration, label="predicted by the mix"
        )


def _save(path: Path, height_in: float, rows: list[Row], more: list[Row], panel: Any, label: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
    axes = figure.subplots(1, len(TITLES), sharey=panel is not _cost)
    for place, (name, title) in zip(axes, TITLES.items(), strict=True):
        panel(place, [row for row in rows if row["set"] == name], [row for row in more if row["set"] == name])
        place.set_title(title)
        place.set_xlabel(label)
        place.grid(color=RULE)
    if handles := axes[0].get_legend_handles_labels()[0]:
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    figure.savefig(path, dpi=110, metadata={"Software": None})


def _curves(place: "Axes", rows: list[Row], more: list[Row]) -> None:
    for name in SCORERS:
        points = [point for point in rows if point["scorer"] == name]
        wide = 2.4 if name == "mix" else 1.4
        place.plot(_of(points, "recall"), _of(points, "precision"), label=name, color=COLOURS[name], linewidth=wide)
    place.axhline(_of(more, "prevalence")[0], color=DIM, linestyle=":", linewidth=1)
    place.set(xlim=(0, 1), ylim=(0, 1.02))
    if place.get_subplotspec().is_first_col():  # type: ignore[union-attr]
        place.set_ylabel("precision")


def _cost(place: "Axes", rows: list[Row], _more: list[Row]) -> None:
    for name in SCORERS:
        points = [row for row in rows if row["scorer"] == name]
        saved = 1 - np.array(_of(points, "cost")) / np.array(_of(points, "cost_of_silence"))
        wide = 2.4 if name == "mix" else 1.4
        place.plot(_of(points, "cost_ratio"), saved, label=name, color=COLOURS[name], linewidth=wide)
    place.axhline(0, color=DIM, linestyle=":", linewidth=1)
    place.set_xscale("log")
    place.set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
    place.minorticks_off()
    if place.get_subplotspec().is_first_col():  # type: ignore[union-attr]
        place.set_ylabel(f"share of the cost saved, {PREVALENCE:.0%} repeats")


def _calibration(place: "Axes", rows: list[Row], _more: list[Row]) -> None:
    predicted, observed = np.array(_of(rows, "predicted")), np.array(_of(rows, "observed"))
    place.plot([_LEAST, 1], [_LEAST, 1], color=DIM, linestyle=":", linewidth=1)
    place.plot(
        predicted,
        np.maximum(observed, _LEAST),
        marker="o",
        color=COLOURS["mix"],
        label="mix, bins of equally many pairs",
    )
    place.set(xscale="log", yscale="log", xlim=(_LEAST, 1), ylim=(_LEAST, 1))
    for axis in (place.xaxis, place.yaxis):
        axis.set_ticks([0.001, 0.01, 0.1, 1], [".001 or less", ".01", ".1", "1"] if axis is place.yaxis else _TICKS)
        axis.minorticks_off()
    if place.get_subplotspec().is_first_col():  # type: ignore[union-attr]
        place.set_ylabel("share that ask for the same")


def _of(rows: Sequence[Row], key: str) -> list[float]:
    return [float(str(row[key])) for row in rows]
