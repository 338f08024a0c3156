"""What to ask next, decided without a model: mostly the plan, now and then the thing just left unfinished."""

from collections.abc import Iterable, Iterator, Sequence

from interviewer.agents import briefs
from interviewer.agents.guard import Guard, requests
from interviewer.agents.planner_rules import SECONDS_A_QUESTION
from interviewer.agents.research_questions import research_question
from interviewer.agents.signals import strength
from interviewer.agents.views import OrchestratorInput, QuestionView
from interviewer.agents.wording import choose
from interviewer.matching.text import words
from interviewer.model.decision import Decision, Proposal, ResearchItem
from interviewer.model.notes import Gap

# All chosen here.
FRESH_TURNS = 3  # a gap in one of the guest's last three turns is fresh
PLANNED_BETWEEN = 2  # planned proposals between two that are not: at most one in three
TELLING = 2.0  # strength of a gap worth leaving the plan for
SHORT_WORDS = 20  # a must-ask this long can still be asked at the end
MUST_ASK_MS = 60_000  # from the start of wrap_up
MUST_ASK_LEFT_MS = 30_000
CLOSING_LEFT_MS = 5_000
LOWERED = 2.0  # what an answer adds to a priority; an old transcript adds its score
PROBABLY = 0.5  # from this score on an old transcript rather asked it than not: all that is open comes first
RETURNS = 2  # so many of those come back in a call, as held ones do
SURELY = 0.9  # from this score on one counts for two: it is a repeat to the guest

CLOSINGS = (
    "What should I have asked you and did not?",
    "Which question were you hoping for that never came?",
    "If only one thing stays with a listener, what should it be?",
    "Who else should I talk to, and about what?",
)
_STOPS = ("stop", "end", "wrap", "finish", "bye", "goodbye")


def decide(data: OrchestratorInput) -> Decision:
    """The next proposal, or none, in the phase given."""
    guard = Guard(data)
    if wants_to_stop(data):
        return _decision(data, None)
    if data.phase == "wrap_up":
        return _decision(data, _last_word(data, guard))
    kept = (_of_plan(view) for view in data.questions if view.waiting)
    fresh = (view for view in data.questions if not _probably_asked(view))
    doubtful, sure = _returns(data)
    ways = (
        _unfinished(data, guard),
        kept,
        _planned(data, guard, fresh),
        _anything_open(data, guard),
        _planned(data, guard, doubtful),
        _planned(data, guard, sure),
    )
    return _decision(data, next((proposal for way in ways for proposal in way), None))


def fall_back(data: OrchestratorInput) -> Decision:
    """The next selectable question by priority, held ones last, then one closing question; never anything heard."""
    guard = Guard(data)
    if wants_to_stop(data):
        return _decision(data, None)
    if data.phase == "wrap_up":
        return _decision(data, _last_word(data, guard))
    ranked = sorted(data.questions, key=lambda view: (view.status == "held", _probably_asked(view), view.priority))
    chosen = next((_of_plan(view) for view in ranked if guard.allows_question(view)), None)
    return _decision(data, chosen or _closing(data, guard))


def next_best(data: OrchestratorInput) -> Iterator[Decision]:
    """What the plan still has, the next first, or in wrap_up what may still be asked: nothing heard, nothing held."""
    guard = Guard(data)
    if wants_to_stop(data):
        return
    if data.phase == "wrap_up":
        closing = None if data.closing_used else _closing(data, guard)
        offered = () if data.closing_used else (*_must_asks(data, guard), *([closing] if closing else []))
    else:
        offered = tuple(proposal for proposal in _planned(data, guard, data.questions) if not proposal.returning)
    yield from (_decision(data, proposal) for proposal in offered)


def wants_to_stop(data: OrchestratorInput) -> bool:
    """Whether the guest has asked to end the call."""
    return any(kind.startswith(_STOPS) for kind, _ in requests(data.requests))


def _decision(data: OrchestratorInput, proposal: Proposal | None) -> Decision:
    stop = wants_to_stop(data)
    return Decision(
        phase=data.phase,
        proposal=proposal,
        brief=briefs.brief(data, proposal, stop=stop),
        themes=briefs.themes(proposal.text) if proposal else (),
    )


def _last_word(data: OrchestratorInput, guard: Guard) -> Proposal | None:
    if data.closing_used:
        return None
    return next(_must_asks(data, guard), None) or _closing(data, guard)


def _must_asks(data: OrchestratorInput, guard: Guard) -> Iterator[Proposal]:
    since = data.elapsed_ms - data.wrap_up_ms
    if since > MUST_ASK_MS or data.target_ms - data.elapsed_ms < MUST_ASK_LEFT_MS:
        return
    for view in data.questions:
        open_still = view.priority == 1 and view.status != "held" and not (view.answered or view.volunteered)
        open_still = open_still and not _probably_asked(view)
        if open_still and view.section_id and len(words(view.text)) <= SHORT_WORDS and guard.allows_question(view):
            yield _of_plan(view)


def _closing(data: OrchestratorInput, guard: Guard) -> Proposal | None:
    if data.closing_used or data.target_ms - data.elapsed_ms < CLOSING_LEFT_MS:
        return None
    open_still = [text for text in CLOSINGS if guard.allows(text)]
    if not open_still:
        return None
    return Proposal(text=choose(open_still, data.topic), source="closing", why="a last word for the guest")


