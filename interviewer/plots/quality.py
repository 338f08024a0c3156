"""The quality of questions: groups of calls side by side, the way of attempts, and the course of calls."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interviewer.metrics.course import OVER_TIME, over_time
from interviewer.metrics.every import METRICS
from interviewer.metrics.metric import Metric
from interviewer.metrics.record import CallFacts
from interviewer.metrics.statistics import Estimate
from interviewer.model.counting import counted
from interviewer.plots.style import AGENTS, DIM, INK, OUTCOMES, RULE, SPEAKERS, WIDTH_IN, fitted, look
from interviewer.settings import MetricSettings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Groups = Mapping[str, Sequence[CallFacts]]

_ROW_IN, _AROUND_IN, _COLUMNS = 0.36, 1.25, 3
_PANEL_PT = 72 * WIDTH_IN / _COLUMNS
_NAMES_PT = 190
_COLOURS = (
    SPEAKERS["interviewer"],
    OUTCOMES["held"].color,
    OUTCOMES["delivered"].color,
    AGENTS["note_taker"].color,
    OUTCOMES["released"].color,
    AGENTS["orchestrator"].color,
)
_UNITS = {"share": "%", "score": "0 to 1"}
_FUNNEL = ("selected", "accepted", "started", "generated", "delivered")
_STAGES = ("chosen", "acknowledged", "started", "said", "heard")


def side_by_side(groups: Groups, names: Sequence[str], settings: MetricSettings | None = None) -> "Figure":
    """Draw metrics, three in a row, each with a line for every group: the figure and its 95 % interval, and n.

    Where there is not enough for a figure, the line says so. Raises KeyError for a metric there is not, SettingsError.
    """
    from matplotlib.figure import Figure

    rows = -(-len(names) // _COLUMNS)
    with look():
        height = rows * (_AROUND_IN + _ROW_IN * len(groups))
        figure = Figure(figsize=(WIDTH_IN, height), layout="constrained")
        grid = figure.subplots(rows, _COLUMNS, sharey=True, squeeze=False).ravel()
        for axes, name in zip(grid, names, strict=False):
            metric = METRICS[name]
            for row, (calls, colour) in enumerate(zip(groups.values(), _colours(groups), strict=True)):
                _line(axes, row, metric(calls, settings), metric, colour)
            _panel(axes, metric, groups)
        for axes in grid[len(names) :]:
            axes.set_axis_off()
    return figure


def coverage(groups: Groups, settings: MetricSettings | None = None) -> "Figure":
    """Draw the three columns of coverage, chosen, asked and answered, as `side_by_side` does."""
    names = ("coverage_selected", "coverage_delivered", "coverage_answered")
    return side_by_side(groups, names, settings)


def funnel(calls: Sequence[CallFacts]) -> "Figure":
    """Draw how many attempts of these calls came how far, and what share of the stage before that is.

    Calls without a ledger are left out.
    """
    from matplotlib.figure import Figure

    attempts = [attempt for call in calls if call.ledger for attempt in call.ledger.attempts.values()]
    counts = [sum(stage in attempt.evidence for attempt in attempts) for stage in _FUNNEL]
    shares = [METRICS[f"funnel_{stage}"](calls, MetricSettings(least=1)) for stage in _FUNNEL[1:]]
    with look():
        figure = Figure(figsize=(WIDTH_IN * 0.72, 2.6), layout="constrained")
        axes = figure.subplots()
        axes.barh(range(len(counts)), counts, height=0.62, color=OUTCOMES["delivered"].color)
        for row, (count, share) in enumerate(zip(counts, [None, *shares], strict=True)):
            axes.annotate(f"{count}{_of_before(share)}", (count, row), (5, 0), **_SMALL)
        axes.set_yticks(range(len(counts)), _STAGES)
        axes.invert_yaxis()
        axes.set_xlim(0, max([*counts, 1]) * 1.65)
        axes.set_xlabel("attempts")
        axes.set_title(f"From chosen to heard, {counted(len(calls), 'call')}")
        axes.grid(axis="x", color=RULE)
    return figure


def course(groups: Groups, settings: MetricSettings | None = None) -> "Figure":
    """Draw how figures change in the course of calls, by fifths of their turns, with 95 % intervals as bands."""
    from matplotlib.figure import Figure

    with look():
        figure = Figure(figsize=(WIDTH_IN, 5.6), layout="constrained")
        grid = figure.subplots(2, _COLUMNS).ravel()
        for (name, calls), colour in zip(groups.items(), _colours(groups), strict=True):
            found = over_time(calls, settings)
            for axes, metric in zip(grid, OVER_TIME, strict=False):
                _curve(axes, found[metric.name], metric, colour, f"{name} ({len(calls)})")
        for axes, metric in zip(grid, OVER_TIME, strict=False):
            axes.set_title(fitted(metric.label, _PANEL_PT - 40, bold=True))
            axes.set_xticks(range(1, 6), [f"{part}/5" for part in range(1, 6)])
            axes.set_xlim(0.8, 5.2)
            axes.set_xlabel("of the call's turns")
            axes.set_ylabel(_UNITS.get(metric.unit, metric.unit), color=DIM)
            axes.set_ylim(bottom=0)
            axes.grid(color=RULE)
        handles, labels = grid[0].get_legend_handles_labels()
        grid[-1].set_axis_off()
        grid[-1].legend(handles, labels, loc="center left", labelcolor=INK)
    return figure


def _colours(groups: Groups) -> list[str]:
    return [_COLOURS[place % len(_COLOURS)] for place in range(len(groups))]


def _scale(metric: Metric) -> float:
    return 100.0 if metric.unit == "share" else 1.0


def _line(axes: "Axes", row: int, found: Estimate, metric: Metric, colour: str) -> None:
    scale = _scale(metric)
    if found.value is None:
        axes.text(0.03, row, "not enough", transform=axes.get_yaxis_transform(), va="center", fontsize=8, color=DIM)
        return
    if found.low is not None and found.high is not None:
        axes.plot([found.low * scale, found.high * scale], [row, row], color=colour, linewidth=4, alpha=0.4)
    axes.plot([found.value * scale], [row], marker="o", markersize=6, color=colour)
    axes.annotate(f"{found.value * scale:.3g}  (n {found.n:,})", (found.value * scale, row), (0, 7), **_ABOVE)


def _panel(axes: "Axes", metric: Metric, groups: Groups) -> None:
    names = [fitted(f"{name} ({len(calls)})", _NAMES_PT) for name, calls in groups.items()]
    axes.set_title(fitted(metric.label, _PANEL_PT - 10, bold=True))
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.75)
    axes.set_xlabel(f"{_UNITS.get(metric.unit, metric.unit)}; n: {metric.of}")
    axes.grid(axis="x", color=RULE)
    axes.margins(x=0.2)
    if not axes.lines:
        axes.set_xlim(0, 1)
        axes.set_xticks([])


def _curve(axes: "Axes", found: Sequence[Estimate], metric: Metric, colour: str, label: str) -> None:
    scale = _scale(metric)
    known = [(part, each) for part, each in enumerate(found, 1) if each.value is not None]
    axes.plot(
        [part for part, _ in known],
        [(each.value or 0.0) * scale for _, each in known],
        marker="o",
        markersize=4,
        color=colour,
        label=label,
    )
    ends = [(part, each.low, each.high) for part, each in known if each.low is not None and each.high is not None]
    low, high = [low * scale for _, low, _ in ends], [high * scale for _, _, high in ends]
    axes.fill_between([part for part, _, _ in ends], low, high, color=colour, alpha=0.15, linewidth=0)


def _of_before(share: Estimate | None) -> str:
    if share is None or share.value is None:
        return ""
    spread = "" if share.low is None or share.high is None else f" [{100 * share.low:.0f}, {100 * share.high:.0f}]"
    return f"   {100 * share.value:.0f} %{spread} of the stage before"


_SMALL: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 8, "color": DIM}
_ABOVE: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "center", "fontsize": 7.5, "color": DIM}
