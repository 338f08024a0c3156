"""The ledger as a pure fold: events in, questions, attempts and memory out."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interviewer.errors import LedgerError
from interviewer.ledger.events import CARRIED, GUARDED, HELD_REASONS, RELEASE_REASONS, STAGES, LedgerEvent, Value
from interviewer.ledger.state import Attempt, Heard, QuestionState


class Ledger:
    """The fold of a call's ledger events.

    Rules it holds, whatever comes in: an attempt passes its five stages in order and each only once; `generated`
    and `delivered` belong to the response that `started` names; delivery needs a completed response, played to
    the end of the question within its tolerance, or displayed; a closed attempt never opens again; at most one
    attempt is next (not started) and one current (started, open). Events that break a rule stay in `events`,
    change nothing and are listed in `anomalies` with the reason.

    `heard` is what this call asked, `remembered` what earlier calls of its chain did, `repeats` what of the heard asks
    for the same as something heard before. `changes`: how many events could have changed a question, by its id.
    """

    def __init__(self) -> None:
        self.events: list[LedgerEvent] = []
        self.questions: dict[str, QuestionState] = {}
        self.attempts: dict[str, Attempt] = {}
        self.changes: dict[str, int] = {}
        self.heard: list[Heard] = []
        self.remembered: list[Heard] = []
        self.anomalies: list[tuple[int, str]] = []
        self.unrecovered = 0
        self.repeats: list[LedgerEvent] = []
        self._places: set[tuple[Value, ...]] = set()

    def append(self, event: LedgerEvent) -> str | None:
        """Fold one more event; `seq` must be above all before it. Returns why it had no effect, or None.

        Raises LedgerError if `seq` does not rise.
        """
        if self.events and event.seq <= self.events[-1].seq:
            raise LedgerError(f"ledger event {event.seq} after {self.events[-1].seq}: seq must rise")
        self.events.append(event)
        problem = _RULES[event.kind](self, event)
        self._changed(event.question_id)
        if problem:
            self.anomalies.append((event.seq, problem))
        return problem

    def _changed(self, question_id: str | None) -> None:
        if question_id is not None:
            self.changes[question_id] = self.changes.get(question_id, 0) + 1

    @property
    def next(self) -> Attempt | None:
        """The open attempt whose response has not started."""
        return next((a for a in self.attempts.values() if a.outcome == "open" and not a.started), None)

    @property
    def current(self) -> Attempt | None:
        """The open attempt whose response has started."""
        return next((a for a in self.attempts.values() if a.outcome == "open" and a.started), None)

    def snapshot(self) -> dict[str, Any]:
        """Everything the ledger says, as plain values: equal snapshots are equal ledgers."""
        return {
            "questions": {
                q.id: {
                    "text": q.text,
                    "status": q.status,
                    "planned": q.planned,
                    "attempts": [(a.id, a.stage, a.outcome, a.reason, a.heard_ms) for a in q.attempts],
                    "covered": q.covered is not None,
                    "answered": q.answered is not None,
                    "declined": q.declined is not None,
                    "nothing": q.nothing is not None,
                    "claimed": q.claimed is not None,
                    "refused": q.refused is not None,
                    "carried": q.carried is not None,
                    "effective_priority": q.effective_priority,
                }
                for q in self.questions.values()
            },
            "heard": [(h.t_ms, h.text, h.question_id) for h in self.heard],
            "remembered": [(h.text, h.question_id) for h in self.remembered],
            "repeats": [(e.t_ms, e.evidence.get("text"), e.evidence.get("like")) for e in self.repeats],
            "unrecovered": self.unrecovered,
            "anomalies": list(self.anomalies),
        }

    # -- rules, one a kind -------------------------------------------------------------------------------------

    def _question(self, event: LedgerEvent) -> str | None:
        if event.question_id is None or event.question_id in self.questions:
            return "question without an id, or registered before"
        e = event.evidence
        self.questions[event.question_id] = QuestionState(
            id=event.question_id,
            text=str(e.get("text", "")),
            priority=_whole(event, "priority") or 3,
            planned=bool(e.get("planned")),
            source=str(e.get("source", "plan")),
            section_id=str(e["section_id"]) if e.get("section_id") else None,
            role=str(e.get("role", "backbone")),
        )
        return None

    def _selected(self, event: LedgerEvent) -> str | None:
        question = self.questions.get(event.question_id or "")
        if question is None or event.attempt_id is None:
            return "selection of a question that is not registered, or without an attempt id"
        if event.attempt_id in self.attempts:
            return "attempt id used before"
        if any(a.outcome == "open" for a in question.attempts):
            return "the question is already pending"
        if self.next is not None:
            self._changed(self.next.question_id)
            _close(self.next, "released", "superseded", 0)
        attempt = Attempt(event.attempt_id, question.id, {"selected": event})
        self.attempts[attempt.id] = attempt
        question.attempts.append(attempt)
        return None

    def _stage(self, event: LedgerEvent) -> str | None:
        attempt = self._open(event)
        if isinstance(attempt, str):
            return attempt
        due = STAGES[len(attempt.evidence)]
        if event.kind != due:
            return f"stage {event.kind} while {due} is due"
        problem = _STAGE_CHECKS.get(event.kind, _no_check)(attempt, event)
        if problem:
            return problem
        if event.kind == "started" and self.current is not None:
            return "another attempt is current"
        attempt.evidence[event.kind] = event
        if event.kind == "delivered":
            _close(attempt, "delivered", "", _whole(event, "played_ms"))
        return None

    def _released(self, event: LedgerEvent) -> str | None:
        attempt = self._open(event)
        if isinstance(attempt, str):
            return attempt
        reason = str(event.evidence.get("reason"))
        if reason not in (RELEASE_REASONS if event.kind == "released" else HELD_REASONS):
            return f"{event.kind} without a known reason: {reason}"
        if event.kind == "held" and not attempt.started:
            return "held before any response started"
        _close(attempt, "released" if event.kind == "released" else "held", reason, _whole(event, "heard_ms"))
        return None

    def _heard(self, event: LedgerEvent) -> str | None:
        e = event.evidence
        if (place := _place(e)) in self._places:
            return "heard before"
        self._places.add(place)
        self.heard.append(Heard(event.t_ms, str(e.get("text", "")), event.question_id, e))
        return None

    def _remembered(self, event: LedgerEvent) -> str | None:
        self.remembered.append(
            Heard(event.t_ms, str(event.evidence.get("text", "")), event.question_id, event.evidence)
        )
        return None

    def _carried(self, event: LedgerEvent) -> str | None:
        question = self.questions.get(event.question_id or "")
        if question is None or question.carried is not None:
            return "carried for a question that is not registered, or before"
        if event.evidence.get("status") not in CARRIED:
            return f"carried without a known standing: {event.evidence.get('status')}"
        if question.attempts:
            return "carried after an attempt of this call"
        question.carried = event
        return None

    def _mark(self, event: LedgerEvent) -> str | None:
        question = self.questions.get(event.question_id or "")
        if question is None:
            return f"{event.kind} for a question that is not registered"
        if getattr(question, event.kind) is not None:
            return f"{event.kind} before"
        setattr(question, event.kind, event)
        return None

    def _unrecovered(self, _: LedgerEvent) -> str | None:
        self.unrecovered += 1
        return None

    def _guarded(self, event: LedgerEvent) -> str | None:
        question = self.questions.get(event.question_id or "")
        if question is None or event.evidence.get("decision") not in GUARDED:
            return "guarded without a known decision, or for a question that is not registered"
        if event.evidence["decision"] == "refused" and question.refused is None:
            question.refused = event
        return None

    def _repeated(self, event: LedgerEvent) -> str | None:
        place = _place(event.evidence)
        if place not in self._places:
            return "a repeat that was not heard"
        if any(_place(other.evidence) == place for other in self.repeats):
            return "repeated before"
        self.repeats.append(event)
        return None

    def _note(self, _: LedgerEvent) -> str | None:
        return None

    def _open(self, event: LedgerEvent) -> Attempt | str:
        attempt = self.attempts.get(event.attempt_id or "")
        if attempt is None:
            return "no such attempt"
        if attempt.question_id != event.question_id:
            return "the attempt is for another question"
        if attempt.outcome != "open":
            return f"the attempt is closed ({attempt.outcome})"
        return attempt


def fold(events: Iterable[LedgerEvent]) -> Ledger:
    """The ledger of `events`, in any order and with repeats: they are put in order of `seq` first.

    Raises LedgerError if two different events share a `seq`.
    """
    ledger = Ledger()
    for event in sorted(events, key=lambda e: e.seq):
        if ledger.events and ledger.events[-1].seq == event.seq:
            if ledger.events[-1] != event:
                raise LedgerError(f"two different ledger events with seq {event.seq}")
            continue
        ledger.append(event)
    return ledger


def _close(attempt: Attempt, outcome: Any, reason: str, heard_ms: int) -> None:
    attempt.outcome, attempt.reason, attempt.heard_ms = outcome, reason, heard_ms


def _place(evidence: Mapping[str, Value]) -> tuple[Value, ...]:
    """Where in the voice's words a sentence stands."""
    return evidence.get("response_id"), evidence.get("item_id"), evidence.get("start")


