"""One interview from topic to drafts, for whoever shows it: its call, and what comes after.

What comes before is `preparation`. Nothing here waits: what takes time happens on threads of its own, and `slices`
says how far it is.
"""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.call.inputs import CommandName, check_command
from interviewer.call.setup import CallSetup
from interviewer.errors import InterviewerError
from interviewer.interview.afterwards import Afterwards
from interviewer.interview.clips import clip
from interviewer.interview.folding import Folded
from interviewer.interview.live_call import hold_call
from interviewer.interview.onlooker import Onlooker, View
from interviewer.interview.preparation import Preparation
from interviewer.interview.reading import CallLog
from interviewer.interview.recover import recover
from interviewer.interview.resume import resumable
from interviewer.interview.slices import plain
from interviewer.interview.tasks import Tasks
from interviewer.live.call import LiveCall
from interviewer.llm.router import Router
from interviewer.model.corrections import why_not
from interviewer.model.plan import Plan
from interviewer.settings import Settings
from interviewer.store.home import home as find_home
from interviewer.store.store import Store

Stage = Literal["form", "call", "stopped", "over"]
"""`stopped`: the call was interrupted, and can be gone on with or closed."""

Ends = tuple[MicrophoneSource, SpeakerSink]


class InterviewSession:
    """The state of one interview. Safe to use from several threads; `slices` are plain JSON values by name."""

    def __init__(
        self,
        topic: str | None = None,
        *,
        plan: Plan | None = None,
        settings: Settings | None = None,
        home: Path | None = None,
        **fields: Any,
    ) -> None:
        """`fields`: what else the form holds. Raises SettingsError for what cannot be."""
        self._base = settings or Settings.load()
        self._home = home
        self._lock = threading.RLock()
        self._tasks = Tasks()
        self._backend: Router | None = None
        self.preparation = Preparation(topic, plan, self._base, self._tasks, lambda: self._agents, **fields)
        self.stage: Stage = "form"
        self.call_id: str | None = None
        self._onlooker = Onlooker()
        self._draft_text = ""
        self._afterwards: Afterwards | None = None
        self._after: dict[str, Any] = {}
        self._ended = threading.Event()

    @classmethod
    def of_call(cls, call: str, *, settings: Settings | None = None, home: Path | None = None) -> Self:
        """A call that was kept, as it stands after its end or where it was interrupted; its journal is folded again.

        Raises NotFound for the call, JournalError if its journal cannot be read.
        """
        store = Store.open(home)
        log = CallLog.read(store.journal_path(call))
        setup = log.setup
        about: dict[str, Any] = {"context": setup.context, "guest": setup.guest, "minutes": setup.target_ms / 60_000}
        session = cls(plan=setup.plan, settings=settings, home=home, **about)
        session.preparation.is_open = False
        session.call_id = log.call_id
        session._afterwards = Afterwards(store.home, log.call_id)
        session._look_back()
        session._onlooker.read(log)
        session.stage = session._stage_now
        session._ended.set()
        return session

    @property
    def problem(self) -> str:
        """What went wrong last, in a sentence; what was said is kept all the same."""
        return self._tasks.problem

    @problem.setter
    def problem(self, words: str) -> None:
        self._tasks.problem = words

    # -- the call ----------------------------------------------------------------------------------------------

    def begin(
        self,
        microphone: MicrophoneSource,
        speaker: SpeakerSink,
        *,
        half_duplex: bool = False,
        consent: str | None = None,
    ) -> None:
        """Begin the call, and return at once. Raises PlanError without a plan, InterviewerError if it has begun.

        `half_duplex`: for devices that hear their own loudspeaker; a browser cancels that echo itself. `consent`: who
        has agreed to what `preparation.form.consent()` says.
        """
        with self._lock:
            prepare = partial(self._new, self.preparation.close(), consent)
            self._begin_call(prepare, self._onlooker.ends(microphone, speaker), half_duplex)

    def resume(self, microphone: MicrophoneSource, speaker: SpeakerSink, *, half_duplex: bool = False) -> None:
        """Go on with a call that was interrupted, where it stopped, and return at once; see `begin`.

        If it cannot go on, `problem` says why.
        """
        with self._lock:
            if self.stage != "stopped":
                raise InterviewerError("only a call that was interrupted can be gone on with")
            self._begin_call(self._interrupted, self._onlooker.ends(microphone, speaker), half_duplex)

    def finish(self) -> None:
        """Close a call that was interrupted: analysis and a draft from what was said."""
        if self.stage == "stopped":
            self._tasks.begin("finish", "Closing the call into a draft", self._finish)

    def command(self, name: CommandName, value: str = "") -> None:
        """Do what was clicked, if a call is on. Raises InterviewerError for what is no command."""
        check_command(name, value)
        if (call := self._onlooker.call) is not None:
            call.command(name, value)

    def viewing(self, view: View, *, on: bool) -> None:
        """A view of this kind was opened or closed; the call's record says so."""
        self._onlooker.viewing(view, on=on)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the call is over and kept, at most `timeout` seconds; whether it is.

        Raises InterviewerError if the call did not come about; the form is there again.
        """
        over = self._ended.wait(timeout)
        if over and self.call_id is None:
            raise InterviewerError(f"the call did not come about: {self.problem}")
        return over

    # -- after the call ----------------------------------------------------------------------------------------

    def write(self, style: str) -> None:
        """Write another draft in this style, beside the others."""
        self._afterwards_do("draft", f"Writing a {style} draft", lambda a: a.write(style, self._agents, self._wrote))

    def export(self, to: str, out: str = "") -> None:
        """Write the call's files: md, json, csv, parquet or vtt."""
        self._afterwards_do("export", f"Writing {to}", lambda after: after.export(to, out))

    def correct(self, wrong: str, right: str) -> None:
        """Put a mis-heard name right, as `drafts.correct` does; after the call another draft is written with it.

        Raises InterviewerError if a name is missing or a draft is being written.
        """
        if problem := why_not(wrong, right):
            raise InterviewerError(problem)
        if self.stage == "call":
            self.command("correct", f"{wrong} -> {right}")
            return
        if "draft" in self._tasks.busy:
            raise InterviewerError("a draft is being written: correct the name when it is done")
        words = "Putting the name right"
        self._afterwards_do("draft", words, lambda a: a.correct(wrong, right, self._agents, self._wrote))

    def clip(self, turn_id: str) -> bytes:
        """The sound of a turn as WAV, if it was kept. Raises NotFound, AudioError."""
        if self.call_id is None:
            raise InterviewerError("the call is not over yet")
        return clip(Store.open(self._home), self.call_id, turn_id, settings=self._base)

    # -- for whoever shows it ----------------------------------------------------------------------------------

    def glance(self) -> None:
        """Have the running call looked at; `slices` has what was seen a moment later."""
        self._onlooker.glance()

    @property
    def restless(self) -> bool:
        """Whether `slices` may change by itself: a call is on, or something is being made."""
        return self.stage == "call" or bool(self._tasks.busy)

    def slices(self) -> dict[str, Any]:
        """All there is to show, by name; slices that have not changed are equal."""
        with self._lock:
            stands = {"stage": self.stage, "problem": plain(self.problem), "busy": self._tasks.busy}
            plan = self.preparation.plan
            return {
                "setup": {**stands, **self.preparation.slice()},
                "plan": plain(plan.model_dump(mode="json")) if plan else {},
                "draft": {"text": plain(self._draft_text)},
                "after": self._after,
                **self._onlooker.slices(),
            }

    # -- inside ------------------------------------------------------------------------------------------------

    @property
    def _agents(self) -> Router:
        with self._lock:
            if self._backend is None:
                self._backend = Router(self._base)
            return self._backend

    def _new(self, plan: Plan, consent: str | None) -> tuple[CallSetup, None]:
        return self.preparation.setup(plan, consent, self._home), None

    def _interrupted(self) -> tuple[CallSetup, Folded]:
        """The call is its own: its settings, its agents, its price so far."""
        assert self.call_id is not None
        folded = resumable(Store.open(self._home), self.call_id)
        with self._lock:
            self._backend = Router(folded.setup.settings)
        return folded.setup, folded

    def _begin_call(
        self, prepare: Callable[[], tuple[CallSetup, Folded | None]], ends: Ends, half_duplex: bool
    ) -> None:
        self.stage = "call"
        self._ended.clear()
        self._tasks.begin("call", "", partial(self._hold, prepare, ends, half_duplex), self._call_over)

    def _hold(self, prepare: Callable[[], tuple[CallSetup, Folded | None]], ends: Ends, half_duplex: bool) -> None:
        setup, folded = prepare()
        held = hold_call(
            setup,
            self._agents,
            *ends,
            home=self._home,
            half_duplex=half_duplex,
            watcher=self._onlooker,
            attend=self._attend,
            resume=folded,
            on_text=self._wrote,
        )
        for error in (held.error, held.journal_error, held.store_error, held.audio_error):
            if error is not None:
                self._tasks.went_wrong(error)
        self.call_id = held.call_id
        self._afterwards = Afterwards(find_home(self._home), held.call_id)
        self._look_back()

    def _call_over(self) -> None:
        self._onlooker.left()
        with self._lock:
            self.stage = self._stage_now
            if self.stage == "form":
                self._onlooker.forget()
                self._draft_text = ""
                self.preparation.is_open = True
        self._ended.set()

    def _attend(self, call: LiveCall) -> None:
        self._onlooker.attend(call, self._agents.budget)

    def _finish(self) -> None:
        assert self.call_id is not None
        store = Store.open(self._home)
        recover(store, self.call_id, close=True)
        self._look_back()
        self._onlooker.read(CallLog.read(store.journal_path(self.call_id)))
        with self._lock:
            self.stage = self._stage_now

    @property
    def _stage_now(self) -> Stage:
        """Where it stands while no call is on."""
        if self.call_id is None:
            return "form"
        return "stopped" if self._after.get("interrupted") else "over"

    def _afterwards_do(self, name: str, words: str, act: Callable[[Afterwards], object]) -> None:
        if (after := self._afterwards) is None:
            return

        def done() -> None:
            act(after)
            self._look_back()

        if name == "draft":
            self._draft_text = ""
        self._tasks.begin(name, words, done)

    def _wrote(self, text: str) -> None:
        self._draft_text = text

    def _look_back(self) -> None:
        if self._afterwards is not None:
            self._after = self._afterwards.slice()
