"""The live agent cycle: Note-Taker and Researcher side by side, then the Orchestrator; never two at once."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from interviewer.agents.note_taker import NOTE_TAKER, NoteTakerInput
from interviewer.agents.notes_merge import merge
from interviewer.agents.orchestrator import ORCHESTRATOR, OrchestratorInput, QuestionView
from interviewer.agents.orchestrator_rules import next_best
from interviewer.agents.researcher import RESEARCHER, ResearcherInput, held
from interviewer.call.attempts import Attempts
from interviewer.call.clock import Clock
from interviewer.call.conversation import Conversation
from interviewer.call.guard import Guard
from interviewer.call.hub import Hub
from interviewer.call.jobs import Jobs
from interviewer.call.leash import Leash
from interviewer.call.selection import Selection
from interviewer.call.themes import Themes
from interviewer.ledger.state import QuestionState
from interviewer.ledger.views import reason, selectable
from interviewer.matching.scorer import Scorer
from interviewer.model.corrections import Corrections
from interviewer.model.decision import Decision, Research, ResearchItem
from interviewer.model.notes import Notes
from interviewer.model.turn import Said


@dataclass(slots=True)
class Cycle:
    """One pass. `version` is the conversation it saw; `waiting` the agents it still waits for."""

    number: int
    version: int
    snapshot_ms: int
    window: tuple[Said, ...]
    waiting: set[str] = field(default_factory=set)
    listened: bool = True


class Cycles:
    """Runs cycles: every so often and when a guest turn ends; keeps notes, research and the last decisions."""

    def __init__(
        self,
        hub: Hub,
        clock: Clock,
        conversation: Conversation,
        attempts: Attempts,
        jobs: Jobs,
        scorer: Scorer,
        guard: Guard,
    ) -> None:
        self._hub, self._clock, self._conversation, self._jobs = hub, clock, conversation, jobs
        earlier = hub.setup.earlier
        self.notes: Notes = earlier.notes if earlier else Notes()
        self.requests: deque[str] = deque(maxlen=20)
        self._attempts = attempts
        self._selection = Selection(hub, clock, attempts, scorer, guard)
        self._leash = Leash(hub)
        self._research: deque[ResearchItem] = deque(maxlen=max(1, 2 * hub.settings.cycle.research_items))
        self._proposals: list[str] = []
        self._themes = Themes(hub)
        self._running: Cycle | None = None
        self._again = False
        self._next_ms: int | None = None
        self._noted_version = 0
        self._decided_version = -1
        self._decided_ms: int | None = None
        self._views: dict[str, tuple[tuple[int, bool, Corrections], QuestionView]] = {}

    def begin(self) -> None:
        """The session is ready: the first cycle comes when the time has passed."""
        if self._next_ms is None:
            self._next_ms = self._hub.now + self._hub.settings.cycle.every_ms

    def stop(self) -> None:
        """No more cycles; what is under way may not write any more."""
        self._running, self._next_ms, self._again = None, None, False

    def run(self) -> None:
        """Start a cycle now, or right after the one under way."""
        if self._next_ms is None:
            return
        self._next_ms = self._hub.now + self._hub.settings.cycle.every_ms
        if self._running is not None:
            self._again = True
            return
        changed = self._conversation.version != self._noted_version
        if not changed and not self._orchestrator_due():
            return
        cycle = Cycle(
            self._hub.count("cycle"),
            self._conversation.version,
            self._hub.now,
            self._conversation.window(self._hub.settings.cycle.orchestrator_window),
        )
        self._running = cycle
        if changed:
            self._listen(cycle)
        if not cycle.waiting:
            self._decide(cycle)

    def due(self) -> None:
        """Start the cycle whose time has come."""
        if self._next_ms is not None and self._hub.now >= self._next_ms:
            self.run()

    @property
    def deadline(self) -> int | None:
        """When the next cycle starts by itself."""
        return self._next_ms

    def catch_up(self) -> None:
        """The voice has taken or given up a question: a decision that waited for that can be applied."""
        self._selection.catch_up()

    def lock(self) -> None:
        """The phase locked: what waits to be asked must fit it, and the Orchestrator is told at once."""
        self._selection.lock()
        self.run()

    def unlock(self) -> None:
        """The target moved and the phase is free again."""
        self._selection.unlock()

    def ask(self, text: str) -> None:
        """The researcher at the screen wants this asked next."""
        self._selection.ask(text)

    def mend(self) -> None:
        """A name was put right: in the notes, in what the Orchestrator is shown, and in what a running cycle saw."""
        names = self._hub.names
        mended = names.model(self.notes)
        if mended != self.notes:
            self.notes = mended
            self._hub.record("notes", cycle=self._running.number if self._running else 0, notes=mended.model_dump())
        for place, item in enumerate(self._research):
            self._research[place] = names.model(item)
        self._proposals = [names.text(text) for text in self._proposals]
        self._themes.mend()
        if self._running:
            self._running.window = names.turns(self._running.window)

    # -- listening ---------------------------------------------------------------------------------------------

    def _listen(self, cycle: Cycle) -> None:
        settings, plan = self._hub.settings.cycle, self._hub.setup.plan
        about = {"topic": plan.topic, "context": self._hub.setup.context, "language": plan.language}
        notes = NoteTakerInput(
            **about,
            goal=plan.goal,
            sections=plan.sections,
            notes=self.notes,
            turns=cycle.window[-settings.note_taker_window :],
        )
        cycle.waiting.add("note_taker")
        self._jobs.start(
            NOTE_TAKER, notes, settings.note_taker_ms, lambda out, bad: self._noted(cycle, out, bad), cycle=cycle.number
        )
        if self._leash.free():
            window = cycle.window[-settings.researcher_window :]
            web_search = self._hub.settings.agents.searches("researcher")
            sourced = web_search or self._hub.setup.searches
            research = ResearcherInput(
                **about,
                turns=window,
                banned=self._leash.banned(window),
                max_items=settings.research_items,
                web_search=web_search,
            )
            cycle.waiting.add("researcher")
            self._jobs.start(
                RESEARCHER,
                research,
                settings.researcher_ms,
                lambda out, bad: self._researched(cycle, held(out, research, sourced=sourced), bad),
                cycle=cycle.number,
            )

    def _noted(self, cycle: Cycle, update: Notes, failed: bool) -> None:
        if self._running is not cycle:
            return
        if failed:
            cycle.listened = False
        else:
            sections = self._hub.setup.plan.sections
            self.notes = merge(self.notes, update, cycle.window, sections=sections, asked=self.put())
            self._log_answered()
            self._hub.record("notes", cycle=cycle.number, notes=self.notes.model_dump())
        self._heard_from(cycle, "note_taker")

    def _researched(self, cycle: Cycle, found: Research, failed: bool) -> None:
        if self._running is not cycle:
            return
        self._leash.took(found, failed=failed)
        self._research.extend(found.items)
        if found.items or found.tried:
            self._hub.record("research", cycle=cycle.number, **found.model_dump())
        self._heard_from(cycle, "researcher")

    def _heard_from(self, cycle: Cycle, agent: str) -> None:
        cycle.waiting.discard(agent)
        if not cycle.waiting:
            # A failed Note-Taker has not read this conversation: the next cycle gives it another try.
            if cycle.listened:
                self._noted_version = cycle.version
            self._decide(cycle)

    def put(self) -> tuple[str, ...]:
        """The contradictions, as they were proposed, that the guest has heard a question about."""
        ledger = self._hub.ledger
        heard = {h.question_id for h in (*ledger.remembered, *ledger.heard)}
        return tuple(
            self._hub.names.text(q.text)
            for q in ledger.questions.values()
            if q.source == "contradiction" and q.id in heard
        )

    def _log_answered(self) -> None:
        for answered in self.notes.answered:
            question = self._hub.ledger.questions.get(answered.question_id)
            if question is not None and question.answered is None:
                self._hub.log(
                    "answered",
                    question.id,
                    known="matched",
                    basis="inferred",
                    turn=answered.turn,
                    volunteered=answered.volunteered,
                )

    # -- deciding ----------------------------------------------------------------------------------------------

    def _orchestrator_due(self) -> bool:
        if self._decided_ms is None or self._decided_version != self._conversation.version:
            return True
        return self._hub.now - self._decided_ms >= self._hub.settings.cycle.nothing_new_ms

    def _decide(self, cycle: Cycle) -> None:
        if not self._orchestrator_due():
            self._finish()
            return
        self._jobs.start(
            ORCHESTRATOR,
            self._view(cycle),
            self._hub.settings.cycle.orchestrator_ms,
            lambda out, bad: self._decided(cycle, out, bad),
            cycle=cycle.number,
        )

    def _decided(self, cycle: Cycle, decision: Decision, failed: bool) -> None:
        if self._running is not cycle:
            return
        self._decided_ms = self._hub.now
        if not failed:
            self._decided_version = cycle.version
        if decision.proposal and decision.proposal.source == "person":
            # Only a click speaks for the person at the screen, whose questions the lock lets through.
            proposal = decision.proposal.model_copy(update={"source": "gap"})
            decision = decision.model_copy(update={"proposal": proposal})
        self._themes.propose(decision.themes)
        if decision.proposal and decision.proposal.text not in self._proposals[-1:]:
            self._proposals.append(decision.proposal.text)
            del self._proposals[: -self._hub.settings.cycle.recent_proposals or len(self._proposals)]
        self._selection.apply(decision, cycle.number, cycle.snapshot_ms, lambda: self._others(cycle))
        self._finish()

    def _others(self, cycle: Cycle) -> Iterator[Decision]:
        """What of the plan comes next, should the guard refuse what was proposed."""
        return islice(next_best(self._view(cycle)), self._hub.settings.guard.instead)

    def _finish(self) -> None:
        self._running = None
        if self._again:
            self._again = False
            self.run()

    def questions(self) -> tuple[QuestionView, ...]:
        """All questions as agents see them."""
        waiting = self._attempts.next.question_id if self._attempts.next else None
        ledger, names = self._hub.ledger, self._hub.names
        views = []
        for key, question in ledger.questions.items():
            # Most questions stand as they stood at the last look.
            state = ledger.changes.get(key, 0), key == waiting, names
            known = self._views.get(key)
            if known is None or known[0][:2] != state[:2] or known[0][2] is not names:
                known = self._views[key] = state, self._question(question, waiting=key == waiting)
            views.append(known[1])
        return tuple(views)

    def _question(self, q: QuestionState, *, waiting: bool) -> QuestionView:
        return QuestionView(
            id=q.id,
            text=self._hub.names.text(q.text),
            section_id=q.section_id,
            role="follow_up" if q.role == "follow_up" else "backbone",
            priority=q.priority,
            status=q.status,
            reason=reason(q),
            selectable=selectable(q, self._hub.settings.call.held_returns),
            answered=q.answered is not None,
            volunteered=q.volunteered,
            waiting=waiting,
            clue=str(q.reconstructed.evidence.get("clue") or "") if q.reconstructed else "",
            touched=q.touched,
        )

    def _view(self, cycle: Cycle) -> OrchestratorInput:
        plan, ledger = self._hub.setup.plan, self._hub.ledger
        heard = [self._hub.names.text(h.text) for h in (*ledger.remembered, *ledger.heard)]
        return OrchestratorInput(
            topic=plan.topic,
            context=self._hub.setup.context,
            language=plan.language,
            goal=plan.goal,
            questions=self.questions(),
            heard=tuple(heard),
            proposals=tuple(self._proposals),
            themes_proposed=self._themes.proposed,
            themes_covered=self._themes.covered,
            notes=self.notes,
            research=tuple(self._research),
            requests=tuple(self.requests),
            phase=self._clock.phase,
            elapsed_ms=self._clock.elapsed,
            target_ms=self._clock.target_ms,
            wrap_up_ms=self._clock.wrap_up_ms,
            turns=cycle.window,
            closing_used=self._selection.closing_used,
        )
