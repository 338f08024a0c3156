"""The ledger held against the truth: what the simulated voice really asked, and what of it was really heard."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from interviewer.call.guidance import clean
from interviewer.ledger.fold import Ledger
from interviewer.ledger.state import Attempt
from interviewer.matching.text import words
from interviewer.realtime.engine import Voiced
from interviewer.settings import MatchSettings
from interviewer.simulate.guest import Disclosure

_DEFAULTS = MatchSettings()
_OWN = "own: "


@dataclass(frozen=True, slots=True)
class TrueQuestion:
    """A question as it was voiced; `key` is the wording the voice was given, cleaned. `heard`: played to its end."""

    key: str
    sentence: str
    response_id: str
    item_id: str
    end_ms: int
    heard: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """What the ledger got wrong, and what the guest told.

    False delivery: credit for a question that this response did not ask, or that was not heard to its end; also when
    the words it asked are those of another planned question.
    False release: an attempt released or held although its question was asked and heard to its end; `held` of them
    were held.
    False cover: a question counted as covered by a reply that did not ask it.
    Heard repeat: a question heard again, deliberate or not, also one that an earlier call of the chain had asked.
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


def true_questions(
    voiced: Sequence[Voiced], played: Mapping[str, int], match: MatchSettings = _DEFAULTS
) -> tuple[TrueQuestion, ...]:
    """All questions voiced, in order, with what was heard. `played` is ms by response id, over all its items."""
    found: list[TrueQuestion] = []
    offset: dict[str, int] = defaultdict(int)
    for item in voiced:
        begin = offset[item.response_id]
        for asked in item.asks:
            end_ms = begin + item.spoken_ms(asked.end)
            heard = played.get(item.response_id, 0) + match.delivered_tolerance_ms >= end_ms > 0
            sentence = item.text[asked.start : asked.end]
            found.append(TrueQuestion(clean(asked.key), sentence, item.response_id, item.item_id, end_ms, heard))
        offset[item.response_id] += item.total_ms
    return tuple(found)


def judge(
    ledger: Ledger,
    voiced: Sequence[Voiced],
    played: Mapping[str, int],
    disclosures: Sequence[Disclosure],
    details_total: int,
    match: MatchSettings = _DEFAULTS,
) -> Truth:
    """Compare a finished call's ledger with the truth. `match`: what the call was set to."""
    questions = true_questions(voiced, played, match)
    identities = _Identities(ledger)
    by_response: dict[str, list[TrueQuestion]] = defaultdict(list)
    for question in questions:
        by_response[question.response_id].append(question)
    false_deliveries: list[str] = []
    false_releases: list[str] = []
    held = 0
    for attempt in ledger.attempts.values():
        asked = _asked(attempt, by_response, identities)
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
        false_covers=_false_covers(ledger, by_response, identities),
        heard_repeats=_repeats(questions, identities, _heard_before(ledger)),
        questions_heard=sum(q.heard for q in questions),
        details_asked=sum(told.values()),
        details_volunteered=len(told) - sum(told.values()),
        details_total=details_total,
        voiced=questions,
    )


class _Identities:
    """The question that a wording given to the voice, or made up by it, stands for."""

    def __init__(self, ledger: Ledger) -> None:
        self._planned: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for question in ledger.questions.values():
            if question.planned or question.carried:
                self._planned[words(question.text)].append(question.id)
        self._worded = {_wording(a): a.question_id for a in ledger.attempts.values()}

    def planned(self, key: str) -> Sequence[str]:
        """The planned questions that have the same words: one, unless the plan asks it twice."""
        return self._planned.get(words(key.removeprefix(_OWN)), ())

    def of(self, key: str) -> str:
        """The first of them, else the question an attempt gave this wording to, else the key itself."""
        return next(iter(self.planned(key)), self._worded.get(key, key))


def _wording(attempt: Attempt) -> str:
    return clean(str(attempt.value("selected", "text")))


def _asked(attempt: Attempt, by_response: Mapping[str, list[TrueQuestion]], identities: _Identities) -> bool:
    response_id = attempt.value("started", "response_id")
    wording = _wording(attempt)
    owners = identities.planned(wording)
    # The wording may be another planned question's: then it is that one that was asked.
    if owners and attempt.question_id not in owners:
        return False
    return any(q.heard and q.key == wording for q in by_response.get(str(response_id), ()))


def _false_covers(
    ledger: Ledger, by_response: Mapping[str, list[TrueQuestion]], identities: _Identities
) -> tuple[str, ...]:
    return tuple(
        question.id
        for question in ledger.questions.values()
        if question.covered is not None
        and not any(
            q.heard and identities.of(q.key) == question.id
            for q in by_response.get(str(question.covered.evidence.get("response_id")), ())
        )
    )


def _heard_before(ledger: Ledger) -> set[str]:
    """Questions that were delivered in an earlier call of the chain."""
    carried = ((q.id, q.carried) for q in ledger.questions.values())
    return {key for key, event in carried if event and event.evidence.get("status") == "delivered"}


def _repeats(questions: Sequence[TrueQuestion], identities: _Identities, seen: set[str]) -> tuple[str, ...]:
    """Those heard again; `seen` were heard in earlier calls."""
    repeats: list[str] = []
    for question in questions:
        if question.heard:
            who = identities.of(question.key)
            if who in seen:
                repeats.append(f"{who}: {question.sentence}")
            seen.add(who)
    return tuple(repeats)
