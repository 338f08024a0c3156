"""An interview over its calls: what each of them covered, and where every question stood at its end."""

from typing import TYPE_CHECKING, Any, Final

from interviewer.palette import OTHER_AGENTS, OUTCOMES
from interviewer.plots.frames import rows
from interviewer.plots.style import DIM, PAPER, RULE, WIDTH_IN, Mark, clock, fitted, look
from interviewer.store.store import Store

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CALLS = """
SELECT call_id, strftime(started_at, '%Y-%m-%d') AS day, source, elapsed_ms, topic
FROM calls WHERE interview_id = ? ORDER BY started_at NULLS FIRST, call_id
"""
_STANDS = """
SELECT s.call_id, s.question_id, s.text, s.status, s.carried_from, s.reconstructed
FROM question_state AS s INNER JOIN calls AS c USING (call_id)
WHERE c.interview_id = ? AND (s.planned OR s.status = 'delivered')
ORDER BY c.started_at NULLS FIRST, s.call_id, s.registered_seq
"""

STATES: Final = {
    "before": Mark(OUTCOMES["delivered"], ".", "delivered in an earlier call"),
    "delivered": Mark(OUTCOMES["delivered"], "o", "delivered in this call"),
    "held": Mark(OUTCOMES["held"], "D", "held"),
    "reconstructed": Mark(OTHER_AGENTS, "s", "reconstructed: a transcript probably touched on it"),
    "open": Mark(OUTCOMES["superseded"], "x", "not asked yet"),
}
_PALE: Final = 0.45  # of what was covered before
_ROW_IN, _BAR_IN, _AROUND_IN = 0.24, 0.34, 1.6
_TEXT_SHARE, _ID_PT = 0.62, 42
_MOST = 60

_Stands = dict[str, dict[str, str]]


def chain_coverage(store: Store, interview: str = "last") -> "Figure":
    """Draw an interview: for each call a bar of the questions planned so far, and below every question, call by call.

    `interview` is named as `Store.resolve_interview` takes it. What was read out of a transcript only has a mark of its
    own. Questions beyond the first 60 are counted in the bars and not listed. Raises NotFound.
    """
    from matplotlib.figure import Figure

    chosen = [store.resolve_interview(interview)]
    calls = rows(store.sql(_CALLS, chosen))
    found = rows(store.sql(_STANDS, chosen))
    texts = {str(row["question_id"]): row["text"] for row in reversed(found)}
    order = list(dict.fromkeys(str(row["question_id"]) for row in found))
    stands = _stands(calls, found)
    with look():
        shown = order[:_MOST]
        bars_in, list_in = _BAR_IN * max(1, len(calls)), _ROW_IN * max(1, len(shown))
        height = _AROUND_IN + bars_in + list_in
        figure = Figure(figsize=(WIDTH_IN, height))
        top = 1 - 0.55 / height
        bars = figure.add_axes((0.3, top - bars_in / height, 0.66, bars_in / height))
        grid = figure.add_axes((_TEXT_SHARE, 0.5 / height, 0.96 - _TEXT_SHARE, list_in / height))
        _bars(bars, calls, stands)
        _grid(grid, calls, [(key, texts[key]) for key in shown], stands)
        _legend(figure)
        title = f"An interview over its calls · {calls[0]['topic'] or chosen[0] if calls else chosen[0]}"
        title = fitted(title, 0.97 * 72 * WIDTH_IN, size=12, bold=True)
        figure.text(0.01, 1 - 0.28 / height, title, fontsize=12, fontweight="bold", va="center")
    return figure


def state_of(row: dict[str, Any]) -> str:
    """Which of `STATES` a row of `question_state` is in."""
    if row["status"] == "delivered":
        return "before" if row["carried_from"] is not None else "delivered"
    if row["status"] == "held":
        return "held"
    return "open" if row["reconstructed"] is None else "reconstructed"


def _stands(calls: list[dict[str, Any]], found: list[dict[str, Any]]) -> _Stands:
    """By call and question where it stood; a question that a later plan leaves out stands as it did."""
    stands: _Stands = {}
    before: dict[str, str] = {}
    for call in calls:
        own = {row["question_id"]: state_of(row) for row in found if row["call_id"] == call["call_id"]}
        left = {key: "before" if state == "delivered" else state for key, state in before.items() if key not in own}
        stands[call["call_id"]] = before = {**left, **own}
    return stands


def _bars(axes: "Axes", calls: list[dict[str, Any]], stands: _Stands) -> None:
    for place, call in enumerate(calls):
        start = 0
        states = list(stands[call["call_id"]].values())
        for name, mark in STATES.items():
            if count := states.count(name):
                hollow = name == "reconstructed"
                axes.barh(
                    place,
                    count,
                    left=start,
                    height=0.62,
                    color=PAPER if hollow else mark.color,
                    alpha=_PALE if name in ("before", "open") else 1.0,
                    edgecolor=mark.color if hollow else PAPER,
                    hatch="////" if hollow else None,
                )
                axes.text(start + count / 2, place, str(count), ha="center", va="center", fontsize=8)
                start += count
    axes.set_ylim(len(calls) - 0.4, -0.6)
    axes.set_yticks(range(len(calls)), [_name(place, call) for place, call in enumerate(calls, 1)])
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.set_xlim(0, max((len(each) for each in stands.values()), default=1) or 1)


def _name(number: int, call: dict[str, Any]) -> str:
    facts = (f"call {number}", call["day"], call["source"], clock((call["elapsed_ms"] or 0) / 60_000))
    return fitted("  ".join(str(fact) for fact in facts if fact), 0.27 * 72 * WIDTH_IN)


def _grid(axes: "Axes", calls: list[dict[str, Any]], questions: list[tuple[str, Any]], stands: _Stands) -> None:
    axes.set_xlim(-0.6, max(1, len(calls)) - 0.4)
    axes.set_ylim(max(1, len(questions)) - 0.4, -0.6)
    axes.set_yticks([])
    axes.xaxis.set_ticks_position("top")
    axes.set_xticks(range(len(calls)), [f"call {number}" for number in range(1, len(calls) + 1)])
    axes.spines["bottom"].set_visible(False)
    width = _TEXT_SHARE * 72 * WIDTH_IN
    left: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    for row, (key, text) in enumerate(questions):
        axes.axhline(row, color=RULE, lw=0.6, zorder=0)
        axes.annotate(fitted(key, _ID_PT - 4), (0, row), (10 - width, 0), color=DIM, **left)
        axes.annotate(fitted(text, width - _ID_PT - 24), (0, row), (10 - width + _ID_PT, 0), **left)
        for place, call in enumerate(calls):
            if state := stands[call["call_id"]].get(key):
                mark = STATES[state]
                face = PAPER if state == "reconstructed" else mark.color
                axes.plot([place], [row], ls="", marker=mark.marker, ms=6, mfc=face, mec=mark.color, zorder=3)
    if not questions:
        axes.text(0.5, 0.5, "no questions", transform=axes.transAxes, ha="center", va="center", color=DIM)


def _legend(figure: "Figure") -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], ls="", marker=mark.marker, color=mark.color, ms=6, label=mark.label, mfc=_face(name, mark))
        for name, mark in STATES.items()
    ]
    figure.legend(handles=handles, ncols=len(handles), labelcolor=DIM, loc="lower left", bbox_to_anchor=(0.0, 0.0))


def _face(name: str, mark: Mark) -> str:
    return PAPER if name == "reconstructed" else mark.color
