"""A view of an interview in a page.

Page to kernel, on the panel's own comm, {act, ...}: `view` {view, open}, `form` {fields}, `draw_up`, `plan` {plan, by},
`save_plan` {file}, `load_plan` {file}, `start`, `resume`, `finish`, `command` {name, value}, `write` {style},
`correct` {wrong, right}, `export` {to, out}, `clip` {turn}, `follow_up` {pick, about, minutes}, `turn_to` {call},
`search` {words, everywhere}. Kernel to page, on the slate's comm: its traits, and {kind: "clip", turn} with a WAV file.
"""

import uuid
from collections.abc import Sequence
from typing import Any, Final

import anywidget
from traitlets import Unicode

from interviewer.errors import InterviewerError
from interviewer.interview.onlooker import View
from interviewer.interview.session import InterviewSession
from interviewer.widgets import parts
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.board import Board
from interviewer.widgets.comms import obey_the_page
from interviewer.widgets.problems import in_words

_PARTS: Final = "state clock plan setup guest talk researcher again after standin kept view".split()


class Panel(anywidget.AnyWidget):
    """The guest's or the researcher's view of a session. `key` names the interview in the page."""

    _esm = parts.module("shared/dom", *(f"interview/{part}" for part in _PARTS))
    _css = parts.style("interview/interview")
    _down = Unicode().tag(sync=True)
    _kind = Unicode().tag(sync=True)
    _key = Unicode().tag(sync=True)
    _name = Unicode().tag(sync=True)
    _sound = Unicode().tag(sync=True)

    def __init__(self, session: InterviewSession, board: Board, audio: BrowserAudio, kind: View, key: str) -> None:
        self._session, self._board, self._audio = session, board, audio
        self._slate = board.slate(kind)
        super().__init__(
            _down=self._slate.model_id,
            _kind=kind,
            _key=key,
            _name=uuid.uuid4().hex,
            _sound=f"anywidget:{audio.model_id}" if kind == "guest" else "",
        )
        self.on_msg(self._arrived)
        obey_the_page(self.comm)

    def _arrived(self, _: object, content: object, __: Sequence[memoryview]) -> None:
        try:
            self._do(content)
        except Exception as error:
            self._session.problem = in_words(error)
        self._board.touch()

    def _do(self, content: object) -> None:
        session = self._session
        match content:
            case {"act": "view", "view": "guest" | "researcher" as view, "open": bool(on)}:
                session.viewing(view, on=on)
            case {"act": "form", "fields": dict(fields)}:
                session.preparation.change(**fields)
                session.problem = ""
            case {"act": "draw_up"}:
                session.preparation.draw_up()
            case {"act": "plan", "plan": plan, "by": str(by)}:
                session.preparation.change_plan(plan, by)
            case {"act": "save_plan" | "load_plan" as act, "file": str(file)}:
                getattr(session.preparation, act)(file)
                session.problem = ""
            case {"act": "start"} if session.stage == "call":
                pass  # a second click
            case {"act": "start"}:
                session.begin(self._audio.microphone, self._audio.speaker, consent=session.preparation.form.guest)
            case {"act": "command", "name": str(name), "value": str(value)}:
                session.command(name, value)  # type: ignore[arg-type]  # it says itself what is no command
            case _:
                self._do_afterwards(content)

    def _do_afterwards(self, content: object) -> None:
        session = self._session
        match content:
            case {"act": "resume"}:
                session.resume(self._audio.microphone, self._audio.speaker)
            case {"act": "finish"}:
                session.finish()
            case {"act": "correct", "wrong": str(wrong), "right": str(right)}:
                session.correct(wrong, right)
            case {"act": "write", "style": str(style)}:
                session.write(style)
            case {"act": "export", "to": str(to), "out": str(out)}:
                session.export(to, out)
            case {"act": "follow_up", "pick": int(pick), "about": str(about), "minutes": int() | float() as minutes}:
                session.follow_up(pick=pick or None, about=about, minutes=minutes)
            case {"act": "turn_to", "call": str(call)}:
                session.turn_to(call)
            case {"act": "search", "words": str(words), "everywhere": bool(everywhere)}:
                session.look_for(words, everywhere=everywhere)
            case {"act": "clip", "turn": str(turn)}:
                self._slate.send({"kind": "clip", "turn": turn}, [session.clip(turn)])
            case _:
                raise InterviewerError("the page said something that this version does not understand")


def view_bundle(panel: Panel, words: str, page: str) -> dict[str, Any]:
    """What a notebook shows of a panel; `words`, and `page` as HTML, for whoever cannot show it."""
    view = {"version_major": 2, "version_minor": 0, "model_id": panel.model_id}
    return {"application/vnd.jupyter.widget-view+json": view, "text/html": page, "text/plain": words}
