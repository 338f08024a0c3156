"""After the call, without anyone pressing a button: a last note-taking pass, analysis and follow-up, the essay."""

from interviewer.agents.analyst import ANALYST, AnalystInput
from interviewer.agents.follow_up import FOLLOW_UP, FollowUpInput
from interviewer.agents.note_taker import NOTE_TAKER, NoteTakerInput
from interviewer.agents.notes_merge import merge
from interviewer.agents.quotes import check_analysis, check_essay
from interviewer.agents.views import QuestionView
from interviewer.agents.writer import WRITER, WriterInput
from interviewer.call.actions import End
from interviewer.call.conversation import Conversation
from interviewer.call.cycle import Cycles
from interviewer.call.hub import Hub
from interviewer.call.jobs import Jobs
from interviewer.model.notes import Notes
from interviewer.model.outcome import Analysis, Essay, FollowUp
from interviewer.model.turn import Said


class After:
    """Runs the agents that read the whole transcript, of all calls of the chain, then ends the call."""

    def __init__(self, hub: Hub, conversation: Conversation, cycles: Cycles, jobs: Jobs) -> None:
        self._hub, self._conversation, self._cycles, self._jobs = hub, conversation, cycles, jobs
        plan = hub.setup.plan
        self._about = {"topic": plan.topic, "context": hub.setup.context, "language": plan.language}
        self._wait_ms = hub.settings.cycle.after_call_ms
        self._analysis: Analysis | None = None
        self._open = 0
        self._reason = ""
        self.began = False

    def begin(self, reason: str) -> None:
        """The socket is closed: go through the transcript once more."""
        if self.began:
            return
        self.began, self._reason = True, reason
        self._cycles.stop()
        self._jobs.cancel_all()
        self._hub.record("status", status="after", reason=reason)
        turns = self._conversation.window()
        if not any(turn.speaker == "guest" for turn in turns):
            self._end("the guest said nothing")
            return
        plan = self._hub.setup.plan
        data = NoteTakerInput(
            **self._about, goal=plan.goal, sections=plan.sections, notes=self._cycles.notes, turns=turns, last=True
        )
        self._jobs.start(NOTE_TAKER, data, self._wait_ms, self._noted)

    def _noted(self, update: Notes, failed: bool) -> None:
        if not failed:
            plan = self._hub.setup.plan
            put, own = self._cycles.put(), self._conversation.window()
            self._cycles.notes = merge(self._cycles.notes, update, own, sections=plan.sections, asked=put)
            self._hub.record("notes", cycle=0, notes=self._cycles.notes.model_dump())
        turns = self._turns()
        about, notes, goal = self._about, self._cycles.notes, self._hub.setup.plan.goal
        self._open = 2
        analyst = AnalystInput(**about, goal=goal, turns=turns, notes=notes)
        follow_up = FollowUpInput(
            **about, goal=goal, turns=turns, notes=notes, questions=self._planned(), titles=self._titles()
        )
        self._jobs.start(ANALYST, analyst, self._wait_ms, self._analysed)
        self._jobs.start(FOLLOW_UP, follow_up, self._wait_ms, self._followed_up)

    def _analysed(self, analysis: Analysis | None, _: bool) -> None:
        if analysis is not None:
            self._analysis = check_analysis(analysis, self._turns())
            self._hub.record("analysis", **self._analysis.model_dump())
        self._one_less()

    def _followed_up(self, found: FollowUp | None, _: bool) -> None:
        if found is not None:
            self._hub.record("follow_up", **found.model_dump())
        self._one_less()

    def _one_less(self) -> None:
        self._open -= 1
        if self._open:
            return
        if self._analysis is None:
            self._end("no analysis, so no essay: run them again")
            return
        data = WriterInput(
            **self._about,
            turns=self._turns(),
            analysis=self._hub.names.model(self._analysis),
            notes=self._cycles.notes,
            voice_guide=self._hub.names.model(self._hub.setup.voice_guide),
        )
        self._jobs.start(WRITER, data, self._wait_ms, self._written)

    def _written(self, essay: Essay | None, _: bool) -> None:
        if essay is not None:
            essay = check_essay(essay, self._turns())
            self._hub.record("essay", **essay.model_dump())
        self._end("" if essay is not None else "no essay: run the Writer again")

    def _planned(self) -> tuple[QuestionView, ...]:
        """What is open or settled of the plan, and what was asked besides it: what was never meant is not left open."""
        known = self._hub.ledger.questions
        return tuple(q for q in self._cycles.questions() if known[q.id].planned or q.status in ("delivered", "held"))

    def _titles(self) -> tuple[tuple[str, str], ...]:
        """Id and title of the sections of this call and those before."""
        setup = self._hub.setup
        before = dict(setup.earlier.titles) if setup.earlier else {}
        titles = before | {section.id: section.title for section in setup.plan.sections}
        return tuple((key, self._hub.names.text(title)) for key, title in titles.items())

    def _turns(self) -> tuple[Said, ...]:
        """What was said in all calls of the chain, in order of time; turns of earlier ones bear their call."""
        earlier = self._hub.setup.earlier
        return (*self._hub.names.turns(earlier.turns if earlier else ()), *self._conversation.window())

    def _end(self, note: str) -> None:
        self._hub.record("status", status="done", reason=self._reason, note=note)
        self._hub.act(End(self._reason))
