"""One interview from topic to drafts, for whoever shows it: form, plan, call, and what comes after.

Nothing here waits: what takes time happens on threads of its own, and `slices` says how far it is.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.call.actions import Action
from interviewer.call.core import Core
from interviewer.call.inputs import CommandName, check_command
from interviewer.call.setup import CallSetup
from interviewer.errors import InterviewerError, PlanError
from interviewer.interview.afterwards import Afterwards
from interviewer.interview.clips import clip
from interviewer.interview.folding import Folded
from interviewer.interview.form import Form, destinations, first_form
from interviewer.interview.levels import Levels
from interviewer.interview.live_call import hold_call
from interviewer.interview.plan_file import load_plan, path_of, plan_of, save_plan
from interviewer.interview.planning import plan_call
from interviewer.interview.reading import CallLog
from interviewer.interview.recover import recover
from interviewer.interview.resume import resumable
from interviewer.interview.slices import Slice, Slices, plain
from interviewer.interview.snapshot import Activity
from interviewer.interview.style import is_nobody, known_voice
from interviewer.keys import api_key, without_keys
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
View = Literal["guest", "researcher"]

_log = logging.getLogger(__name__)


class InterviewSession:
    """The state of one interview. Safe to use from several threads; `slices` are plain JSON values by name.

    `problem` is what went wrong last, in a sentence; what was said is kept all the same.
    """

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
        self._places = destinations(self._base)
        self._home = home
        self._lock = threading.RLock()
        self._topic_asked = topic.strip() if plan is not None and topic is not None else ""
        if plan is not None:
            fields |= {"topic": plan.topic, "language": plan.language}
        elif topic is not None:
            fields["topic"] = topic
        self.form: Form = first_form(self._base, **fields)
        self.plan: Plan | None = plan
        self.stage: Stage = "form"
        self.problem = ""
        self.call_id: str | None = None
        self._plan_problem = ""
        self._plan_version, self._plan_by = 0, ""
        self._plan_file = ""
        self._busy: dict[str, str] = {}
        self._views: Counter[str] = Counter()
        self._backend: Router | None = None
        self._call: LiveCall | None = None
        self._levels: Levels | None = None
        self._activity = Activity()
        self._slicer = Slices(self._base.call.wrap_up_from)
        self._live: dict[str, Any] = {}
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
        session.call_id = log.call_id
        session._afterwards = Afterwards(store.home, log.call_id)
        session._look_back()
        session._fold(log)
        session.stage = session._stage_now
        session._ended.set()
        return session

    # -- before the call ---------------------------------------------------------------------------------------

    def change(self, **fields: Any) -> None:
        """Fill in the form. Raises SettingsError naming the field; then nothing has changed."""
        with self._lock:
            self._only("form")
            self.form = self.form.changed(fields, self._base)
            if "topic" in fields:
                self._topic_asked = self.form.topic

    def draw_up(self) -> None:
        """Have the Planner draw up a plan about what the form says; `plan` holds it in the end."""
        self._only("form")
        self._begin_task("plan", "Drawing up the plan", self._draw_up)

    def change_plan(self, data: Any, by: str = "") -> None:
        """Take a plan as plain values, changed by whom `by` names. What does not fit is said in the slice `setup`."""
        with self._lock:
            self._only("form")
            self._plan_by = by
            self._plan_version += 1
            try:
                self.plan = plan_of(data, "plan")
                self._plan_problem = ""
            except PlanError as error:
                self._plan_problem = str(error)

    def save_plan(self, file: str) -> Path:
        """Write the plan as YAML. Raises PlanError."""
        path = path_of(file)
        if self.plan is None:
            raise PlanError("there is no plan to save yet")
        save_plan(self.plan, path)
        self._plan_file = str(path)
        return path

    def load_plan(self, file: str) -> Plan:
        """Read a plan from YAML or TOML. Raises PlanError naming file and field; the old one stays."""
        with self._lock:
            self._only("form")
            self._take_plan(load_plan(path_of(file)))
            self._plan_file = file
            assert self.plan is not None
            return self.plan

    # -- the call ----------------------------------------------------------------------------------------------

    def begin(
        self,
        microphone: MicrophoneSource,
        speaker: SpeakerSink,
        *,
        half_duplex: bool = False,
        consent: str | None = None,
    ) -> None:
        """Begin the call, and return at once. Raises PlanError without a plan, SettingsError.

        `half_duplex`: for devices that hear their own loudspeaker; a browser cancels that echo itself. `consent`: who
        has agreed to what `form.consent()` says.
        """
        with self._lock:
            self._only("form")
            if self.plan is None or self._plan_problem:
                raise PlanError(self._plan_problem or "there is no plan yet: draw one up, or load one from a file")
            plan = self.plan.model_copy(update={"language": self.form.language})
            settings = self.form.settings(self._base)
            self._levels = Levels(microphone, speaker)
            self.problem, self.stage = "", "call"
            self._ended.clear()
        self._begin_task("call", "", partial(self._hold, partial(self._new, plan, settings, consent), half_duplex))

    def resume(self, microphone: MicrophoneSource, speaker: SpeakerSink, *, half_duplex: bool = False) -> None:
        """Go on with a call that was interrupted, where it stopped, and return at once; see `begin`.

        If it cannot go on, `problem` says why.
        """
        with self._lock:
            if self.stage != "stopped":
                raise InterviewerError("only a call that was interrupted can be gone on with")
            self._levels = Levels(microphone, speaker)
            self.problem, self.stage = "", "call"
            self._ended.clear()
        self._begin_task("call", "", partial(self._hold, self._interrupted, half_duplex))

    def finish(self) -> None:
        """Close a call that was interrupted: analysis and a draft from what was said."""
        if self.stage == "stopped":
            self._begin_task("finish", "Closing the call into a draft", self._finish)

    def command(self, name: CommandName, value: str = "") -> None:
        """Do what was clicked, if a call is on. Raises InterviewerError for what is no command."""
        check_command(name, value)
        if (call := self._call) is not None:
            call.command(name, value)

    def viewing(self, view: View, *, on: bool) -> None:
        """A view of this kind was opened or closed; the call's record says so."""
        with self._lock:
            self._views[view] = max(0, self._views[view] + (1 if on else -1))
            if (call := self._call) is not None:
                call.remark("view", {"view": view, "open": self._views[view]})

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
        if (after := self._afterwards) is not None:
            self._draft_text = ""
            self._begin_task("draft", f"Writing a {style} draft", lambda: after.write(style, self._agents, self._wrote))

    def export(self, to: str, out: str = "") -> None:
        """Write the call's files: md, json, csv, parquet or vtt."""
        if (after := self._afterwards) is not None:
            self._begin_task("export", f"Writing {to}", lambda: after.export(to, out))

    def correct(self, wrong: str, right: str) -> None:
        """Put a mis-heard name right, as `drafts.correct` does; after the call another draft is written with it.

        Raises InterviewerError if a name is missing or a draft is being written.
        """
        if problem := why_not(wrong, right):
            raise InterviewerError(problem)
        if self.stage == "call":
            self.command("correct", f"{wrong} -> {right}")
            return
        if "draft" in self._busy:
            raise InterviewerError("a draft is being written: correct the name when it is done")
        if (after := self._afterwards) is not None:
            self._draft_text = ""
            self._begin_task(
                "draft", "Putting the name right", lambda: after.correct(wrong, right, self._agents, self._wrote)
            )

    def clip(self, turn_id: str) -> bytes:
        """The sound of a turn as WAV, if it was kept. Raises NotFound, AudioError."""
        if self.call_id is None:
            raise InterviewerError("the call is not over yet")
        return clip(Store.open(self._home), self.call_id, turn_id, settings=self._base)

    # -- for whoever shows it ----------------------------------------------------------------------------------

    def glance(self) -> None:
        """Have the running call looked at; `slices` has what was seen a moment later."""
        if (call := self._call) is not None:
            call.look(self._cut)

    @property
    def plan_notice(self) -> str:
        """What whoever starts must know of the plan: that it is about something else than was asked for."""
        if self.plan is None or self._topic_asked in ("", self.plan.topic):
            return ""
        return (
            f"The plan is about “{self.plan.topic}”, not “{self._topic_asked}”, and the plan is what is asked: "
            "draw up another one, or keep it."
        )

    @property
    def restless(self) -> bool:
        """Whether `slices` may change by itself: a call is on, or something is being made."""
        return self.stage == "call" or bool(self._busy)

    def slices(self) -> dict[str, Any]:
        """All there is to show, by name; slices that have not changed are equal."""
        with self._lock:
            return {
                "setup": {
                    "stage": self.stage,
                    "problem": plain(self.problem),
                    "busy": dict(self._busy),
                    "form": {name: plain(getattr(self.form, name)) for name in Form.__slots__},
                    "destinations": plain(self._places),
                    "consent": self.form.consent(),
                    "plan_version": self._plan_version,
                    "plan_by": plain(self._plan_by),
                    "plan_problem": plain(self._plan_problem),
                    "plan_notice": plain(self.plan_notice),
                    "plan_file": plain(self._plan_file),
                },
                "plan": plain(self.plan.model_dump(mode="json")) if self.plan else {},
                "levels": self._level_slice(),
                "draft": {"text": plain(self._draft_text)},
                "after": self._after,
                "keeping": self._keeping_slice(),
                **self._live_slices(),
            }

    # -- inside ------------------------------------------------------------------------------------------------

    @property
    def _agents(self) -> Router:
        with self._lock:
            if self._backend is None:
                self._backend = Router(self._base)
            return self._backend

    def _only(self, stage: Stage) -> None:
        if self.stage != stage:
            raise InterviewerError("that can only be changed before the call; for another call make a new Interview")

    def _take_plan(self, plan: Plan) -> None:
        with self._lock:
            self.plan, self._plan_problem, self._plan_by = plan, "", ""
            self._topic_asked = plan.topic
            self._plan_version += 1
            self.form = self.form.changed({"topic": plan.topic, "language": plan.language}, self._base)

    def _draw_up(self) -> None:
        form = self.form
        target_ms = round(form.minutes * 60_000)
        self._take_plan(plan_call(form.topic, form.context, target_ms, form.language, self._agents).plan)

    def _new(self, plan: Plan, settings: Settings, consent: str | None) -> tuple[CallSetup, None]:
        form = self.form
        about: dict[str, Any] = {"context": form.context, "guest": form.guest, "settings": settings}
        if consent is not None:
            about["consent"] = consented(consent, form.consent())
        if not is_nobody(form.guest):
            about["voice_guide"] = known_voice(Store.open(self._home), form.guest, backend=self._agents)
        return CallSetup(plan=plan, **about), None

    def _interrupted(self) -> tuple[CallSetup, Folded]:
        """The call is its own: its settings, its agents, its price so far."""
        assert self.call_id is not None
        folded = resumable(Store.open(self._home), self.call_id)
        settings = folded.setup.settings
        with self._lock:
            self._backend, self._slicer = Router(settings), Slices(settings.call.wrap_up_from)
        return folded.setup, folded

    def _hold(self, prepare: Callable[[], tuple[CallSetup, Folded | None]], half_duplex: bool) -> None:
        try:
            setup, folded = prepare()
            levels = self._levels
            assert levels is not None
            held = hold_call(
                setup,
                self._agents,
                levels.microphone,
                levels.speaker,
                home=self._home,
                half_duplex=half_duplex,
                watcher=self,
                attend=self._attend,
                resume=folded,
                on_text=self._wrote,
            )
            for error in (held.error, held.journal_error, held.store_error, held.audio_error):
                if error is not None and not self.problem:
                    self.problem = self._told(error)
            self.call_id = held.call_id
            self._afterwards = Afterwards(find_home(self._home), held.call_id)
            self._look_back()
        finally:
            with self._lock:
                self._call = None
                self.stage = self._stage_now
                if self.stage == "form":  # nothing came about: nothing of it is shown when it is tried again
                    self._live = {name: type(value)() for name, value in self._live.items()}
                    self._activity, self._draft_text = Activity(), ""

    def _finish(self) -> None:
        assert self.call_id is not None
        store = Store.open(self._home)
        recover(store, self.call_id, close=True)
        self._look_back()
        self._fold(CallLog.read(store.journal_path(self.call_id)))
        with self._lock:
            self.stage = self._stage_now

    def _fold(self, log: CallLog) -> None:
        core, self._activity = Core(log.setup), Activity()
        for record in log.inputs():
            self._activity.take(core.step(record))
        self._live = Slices(log.setup.settings.call.wrap_up_from).cut(core, self._activity, None)

    @property
    def _stage_now(self) -> Stage:
        """Where it stands while no call is on."""
        if self.call_id is None:
            return "form"
        return "stopped" if self._after.get("interrupted") else "over"

    def _attend(self, call: LiveCall) -> None:
        with self._lock:
            self._call = call
            for view, count in self._views.items():
                call.remark("view", {"view": view, "open": count})
        call.wait()
        self._cut(call.core, 0)

    def saw(self, core: Core, actions: list[Action]) -> None:  # noqa: ARG002
        """Follow the call; see `Watcher`."""
        self._activity.take(actions)

    def _cut(self, core: Core, behind_ms: int) -> None:
        self._live = self._slicer.cut(core, self._activity, self._agents.budget, behind_ms)

    def _wrote(self, text: str) -> None:
        self._draft_text = text

    def _look_back(self) -> None:
        if self._afterwards is not None:
            self._after = self._afterwards.slice()

    def _live_slices(self) -> dict[str, Any]:
        """What was seen of the call; its clock stands still where no call is on."""
        if self.stage == "call" or not self._live:
            return self._live
        return {**self._live, "clock": {**self._live["clock"], "running": False}}

    def _keeping_slice(self) -> Slice:
        """What keeps the call from being kept as usual, and whether something is lost."""
        call = self._call
        if call is None:
            return {"problem": "", "lost": False}
        problem = without_keys(call.keep_problem, api_key())
        return {"problem": plain(problem), "lost": call.journal_error is not None}

    def _level_slice(self) -> Slice:
        if self._levels is None or self.stage != "call":
            return {"guest": 0.0, "voice": 0.0}
        return {"guest": round(self._levels.guest, 2), "voice": round(self._levels.voice, 2)}

    def _begin_task(self, name: str, words: str, act: Callable[[], object]) -> None:
        with self._lock:
            if name in self._busy:
                return
            self._busy[name] = words
            self.problem = ""
        threading.Thread(target=self._run_task, args=(name, act), name=f"interview-{name}", daemon=True).start()

    def _run_task(self, name: str, act: Callable[[], object]) -> None:
        try:
            act()
            if name in ("draft", "export"):
                self._look_back()
        # Whatever it is, a person must see it: nobody reads the trace of a thread.
        except Exception as error:
            if not isinstance(error, InterviewerError):
                _log.exception("%s failed", name)
            self.problem = self._told(error)
        finally:
            with self._lock:
                self._busy.pop(name, None)
            if name == "call":
                self._ended.set()

    @staticmethod
    def _told(error: BaseException) -> str:
        text = str(error) if isinstance(error, InterviewerError) else f"{type(error).__name__}: {error}"
        return without_keys(text, api_key())
