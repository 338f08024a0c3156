"""The plot: what the guard does to repeats that are spoken, and what it refuses."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from evals.guard.fitting import REFUSED
from interviewer.palette import AGENTS, DIM, OUTCOMES, SPEAKERS
from interviewer.plots.style import RULE, WIDTH_IN, look

_MODES = ("off", "on")
_WIDE = 0.2
_WORDINGS = {
    "model": ("by a model, questions of plans", AGENTS["orchestrator"]),
    "real": ("by a model, questions of interviews", SPEAKERS["interviewer"]),
    "far": ("half without a common word", AGENTS["note_taker"]),
    "tables": ("by tables of phrases", OUTCOMES["delivered"]),
}
_SETS = {
    "M interviews": ("by a model, questions of interviews", SPEAKERS["interviewer"]),
    "M plans": ("by a model, questions of plans", AGENTS["orchestrator"]),
    "R words": ("to share words", OUTCOMES["delivered"]),
    "R topic": ("to share little", OUTCOMES["held"]),
    "R none": ("to share no word", AGENTS["note_taker"]),
}
_SHOWN = {"centred": "-", "minilm": "--", "tfidf": ":"}
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
        for place, (wording, (label, colour)) in enumerate(_WORDINGS.items()):
            shift = _WIDE * (place - (len(_WORDINGS) - 1) / 2)
            told = [report[wording][mode]["spoken_per_call"] for mode in _MODES]
            _bars(left, [at + shift for at in range(len(_MODES))], told, colour, label, 1)
            on = report[wording]["on"]
            shown = [(at, on[name]) for at, name in enumerate(_REFUSED) if name in on]
            _bars(right, [at + shift for at, _ in shown], [each for _, each in shown], colour, label, 100)
        left.set(ylabel="repeats spoken in a call", title="Planted repeats that were heard")
        left.set_xticks(range(len(_MODES)), _MODES)
        right.set(ylabel="%", title="With the guard on", ylim=(0, 112))
        right.set_xticks(range(len(_REFUSED)), list(_REFUSED.values()), fontsize=8)
        handles, labels = right.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
        for axes in (left, right):
            axes.grid(axis="y", color=RULE)
            axes.set_axisbelow(True)
        figure.savefig(path, dpi=110)


def _bars(axes: Any, places: list[float], told: list[Mapping[str, Any]], colour: str, label: str, times: int) -> None:
    values = [times * (each["value"] or 0.0) for each in told]
    low = [max(0.0, v - times * (each["low"] or 0.0)) for v, each in zip(values, told, strict=True)]
    high = [max(0.0, times * (each["high"] or 0.0) - v) for v, each in zip(values, told, strict=True)]
    axes.bar(places, values, _WIDE, color=colour, label=label, yerr=(low, high), ecolor=DIM, capsize=3)
    for at, value, up in zip(places, values, high, strict=True):
        axes.annotate(f"{value:.3g}", (at, value + up), (0, 2), textcoords="offset points", ha="center", fontsize=6.5)


def draw_curves(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write the plot of what is cut against what good questions that costs, a panel for each way of rewording."""
    from matplotlib.figure import Figure

    with look():
        figure = Figure(figsize=(WIDTH_IN, 3.0), layout="constrained")
        grid = figure.subplots(1, len(_SETS), sharey=True)
        for axes, (name, (label, colour)) in zip(grid, _SETS.items(), strict=True):
            for scorer, style in _SHOWN.items():
                of = [row for row in rows if row["scorer"] == scorer]
                found = [100 * row[name] for row in of]
                axes.plot([100 * row["real_refused"] for row in of], found, style, color=colour, label=scorer)
            axes.axvline(100 * REFUSED, color=DIM, linewidth=0.8)
            axes.set_title(fill(label, 20), fontsize=8)
            axes.set(xscale="log", ylim=(0, 103), xlim=(0.1, 20))
            axes.set_xticks([0.1, 1, 2, 10], ["0.1", "1", "2", "10"])
            axes.grid(color=RULE)
        grid[0].set_ylabel("% of repeats refused")
        grid[len(grid) // 2].set_xlabel("% of really asked questions refused")
        grid[0].legend(frameon=False, fontsize=8)
        figure.savefig(path, dpi=110)
