from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from interviewer.errors import NotFound
from interviewer.plots.chain import STATES, chain_coverage
from interviewer.store.store import Store
from tests.store import journals
from tests.store.journals import event, setup, write

HOSTILE = r"<script>$\frac{1}{0}$ \x" + "\u202e" + "W" * 300
Lines = Iterator[tuple[str, dict[str, Any]]]


def _second(text: str = "What was new?") -> Lines:
    """After the small call: q1 was delivered there, q2 is asked now, a transcript touched on q3, f2q1 stays open."""
    yield setup()
    for seq, (key, said) in enumerate((("q1", "A?"), ("q2", "B?"), ("q3", "C?"), ("f2q1", text)), 1):
        yield event(seq, 0, "question", key, text=said, planned=True, source="plan", priority=1)
    yield event(5, 0, "carried", "q1", status="delivered", call="c-1")
    yield event(6, 0, "reconstructed", "q3", score=0.6, threshold=0.2, call="c-0", turn="c1.t1")
    for seq, stage in enumerate(("selected", "accepted", "started", "generated"), 7):
        yield event(seq, 100, stage, "q2", "a1", revision=1, response_id="r1", item_id="i1")
    played = {"played_ms": 2_000, "end_ms": 2_000, "tolerance_ms": 250, "total_ms": 2_000}
    yield event(11, 2_000, "delivered", "q2", "a1", response_id="r1", status="completed", **played)


def _store(home: Path, second: Lines) -> Store:
    write(home / "journals" / "c-1.jsonl")
    write(home / "journals" / "c-2.jsonl", second, started_at="2026-12-01T13:15:00+00:00")
    return Store.open(home)


def _labels(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def _marks(figure: Figure) -> list[tuple[int, int, str]]:
    """(call, row, marker) of every mark of the list."""
    (_, grid) = figure.axes
    lines = (line for line in grid.get_lines() if line.get_marker() not in ("None", ""))
    places = ((*np.asarray(line.get_xydata())[0].astype(int).tolist(), str(line.get_marker())) for line in lines)
    return sorted((int(call), int(row), marker) for call, row, marker in places)


def test_each_call_has_its_bar_and_each_question_its_marks(fresh_home: Path) -> None:
    figure = chain_coverage(_store(fresh_home, _second()), "i-1")
    bars, grid = figure.axes
    # First call: q1 delivered, q2 held, q3 open. Second: q1 before, q2 delivered, q3 reconstructed, f2q1 open.
    assert _labels(bars) == ["1", "1", "1", "1", "1", "1", "1"]
    delivered, held, open_ = (STATES[name].marker for name in ("delivered", "held", "open"))
    before, reconstructed = STATES["before"].marker, STATES["reconstructed"].marker
    first = [(0, 0, delivered), (0, 1, held), (0, 2, open_)]
    second = [(1, 0, before), (1, 1, delivered), (1, 2, reconstructed), (1, 3, open_)]
    assert _marks(figure) == sorted([*first, *second])
    assert [text for text in _labels(grid) if text.startswith(("q", "f"))] == ["q1", "q2", "q3", "f2q1"]


def test_a_question_that_the_next_plan_leaves_out_stands_as_it_did(fresh_home: Path) -> None:
    left_out = (line for line in _second() if line[1].get("question_id") != "q1")
    marks = _marks(chain_coverage(_store(fresh_home, left_out), "last"))
    assert (1, 0, STATES["before"].marker) in marks


def test_hostile_words_are_drawn_as_words(fresh_home: Path) -> None:
    figure = chain_coverage(_store(fresh_home, _second(HOSTILE)), "last")
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    assert any(text.startswith("<script>$") for text in _labels(figure.axes[1]))


def test_a_call_without_questions_and_an_interview_that_is_not(fresh_home: Path) -> None:
    write(fresh_home / "journals" / "c-1.jsonl", iter([journals.setup()]))
    store = Store.open(fresh_home)
    assert "no questions" in _labels(chain_coverage(store).axes[1])
    with pytest.raises(NotFound):
        chain_coverage(store, "c-none")
