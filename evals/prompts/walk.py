"""An hour of talk, and what each agent would be asked at every minute of it."""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from interviewer.agents.analyst import AnalystInput, analyse
from interviewer.agents.base import AgentInput
from interviewer.agents.follow_up import FollowUpInput
from interviewer.agents.note_taker import NOTE_TAKER, NoteTakerInput
from interviewer.agents.notes_merge import merge
from interviewer.agents.orchestrator import ORCHESTRATOR, OrchestratorInput, QuestionView
from interviewer.agents.planner import PLANNER, PlannerInput
from interviewer.agents.researcher import RESEARCHER, ResearcherInput
from interviewer.agents.reverse_planner import ReverseInput
from interviewer.agents.style_extractor import STYLE_EXTRACTOR, StyleInput
from interviewer.agents.writer import WriterInput
from interviewer.matching.text import words
from interviewer.model.decision import ResearchItem
from interviewer.model.notes import Notes
from interviewer.model.plan import Plan
from interviewer.model.turn import Said
from interviewer.settings import CycleSettings, StyleSettings
from interviewer.simulate.dossier import load_all

MINUTES = 60
WORDS_A_MINUTE = 150  # a usual rate of speech
_DETAILS_A_TURN = 2


def hour() -> Iterator[tuple[int, Said]]:
    """(minute, turn) of an hour: recorded words of the dossiers' guests, each answer after a question."""
    details = [detail.text for dossier in load_all() for detail in dossier.details]
    spoken = 0
    for number, start in enumerate(range(0, len(details), _DETAILS_A_TURN)):
        answer = " ".join(details[start : start + _DETAILS_A_TURN])
        opening = " ".join(words(answer)[:8])
        question = f"You began with {opening}: what happened there, number {number + 1}, that you had not expected?"
        for offset, (speaker, text) in enumerate((("interviewer", question), ("guest", answer)), 1):
            minute = spoken // WORDS_A_MINUTE
            if minute >= MINUTES:
                return
            spoken += len(words(text))
            yield minute, Said(f"t{2 * number + offset}", "interviewer" if speaker == "interviewer" else "guest", text)


@dataclass
class Walk:
    """Goes through the hour as a call would: notes are merged, questions asked, subjects tried."""

    cycle: CycleSettings = field(default_factory=CycleSettings)
    style: StyleSettings = field(default_factory=StyleSettings)
    turns: list[Said] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    tried: list[str] = field(default_factory=list)
    themes: dict[str, None] = field(default_factory=dict)
    proposals: list[str] = field(default_factory=list)
    research: list[ResearchItem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.about: dict[str, Any] = {"topic": "Eight trades and what is hard in them", "context": "I do it for years."}
        self.plan: Plan = PLANNER.rules(PlannerInput(**self.about, target_ms=MINUTES * 60_000))

    def minutes(self, only: Container[int] = range(1, MINUTES + 1)) -> Iterator[tuple[int, dict[str, AgentInput]]]:
        """(minute, what each agent is asked at its end), for these minutes."""
        talk = list(hour())
        for minute in range(1, MINUTES + 1):
            self.turns += [turn for at, turn in talk if at == minute - 1]
            live = {**self._listening(), "orchestrator": self._deciding(minute)}
            if minute in only:
                planner = PlannerInput(**self.about, target_ms=MINUTES * 60_000)
                yield minute, {"planner": planner, **live, **self._afterwards()}

    def _listening(self) -> dict[str, AgentInput]:
        window = tuple(self.turns[-self.cycle.note_taker_window :])
        goal, sections = self.plan.goal, self.plan.sections
        noting = NoteTakerInput(**self.about, goal=goal, sections=sections, notes=self.notes, turns=window)
        banned = (self.about["topic"], *self.tried)
        looking = ResearcherInput(**self.about, turns=window, banned=banned, max_items=self.cycle.research_items)
        self.notes = merge(self.notes, NOTE_TAKER.rules(noting), window, sections=sections)
        found = RESEARCHER.rules(looking)
        self.tried += found.tried
        self.research = [*self.research, *found.items][-2 * self.cycle.research_items :]
        return {"note_taker": noting, "researcher": looking}

    def _deciding(self, minute: int) -> OrchestratorInput:
        target = MINUTES * 60_000
        data = OrchestratorInput(
            **self.about,
            goal=self.plan.goal,
            questions=self._questions(),
            heard=tuple(turn.text for turn in self.turns if turn.speaker == "interviewer"),
            proposals=tuple(self.proposals[-self.cycle.recent_proposals :]),
            themes_proposed=tuple(self.themes),
            themes_covered=tuple(self.themes),
            notes=self.notes,
            research=tuple(self.research),
            requests=(),
            phase="exploration",
            elapsed_ms=minute * 60_000,
            target_ms=target,
            wrap_up_ms=round(target * 0.85),
            turns=tuple(self.turns[-self.cycle.orchestrator_window :]),
            closing_used=False,
        )
        decision = ORCHESTRATOR.rules(data)
        self.themes |= dict.fromkeys(decision.themes)
        self.proposals += [decision.proposal.text] if decision.proposal else []
        return data

    def _questions(self) -> tuple[QuestionView, ...]:
        """The plan's, and one of the voice's own for every question it asked: those are what grows."""
        answered = {answer.question_id for answer in self.notes.answered}
        facts: dict[str, Any] = {"reason": "", "volunteered": False}
        planned = [
            QuestionView(
                id=q.id,
                text=q.text,
                section_id=section.id,
                role=q.role,
                priority=q.priority,
                status="available",
                selectable=True,
                answered=q.id in answered,
                **facts,
            )
            for section in self.plan.sections
            for q in section.questions
        ]
        spoken = (turn for turn in self.turns if turn.speaker == "interviewer")
        free: dict[str, Any] = {"section_id": None, "role": "backbone", "priority": 3, "status": "delivered"}
        unplanned = [
            QuestionView(id=f"u{n}", text=turn.text, selectable=False, answered=True, **free, **facts)
            for n, turn in enumerate(spoken, 1)
        ]
        return (*planned, *unplanned)

    def _afterwards(self) -> dict[str, AgentInput]:
        """As if the call had ended now."""
        turns, notes = tuple(self.turns), self.notes
        analyst = AnalystInput(**self.about, goal=self.plan.goal, turns=turns, notes=notes)
        analysis = analyse(analyst)
        own = tuple(turn for turn in turns if turn.speaker == "guest")[-self.style.turns :]
        style = StyleInput(**self.about, turns=own, quotes=tuple(quote.text for quote in analysis.quotes))
        guide = STYLE_EXTRACTOR.rules(style)
        return {
            "analyst": analyst,
            "follow_up": FollowUpInput(
                **self.about,
                goal=self.plan.goal,
                turns=turns,
                notes=notes,
                questions=self._questions(),
                titles=tuple((section.id, section.title) for section in self.plan.sections),
            ),
            "writer": WriterInput(**self.about, turns=turns, analysis=analysis, notes=notes, voice_guide=guide),
            "style_extractor": style,
            "reverse_planner": ReverseInput(**self.about, turns=turns),
        }
