"""Two runs side by side: every measure recording by recording, and where the time went."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from interviewer.lab.comparing import Compared, Comparison
from interviewer.lab.comparison_report import number, shown_difference, shown_p
from interviewer.plots.style import AGENTS, DIM, INK, RULE, SPEAKERS, WIDTH_IN, fitted, look
from interviewer.replay.outcome import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS: Final = 4
_ROW_IN, _AROUND_IN = 2.5, 1.0
_A, _B = SPEAKERS["interviewer"], "#E69F00"
_SMALL: dict[str, Any] = {"fontsize": 8, "color": DIM}


def compared(comparison: Comparison, names: Mapping[str, str] | None = None) -> "Figure":
    """Draw each measure as one line a recording, from its figure in A to that in B; the means are the large dots.

    Measures that are 0 throughout are left out. Under each stands the mean difference A - B with its 95 % interval and
    p, in brackets as Holm puts it right for the number of measures. `names`: what A and B are called.
    """
    from matplotlib.figure import Figure

    called = {"A": "A", "B": "B", **(names or {})}
    shown = [each for each in comparison.measures if any(a or b for _, a, b in each.pairs) and _both(each)]
    rows = max(1, -(-len(shown) // _COLUMNS))
    with look():
        figure = Figure(figsize=(WIDTH_IN, _AROUND_IN + _ROW_IN * rows), layout="constrained")
        grid = figure.subplots(rows, _COLUMNS, squeeze=False)
        for place, axes in enumerate(grid.flat):
            if place < len(shown):
                _measure(axes, shown[place], called)
            else:
                axes.set_axis_off()
        recordings = f"{len(comparison.shared)} recordings, {comparison.kind}"
        title = f"A: {called['A']}, B: {called['B']} · {recordings}"
        figure.suptitle(fitted(title, 0.95 * 72 * WIDTH_IN, size=12, bold=True), **_TITLE)
    return figure


def where_time_went(a: Run, b: Run, names: Mapping[str, str] | None = None) -> "Figure":
    """Draw, for both runs, how long agents' answers took on the call's clock, and the processor time of the replay.

    Latencies are summed over all runs of an agent, in seconds a recording: with rules as backend they are drawn, not
    waited for.
    """
    from matplotlib.figure import Figure

    called = {"A": "A", "B": "B", **(names or {})}
    agents = sorted({run.agent for side in (a, b) for result in side.results for run in result.runs})
    with look():
        figure = Figure(figsize=(WIDTH_IN, 1.6 + 0.45 * max(2, len(agents))), layout="constrained")
        waits, spent = figure.subplots(1, 2, width_ratios=[3, 2])
        for offset, (side, color) in zip((-0.2, 0.2), ((a, _A), (b, _B)), strict=True):
            seconds = [_waited(side, agent) for agent in agents]
            waits.barh([row + offset for row in range(len(agents))], seconds, height=0.36, color=color)
            for row, value in enumerate(seconds):
                waits.annotate(number(value), (value, row + offset), (4, 0), **_BESIDE)
        waits.set_yticks(range(len(agents)), [_name(agent) for agent in agents])
        waits.set_ylim(len(agents) - 0.4, -0.6)
        _axes(waits, "Answers of agents", "s a recording, on the call's clock")
        for row, (side, color) in enumerate(((a, _A), (b, _B))):
            each = sorted(1_000 * result.seconds for result in side.results)
            spent.plot(each, [row + 0.3 * (place % 3 - 1) / 2 for place in range(len(each))], "o", ms=4, color=color)
        spent.set_yticks([0, 1], [fitted(called[name], 90) for name in "AB"])
        spent.set_ylim(1.6, -0.6)
        _axes(spent, "The replay itself", "ms of processor a recording")
        figure.suptitle("Where the time went", **_TITLE)
    return figure


def _measure(axes: "Axes", each: Compared, called: Mapping[str, str]) -> None:
    both = _both(each)
    for a, b in both:
        axes.plot([0, 1], [a, b], color=RULE, linewidth=1, marker="o", markersize=3, markerfacecolor=DIM, mec="none")
    means = [sum(pair[side] for pair in both) / len(both) for side in (0, 1)]
    axes.plot([0, 1], means, color=INK, linewidth=1.5)
    for at, (mean, color) in enumerate(zip(means, (_A, _B), strict=True)):
        axes.plot([at], [mean], "o", color=color, markersize=8)
    axes.set_xlim(-0.3, 1.3)
    axes.set_xticks([0, 1], [fitted(called[name], 70) for name in "AB"])
    axes.set_title(fitted(f"{each.measure.name}, {each.measure.unit}", 0.21 * 72 * WIDTH_IN, bold=True))
    axes.grid(axis="y")
    known = each.difference.value is not None
    told = f"A - B: {shown_difference(each.difference)}" if known else "too few pairs for an interval"
    p = f"\np {shown_p(each)}" if shown_p(each) else ""
    axes.set_xlabel(f"{told}{p}", **_SMALL)


def _both(each: Compared) -> list[tuple[float, float]]:
    return [(a, b) for _, a, b in each.pairs if a is not None and b is not None]


def _waited(run: Run, agent: str) -> float:
    waits = [each.latency_ms for result in run.results for each in result.runs if each.agent == agent]
    return sum(waits) / 1_000 / len(run.results) if run.results else 0.0


def _name(agent: str) -> str:
    return AGENTS[agent].label if agent in AGENTS else fitted(agent.replace("_", "-").capitalize(), 110)


def _axes(axes: "Axes", title: str, unit: str) -> None:
    axes.set_title(title)
    axes.set_xlabel(unit)
    axes.set_xlim(0, max(0.001, axes.get_xlim()[1]) * 1.15)
    axes.grid(axis="x")


_TITLE: dict[str, Any] = {"x": 0.012, "ha": "left", "fontsize": 12, "fontweight": "bold", "color": INK}
_BESIDE: dict[str, Any] = {"textcoords": "offset points", "va": "center", **_SMALL}
