"""What a call used, by who used it: tokens, money and time."""

from typing import TYPE_CHECKING, Any, get_args

from interviewer.plots.frames import rows
from interviewer.plots.style import AGENTS, DIM, INK, OTHER_AGENTS, SPEAKERS, WIDTH_IN, fitted, look
from interviewer.settings import AgentName
from interviewer.store.store import Store

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = dict[str, Any]

_ROW_IN, _AROUND_IN = 0.34, 1.75
_ORDER = (*get_args(AgentName), "late answers", "voice", "transcription")
_NAMES = {"follow_up": "Follow-Up", "style_extractor": "StyleExtractor", "reverse_planner": "ReversePlanner"}
_SERVICE = ("voice", "transcription")
_READ, _CACHED, _WRITTEN, _MONEY = "#0072B2", "#7DBBE3", "#E69F00", "#008F68"
_CALL = "SELECT coalesce(topic, call_id) AS topic, world = 'simulated' AS simulated FROM calls WHERE call_id = ?"
_SPENT = """
WITH sizes AS (
    SELECT agent AS spender, sum(prompt_tokens)::BIGINT AS estimated
    FROM agent_runs WHERE call_id = $call GROUP BY agent
)
SELECT u.*, coalesce(s.estimated, 0) AS estimated
FROM usage AS u LEFT JOIN sizes AS s USING (spender)
WHERE u.call_id = $call
"""
_WAITS = """
WITH waits AS (
    SELECT agent AS spender, latency_ms FROM agent_runs WHERE call_id = $call AND latency_ms IS NOT NULL
    UNION ALL
    SELECT 'voice', first_audio_ms - requested_ms FROM replies
    WHERE call_id = $call AND first_audio_ms >= requested_ms
)
SELECT
    spender, min(latency_ms) AS low, median(latency_ms) AS middle, quantile_cont(latency_ms, 0.95) AS high,
    max(latency_ms) AS most
FROM waits GROUP BY spender
"""


def usage_by_agent(store: Store, call: str = "last") -> "Figure":
    """Draw tokens, US dollars and latency of a call by agent, with those of the voice and of its transcription.

    Tokens read from a cache stand apart. Where rules ran nobody was asked: a hollow bar is the estimated size of the
    prompts that a model would have read. A latency goes from the fastest run over the median (dot) to the 95th
    percentile (thick) and the slowest (thin); the voice's is from the request to the first sound. Raises NotFound if
    `call` names no call, or several.
    """
    from matplotlib.figure import Figure

    call_id = store.resolve(call)
    known = rows(store.sql(_CALL, [call_id]))[0]
    spent = {row["spender"]: row for row in rows(store.sql(_SPENT, {"call": call_id}))}
    waits = {row["spender"]: row for row in rows(store.sql(_WAITS, {"call": call_id}))}
    names = sorted(spent, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    with look():
        height = _AROUND_IN + _ROW_IN * max(2, len(names))
        figure = Figure(figsize=(WIDTH_IN, height), layout="constrained")
        tokens, money, time = figure.subplots(1, 3, sharey=True, width_ratios=[3, 2, 2.4])
        for row, name in enumerate(names):
            _tokens(tokens, row, spent[name])
            _money(money, row, spent[name], simulated=bool(known["simulated"]) and name in _SERVICE)
            _time(time, row, waits.get(name), _color(name))
        _axes(tokens, "Tokens", "thousands", names)
        _axes(money, "Cost", "US dollars", names)
        _axes(time, "Time to answer", "seconds", names)
        _legend(figure, tokens)
        title = fitted(f"What the call used · {known['topic']}", 0.95 * 72 * WIDTH_IN, size=12, bold=True)
        figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
    return figure


def _color(name: str) -> str:
    if name in _SERVICE:
        return SPEAKERS["interviewer" if name == "voice" else "guest"]
    return (AGENTS.get(name) or OTHER_AGENTS).color


def _tokens(axes: "Axes", row: int, spent: Row) -> None:
    cached = spent["cached_tokens"] or 0
    parts = [((spent["input_tokens"] or 0) - cached, _READ), (cached, _CACHED), (spent["output_tokens"] or 0, _WRITTEN)]
    start = 0.0
    for count, color in parts:
        axes.barh(row, count / 1_000, left=start, height=0.6, color=color)
        start += count / 1_000
    if not start and spent["estimated"]:
        start = spent["estimated"] / 1_000
        axes.barh(row, start, height=0.6, facecolor="none", edgecolor=DIM, linewidth=0.8)
    runs = int(spent["runs"])
    axes.annotate(f"{runs} run{'s' * (runs != 1)}", (start, row), (4, 0), **_SMALL)


def _money(axes: "Axes", row: int, spent: Row, *, simulated: bool) -> None:
    dollars, unpriced = spent["cost_usd"], int(spent["unpriced"] or 0)
    if dollars:
        axes.barh(row, dollars, height=0.6, color=_MONEY)
    unknown = "simulated" if simulated else "no price known"
    said = unknown if dollars is None else f"{dollars:.4f}" if dollars else "nothing"
    if dollars is not None and unpriced:
        said += f" + {unpriced} of unknown price"
    axes.annotate(said, (dollars or 0, row), (4, 0), **_SMALL)


def _time(axes: "Axes", row: int, wait: Row | None, color: str) -> None:
    if wait is None:
        axes.annotate("not timed", (0, row), (4, 0), **_SMALL)
        return
    low, middle, high, most = (wait[name] / 1_000 for name in ("low", "middle", "high", "most"))
    axes.plot([low, most], [row, row], color=color, linewidth=1)
    axes.plot([low, high], [row, row], color=color, linewidth=5, alpha=0.4, solid_capstyle="butt")
    axes.plot([middle], [row], marker="o", markersize=6, color=color)


def _axes(axes: "Axes", title: str, unit: str, names: list[str]) -> None:
    axes.set_title(title)
    axes.set_xlabel(unit)
    axes.set_xlim(0, axes.get_xlim()[1] * 1.3 if axes.patches or axes.lines else 1)
    if not (axes.patches or axes.lines):
        axes.set_xticks([0])
    axes.set_yticks(range(len(names)), [_label(name) for name in names])
    axes.set_ylim(max(2, len(names)) - 0.4, -0.6)
    axes.grid(axis="x")
    if not names:
        axes.text(0.5, 0.5, "nothing", transform=axes.transAxes, ha="center", va="center", color=DIM)


def _label(name: str) -> str:
    if name in AGENTS:
        return AGENTS[name].label
    return _NAMES.get(name) or fitted(name.replace("_", " ").capitalize(), 110)


def _legend(figure: "Figure", axes: "Axes") -> None:
    from matplotlib.patches import Patch

    solid = [(_READ, "read"), (_CACHED, "read from a cache"), (_WRITTEN, "written")]
    handles = [Patch(facecolor=color, label=label) for color, label in solid]
    handles.append(Patch(facecolor="none", edgecolor=DIM, label="prompts, estimated; nobody was asked"))
    figure.legend(handles=handles, ncols=4, labelcolor=DIM, loc="outside lower left")
    axes.tick_params(axis="y", labelcolor=INK)


_SMALL: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 8, "color": DIM}
