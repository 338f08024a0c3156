from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from interviewer.plots.questions import question_states
from interviewer.plots.style import OUTCOMES, SPEAKERS, clock, fitted, look
from interviewer.plots.timeline import call_timeline
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.store import journals

Lines = list[tuple[int, str, dict[str, Any]]]
HOSTILE = r"<script>$\frac{1}{0}$ _^ \x" + "\u202egnp.exe\x1b[31m\n日本" + "W" * 300


def _store(home: Path, lines: Lines) -> Store:
    """A store with one call, whose lines are written at the times they name."""
    (home / "journals").mkdir()
    with Journal.create(home / "journals" / "c-1.jsonl", journals.head("c-1")) as journal:
        for t_ms, kind, data in lines:
            journal.write(kind, t_ms, data)
    return Store.open(home)


def _at(t_ms: int, line: tuple[str, dict[str, Any]]) -> tuple[int, str, dict[str, Any]]:
    return (line[1].get("t_ms", t_ms), *line)


def _timed() -> Lines:
    """The small call with a clock, one attempt set aside, one released, and a goodbye."""
    settings = {"call": {"target_ms": 10_000, "wrap_up_from": 0.85}}
    call = [_at(0, line) for line in journals.small_call()]
    events = (
        journals.event(20, 7_100, "question", "u2", planned=False, source="gap", priority=3, text="Which rye?"),
        journals.event(21, 7_200, "selected", "u2", "a3", revision=3),
        journals.event(22, 8_000, "released", "u2", "a3", reason="superseded", heard_ms=0),
        journals.event(23, 8_100, "selected", "u2", "a4", revision=4),
        journals.event(24, 8_200, "accepted", "u2", "a4", revision=4),
        journals.event(25, 8_300, "started", "u2", "a4", response_id="r4"),
        journals.event(26, 9_000, "released", "u2", "a4", reason="wandered", heard_ms=500),
    )
    return [
        _at(0, journals.setup(settings=settings)),
        _at(0, journals.rec("phase", phase="opening", elapsed_ms=0, locked=False)),
        *call[1:-1],
        *(_at(0, event) for event in events),
        _at(8_500, journals.rec("phase", phase="wrap_up", elapsed_ms=8_500, locked=True)),
        _at(9_500, journals.rec("goodbye", response_id="r5", phrase="take care", elapsed_ms=9_500)),
        _at(10_200, call[-1][1:]),
    ]


@pytest.fixture
def store(fresh_home: Path) -> Store:
    return _store(fresh_home, _timed())


def _texts(figure: Figure) -> list[str]:
    return [found.get_text() for found in figure.findobj(Text) if isinstance(found, Text) and found.get_text()]


def _drawn(figure: Figure) -> Iterator[Text]:
    """Every text that shows; the figure is drawn, so that each has its place. Ticks beyond an axis do not show."""
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    beyond = {
        id(tick.label1)
        for axes in figure.axes
        for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim())))
        for tick in axis.get_major_ticks()
        if not low <= tick.get_loc() <= high
    }
    for found in figure.findobj(Text):
        if isinstance(found, Text) and found.get_visible() and found.get_text().strip() and id(found) not in beyond:
            yield found


def _nothing_is_cut_off(figure: Figure) -> None:
    texts = list(_drawn(figure))
    page = figure.bbox
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    outside = [words for words, b in boxes if b.x0 < 0 or b.y0 < 0 or b.x1 > page.width or b.y1 > page.height]
    assert outside == []


def _overlaps(figure: Figure) -> list[tuple[str, str]]:
    boxes = [(text.get_text(), text.get_window_extent()) for text in _drawn(figure)]
    return [
        (one, other)
        for number, (one, a) in enumerate(boxes)
        for other, b in boxes[:number]
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1
    ]


def _ends(axes: Axes) -> dict[str, tuple[str, str, float]]:
    """Marker, colour and minute of the end of each attempt."""
    lines = [line for line in axes.lines if line.get_gid() in ("a1", "a2", "a3", "a4")]
    return {
        str(line.get_gid()): (str(line.get_marker()), str(line.get_color()), float(line.get_xdata()[0]))  # type: ignore[index, arg-type]
        for line in lines
    }


def _heights(line: Line2D) -> list[float]:
    return [float(y) for y in np.asarray(line.get_ydata())]


