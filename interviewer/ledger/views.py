"""What people and agents ask the ledger: delivered, pending, available, and why."""

from collections.abc import Callable

from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import Ledger
from interviewer.ledger.state import Attempt, QuestionState

_REASONS = {
    "failed": "the response failed",
    "refused": "the service refused the instructions",
    "superseded": "another question took its place before it was asked",
    "timed_out": "the service did not answer in time",
    "disconnected": "the connection was lost",
    "cancelled": "the reply was cancelled before the question was heard",
    "incomplete": "the reply was incomplete",
    "not_played": "it was not played to its end",
    "declined": "the guest did not want it",
    "wandered": "the reply did not ask it",
    "cut": "it was heard to its end, but the reply was cut short",
    "unconfirmed": "a question was heard, and nothing shows that it was this one",
}
_STAGE_WORDS = {
    "selected": "chosen, not yet acknowledged",
    "accepted": "acknowledged, waiting for its moment",
    "started": "being said",
    "generated": "said, still playing",
}


def delivered(ledger: Ledger) -> list[QuestionState]:
    """Questions that earned credit, in order of registration."""
    return [q for q in ledger.questions.values() if q.status == "delivered"]


def pending(ledger: Ledger) -> list[QuestionState]:
    """Questions with an open attempt."""
    return [q for q in ledger.questions.values() if q.status == "pending"]


def selectable(question: QuestionState, held_returns: int) -> bool:
    """Whether it may be attempted now: not delivered, pending, covered, declined, claimed, nor asked and answered.

    A held question of the plan may come back `held_returns` times; one that was made up on the way does not.
    """
    status = question.status
    closed = question.covered or question.declined or question.nothing or question.claimed or question.repeats_itself
    answered = question.answered is not None and (not question.volunteered or status == "held")
    returns = held_returns if question.planned else 0
    return status in ("available", "held") and not closed and not answered and question.holds <= returns


def available(ledger: Ledger, held_returns: int = 2) -> list[QuestionState]:
    """Planned questions that may be attempted, best first: held ones last, by effective priority, as planned."""
    ready = [q for q in ledger.questions.values() if q.planned and selectable(q, held_returns)]
    return sorted(ready, key=lambda q: (q.status == "held", q.effective_priority))


def reason(question: QuestionState) -> str:
    """Why the question stands where it stands, in a few words."""
    status = question.status
    marks = (
        (question.declined, "the guest did not want it"),
        (question.nothing, "most likely asked: a question was heard, and the guest had nothing to say to it"),
        (question.claimed, "the guest said it was answered already"),
        (question.repeats_itself and status == "available", "it repeats a question that was heard"),
        (question.covered, "asked in other words while another question was meant"),
    )
    for mark, words in marks:
        if mark and status != "delivered":
            return words
    if status == "delivered":
        here = any(attempt.outcome == "delivered" for attempt in question.attempts)
        return "asked and heard" if here else "asked and heard in an earlier call"
    if status == "pending":
        return _STAGE_WORDS[question.attempts[-1].stage]
    if status == "held" and question.answered:
        return "most likely asked: a question was heard, and the guest answered"
    if question.attempts:
        return _REASONS[question.attempts[-1].reason]
    if question.carried:
        return f"in an earlier call, {_REASONS.get(str(question.carried.evidence.get('reason')), 'perhaps heard')}"
    if question.source == "voice":
        return "made up by the voice, and heard"
    if question.answered:
        how = "unasked" if question.volunteered else "when something else asked for it"
        return f"never chosen; the guest answered it {how}"
    if question.reconstructed:
        return "never chosen; an old transcript probably touched on it"
    return "never chosen"


def why(ledger: Ledger, question_id: str, shown: Callable[[int], int] = int) -> str:
    """What happened to a question, told in plain words, one line a fact. Empty if the ledger does not know it.

    Times are since the call was begun; with `shown`, such as `CallLog.clock.at`, what the call's clock showed then.
    """
    question = ledger.questions.get(question_id)
    if question is None:
        return ""
    origin = "planned" if question.planned else f"not planned (from: {question.source})"
    lines = [f"{question.id} is {question.status}: {reason(question)}. It was {origin}, priority {question.priority}."]
    lines += [_tell(number, attempt, shown) for number, attempt in enumerate(question.attempts, 1)]
    if question.carried:
        e = question.carried.evidence
        lines.append(f"It was {e['status']} in an earlier call ({e.get('call') or 'unknown'}).")
    if question.covered:
        lines.append(f"{_when(question.covered, shown)} it was heard in other words (known by match).")
    if question.answered:
        how = "without being asked" if question.volunteered else "when asked"
        lines.append(f"{_when(question.answered, shown)} the guest answered it {how}.")
    if question.declined:
        lines.append(f"{_when(question.declined, shown)} the guest declined it.")
    if question.nothing:
        lines.append(f"{_when(question.nothing, shown)} the guest had nothing to say to it.")
    if question.claimed:
        lines.append(f"{_when(question.claimed, shown)} the guest said it was answered already.")
    for event in (e for e in ledger.repeats if question_id in (e.question_id, e.evidence.get("like_id"))):
        how = "on purpose" if event.evidence.get("deliberate") else "though nobody meant it"
        lines.append(f"{_when(event, shown)} “{event.evidence.get('text')}” asked it again, {how}: {guarded(event)}.")
    if question.refused:
        lines.append(f"{_when(question.refused, shown)} the guard refused it: {guarded(question.refused)}.")
    if question.reconstructed:
        lines.append(
            f"An earlier transcript probably touched on it (score {question.touched}, reconstructed). "
            f"{question.reconstructed.evidence.get('clue') or ''}".rstrip()
        )
    return "\n".join(lines)


def guarded(event: LedgerEvent) -> str:
    """What the guard found when it held something against all that was heard: the likest of it, and how alike."""
    e = event.evidence
    score, threshold = e.get("score"), e.get("threshold")
    if not isinstance(score, int | float) or not isinstance(threshold, int | float):
        return "nothing like it was heard"
    side = "above" if score > threshold else "not above"
    return f"“{e.get('like')}” was heard, {score:.2f} alike, {side} {threshold:.2f} ({e.get('scorer')})"


def _tell(number: int, attempt: Attempt, shown: Callable[[int], int]) -> str:
    stages = ", ".join(f"{stage} {_clock(shown(event.t_ms))}" for stage, event in attempt.evidence.items())
    text = f"Attempt {number} ({attempt.id}): {stages}"
    if attempt.outcome in ("released", "held"):
        text += f"; {attempt.outcome}: {_REASONS[attempt.reason]}"
        text += f" ({attempt.heard_ms / 1000:.1f} s of the reply were heard)" if attempt.heard_ms else ""
    return text + "."


def _when(mark: LedgerEvent, shown: Callable[[int], int]) -> str:
    return "In an earlier call" if "call" in mark.evidence else f"At {_clock(shown(mark.t_ms))}"


def _clock(t_ms: int) -> str:
    return f"{t_ms // 60_000}:{t_ms // 1000 % 60:02d}"
