"""The plot: what the guard does to repeats that are spoken, and what it refuses."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interviewer.palette import DIM, OUTCOMES, SPEAKERS
from interviewer.plots.style import RULE, WIDTH_IN, look

_MODES = ("off", "warn", "on")
_WORDINGS = {"tables": ("tables of phrases", OUTCOMES["delivered"]), "interviews": ("by hand", SPEAKERS["interviewer"])}
_REFUSED = {
    "planted_refused": "planted repeats",
    "good_refused": "good questions",
    "look_alikes_refused": "look-alikes\n(written to mislead)",
    "found_after_speech": "the voice's own repeats,\nfound after speech",
}


def draw(report: Mapping[str, Any], path: Path) -> None:
    """Write the plot of a campaign."""
    from matplotlib.figure import Figure

    with look():
        figure = Figure(figsize=(WIDTH_IN, 4.0), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.35))
        for shift, (wording, (label, colour)) in zip((-0.18, 0.18), _WORDINGS.items(), strict=True):
            told = [report[wording][mode]["spoken_per_call"] for mode in _MODES]
            _bars(left, [at + shift for at in range(len(_MODES))], told, colour, label, 1)
            on = report[wording]["on"]
            shown = [(at, on[name]) for at, name in enumerate(_REFUSED) if name in on]
            _bars(right, [at + shift for at, _ in shown], [each for _, each in shown], colour, label, 100)
        left.set(ylabel="repeats spoken in a call", title="Planted repeats that were heard")
        left.set_xticks(range(len(_MODES)), _MODES)
        right.set(ylabel="%", title="With the guard on", ylim=(0, 112))
        right.set_xticks(range(len(_REFUSED)), list(_REFUSED.values()), fontsize=8)
        right.legend(title="reworded", loc="upper center", frameon=False)
        for axes in (left, right):
            axes.grid(axis="y", color=RULE)
            axes.set_axisbelow(True)
        figure.savefig(path, dpi=110)


def _bars(axes: Any, places: list[float], told: list[Mapping[str, Any]], colour: str, label: str, times: int) -> None:
    values = [times * (each["value"] or 0.0) for each in told]
    low = [max(0.0, v - times * (each["low"] or 0.0)) for v, each in zip(values, told, strict=True)]
    high = [max(0.0, times * (each["high"] or 0.0) - v) for v, each in zip(values, told, strict=True)]
    axes.bar(places, values, 0.32, color=colour, label=label, yerr=(low, high), ecolor=DIM, capsize=3)
    for at, value, up in zip(places, values, high, strict=True):
        axes.annotate(f"{value:.3g}", (at, value + up), (0, 2), textcoords="offset points", ha="center", fontsize=8)
