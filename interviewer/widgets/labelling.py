"""A widget to label pairs of questions by keyboard.

    Labeller("pairs.csv", "Ann")       # in a cell; the same line again goes on where Ann stopped

Keys: r unwanted repeat, d deliberate return, o continuation, l clarification or narrowing, n different, c cannot tell,
Backspace takes the last one back. Page to kernel: {act: "label", pair, kind}, {act: "undo"}. Kernel to page: `_view`.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from traitlets import Dict

from interviewer.lab.labelling import KINDS, Labelling, Shown, shown_kappa
from interviewer.store.plain import harmless
from interviewer.widgets import parts
from interviewer.widgets.tool import Tool

KEYS: Final = {
    "r": "unwanted",
    "d": "return",
    "o": "continuation",
    "l": "clarification",
    "n": "different",
    "c": "unclear",
}


class Labeller(Tool):
    """Shows pair after pair, without scores, and keeps each label at once. `labelling`: what was said so far.

    `pairs`: a CSV file with q1, q2 and, if there, id, answer (to the first question) and lead (what came before the
    second), as `interviewer pairs` writes it. Raises MatchError naming file and line.
    """

    _esm = parts.module("shared/dom", "shared/tool", "labelling/labelling")
    _css = parts.style("shared/tool", "labelling/labelling")
    _keys = Dict().tag(sync=True)

    def __init__(self, pairs: str | Path, annotator: str) -> None:
        self.labelling = Labelling(Path(pairs), annotator)
        super().__init__(_keys=told_keys(), _view=self._shown(0, self.labelling.warning))
        self.on_msg(self._arrived)

    def __repr__(self) -> str:
        return f"{self.labelling.done} of {self.labelling.total} pairs labelled by {self.labelling.annotator}"

    def _do(self, content: object) -> str:
        match content:
            case {"act": "label", "pair": str(pair), "kind": str(kind)}:
                current = self.labelling.current
                if current is not None and current.id == pair:  # a key pressed twice does not label the next
                    self.labelling.label(pair, kind)
            case {"act": "undo"}:
                self.labelling.undo()
        return ""

    def _shown(self, turn: int, said: str = "") -> dict[str, Any]:
        """What the page shows; `turn` differs each time, so that the page hears of every answer."""
        labelling = self.labelling
        current = labelling.current
        return {
            "turn": turn,
            "pair": told(current) if current else None,
            "done": labelling.done,
            "total": labelling.total,
            "annotator": harmless(labelling.annotator),
            "agreement": harmless(self._agreement()),
            "said": harmless(said),
        }

    def _agreement(self) -> str:
        found = self.labelling.agreement()
        if found is None:
            return ""
        first, second = found["annotators"]
        return (
            f"{first} and {second} agree on {found['alike']} of {found['pairs']} pairs; Cohen's kappa: label "
            f"{shown_kappa(found['label'])}, same information {shown_kappa(found['same'])}"
        )


def told(pair: Shown) -> dict[str, Any]:
    """A pair as a page is told it: with harmless texts, and its id as it is, by which the page names it."""
    return {name: harmless(text) for name, text in asdict(pair).items()} | {"id": pair.id}


def told_keys() -> dict[str, dict[str, str]]:
    """The keys as a page is told them, each with the label it gives and what that means."""
    return {key: {"name": kind, "about": KINDS[kind][1]} for key, kind in KEYS.items()}
