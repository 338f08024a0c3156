"""What a page is shown of an interview: slices of plain values, sent as they change."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from traitlets import Dict, List, Unicode

from interviewer.interview.afterwards import FORMATS, SOUNDS, STYLES
from interviewer.interview.form import LANGUAGES
from interviewer.interview.guest_view import for_guest
from interviewer.interview.onlooker import View
from interviewer.interview.session import InterviewSession
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.comms import Downlink

PERIOD_S: Final = 0.16
"""A page is told of changes at most this often: six times a second."""


class Slate(Downlink):
    """The slices as a guest's page has them; see `for_guest`."""

    setup = Dict().tag(sync=True)
    plan = Dict().tag(sync=True)
    clock = Dict().tag(sync=True)
    turns: List[Any] = List().tag(sync=True)
    words = Dict().tag(sync=True)
    cost = Dict().tag(sync=True)
    levels = Dict().tag(sync=True)
    sound = Dict().tag(sync=True)
    keeping = Dict().tag(sync=True)
    outcome = Dict().tag(sync=True)
    draft = Dict().tag(sync=True)
    after = Dict().tag(sync=True)
    found = Dict().tag(sync=True)
    still = Unicode().tag(sync=True)  # what the notebook keeps of a call that is over, as HTML
    languages = List(list(LANGUAGES)).tag(sync=True)
    styles = List(list(STYLES)).tag(sync=True)
    formats = List(list(FORMATS)).tag(sync=True)
    sounds = List(list(SOUNDS)).tag(sync=True)  # those of the formats that need the sound


class WholeSlate(Slate):
    """The slices as a researcher's page has them: all; see `InterviewSession.slices` and `Slices.cut`."""

    questions: List[Any] = List().tag(sync=True)
    agents = Dict().tag(sync=True)
    earlier = Dict().tag(sync=True)
    notes = Dict().tag(sync=True)
    research: List[Any] = List().tag(sync=True)
    voice = Dict().tag(sync=True)


class Board:
    """Keeps a slate for each kind of view true to a session, on a thread that rests while nothing can change.

    Each is a comm of its own, so that a page with the guest's view alone is never sent what is not for the guest.
    `on_kept(after)` is called on that thread when the call is over and kept, and when what is kept of it changes.
    """

    def __init__(self, session: InterviewSession, audio: BrowserAudio, on_kept: Callable[[Any], None]) -> None:
        self._session, self._audio, self._on_kept = session, audio, on_kept
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._slates: dict[View, Slate] = {}
        self._told: Any = session.slices()["after"]
        audio.observe(lambda _: self._wake.set(), ["is_open"])
        threading.Thread(target=self._run, name="interview-board", daemon=True).start()

    def slate(self, view: View) -> Slate:
        """The slate of this kind of view; made when it is first asked for."""
        with self._lock:
            if view not in self._slates:
                slices = self._slices(view, self._session.slices())
                self._slates[view] = Slate(**slices) if view == "guest" else WholeSlate(**slices)
            return self._slates[view]

    def touch(self) -> None:
        """Something was done: look."""
        self._wake.set()

    def _slices(self, view: View, slices: dict[str, Any]) -> dict[str, Any]:
        return {**(for_guest(slices) if view == "guest" else slices), "sound": {"on": self._audio.is_open}}

    def _run(self) -> None:
        told_all = False
        while True:
            if told_all and not self._session.restless:
                self._wake.wait()
            self._wake.clear()
            # Asked for anew: what woke it may be over before the next round.
            restless = self._session.restless
            self._session.glance()
            self._send()
            # What changed while it came to rest is told in one more round.
            told_all = not restless
            time.sleep(PERIOD_S)

    def _send(self) -> None:
        slices = self._session.slices()
        with self._lock:
            slates = list(self._slates.items())
        for view, slate in slates:
            with slate.hold_sync():
                for name, value in self._slices(view, slices).items():
                    setattr(slate, name, value)
        if self._session.stage == "over" and slices["after"] != self._told:
            self._told = slices["after"]
            self._on_kept(self._told)
