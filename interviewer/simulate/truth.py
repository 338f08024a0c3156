"""The ledger held against the truth: what the simulated voice really asked, and what of it was really heard."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from interviewer.ledger.fold import Ledger
from interviewer.ledger.state import Attempt
from interviewer.realtime.engine import Voiced
from interviewer.simulate.guest import Disclosure

TOLERANCE_MS = 250


@dataclass(frozen=True, slots=True)
class TrueQuestion:
    """A question as it was voiced; `key` is the wording the voice was given. `heard`: played to its end."""

    key: str
    sentence: str
    response_id: str
    item_id: str
    end_ms: int
    heard: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """What the ledger got wrong, and what the guest told.

    False delivery: credit for a question that this response did not ask, or that was not heard to its end. False
    release: an attempt released or held although its question was asked and heard to its end; `held` of them were
    held.
    False cover: a question counted as covered by a reply that did not ask it.
    Heard repeat: a question heard again, deliberate or not.
    """

    false_deliveries: tuple[str, ...]
    false_releases: tuple[str, ...]
    false_releases_held: int
    false_covers: tuple[str, ...]
    heard_repeats: tuple[str, ...]
    questions_heard: int
    details_asked: int
    details_volunteered: int
    details_total: int
    voiced: tuple[TrueQuestion, ...] = field(repr=False)

    def summary(self) -> dict[str, Any]:
        """The figures as plain values."""
        values = asdict(self)
        del values["voiced"]
        return {
            name: len(value)
            if name in ("false_deliveries", "false_releases", "false_covers", "heard_repeats")
            else value
            for name, value in values.items()
        }


def true_questions(voiced: Sequence[Voiced], played: Mapping[str, int]) -> tuple[TrueQuestion, ...]:
    """All questions voiced, in order, with what was heard. `played` is ms by response id, over all its items."""
    found: list[TrueQuestion] = []
    offset: dict[str, int] = defaultdict(int)
    for item in voiced:
        begin = offset[item.response_id]
        for asked in item.asks:
            end_ms = begin + item.spoken_ms(asked.end)
            heard = played.get(item.response_id, 0) + TOLERANCE_MS >= end_ms > 0
            sentence = item.text[asked.start : asked.end]
            found.append(TrueQuestion(asked.key, sentence, item.response_id, item.item_id, end_ms, heard))
        offset[item.response_id] += item.total_ms
    return tuple(found)


def judge(
    ledger: Ledger,
    voiced: Sequence[Voiced],
    played: Mapping[str, int],
    disclosures: Sequence[Disclosure],
    details_total: int,
) -> Truth:
    """Compare a finished call's ledger with the truth."""
    questions = true_questions(voiced, played)
    by_response: dict[str, list[TrueQuestion]] = defaultdict(list)
    for question in questions:
        by_response[question.response_id].append(question)
    false_deliveries: list[str] = []
    false_releases: list[str] = []
    held = 0
    for attempt in ledger.attempts.values():
        asked = _asked(attempt, by_response)
        if attempt.outcome == "delivered" and not asked:
            false_deliveries.append(attempt.id)
        elif attempt.outcome in ("released", "held") and asked and attempt.reason != "cut":
            false_releases.append(attempt.id)
            held += attempt.outcome == "held"
    told = {d.detail_id: d.asked for d in reversed(disclosures)}
    return Truth(
        false_deliveries=tuple(false_deliveries),
        false_releases=tuple(false_releases),
        false_releases_held=held,
        false_covers=_false_covers(ledger, by_response),
        heard_repeats=_repeats(ledger, questions),
        questions_heard=sum(q.heard for q in questions),
        details_asked=sum(told.values()),
        details_volunteered=len(told) - sum(told.values()),
        details_total=details_total,
        voiced=questions,
    )


def _asked(attempt: Attempt, by_response: Mapping[str, list[TrueQuestion]]) -> bool:
    response_id = attempt.value("started", "response_id")
    wording = attempt.value("selected", "text")
    return any(q.heard and q.key == wording for q in by_response.get(str(response_id), ()))


def _false_covers(ledger: Ledger, by_response: Mapping[str, list[TrueQuestion]]) -> tuple[str, ...]:
    identity = _identities(ledger)
    return tuple(
        question.id
        for question in ledger.questions.values()
        if question.covered is not None
        and not any(
            q.heard and identity.get(q.key) == question.id
            for q in by_response.get(str(question.covered.evidence.get("response_id")), ())
        )
    )


def _identities(ledger: Ledger) -> dict[str, str]:
    """The question that each wording given to the voice stands for."""
    identity = {str(a.value("selected", "text")): a.question_id for a in ledger.attempts.values()}
    return identity | {q.text: q.id for q in ledger.questions.values() if q.planned}


def _repeats(ledger: Ledger, questions: Sequence[TrueQuestion]) -> tuple[str, ...]:
    identity = _identities(ledger)
    seen: set[str] = set()
    repeats: list[str] = []
    for question in questions:
        if question.heard:
            who = identity.get(question.key, question.key)
            if who in seen:
                repeats.append(f"{who}: {question.sentence}")
            seen.add(who)
    return tuple(repeats)