def test_each_attempt_ends_in_the_marker_of_its_outcome_at_its_time(store: Store) -> None:
    questions = call_timeline(store, "c-1").axes[1]
    names = {"a1": "delivered", "a2": "held", "a3": "superseded", "a4": "released"}
    times = {"a1": 2_400, "a2": 7_000, "a3": 8_000, "a4": 9_000}
    ends = _ends(questions)
    assert {a: end[:2] for a, end in ends.items()} == {
        attempt: (OUTCOMES[name].marker, OUTCOMES[name].color) for attempt, name in names.items()
    }
    assert {a: round(end[2] * 60_000) for a, end in ends.items()} == times
    assert [label.get_text() for label in questions.get_yticklabels()] == ["q1", "q2", "u2"]


def test_every_turn_is_a_bar_in_its_speakers_lane(store: Store) -> None:
    lanes = [bars for bars in call_timeline(store).axes[0].collections if isinstance(bars, PolyCollection)]
    colors = [np.ravel(lane.get_facecolor())[:3].tolist() for lane in lanes]
    assert colors == [list(to_rgb(SPEAKERS[name])) for name in ("interviewer", "guest")]
    assert [len(lane.get_paths()) for lane in lanes] == [1, 1]


def test_agents_are_points_as_high_as_they_took_and_a_late_one_is_crossed(store: Store) -> None:
    taken, crossed = call_timeline(store).axes[2].lines[:2]
    assert _heights(taken) == [1.0, 3.0]
    assert _heights(crossed) == [3.0]


def test_the_phases_the_lock_the_target_and_the_goodbye_are_pointed_out(store: Store) -> None:
    figure = call_timeline(store)
    assert {"opening", "wrap-up", "85%", "target 0:10", "goodbye"} <= set(_texts(figure))
    assert [line.get_gid() for line in figure.axes[0].lines].count("goodbye") == 1


def test_every_question_stands_in_its_section_with_its_state(store: Store) -> None:
    texts = _texts(question_states(store))
    for words in ("Starter", "Heat", "Not planned", "How did you begin?", "Why that oven?", "And the salt?"):
        assert texts.count(words) == 1
    for state in ("held: unconfirmed", "answered unasked", "heard, not chosen", "not in the reply"):
        assert state in texts
    assert texts.count("delivered") == 2  # the question's state, and the legend


@pytest.mark.parametrize("draw", [call_timeline, question_states])
def test_a_call_without_questions_heard_or_anything_said_can_be_drawn(draw: Any, fresh_home: Path) -> None:
    nothing = _store(fresh_home, [_at(0, journals.setup()), (1_000, "end", {"reason": "cancelled"})])
    figure = draw(nothing, "last")
    _nothing_is_cut_off(figure)
    assert {"no question was tried", "no questions"} & set(_texts(figure))


@pytest.mark.parametrize("draw", [call_timeline, question_states])
def test_no_label_is_cut_off_and_none_lies_on_another(draw: Any, store: Store) -> None:
    figure = draw(store)
    _nothing_is_cut_off(figure)
    assert _overlaps(figure) == []


@pytest.mark.parametrize("draw", [call_timeline, question_states])
def test_hostile_text_is_drawn_as_text_within_its_place(draw: Any, fresh_home: Path) -> None:
    lines = [(t_ms, kind, _hostile(data)) for t_ms, kind, data in _timed()]
    figure = draw(_store(fresh_home, lines), "c-1")
    _nothing_is_cut_off(figure)
    assert _overlaps(figure) == []
    shown = [text for text in _texts(figure) if "<script>$" in text]
    assert shown
    assert not any(bad in text for text in shown for bad in ("\u202e", "\x1b", "\n", "日"))


def _hostile(value: Any) -> Any:
    """`value` with every free text of the plan, the questions and the guest replaced."""
    if isinstance(value, dict):
        free = ("topic", "title", "text", "guest")
        return {k: HOSTILE if k in free and isinstance(v, str) else _hostile(v) for k, v in value.items()}
    return [_hostile(item) for item in value] if isinstance(value, list | tuple) else value


def test_text_is_cut_to_the_width_there_is() -> None:
    assert fitted("How did you begin?", 400) == "How did you begin?"
    short = fitted("W" * 50, 90)  # a W is just under a font size wide: nine points
    assert short == "W" * 9 + "…"


def test_the_look_changes_nothing_outside_it() -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    with look():
        assert dict(mpl.rcParams) != before
    assert dict(mpl.rcParams) == before


def test_a_clock_reads_minutes_and_seconds() -> None:
    assert [clock(0), clock(0.5), clock(11.9), clock(14)] == ["0:00", "0:30", "11:54", "14:00"]
