"""The figure of what a call used: bars as long as the tokens and dollars that the journal holds."""

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from interviewer.plots.usage import usage_by_agent
from interviewer.store.store import Store
from tests.plots.test_figures import _nothing_is_cut_off, _overlaps
from tests.store import journals


def a_store(home: Path, *, world: str = "real") -> Store:
    """The small call with two transcripts that were paid for, and an agent that ran on rules."""
    usage = {"type": "tokens", "input_tokens": 50, "output_tokens": 10, "cost_usd": 0.003}
    rules = {
        "agent": "planner", "job_id": "plan", "version": "x", "cycle": 0, "outcome": "ok", "model": "rules",
        "error": "", "latency_ms": 2_000, "input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "cost_usd": 0.0,
        "retries": 0, "repairs": 0, "prompt_tokens": 400, "prompt_cut": {}, "input_hash": "h", "output": None,
    }  # fmt: skip
    lines = [
        *journals.small_call(),
        journals.rec("transcription", item_id="i1", usage=usage),
        journals.rec("transcription", item_id="i2", usage={"type": "duration", "seconds": 4, "cost_usd": None}),
        journals.rec("job", **rules),
    ]
    journals.write(home / "journals" / "c-1.jsonl", iter(lines), world=world)
    return Store.open(home)


def bars(axes: Axes) -> dict[int, list[tuple[str, float]]]:
    """(colour, length) of the bars of each row that have any length."""
    found: dict[int, list[tuple[str, float]]] = {}
    for bar in axes.patches:
        width = round(bar.get_width(), 6)  # type: ignore[attr-defined]
        if width:
            row = round(bar.get_y() + bar.get_height() / 2)  # type: ignore[attr-defined]
            found.setdefault(row, []).append((to_hex(bar.get_facecolor(), keep_alpha=True).upper(), width))
    return found


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]


def test_tokens_read_cached_and_written_stand_apart_and_what_nobody_read_is_hollow(fresh_home: Path) -> None:
    figure = usage_by_agent(a_store(fresh_home))
    tokens, money, _ = figure.axes
    assert [label.get_text() for label in tokens.get_yticklabels()] == [
        "Planner",
        "Note-Taker",
        "Voice",
        "Transcription",
    ]
    # In thousands: the Note-Taker read 36 + 4 cached and wrote 5, the voice 56 + 64 and 40, the transcriber 50 and 10.
    blue, light, orange, hollow = "#0072B2FF", "#7DBBE3FF", "#E69F00FF", "#00000000"
    assert bars(tokens) == {
        0: [(hollow, 0.4)],
        1: [(blue, 0.036), (light, 0.004), (orange, 0.005)],
        2: [(blue, 0.056), (light, 0.064), (orange, 0.04)],
        3: [(blue, 0.05), (orange, 0.01)],
    }
    assert {row: [width for _, width in found] for row, found in bars(money).items()} == {
        1: [0.001],
        2: [0.02],
        3: [0.003],
    }


def test_what_has_no_price_is_said_and_not_drawn_as_nothing(fresh_home: Path) -> None:
    said = words(usage_by_agent(a_store(fresh_home)))
    assert "0.0010 + 1 of unknown price" in said
    assert "0.0030 + 1 of unknown price" in said
    assert "nothing" in said


@pytest.mark.parametrize("world", ["real", "simulated"])
def test_all_of_it_can_be_read(fresh_home: Path, world: str) -> None:
    figure = usage_by_agent(a_store(fresh_home, world=world))
    _nothing_is_cut_off(figure)
    assert _overlaps(figure) == []


def test_latencies_run_from_the_fastest_to_the_slowest_with_the_median_marked(fresh_home: Path) -> None:
    time = usage_by_agent(a_store(fresh_home)).axes[2]
    spans = {(float(line.get_ydata()[0]), tuple(map(float, line.get_xdata()))) for line in time.lines}  # type: ignore[index,arg-type]
    # The Note-Taker took 1 and 3 s; the 95th percentile lies at 1 + 0.95 x 2. The voice was heard after 0.1 s.
    assert {(1.0, (1.0, 3.0)), (1.0, (1.0, 2.9)), (1.0, (2.0,)), (2.0, (0.1, 0.1))} <= spans


def test_a_call_without_any_usage_has_a_figure_too(fresh_home: Path) -> None:
    journals.write(fresh_home / "journals" / "c-1.jsonl", iter([journals.setup()]))
    assert "nothing" in words(usage_by_agent(Store.open(fresh_home)))
