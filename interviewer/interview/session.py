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
from interviewer.interview.live_call import hold_call
from interviewer.interview.onlooker import Onlooker, View
from interviewer.interview.preparation import Preparation
from interviewer.interview.returning import follow_up
from interviewer.interview.shelf import found_in
from interviewer.interview.slices import plain
from interviewer.interview.tasks import Tasks
from interviewer.kept.clips import clip
from interviewer.kept.folding import Folded
from interviewer.kept.reading import CallLog
from interviewer.kept.recover import recover
from interviewer.kept.resume import resumable
from interviewer.live.call import LiveCall
from interviewer.llm.router import Router
from interviewer.model.consent import consented
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
        self.preparation = self._prepared(topic, plan, **fields)
        self.stage: Stage = "form"
        self.call_id: str | None = None
        self._showing = 0  # rises with every call that begins or is turned to
        self._onlooker = Onlooker()
        self._draft_text = ""
        self._afterwards: Afterwards | None = None
        self._after: dict[str, Any] = {}
        self._found: dict[str, Any] = {}
        self._ended = threading.Event()

    @classmethod
    def of_call(cls, call: str, *, settings: Settings | None = None, home: Path | None = None) -> Self:
        """A call that was kept, as it stands after its end or where it was interrupted; its journal is folded again.

        Raises NotFound for the call, JournalError if its journal cannot be read.
        """
        store = Store.open(home)
        session = cls(settings=settings, home=home)
        session._take(store, CallLog.read(store.journal_path(call)))
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
        if consent is not None:
            consented(consent, self.preparation.form.consent())  # nobody's is none
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
            if "finish" in self._tasks.busy:
                raise InterviewerError("the call is being closed: it cannot be gone on with any more")
            self._begin_call(self._interrupted, self._onlooker.ends(microphone, speaker), half_duplex)

    def finish(self) -> None:
        """Close a call that was interrupted: analysis and a draft from what was said."""
        with self._lock:
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
        """Write the call's files: md, json, csv, parquet or vtt; flac or wav if its sound was kept."""
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

    def follow_up(self, *, pick: int | None = None, about: str = "", minutes: float | None = None) -> None:
        """Go on with the interview: a plan is drawn up about one of its three topics, or what `about` says.

        `preparation` holds it in the end, and the form is there again; if a call has begun by then or another is
        shown, that stays, and `problem` says so. Raises InterviewerError while a call is on.
        """
        with self._lock:
            act = partial(self._return_to, self._over(), pick, about if pick is None else None, minutes, self._showing)
            self._tasks.begin("follow_up", "Drawing up the follow-up", act)

    def returning(
        self, *, pick: int | None = None, about: str | None = None, minutes: float | None = None
    ) -> "InterviewSession":
        """Likewise, in a session of its own. Waits for the plan, and raises as `returning.follow_up` does."""
        session = InterviewSession(settings=self._base, home=self._home)
        session._return_to(self._over(), pick, about, minutes, session._showing)
        return session

    def turn_to(self, call: str) -> None:
        """Show another kept call in place of this one. Raises InterviewerError while one is on."""
        self._no_call_is_on()
        self._tasks.begin("turn", "Looking for the call", partial(self._turn_to, call))

    def look_for(self, words: str, *, everywhere: bool = True) -> None:
        """Search what was said, in all calls or in those of this interview; `slices` has what was found."""
        self._tasks.begin("search", "Searching", partial(self._look_for, words, everywhere))

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
                "found": self._found,
                **self._onlooker.slices(),
            }

    # -- inside ------------------------------------------------------------------------------------------------

    def _prepared(self, topic: str | None, plan: Plan | None, **fields: Any) -> Preparation:
        return Preparation(topic, plan, self._base, self._tasks, lambda: self._agents, **fields)

    def _take(self, store: Store, log: CallLog) -> None:
        """Show a call that was kept."""
        setup = log.setup
        about = {"context": setup.context, "guest": setup.guest, "minutes": setup.target_ms / 60_000}
        preparation = self._prepared(None, setup.plan, **about)
        preparation.is_open = False
        afterwards = Afterwards(store.home, log.call_id)
        after = afterwards.slice()
        seen = self._onlooker.read(log)
        with self._lock:
            self._no_call_is_on()
            self._showing += 1
            self._onlooker.show(seen)
            self.preparation, self.call_id, self._draft_text = preparation, log.call_id, ""
            self._afterwards, self._after = afterwards, after
            self.stage = self._stage_now

    def _no_call_is_on(self) -> None:
        if self.stage == "call":
            raise InterviewerError("another call can be shown once this one is over")

    def _over(self) -> str:
        if self.stage not in ("over", "stopped") or self.call_id is None:
            raise InterviewerError("an interview can be gone on with once its call is over")
        return self.call_id

    def _return_to(
        self, interview: str, pick: int | None, about: str | None, minutes: float | None, showing: int
    ) -> None:
        """Draw up a follow-up and show its form, unless something else came to be shown meanwhile."""
        topic: dict[str, Any] = {"pick": pick, "about": about, "minutes": minutes}
        setup = follow_up(Store.open(self._home), interview, **topic, backend=self._agents, settings=self._base)
        fields = {"context": setup.context, "guest": setup.guest, "minutes": setup.target_ms / 60_000}
        preparation = self._prepared(None, setup.plan, returning=setup, **fields)
        with self._lock:
            if self._showing != showing:
                raise InterviewerError(
                    "a call began, or another was turned to, while the follow-up was drawn up, so it is not shown: "
                    "pick its topic again when no call is on"
                )
            self.preparation, self.call_id, self.stage = preparation, None, "form"
            self._afterwards, self._after, self._draft_text = None, {}, ""
            self._onlooker.forget()
            self._ended.clear()

    def _turn_to(self, call: str) -> None:
        store = Store.open(self._home)
        self._take(store, CallLog.read(store.journal_path(call)))

    def _look_for(self, words: str, everywhere: bool) -> None:
        within = None if everywhere else self.call_id
        self._found = {**found_in(Store.open(self._home), words, within), "everywhere": everywhere}

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
        self._showing += 1
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
        seen = self._onlooker.read(CallLog.read(store.journal_path(self.call_id)))
        with self._lock:
            self._onlooker.show(seen)
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
