"""A widget to try thresholds on one's own calls.

    ThresholdLab(Store.open(), "Ann")      # in a cell; the same line again goes on where Ann stopped

A slider moves the threshold; beside it stand the questions that flip, what slips through and what is refused in a call,
and one question to label, with the keys of `Labeller`. Page to kernel: {act: "slide", value}, {act: "label", pair,
kind}, {act: "undo"}, {act: "save", name, replace}. Kernel to page: `_view`.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any, Final

from traitlets import Dict

from interviewer.lab.threshold_lab import Nearest
from interviewer.lab.threshold_lab import ThresholdLab as Lab
from interviewer.matching.interview_file import Interview
from interviewer.metrics.statistics import Estimate
from interviewer.model.counting import counted
from interviewer.settings import GuardSettings
from interviewer.store.plain import harmless
from interviewer.store.store import Store
from interviewer.widgets import parts
from interviewer.widgets.labelling import told, told_keys
from interviewer.widgets.tool import Tool

_SHOWN: Final = 4
_FARTHEST: Final = 1e6  # no score is so far off; what is no number is not within it either


class ThresholdLab(Tool):
    """The slider over `lab`, which answers the same in Python: `lab.at(0.7)`, `lab.save("mine", 0.7)`.

    `scorer`: which compares; `calls`: ids, else all that are kept; `progress` is put around the calls while they are
    scored, such as tqdm. Raises MatchError if there is nothing to look at.
    """

    _esm = parts.module("shared/dom", "shared/tool", "thresholds/thresholds")
    _css = parts.style("shared/tool", "thresholds/thresholds")
    _about = Dict().tag(sync=True)

    def __init__(
        self,
        store: Store,
        annotator: str,
        scorer: str = GuardSettings().scorer,
        calls: Iterable[str] = (),
        progress: Callable[[list[Interview]], Iterable[Interview]] = iter,
    ) -> None:
        self.lab = Lab(store, annotator, scorer, calls, progress)
        low, high = self.lab.span
        reference = self.lab.reference
        self.threshold = reference.value if reference else self.lab.sliding.sorted[-1]
        about = {
            "keys": told_keys(),
            "scorer": f"{self.lab.scorer.name}/{self.lab.scorer.version}",
            "questions": len(self.lab.rows),
            "calls": self.lab.sliding.calls,
            "low": math.floor(min(low, self.threshold) * 100) / 100,
            "high": math.ceil(max(high, self.threshold) * 100) / 100,
            "reference": {"name": reference.name, "value": reference.value} if reference else None,
        }
        super().__init__(_about=about, _view=self._shown(0, self.lab.labelling.warning))
        self.on_msg(self._arrived)

    def __repr__(self) -> str:
        effect = self.lab.at(self.threshold)
        return (
            f"{counted(len(self.lab.rows), 'question')} of {counted(self.lab.sliding.calls, 'call')}, "
            f"{self.lab.sliding.labelled} labelled; "
            f"above {self.threshold:.3f}: {effect.refused}"
        )

    def _do(self, content: object) -> str:
        match content:
            case {"act": "slide", "value": int() | float() as value} if abs(value) <= _FARTHEST:
                self.threshold = float(value)
            case {"act": "label", "pair": str(pair), "kind": str(kind)}:
                waiting = self._view["next"]
                if waiting and waiting["id"] == pair:  # a key pressed twice does not label the next
                    self.lab.label(pair, kind)
            case {"act": "undo"}:
                self.lab.undo()
            case {"act": "save", "name": str(name), "replace": bool(replace)}:
                kept = self.lab.save(name.strip(), self.threshold, replace=replace)
                return f"kept: guard.threshold: {kept.name}, with guard.scorer: {kept.scorer}"
        return ""

    def _shown(self, turn: int, said: str = "") -> dict[str, Any]:
        """What the page shows; `turn` differs each time, so that the page hears of every answer."""
        effect = self.lab.at(self.threshold)
        passing, refused = self.lab.around(self.threshold, _SHOWN)
        waiting = self.lab.next(self.threshold)
        return {
            "turn": turn,
            "threshold": self.threshold,
            "refused": effect.refused,
            "flipped": self.lab.flipped(self.threshold),
            "slipped": _told(effect.slipped),
            "good": _told(effect.good),
            "ratio": _ratio(effect.cost_ratio, effect.why),
            "passing": [self._row(row) for row in passing],
            "stopped": [self._row(row) for row in refused],
            "next": told(waiting) if waiting else None,
            "labelled": self.lab.sliding.labelled,
            "said": harmless(said),
        }

    def _row(self, row: Nearest) -> dict[str, Any]:
        said = self.lab.said(row)
        first, second = harmless(row.first.text), harmless(row.second.text)
        return {"id": row.id, "score": row.score, "first": first, "second": second, "label": said}


def _told(figure: Estimate) -> str:
    """A figure in words: with its interval, or why there is none."""
    if not figure.enough or figure.value is None:
        return f"not enough: {figure.why}"
    return f"{figure.value:.2f} a call, 95 % {figure.low:.2f} to {figure.high:.2f} ({figure.n} labels)"


def _ratio(ratio: float | None, why: str) -> str:
    if ratio is None:
        return f"not enough: {why}"
    if ratio <= 0:
        return "all labelled here are repeats: a lower one is better at any cost"
    return f"best if a repeat costs as much as {ratio:.2g} good questions refused"
