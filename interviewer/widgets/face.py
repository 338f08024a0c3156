"""A session with what a page shows of it: outputs that live while it runs, and are plain HTML once it is over."""

import threading
import uuid
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from interviewer.errors import InterviewerError
from interviewer.interview.onlooker import View
from interviewer.interview.session import InterviewSession
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.board import Board
from interviewer.widgets.panel import Panel, view_bundle
from interviewer.widgets.still import alive, still

_WORDS = (
    "An interview about {}: it is shown while the kernel runs, and kept in this output once the call is over. "
    'A call that was begun is kept in any case: Interview.of_call("last").show() shows the last one.'
)


class Face:
    """A session with what the page shows of it."""

    def __init__(self, session: InterviewSession, audio: BrowserAudio) -> None:
        self.session, self.audio = session, audio
        self.key = uuid.uuid4().hex
        self.board = Board(session, audio, self._kept)
        self._panels: dict[View, Panel] = {}
        self._lock = threading.Lock()  # a call may end while a cell shows it
        self._outputs: dict[str, tuple[View, dict[str, Any]]] = {}  # what each shows

    def show(self, view: View) -> None:
        """Show a view in the cell that is running. Raises InterviewerError outside of a notebook."""
        if get_ipython() is None:
            raise InterviewerError("this is no notebook: open one with `interviewer lab`, or use `interviewer call`")
        if view not in self._panels:
            self._panels[view] = Panel(self.session, self.board, self.audio, view, self.key)
        with self._lock:
            self._put(uuid.uuid4().hex, view)
        self.board.touch()

    def _bundle(self, view: View) -> dict[str, Any]:
        slices = self.session.slices()
        if self.session.stage != "over":
            words = _WORDS.format(self.session.preparation.form.topic or "a topic to come")
            return view_bundle(self._panels[view], words, alive(words, view, self.key))
        after: Any = slices["after"]
        return {"text/html": self._still(view, slices), "text/plain": f"Call {after.get('call_id')}"}

    def _still(self, view: View, slices: dict[str, Any]) -> str:
        return still(slices["after"], slices.get("questions", []), view, self.key)

    def _kept(self, _: object) -> None:
        slices = self.session.slices()
        for view in list(self._panels):
            self.board.slate(view).still = self._still(view, slices)
        with self._lock:
            for output, (view, _) in list(self._outputs.items()):
                self._put(output, view)

    def _put(self, output: str, view: View) -> None:
        """Have the output show the view as it is now, if it does not: one that is put anew loses the focus."""
        _, shown = self._outputs.get(output, (view, None))
        if (bundle := self._bundle(view)) != shown:
            self._outputs[output] = view, bundle
            _display(bundle, output, update=shown is not None)


def _display(bundle: dict[str, Any], output: str, *, update: bool = False) -> None:
    display(bundle, raw=True, display_id=output, update=update)  # type: ignore[no-untyped-call]
