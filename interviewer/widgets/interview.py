"""An interview in a notebook: one line to a call.

from interviewer import Interview

interview = Interview("Keeping bees on roofs", context="a beekeeper of twenty years", guest="Ada")
interview.show()          # the guest's view: topic, plan, consent, and then the call
interview.researcher()    # in another cell or tab: what the agents think, and the controls
"""

import uuid
from pathlib import Path
from typing import Any

from interviewer.audio.ports import MicrophoneSource, SpeakerSink
from interviewer.call.inputs import CommandName
from interviewer.errors import InterviewerError
from interviewer.interview.plan_file import load_plan
from interviewer.interview.session import InterviewSession, View
from interviewer.model.plan import Plan
from interviewer.settings import Settings
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.board import Board
from interviewer.widgets.panel import Panel, view_bundle
from interviewer.widgets.still import still

_WORDS = "An interview about {}: it is shown while the kernel runs, and kept in this output once the call is over."

_begun: dict[tuple[object, ...], "_Face"] = {}


class _Face:
    """A session with what the page shows of it."""

    def __init__(self, session: InterviewSession, audio: BrowserAudio) -> None:
        self.session, self.audio = session, audio
        self.key = uuid.uuid4().hex
        self.board = Board(session, audio, self._kept)
        self._panels: dict[View, Panel] = {}
        self._outputs: list[tuple[str, View]] = []

    def show(self, view: View) -> None:
        """Show a view in the cell that is running. Raises InterviewerError outside of a notebook."""
        if view not in self._panels:
            self._panels[view] = Panel(self.session, self.board, self.audio, view, self.key)
        output = uuid.uuid4().hex
        self._outputs.append((output, view))
        _publish(self._bundle(view), output, new=True)
        self.board.touch()

    def _bundle(self, view: View) -> dict[str, Any]:
        slices = self.session.slices()
        if self.session.stage != "over":
            return view_bundle(self._panels[view], _WORDS.format(self.session.form.topic or "a topic to come"))
        after: Any = slices["after"]
        questions: Any = slices.get("questions", [])
        return {"text/html": still(after, questions, view, self.key), "text/plain": f"Call {after.get('call_id')}"}

    def _kept(self, _: object) -> None:
        for output, view in self._outputs:
            _publish(self._bundle(view), output, new=False)


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
        plan: Plan | Path | str | None = None,
        settings: Settings | None = None,
        home: Path | str | None = None,
        audio: BrowserAudio | None = None,
    ) -> None:
        """All of it can be changed in the page. `plan`: one, or the file of one; `minutes`: 0.5 to 60.

        `audio`: the page's sound, if it is to be set up otherwise. Raises PlanError, SettingsError.
        """
        about = (topic, context, guest, minutes, language, str(plan), str(home), settings)
        again = _begun.get(about)
        if again is not None and again.session.stage == "call":
            self._face = again
            return
        session = InterviewSession(
            topic,
            plan=load_plan(Path(plan)) if isinstance(plan, Path | str) else plan,
            settings=settings,
            home=Path(home) if home is not None else None,
            context=context,
            guest=guest,
            minutes=minutes,
            language=language,
        )
        self._face = _begun[about] = _Face(session, audio or BrowserAudio())

    @property
    def session(self) -> InterviewSession:
        """What the page shows, for programs: form, plan, slices, drafts."""
        return self._face.session

    @property
    def plan(self) -> Plan | None:
        """The plan as it is now; None before there is one."""
        return self.session.plan

    @property
    def call_id(self) -> str | None:
        """The call's id once it is over and kept."""
        return self.session.held.call_id if self.session.held else None

    def show(self) -> None:
        """Show the guest's view: first the form, then the call, then what came of it. Returns at once."""
        self._face.show("guest")

    def researcher(self) -> None:
        """Show the researcher's view of the same call, here or in another tab."""
        self._face.show("researcher")

    def draw_up(self) -> None:
        """Have a plan drawn up, as the button does."""
        self.session.draw_up()
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

        `consent`: who has agreed to what `session.form.consent()` says.
        """
        self.session.begin(microphone, speaker, half_duplex=half_duplex, consent=consent)
        self._face.board.touch()

    def command(self, name: CommandName, value: str = "") -> None:
        """Do to the call what the controls do; see `interviewer.call.inputs.Command`."""
        self.session.command(name, value)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the call is over and kept, at most `timeout` seconds; whether it is."""
        return self.session.wait(timeout)

    def __repr__(self) -> str:
        topic = self.session.form.topic
        return f"Interview({topic!r}): {self.call_id or self.session.stage}"


def _publish(bundle: dict[str, Any], output: str, *, new: bool) -> None:
    from IPython.core.getipython import get_ipython
    from IPython.display import display

    if get_ipython() is None:
        raise InterviewerError("this is no notebook: open one with `interviewer lab`, or use `interviewer call`")
    display(bundle, raw=True, display_id=output, update=not new)  # type: ignore[no-untyped-call]