def _whole(event: LedgerEvent, name: str) -> int:
    value = event.evidence.get(name)
    return value if isinstance(value, int) else 0


def _no_check(_: Attempt, __: LedgerEvent) -> str | None:
    return None


def _check_started(_: Attempt, event: LedgerEvent) -> str | None:
    return None if event.evidence.get("response_id") else "started without a response id"


def _check_response(attempt: Attempt, event: LedgerEvent) -> str | None:
    same = event.evidence.get("response_id") == attempt.value("started", "response_id")
    return None if same else "evidence from another response"


def _check_delivered(attempt: Attempt, event: LedgerEvent) -> str | None:
    if problem := _check_response(attempt, event):
        return problem
    if event.evidence.get("status") != "completed":
        return "delivery of a response that did not complete"
    if event.evidence.get("displayed"):
        return None
    # A tolerance as long as the question would credit what was not heard at all.
    played, end = _whole(event, "played_ms"), _whole(event, "end_ms")
    reached = end > 0 and 0 < played >= end - min(_whole(event, "tolerance_ms"), end // 2)
    return None if reached else "not played to the end of the question"


_STAGE_CHECKS: dict[str, Callable[[Attempt, LedgerEvent], str | None]] = {
    "started": _check_started,
    "generated": _check_response,
    "delivered": _check_delivered,
}

_RULES: dict[str, Callable[[Ledger, LedgerEvent], str | None]] = {
    "question": Ledger._question,
    "selected": Ledger._selected,
    **dict.fromkeys(STAGES[1:], Ledger._stage),
    "released": Ledger._released,
    "held": Ledger._released,
    "heard": Ledger._heard,
    **dict.fromkeys(("covered", "answered", "declined", "nothing", "claimed", "reconstructed"), Ledger._mark),
    "carried": Ledger._carried,
    "remembered": Ledger._remembered,
    "guarded": Ledger._guarded,
    "repeated": Ledger._repeated,
    "recovered": Ledger._note,
    "unrecovered": Ledger._unrecovered,
    "late": Ledger._note,
}
