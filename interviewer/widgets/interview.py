"""An interview in a notebook: one line to a call.

from interviewer import Interview

interview = Interview("Keeping bees on roofs", context="a beekeeper of twenty years", guest="Ada")
interview.show()          # the guest's view: topic, plan, consent, and then the call
interview.researcher()    # in another cell or tab: what the agents think, and the controls
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.call.inputs import CommandName
from interviewer.interview.plan_file import load_plan, path_of, plan_of
from interviewer.interview.session import InterviewSession
from interviewer.kept.chain import chain_of
from interviewer.model.plan import Plan
from interviewer.settings import Settings
from interviewer.store.store import Store
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.face import Face

_begun: dict[tuple[object, ...], Face] = {}


class Interview:
    """One interview: a form and a plan, one call, and what comes of it.

    Where the same interview is asked for again while its call is on, as when a cell is run once more, this is that
    call. Nothing waits but `wait`; the call runs on threads of its own, whatever the kernel computes.
    """

    def __init__(
        self,
        topic: str | None = None,
        *,
        context: str | None = None,
        guest: str | None = None,
        minutes: float | None = None,
        language: str | None = None,
        plan: Plan | Mapping[str, Any] | Path | str | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
        home: Path | str | None = None,
        audio: BrowserAudio | None = None,
    ) -> None:
        """All of it can be changed in the page. `minutes`: 0.5 to 60.

        `plan`: one, also as plain values, or the file of one. `settings`: some, or groups as in `Settings.load`.

        `audio`: the page's sound, if it is to be set up otherwise. Raises PlanError, SettingsError.
        """
        about = (topic, context, guest, minutes, language, str(plan), str(home), str(settings))
        again = _begun.get(about)
        if again is not None and again.session.stage == "call":
            self._face = again
            return
        session = InterviewSession(
            topic,
            plan=_plan(plan),
            settings=Settings.load(**settings) if isinstance(settings, Mapping) else settings,
            home=Path(home) if home is not None else None,
            context=context,
            guest=guest,
            minutes=minutes,
            language=language,
        )
        self._face = _begun[about] = Face(session, audio or BrowserAudio())

    @classmethod
    def of_call(cls, call: str = "last", *, settings: Settings | None = None, home: Path | str | None = None) -> Self:
        """A call that was kept: to look at, to write more drafts of, to take away, to go on with if it was interrupted.

        Raises NotFound, JournalError.
        """
        place = Path(home) if home is not None else None
        return cls._of(InterviewSession.of_call(call, settings=settings, home=place))

    @classmethod
    def open(cls, interview: str = "last", *, settings: Settings | None = None, home: Path | str | None = None) -> Self:
        """An interview that was kept, with its latest call shown. `interview`: its id, or any of its calls.

        Raises NotFound, JournalError.
        """
        store = Store.open(Path(home) if home is not None else None)
        return cls.of_call(chain_of(store, interview).last.call_id, settings=settings, home=home)

    def follow_up(
        self, *, pick: int | None = None, about: str | None = None, minutes: float | None = None
    ) -> "Interview":
        """The next call of this interview, its plan drawn up: show it, or start it.

        `pick`: one of the three topics, 1 to 3; or `about`: in your own words what to return to. `minutes`: by default
        setting call.follow_up_ms. Raises InterviewerError while this call is on, PlanError for what cannot be picked.
        """
        return self._of(self.session.returning(pick=pick, about=about, minutes=minutes))

    @classmethod
    def _of(cls, session: InterviewSession) -> Self:
        interview = cls.__new__(cls)
        interview._face = Face(session, BrowserAudio())
        return interview

    @property
    def session(self) -> InterviewSession:
        """What the page shows, for programs: form, plan, slices, drafts."""
        return self._face.session

    @property
    def plan(self) -> Plan | None:
        """The plan as it is now; None before there is one."""
        return self.session.preparation.plan

    @property
    def call_id(self) -> str | None:
        """The call's id once it is over and kept."""
        return self.session.call_id

    def show(self) -> None:
        """Show the guest's view: first the form, then the call, then what came of it. Returns at once."""
        self._face.show("guest")

    def researcher(self) -> None:
        """Show the researcher's view of the same call, here or in another tab."""
        self._face.show("researcher")

    def draw_up(self) -> None:
        """Have a plan drawn up, as the button does."""
        self.session.preparation.draw_up()
        self._face.board.touch()

    def start(
        self,
        microphone: MicrophoneSource,
        speaker: SpeakerSink,
        *,
        half_duplex: bool = True,
        consent: str | None = None,
    ) -> None:
        """Begin the call with other ends than the page's: a sound card's, or files. Raises PlanError without a plan.

        `consent`: who has agreed to what `session.preparation.form.consent()` says.
        """
        self.session.begin(microphone, speaker, half_duplex=half_duplex, consent=consent)
        self._face.board.touch()

    def resume(
        self,
        microphone: MicrophoneSource | None = None,
        speaker: SpeakerSink | None = None,
        *,
        half_duplex: bool | None = None,
    ) -> None:
        """Go on with a call that was interrupted, with the page's sound if no other ends are given.

        `half_duplex`: by default where the ends are not the page's. Raises InterviewerError if the call was not
        interrupted.
        """
        audio = self._face.audio
        guarded = microphone is not None if half_duplex is None else half_duplex
        self.session.resume(microphone or audio.microphone, speaker or audio.speaker, half_duplex=guarded)
        self._face.board.touch()

    def finish(self) -> None:
        """Close a call that was interrupted into a draft of what was said, as the button does."""
        self.session.finish()
        self._face.board.touch()

    def correct(self, wrong: str, right: str) -> None:
        """Put a mis-heard name right, during the call or after it, when another draft is written with it."""
        self.session.correct(wrong, right)
        self._face.board.touch()

    def command(self, name: CommandName, value: str = "") -> None:
        """Do to the call what the controls do; see `interviewer.call.inputs.Command`."""
        self.session.command(name, value)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the call is over and kept, at most `timeout` seconds; whether it is.

        Raises InterviewerError if the call did not come about.
        """
        return self.session.wait(timeout)

    def __repr__(self) -> str:
        topic = self.session.preparation.form.topic
        return f"Interview({topic!r}): {self.call_id or self.session.stage}"


def _plan(given: Plan | Mapping[str, Any] | Path | str | None) -> Plan | None:
    if given is None or isinstance(given, Plan):
        return given
    if isinstance(given, Path | str):
        return load_plan(path_of(str(given)))
    return plan_of(given, "plan")
