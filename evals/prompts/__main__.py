"""Run: python -m evals.prompts [--out DIR]. Writes sizes.csv and sizes.png; exit 1 if a prompt is over its budget."""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evals.prompts.walk import Walk
from interviewer.agents.registry import AGENTS
from interviewer.plots.style import AGENTS as AGENT_MARKS
from interviewer.plots.style import DIM, WIDTH_IN, look

_LIVE = ("note_taker", "researcher", "orchestrator")
_OTHER = {
    "planner": "#56B4E9",
    "analyst": "#D55E00",
    "follow_up": "#E69F00",
    "writer": "#CC79A7",
    "style_extractor": "#008F68",
    "reverse_planner": "#5F656E",
}


class Size(NamedTuple):
    """A prompt's estimated tokens at a minute, its budget, and how many lines were left out or shortened."""

    minute: int
    agent: str
    tokens: int
    budget: int
    cut: int


def sizes() -> list[Size]:
    """All prompts of an hour."""
    return [
        Size(minute, name, prompt.tokens, AGENTS[name].budget, sum(prompt.cut.values()))
        for minute, asked in Walk().minutes()
        for name, data in asked.items()
        for prompt in (AGENTS[name].ask(data),)
    ]


def main() -> int:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    measured = sizes()
    with (out / "sizes.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Size._fields)
        writer.writerows(measured)
    _draw(measured, out / "sizes.png")
    for name in _names(measured):
        last = [size for size in measured if size.agent == name]
        print(f"{name:16} largest {max(s.tokens for s in last):6} of {last[0].budget:6} tokens, cut {last[-1].cut}")
    return 1 if any(size.tokens > size.budget for size in measured) else 0


def _names(measured: Sequence[Size]) -> list[str]:
    """The agents measured: those that read the conversation."""
    return list(dict.fromkeys(size.agent for size in measured))


def _draw(measured: Sequence[Size], path: Path) -> None:
    import matplotlib.pyplot as plt

    with look():
        figure, (live, after) = plt.subplots(1, 2, figsize=(WIDTH_IN, 3.8), layout="constrained")
        live.set_title("During the call, each cycle")
        after.set_title("Once, if the call ended then")
        for name in _names(measured):
            axes = live if name in _LIVE else after
            mine = [size for size in measured if size.agent == name]
            color = AGENT_MARKS[name].color if name in AGENT_MARKS else _OTHER[name]
            line = {"color": color, "linewidth": 1.6, "label": name.replace("_", " ")}
            axes.plot([s.minute for s in mine], [s.tokens for s in mine], **line)
        for name in _LIVE:
            live.axhline(AGENTS[name].budget, color=AGENT_MARKS[name].color, linewidth=0.8, linestyle=":")
        after.axhline(AGENTS["writer"].budget, color=DIM, linewidth=0.8, linestyle=":")
        for axes in (live, after):
            axes.set_xlabel("minute of the talk")
            axes.set_ylim(bottom=0)
            axes.legend(loc="upper left", fontsize=8, frameon=False, ncols=2)
        live.set_ylabel("tokens, estimated (dotted: budget)")
        live.set_ylim(top=13_000)
        after.set_ylim(top=42_000)
        figure.savefig(path, dpi=130, metadata={"Software": None})
        plt.close(figure)


if __name__ == "__main__":
    raise SystemExit(main())
