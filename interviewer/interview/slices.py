"""A running call as plain JSON values, cut into slices so that only what changed need be sent to whoever looks on.

Every text is harmless: without escape sequences, control characters and marks that turn writing around.
"""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

from interviewer.call.core import Core
from interviewer.interview.snapshot import Activity
from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import Ledger
from interviewer.ledger.state import Attempt, QuestionState
from interviewer.ledger.views import reason
from interviewer.llm.budget import Budget
from interviewer.memory.earlier import Earlier
from interviewer.model.notes import Notes
from interviewer.model.turn import Turn
from interviewer.store.plain import harmless

Slice = dict[str, Any] | list[Any]

EXCHANGES: Final = 8
FOUND: Final = 3
"""The interviewer's last replies that are shown beside what was meant to be asked."""

_NOTED = ("ideas", "stories", "claims", "gaps", "contradictions", "lines")
_clean = lru_cache(8_192)(harmless)


def plain(value: Any) -> Any:
    """A JSON value with all its texts made harmless."""
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, Mapping):
        return {_clean(str(name)): plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


class Slices:
    """Cuts one call. Call `cut` on the thread that owns the core; it takes about a millisecond."""

    def __init__(self, wrap_up_from: float) -> None:
        """`wrap_up_from`: the share of the length at which the phase locks."""
        self._wrap_up_from = wrap_up_from
        self._noted: tuple[Notes, Slice] | None = None

    def cut(self, core: Core, activity: Activity, budget: Budget | None, behind_ms: int = 0) -> dict[str, Any]:
        """The slices by name. Times in ms, costs in US dollars. `behind_ms`: since the core took its last step."""
        turns, unfinished = core.turns, core.unfinished
        running = activity.status == "live" and not core.paused
        return {
            "clock": {
                "elapsed_ms": core.elapsed_ms + (behind_ms if running else 0),
                "target_ms": core.target_ms,
                "wrap_up_ms": round(self._wrap_up_from * core.target_ms),
                "phase": core.phase,
                "status": activity.standing,
                "running": running,
                "paused": core.paused,
                "speaks": _who_speaks(turns, unfinished),
            },
            "turns": [_turn(turn, core.elapsed_at(turn.started_ms)) for turn in turns],
            "words": {
                turn_id: {"text": plain(text), "heard": plain(heard)} for turn_id, (text, heard) in unfinished.items()
            },
            "questions": [_question(question) for question in core.ledger.questions.values()],
            "agents": {name: asdict(agent) for name, agent in activity.agents.items()},
            "notes": self._notes(core.notes),
            "research": plain(activity.research),
            "voice": _voice(core.ledger, activity, turns, unfinished),
            "cost": _cost(budget),
            "outcome": plain(activity.outcome),
            "earlier": _earlier(core.setup.earlier),
        }

    def _notes(self, notes: Notes) -> Slice:
        if self._noted is None or self._noted[0] is not notes:
            told = {name: [plain(note.model_dump(mode="json")) for note in getattr(notes, name)] for name in _NOTED}
            self._noted = notes, {**told, "coverage": {c.section_id: c.depth for c in notes.coverage}}
        return self._noted[1]


def _earlier(earlier: Earlier | None) -> Slice:
    """What a follow-up began with: its number in the chain, the thread, and what could not be remembered as it is."""
    if earlier is None:
        return {}
    thread = earlier.thread.quote if earlier.thread else ""
    return {"number": len(earlier.calls) + 1, "thread": plain(thread), "problems": plain(earlier.problems)}


def _who_speaks(turns: list[Turn], unfinished: Mapping[str, tuple[str, str]]) -> str:
    """`guest`, `interviewer`, `thinking` (a reply is on its way) or `nobody`."""
    for turn in reversed(turns[-3:]):
        if turn.speaker == "guest" and turn.state == "speaking":
            return "guest"
        if turn.speaker == "interviewer" and turn.ended_ms is None:
            return "interviewer" if unfinished.get(turn.id, ("", ""))[1] else "thinking"
        if turn.speaker == "guest" and turn.state == "waiting":
            return "thinking"
    return "nobody"


def _turn(turn: Turn, at_ms: int) -> Slice:
    """A turn; one that is not final has its words in the slice `words`. `at_ms`: its beginning on the call's clock."""
    over = turn.ended_ms is not None and turn.state in ("final", "inaudible")
    return {
        "id": turn.id,
        "speaker": turn.speaker,
        "state": turn.state,
        "over": over,
        "text": plain(turn.text) if over else "",
        "heard": plain(turn.heard if turn.speaker == "interviewer" else turn.text) if over else "",
        "at_ms": at_ms,
    }


def _question(question: QuestionState) -> Slice:
    return {
        "id": plain(question.id),
        "text": plain(question.text),
        "planned": question.planned,
        "source": question.source,
        "section": plain(question.section_id),
        "priority": question.priority,
        "role": question.role,
        "state": question.status,
        "why": reason(question),
        "answered": question.answered is not None,
        "touched": round(question.touched, 2),
        "clue": plain(question.reconstructed.evidence.get("clue") or "") if question.reconstructed else "",
        "closed": bool(
            question.covered or question.declined or question.nothing or question.claimed or question.repeats_itself
        ),
    }


def _voice(ledger: Ledger, activity: Activity, turns: list[Turn], unfinished: Mapping[str, tuple[str, str]]) -> Slice:
    """What is to be asked next, the last decision, and what was meant beside what was said."""
    attempts = [attempt for question in ledger.questions.values() for attempt in question.attempts]
    waiting = next((a for a in attempts if a.outcome == "open" and not a.started), None)
    by_response = {a.value("started", "response_id"): a for a in attempts if a.started}
    spoken = [turn for turn in turns if turn.speaker == "interviewer"][-EXCHANGES:]
    return {
        "next": None if waiting is None else {"stage": waiting.stage, **_meant(waiting)},
        "decision": plain(activity.decision),
        "guard": [_guarded(event) for event in ledger.events if event.kind in ("guarded", "repeated")][-FOUND:],
        "exchanges": [
            {
                "turn": turn.id,
                "said": plain(turn.text or unfinished.get(turn.id, ("", ""))[0]),
                **_ended(by_response.get(turn.response_id)),
            }
            for turn in spoken
        ],
    }


def _guarded(event: LedgerEvent) -> dict[str, Any]:
    """What the repeat guard found: `what` is passed, returned, warned or refused, or repeated once it was heard."""
    spoken = "returned" if event.evidence.get("deliberate") else "repeated"
    return {
        "seq": event.seq,
        "what": event.evidence.get("decision") or spoken,
        "text": plain(event.evidence.get("text")),
        "like": plain(event.evidence.get("like")),
        **{name: event.evidence.get(name) for name in ("score", "threshold", "scorer")},
    }


def _meant(attempt: Attempt) -> dict[str, Any]:
    return {"question": plain(attempt.question_id), "meant": plain(attempt.value("selected", "text") or "")}


def _ended(attempt: Attempt | None) -> dict[str, Any]:
    """What a reply was to ask and what came of that; a free reply was to ask nothing."""
    if attempt is None:
        return {"question": None, "meant": "", "outcome": "free", "reason": ""}
    return {**_meant(attempt), "outcome": attempt.outcome, "reason": attempt.reason}


def _cost(budget: Budget | None) -> Slice:
    if budget is None:
        return {}
    return {
        "spent_usd": round(budget.spent_usd, 4),
        "limit_usd": budget.limit_usd,
        "uncounted": budget.uncounted,
        "state": budget.state,
    }
