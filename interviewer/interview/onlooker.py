"""What there is to see of a session's call, while it runs and of its record."""

import threading
from collections import Counter
from typing import Any, Literal

from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.interview.levels import Levels
from interviewer.interview.slices import Slice, Slices, plain
from interviewer.interview.snapshot import Activity
from interviewer.kept.reading import CallLog
from interviewer.keys import api_key, without_keys
from interviewer.live.call import LiveCall
from interviewer.llm.budget import Budget

View = Literal["guest", "researcher"]
Seen = tuple[dict[str, Any], Activity]


class Onlooker:
    """Looks on at one call: the `Watcher` of its core. `call` is the one that runs, if one does."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._views: Counter[str] = Counter()
        self._levels: Levels | None = None
        self._activity = Activity()
        self._slicer: Slices | None = None
        self._budget: Budget | None = None
        self._seen: dict[str, Any] = {}
        self.call: LiveCall | None = None

    def ends(self, microphone: MicrophoneSource, speaker: SpeakerSink) -> tuple[MicrophoneSource, SpeakerSink]:
        """The ends for the next call, whose levels are watched."""
        self._levels = Levels(microphone, speaker)
        return self._levels.microphone, self._levels.speaker

    def attend(self, call: LiveCall, budget: Budget | None) -> None:
        """Look on until the call is over."""
        self._slicer, self._budget = _slicer(call.core), budget
        with self._lock:
            self.call = call
            for view, count in self._views.items():
                call.remark("view", {"view": view, "open": count})
        call.wait()
        self._cut(call.core, 0)

    def saw(self, core: Core, actions: list[Action]) -> None:  # noqa: ARG002
        """Follow the call; see `Watcher`."""
        self._activity.take(actions)

    def viewing(self, view: View, *, on: bool) -> None:
        """A view of this kind was opened or closed; the call's record says so."""
        with self._lock:
            self._views[view] = max(0, self._views[view] + (1 if on else -1))
            if self.call is not None:
                self.call.remark("view", {"view": view, "open": self._views[view]})

    def glance(self) -> None:
        """Have the running call looked at; `slices` has what was seen a moment later."""
        if (call := self.call) is not None:
            call.look(self._cut)

    def left(self) -> None:
        """The call runs no more."""
        with self._lock:
            self.call = self._levels = None

    def forget(self) -> None:
        """Nothing came of the call: nothing of it is shown when it is tried again."""
        self._seen = {name: type(value)() for name, value in self._seen.items()}
        self._activity = Activity()

    @staticmethod
    def read(log: CallLog) -> Seen:
        """What there is to see in a call's record, for `show`."""
        core, activity = Core(log.setup), Activity()
        for record in log.inputs():
            activity.take(core.step(record))
        return _slicer(core).cut(core, activity, None), activity

    def show(self, seen: Seen) -> None:
        """Have this seen, in place of what was."""
        self._seen, self._activity = seen

    def slices(self) -> dict[str, Any]:
        """What was seen, by name; the clock stands still where no call is on."""
        seen = self._seen
        if self.call is None and seen.get("clock"):
            seen = {**seen, "clock": {**seen["clock"], "running": False}}
        return {**seen, "levels": self._level_slice(), "keeping": self._keeping_slice()}

    def _cut(self, core: Core, behind_ms: int) -> None:
        assert self._slicer is not None
        self._seen = self._slicer.cut(core, self._activity, self._budget, behind_ms)

    def _level_slice(self) -> Slice:
        levels = self._levels
        if levels is None:
            return {"guest": 0.0, "voice": 0.0}
        return {"guest": round(levels.guest, 2), "voice": round(levels.voice, 2)}

    def _keeping_slice(self) -> Slice:
        """What keeps the call from being kept as usual, and whether something is lost."""
        call = self.call
        if call is None:
            return {"problem": "", "lost": False}
        problem = without_keys(call.keep_problem, api_key())
        return {"problem": plain(problem), "lost": call.journal_error is not None}


def _slicer(core: Core) -> Slices:
    return Slices(core.setup.settings.call.wrap_up_from)
