"""The figures of a comparison show every measure and both runs by name."""

import numpy as np

from interviewer.lab.comparing import compare
from interviewer.plots.compare import compared, where_time_went
from tests.lab.runs import moment, result, run


def test_each_measure_is_drawn_with_a_line_a_recording() -> None:
    sides = (
        tuple(
            result(f"talk{n}", moments=(moment("t1", "Why?", "Why?", score), moment("t3", "How?", "Who?", 0.1)))
            for n in range(6)
        )
        for score in (0.9, 0.1)
    )
    found = compare(*(run(name, *results) for name, results in zip(("r-a", "r-b"), sides, strict=True)))
    figure = compared(found, {"A": "essays", "B": "$ours"})
    drawn = {axes.get_title(loc="left"): axes for axes in figure.axes if axes.get_title(loc="left")}
    agreement = drawn["agreement, share"]
    assert [label.get_text() for label in agreement.get_xticklabels()] == ["essays", "$ours"]
    ends = [np.asarray(line.get_ydata()).tolist() for line in agreement.lines[:6]]
    assert ends == [[0.5, 0.0]] * 6
    assert "A - B: +0.5" in agreement.get_xlabel()
    assert figure.get_suptitle().startswith("A: essays, B: $ours")
    assert "cost, USD a call" not in drawn  # unknown prices give no figure
    spent = where_time_went(found.a, found.b)
    labels = [label.get_text() for label in spent.axes[0].get_yticklabels()]
    assert labels == ["Note-Taker", "Orchestrator"]
    widths = [text.get_text() for text in spent.axes[0].texts]
    assert widths == ["0.03", "0.012", "0.03", "0.012"]  # 30 ms and 12 ms a recording, in A and in B
