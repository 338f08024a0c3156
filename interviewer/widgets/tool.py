"""The kernel's side of `static/shared/tool.js`: a widget that is worked by keyboard."""

from collections.abc import Sequence
from typing import Any

import anywidget
from traitlets import Dict

from interviewer.store.plain import harmless
from interviewer.widgets.problems import in_words


class Tool(anywidget.AnyWidget):
    """Does what the page says and answers with what is to be shown: always, for a page waits for the answer.

    `_view` has `turn`, which differs each time so that the page hears of every answer, and `said`, a sentence or none.
    """

    _view = Dict().tag(sync=True)

    def _arrived(self, _: object, content: object, __: Sequence[memoryview]) -> None:
        try:
            said = self._do(content)
        except Exception as error:
            said = in_words(error)
        turn = self._view["turn"] + 1
        try:
            self._view = self._shown(turn, said)
        except Exception as error:
            self._view = {**self._view, "turn": turn, "said": harmless(in_words(error))}

    def _do(self, content: object) -> str:
        """Do what the page said; what is to be said of it, or nothing."""
        raise NotImplementedError

    def _shown(self, turn: int, said: str = "") -> dict[str, Any]:
        """What the page shows now."""
        raise NotImplementedError
