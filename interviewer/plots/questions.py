"""The plan of a call, question by question: where each stands, and when it was asked and answered."""

from typing import TYPE_CHECKING, Any

from interviewer.plots.frames import CallFrames, call_frames, rows
from interviewer.plots.style import DIM, OUTCOMES, RULE, SPEAKERS, WIDTH_IN, Mark, clock, fitted, look
from interviewer.store.store import Store

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MINUTE = 60_000
_ROW_IN, _AROUND_IN = 0.24, 1.35
_TEXT_SHARE, _STATE_SHARE = 0.58, 0.17
_TEXT_AT = -0.57 * WIDTH_IN * 72  # points left of the axis
_ID_PT = 30
_ANSWERED = Mark(SPEAKERS["guest"], "v", "answered")
_HEARD = Mark(SPEAKERS["interviewer"], "o", "heard, not chosen")
_NO_CREDIT = OUTCOMES["superseded"]._replace(label="no credit")
_REASONS = {
    "superseded": "set aside",
    "wandered": "not in the reply",
    "not_played": "not heard out",
    "cut": "cut short",
}
_UNPLANNED = "Not planned"
_MARKED = {
    "declined": "declined",
    "nothing_to_say": "nothing to say",
    "claimed": "answered already",
    "covered": "asked in other words",
    "volunteered": "answered unasked",
}


def question_states(store: Store, call: str = "last") -> "Figure":
    """Draw the questions of a call from the store, those of the plan by section, then all others.

    Each has a line of time with a marker where an attempt that reached the voice ended and where the guest answered,
    and a word for its state. Raises NotFound if `call` names no call, or several.
    """
    from matplotlib.figure import Figure

    frames = call_frames(store, call)
    lines = _lines(rows(frames.questions))
    with look():
        height = _AROUND_IN + _ROW_IN * max(2, len(lines))
        figure = Figure(figsize=(WIDTH_IN, height))
        low, high = 0.85 / height, 1 - 0.5 / height
        axes = figure.add_axes((_TEXT_SHARE, low, 1 - _TEXT_SHARE - _STATE_SHARE, high - low))
        _time_axis(axes, frames, len(lines))
        tried = rows(frames.attempts)
        for row, line in enumerate(lines):
            _line(axes, row, line, [a for a in tried if a["question_id"] == line.get("question_id")])
        _legend(figure)
        title = f"What became of the questions · {frames.call['topic'] or frames.call['call_id']}"
        title = fitted(title, 0.97 * 72 * WIDTH_IN, size=12, bold=True)
        figure.text(0.01, 1 - 0.28 / height, title, fontsize=12, fontweight="bold", va="center")
    return figure


def state_of(question: dict[str, Any]) -> str:
    """Where a question stands, in a word or two: the credit first, then what else is known of it."""
    if question["status"] in ("delivered", "pending"):
        return str(question["status"])
    for mark in ("declined", "nothing_to_say", "claimed", "covered", "volunteered"):
        if question[mark]:
            return _MARKED[mark]
    if question["attempts"]:
        reason = _REASONS.get(question["last_reason"], str(question["last_reason"]).replace("_", " "))
        return f"held: {reason}" if question["status"] == "held" else reason
    return "never chosen" if question["heard_ms"] is None else _HEARD.label


def _lines(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The questions with a line for each heading before them."""
    lines: list[dict[str, Any]] = []
    heading = None
    for question in sorted(questions, key=lambda q: not q["planned"]):
        section = question["section"] if question["planned"] else _UNPLANNED
        if section != heading:
            lines.append({"heading": section})
            heading = section
        lines.append(question)
    return lines


def _time_axis(axes: "Axes", frames: CallFrames, count: int) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.set_xlim(0, max(frames.call["end_ms"], 1_000) / _MINUTE * 1.02)
    axes.set_ylim(max(2, count) - 0.4, -0.6)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=frames.call["end_ms"] > 5 * _MINUTE))
    axes.xaxis.set_major_formatter(FuncFormatter(clock))
    axes.set_xlabel("minutes on the call's clock")
    if not count:
        axes.text(0.5, 0.5, "no questions", transform=axes.transAxes, ha="center", va="center", color=DIM)


def _line(axes: "Axes", row: int, line: dict[str, Any], attempts: list[dict[str, Any]]) -> None:
    left: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    if "heading" in line:
        axes.annotate(fitted(line["heading"], -_TEXT_AT, bold=True), (0, row), (_TEXT_AT, 0), fontweight="bold", **left)
        return
    mark = _mark_of(line)
    axes.annotate(fitted(line["question_id"], _ID_PT - 4), (0, row), (_TEXT_AT, 0), color=DIM, **left)
    axes.annotate(fitted(line["text"], -_TEXT_AT - _ID_PT - 10), (0, row), (_TEXT_AT + _ID_PT, 0), **left)
    axes.axhline(row, color=RULE, lw=0.6, zorder=0)
    _moments(axes, row, line, attempts)
    axes.plot(
        [1.03], [row], marker=mark.marker, ms=6, color=mark.color, transform=axes.get_yaxis_transform(), clip_on=False
    )
    axes.annotate(fitted(state_of(line), _STATE_SHARE * 72 * WIDTH_IN - 20), (1.03, row), (9, 0), **left)


def _mark_of(question: dict[str, Any]) -> Mark:
    if question["status"] == "available":
        return _HEARD if state_of(question) == _HEARD.label else _NO_CREDIT
    return OUTCOMES["open" if question["status"] == "pending" else question["status"]]


def _moments(axes: "Axes", row: int, line: dict[str, Any], attempts: list[dict[str, Any]]) -> None:
    for attempt in attempts:
        if attempt["stage"] >= 3 and attempt["closed_ms"] is not None:
            mark = OUTCOMES[attempt["outcome"]]
            axes.plot([attempt["closed_ms"] / _MINUTE], [row], marker=mark.marker, ms=6, color=mark.color, zorder=3)
    if not attempts and line["heard_ms"] is not None:
        axes.plot([line["heard_ms"] / _MINUTE], [row], marker=_HEARD.marker, ms=6, color=_HEARD.color)
    if line["answered_ms"] is not None:
        axes.plot([line["answered_ms"] / _MINUTE], [row], marker=_ANSWERED.marker, ms=6, color=_ANSWERED.color)


def _legend(figure: "Figure") -> None:
    from matplotlib.lines import Line2D

    marks = [OUTCOMES[name] for name in ("delivered", "held", "released")]
    marks += [_HEARD, _ANSWERED, _NO_CREDIT]
    handles = [Line2D([], [], ls="", marker=m.marker, color=m.color, ms=6, label=m.label) for m in marks]
    figure.legend(handles=handles, ncols=len(handles), labelcolor=DIM, loc="lower left", bbox_to_anchor=(0.0, 0.0))
