"""A widget to page through the divergences of two runs and judge them blind.

    Judge("r-2026...", "last", "Ann")  # in a cell; the same line again goes on where Ann stopped

Keys: 1 left is better, 2 right is better, 0 neither, s skip, Backspace takes the last one back. Page to kernel:
{act: "judge", key, verdict, reason}, {act: "undo"}. Kernel to page: `_view`.
"""

from typing import Any, Final, get_args

from traitlets import Dict

from interviewer.errors import InterviewerError
from interviewer.lab.comparing import Comparison, compare_kept
from interviewer.lab.comparison_report import shown_estimate
from interviewer.lab.divergences import Choice, Divergence
from interviewer.lab.judging import VERDICTS, Judging, Verdict
from interviewer.store.plain import harmless
from interviewer.store.store import Store
from interviewer.widgets import parts
from interviewer.widgets.tool import Tool

KEYS: Final[dict[str, Verdict]] = {"1": "left", "2": "right", "0": "alike", "s": "skip"}


class Judge(Tool):
    """Shows divergence after divergence, without saying which run chose what, and keeps each judgement at once.

    `a`, `b`: two runs of the store, by id, prefix or `last`, or a comparison of them as `a` alone. `judging`: what was
    said so far; its sum is shown once all are judged. Raises NotFound, ReplayError.
    """

    _esm = parts.module("shared/dom", "shared/tool", "judging/judging")
    _css = parts.style("shared/tool", "judging/judging")
    _keys = Dict().tag(sync=True)

    def __init__(self, a: str | Comparison, b: str = "", judge: str = "", *, store: Store | None = None) -> None:
        place = (store or Store.open()).home
        comparison = a if isinstance(a, Comparison) else compare_kept(place, a, b)
        self.judging = Judging(comparison, judge, place)
        keys = {key: {"name": verdict, "about": VERDICTS[verdict]} for key, verdict in KEYS.items()}
        super().__init__(_keys=keys, _view=self._shown(0))
        self.on_msg(self._arrived)

    def __repr__(self) -> str:
        return f"{self.judging.done} of {self.judging.total} divergences judged by {self.judging.judge}"

    def _do(self, content: object) -> str:
        match content:
            case {"act": "judge", "key": str(key), "verdict": str(verdict), "reason": str(reason)}:
                current = self.judging.current
                # A key pressed twice does not judge the next one.
                if current is not None and _key(current) == key and verdict in get_args(Verdict):
                    self.judging.judge_it(current, verdict, reason)  # type: ignore[arg-type]
            case {"act": "undo"}:
                self.judging.undo()
        return ""

    def _shown(self, turn: int, said: str = "") -> dict[str, Any]:
        """What the page shows; `turn` differs each time, so that the page hears of every answer."""
        judging, current = self.judging, self.judging.current
        return {
            "turn": turn,
            "pair": None if current is None else self._pair(current),
            "done": judging.done,
            "total": judging.total,
            "judge": harmless(judging.judge),
            "sum": self._sum(),
            "said": harmless(said),
        }

    def _pair(self, current: Divergence) -> dict[str, Any]:
        left, right = self.judging.sides(current)
        return {
            "key": _key(current),
            "before": [{"speaker": turn.speaker, "text": harmless(turn.text)} for turn in current.before],
            "left": _words(left),
            "right": _words(right),
        }

    def _sum(self) -> str:
        try:
            found = self.judging.unblinded()
        except InterviewerError as error:
            return str(error)
        if found is None or not self.judging.total:
            return ""
        return (
            f"Run A was found better {found.a} times, run B {found.b} times; {found.alike} alike, {found.skipped} "
            f"skipped. A's share of those decided: {shown_estimate(found.share_a)}"
        )


def _key(divergence: Divergence) -> str:
    return f"{divergence.recording}\n{divergence.turn}"


def _words(choice: Choice) -> str:
    """What is asked; neither its source nor its reason, which would tell the runs apart."""
    return harmless(choice.text)
