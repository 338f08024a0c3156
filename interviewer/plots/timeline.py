"""One call on its clock: who spoke, which questions were tried and what became of them, how long agents took."""

from typing import TYPE_CHECKING, Any

from interviewer.plots.frames import CallFrames, call_frames, rows
from interviewer.plots.style import (
    AGENTS,
    DIM,
    GOODBYE,
    INK,
    OTHER_AGENTS,
    OUTCOMES,
    PHASES,
    SPEAKERS,
    WIDTH_IN,
    Mark,
    clock,
    fitted,
    look,
)
from interviewer.store.store import Store

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MINUTE = 60_000
_ROW_IN, _VOICES_IN, _AGENTS_IN, _AROUND_IN = 0.19, 0.85, 1.1, 1.9
_STEPS = (1 / 12, 1 / 6, 0.5, 1, 2, 5, 10)
_MOST_TICKS = 15
_AXIS_PT = 0.88 * WIDTH_IN * 72  # about the width of the axes


def call_timeline(store: Store, call: str = "last") -> "Figure":
    """Draw a call from the store: turns, question attempts and agents' runs over the call's clock.

    An attempt is a line from its selection (thin while it waits, thick from the start of the reply that carries it)
    to the marker that says how it ended; a bar across it is the moment its words were known. The clock counts neither
    connecting nor pauses. Raises NotFound if `call` names no call, or several.
    """
    from matplotlib.figure import Figure

    frames = call_frames(store, call)
    tried = max(1, frames.attempts["question_id"].nunique())
    questions_in = _ROW_IN * (tried + 1)
    height = _AROUND_IN + _VOICES_IN + questions_in + _AGENTS_IN
    with look():
        figure = Figure(figsize=(WIDTH_IN, height), layout="constrained")
        ratios = [_VOICES_IN, questions_in, _AGENTS_IN]
        voices, questions, agents = figure.subplots(3, 1, sharex=True, height_ratios=ratios)
        _voices(voices, frames)
        _questions(questions, frames)
        _agents(agents, frames)
        for axes in (voices, questions, agents):
            _phases(axes, frames)
        _phase_names(voices, frames)
        _clock_axis(agents, frames)
        _legend(figure, frames)
        figure.suptitle(_title(frames), x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
    return figure


def _title(frames: CallFrames) -> str:
    words = [frames.call["topic"] or frames.call["call_id"], frames.call["guest"] or ""]
    return fitted(" · ".join(filter(None, words)), 0.95 * 72 * WIDTH_IN, size=12, bold=True)


def _voices(axes: "Axes", frames: CallFrames) -> None:
    axes.set_title("Who spoke")
    for row, speaker in enumerate(SPEAKERS):
        turns = frames.turns[frames.turns["speaker"] == speaker]
        spans = [(a / _MINUTE, (b - a) / _MINUTE) for a, b in zip(turns["started_ms"], turns["ended_ms"], strict=True)]
        axes.broken_barh(spans, (row - 0.36, 0.72), facecolor=SPEAKERS[speaker])
    axes.set_yticks(range(len(SPEAKERS)), [name.capitalize() for name in SPEAKERS])
    axes.set_ylim(len(SPEAKERS) + 0.4, -0.6)
    if frames.call["goodbye_ms"] is not None:
        at = frames.call["goodbye_ms"] / _MINUTE
        axes.plot([at], [0], marker="*", markersize=11, color=GOODBYE, markeredgecolor="white", zorder=5, gid="goodbye")


def _questions(axes: "Axes", frames: CallFrames) -> None:
    axes.set_title("Which questions were tried")
    attempts = frames.attempts
    names = list(dict.fromkeys(attempts["question_id"]))
    row = {name: number for number, name in enumerate(names)}
    for attempt in rows(attempts):
        _attempt(axes, row[attempt["question_id"]], attempt, frames.call["end_ms"])
    axes.set_yticks(range(len(names)), [fitted(name, 60) for name in names])
    axes.set_ylim(max(1, len(names)) - 0.3, -0.7)
    axes.grid(axis="y")
    if not names:
        axes.text(0.5, 0.5, "no question was tried", transform=axes.transAxes, ha="center", va="center", color=DIM)


def outcome_of(attempt: dict[Any, Any]) -> str:
    """The key in OUTCOMES of an attempt: its outcome, or `superseded` if it was set aside before its reply began."""
    return "superseded" if attempt["outcome"] == "released" and attempt["stage"] < 3 else str(attempt["outcome"])


def _attempt(axes: "Axes", row: int, attempt: dict[Any, Any], end_ms: int) -> None:
    mark = OUTCOMES[outcome_of(attempt)]
    chosen = attempt["selected_ms"] / _MINUTE
    times = [attempt[f"{name}_ms"] for name in ("started", "generated", "closed")]
    started, said, ended = (None if t_ms is None else t_ms / _MINUTE for t_ms in times)
    closed = end_ms / _MINUTE if ended is None else ended
    waited = closed if started is None else started
    axes.plot([chosen, waited], [row, row], color=mark.color, lw=1, solid_capstyle="butt", alpha=0.75)
    if started is not None:
        axes.plot([started, closed], [row, row], color=mark.color, lw=5, solid_capstyle="butt", alpha=0.6)
    if said is not None:
        axes.plot([said], [row], marker="|", markersize=9, markeredgewidth=1.5, color=INK)
    size = 4.5 if attempt["stage"] < 3 else 6.5
    axes.plot(
        [closed], [row], marker=mark.marker, markersize=size, color=mark.color, gid=attempt["attempt_id"], zorder=4
    )


def _agents(axes: "Axes", frames: CallFrames) -> None:
    axes.set_title("How long the agents took, in seconds")
    axes.grid(axis="y")
    for agent, runs in frames.runs.groupby("agent", sort=True):
        mark = AGENTS.get(str(agent), OTHER_AGENTS)
        seconds, minutes = runs["latency_ms"] / 1000, runs["started_ms"] / _MINUTE
        axes.plot(minutes, seconds, ls="", marker=mark.marker, ms=5, color=mark.color, alpha=0.85, mec="white", mew=0.5)
        failed = runs["outcome"] != "ok"
        axes.plot(minutes[failed], seconds[failed], ls="", marker="x", ms=8, mew=1.6, color=OUTCOMES["released"].color)
    axes.set_ylim(bottom=0)
    if frames.runs.empty:
        axes.set_yticks([])
        axes.text(0.5, 0.5, "no agent ran", transform=axes.transAxes, ha="center", va="center", color=DIM)


def _phases(axes: "Axes", frames: CallFrames) -> None:
    end = frames.call["end_ms"]
    for phase in rows(frames.phases):
        ended = end if phase["ended_ms"] is None else phase["ended_ms"]
        color = PHASES.get(phase["phase"], PHASES["exploration"])
        axes.axvspan(phase["started_ms"] / _MINUTE, ended / _MINUTE, color=color, lw=0, zorder=0)
    for at, _, style in _marks(frames):
        axes.axvline(at, color=DIM, lw=1, ls=style, zorder=1)


def _marks(frames: CallFrames) -> list[tuple[float, str, Any]]:
    """Points of the clock to point out: when, the words for it, the style of its line."""
    target, share = frames.call["target_ms"], frames.call["wrap_up_from"]
    if target is None:
        return []
    marks: list[tuple[float, str, Any]] = [(target / _MINUTE, f"target {clock(target / _MINUTE)}", "-")]
    if share is not None:
        marks.append((share * target / _MINUTE, f"{share:.0%}", (0, (4, 3))))
    return marks


def _phase_names(axes: "Axes", frames: CallFrames) -> None:
    """Name the phases whose bands are wide enough, and the points of the clock."""
    over = axes.get_xaxis_transform()
    end = _end(frames)
    for phase in rows(frames.phases):
        words, began = str(phase["phase"]).replace("_", "-"), phase["started_ms"] / _MINUTE
        band = (end if phase["ended_ms"] is None else phase["ended_ms"] / _MINUTE) - began
        if fitted(words, band / end * _AXIS_PT - 8) == words:
            axes.annotate(words, (began, 0), (4, 3), xycoords=over, **_SMALL, va="bottom")
    for at, words, _ in _marks(frames):
        axes.annotate(words, (at, 1), (-3, 3), xycoords=over, **_SMALL, va="bottom", ha="right")


def _end(frames: CallFrames) -> float:
    """Where the axis ends, in minutes: at the end of the call, or at its target if that is later."""
    return max(float(frames.call["end_ms"]) / _MINUTE, 0.1, *(at for at, _, _ in _marks(frames)))


_SMALL: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8.5, "color": DIM, "annotation_clip": False}