def _of_plan(view: QuestionView) -> Proposal:
    return Proposal(
        text=view.text,
        question_id=view.id,
        source="plan" if view.section_id else "gap",
        returning=view.status == "held" or bool(view.clue),
        why=f"priority {view.priority}, {view.status}",
    )


def _planned(data: OrchestratorInput, guard: Guard, views: Iterable[QuestionView]) -> Iterator[Proposal]:
    """Selectable questions of `views`: section by section as far as time allows for, held ones last."""
    offered = [view for view in views if view.selectable]
    fits = _priority_that_fits(data, [view for view in offered if view.status != "held"])
    depth = {coverage.section_id: coverage.depth for coverage in data.notes.coverage}
    order = {
        key: place for place, key in enumerate(dict.fromkeys(v.section_id for v in data.questions if v.section_id))
    }
    ranked = sorted(
        offered,
        key=lambda view: (
            view.status == "held",
            _effective(view) > fits,
            depth.get(view.section_id or "") == "deep" and view.priority > 1,
            order.get(view.section_id or "", len(order)),
            _effective(view),
        ),
    )
    return (_of_plan(view) for view in ranked if guard.allows_question(view))


def _priority_that_fits(data: OrchestratorInput, offered: Sequence[QuestionView]) -> float:
    """The lowest priority whose questions, with all above, can still be asked before the wrap-up; at least 1."""
    left_ms = data.wrap_up_ms - data.elapsed_ms
    slots = left_ms / 1000 / SECONDS_A_QUESTION
    steps = sorted({_effective(view) for view in offered})
    return max((p for p in steps if sum(_effective(v) <= p for v in offered) <= slots), default=min(steps, default=1.0))


def _effective(view: QuestionView) -> float:
    lowered = LOWERED if view.answered or view.volunteered else 0.0
    return view.priority + lowered + view.touched


def _probably_asked(view: QuestionView) -> bool:
    return view.touched >= PROBABLY


def _returns(data: OrchestratorInput) -> tuple[list[QuestionView], list[QuestionView]]:
    """What an old transcript has probably asked, unless enough of that came back in this call: the doubtful first."""
    again = [view for view in data.questions if _probably_asked(view)]
    spent = sum(1 + (view.touched >= SURELY) for view in again if view.status in ("delivered", "held"))
    doubtful = [view for view in again if view.touched < SURELY and spent < RETURNS]
    sure = [view for view in again if view.touched >= SURELY and spent + 1 < RETURNS]
    return doubtful, sure


def _unfinished(data: OrchestratorInput, guard: Guard) -> Iterator[Proposal]:
    """What the guest left unfinished just now, if enough planned questions were proposed since the last such thing."""
    planned = {view.text for view in data.questions if view.section_id}
    last = data.proposals[-PLANNED_BETWEEN:]
    if not last or not planned.issuperset(last):
        return
    yield from _contradictions(data, guard)
    fresh = _last_guest_turns(data)
    yield from _gaps(data, guard, [gap for gap in data.notes.gaps if gap.turn in fresh and _telling(gap) >= TELLING])
    claims = [item for item in data.research if item.verification != "not_a_claim"]
    yield from _research(claims, guard, fresh)


def _anything_open(data: OrchestratorInput, guard: Guard) -> Iterator[Proposal]:
    """With the plan used up: contradictions, gaps however old, what research brought."""
    yield from _contradictions(data, guard)
    yield from _gaps(data, guard, data.notes.gaps)
    yield from _research(data.research, guard, [turn.id for turn in data.turns])


def _last_guest_turns(data: OrchestratorInput) -> list[str]:
    return [turn.id for turn in data.turns if turn.speaker == "guest"][-FRESH_TURNS:]


def _telling(gap: Gap) -> float:
    """A gap that someone else noted counts as telling whatever its words are."""
    return max(TELLING, strength(gap.quote)) if not gap.quote or strength(gap.quote) == 0 else strength(gap.quote)


def _gaps(data: OrchestratorInput, guard: Guard, offered: Sequence[Gap]) -> Iterator[Proposal]:
    place = {turn.id: number for number, turn in enumerate(data.turns)}
    open_still = [gap for gap in offered if gap.id not in data.notes.resolved]
    for gap in sorted(open_still, key=lambda gap: (-_telling(gap), -place.get(gap.turn, -1), gap.id)):
        if guard.allows(gap.question):
            yield Proposal(text=gap.question, source="gap", why=f"{gap.id}: {gap.text}")


def _contradictions(data: OrchestratorInput, guard: Guard) -> Iterator[Proposal]:
    """The newest first: an old one must not come up for ever."""
    for clash in reversed(data.notes.contradictions):
        if clash.id not in data.notes.resolved and guard.allows(clash.question):
            yield Proposal(text=clash.question, source="contradiction", why=f"{clash.id}: {clash.text}")


def _research(items: Sequence[ResearchItem], guard: Guard, turns: Sequence[str]) -> Iterator[Proposal]:
    for item in reversed(items):
        text = research_question(item)
        if item.turn in turns and guard.allows(text):
            yield Proposal(text=text, source="research", why=item.use)