def _clock_axis(axes: "Axes", frames: CallFrames) -> None:
    from matplotlib.ticker import FuncFormatter, MultipleLocator

    end = _end(frames)
    axes.set_xlim(0, end * 1.005)
    axes.xaxis.set_major_locator(MultipleLocator(next((s for s in _STEPS if end / s <= _MOST_TICKS), 20)))
    axes.xaxis.set_major_formatter(FuncFormatter(clock))
    axes.set_xlabel("minutes on the call's clock")


def _legend(figure: "Figure", frames: CallFrames) -> None:
    from matplotlib.lines import Line2D

    present = {outcome_of(attempt) for attempt in rows(frames.attempts)}
    marks = [mark for name, mark in OUTCOMES.items() if name in present]
    marks += [Mark(INK, "|", "its words were known")] if frames.attempts["generated_ms"].notna().any() else []
    ran = set(frames.runs["agent"])
    marks += [mark for name, mark in AGENTS.items() if name in ran]
    marks += [OTHER_AGENTS] if ran - AGENTS.keys() else []
    marks += [Mark(OUTCOMES["released"].color, "x", "late or failed")] if (frames.runs["outcome"] != "ok").any() else []
    marks += [Mark(GOODBYE, "*", "goodbye")] if frames.call["goodbye_ms"] is not None else []
    handles: list[Artist] = [Line2D([], [], ls="", marker=m.marker, color=m.color, ms=7, label=m.label) for m in marks]
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=min(5, len(handles)), labelcolor=DIM)
