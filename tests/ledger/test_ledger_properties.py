"""Whatever events come in, and however, the ledger's promises hold."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.fold import Ledger, fold
from interviewer.ledger.views import delivered
from tests.ledger.story import STAGES, evidence_of

QUESTIONS = ("q1", "q2", "q3")
ATTEMPTS = ("a1", "a2", "a3", "a4")
RESPONSES = ("r1", "r2", None)

Draft = tuple[str, str | None, str | None, dict[str, Any]]


@st.composite
def attempts(draw: st.DrawFn) -> list[Draft]:
    """An attempt from selection on: whole, cut off, with a stage missing, doubled or doubtful."""
    question, attempt = draw(st.sampled_from(QUESTIONS)), draw(st.sampled_from(ATTEMPTS))
    response = draw(st.sampled_from(RESPONSES[:2]))
    stages = list(STAGES[: draw(st.sampled_from((5, 5, 5, 4, 3, 2, 1)))])
    damage = draw(st.sampled_from(("none", "none", "lost", "doubled", "swapped")))
    place = draw(st.integers(0, len(stages) - 1))
    if damage == "lost":
        del stages[place]
    elif damage == "doubled":
        stages.insert(place, stages[place])
    elif damage == "swapped":
        stages[place], stages[-1] = stages[-1], stages[place]
    ending = draw(st.sampled_from((None, None, "released", "held")))
    drafts: list[Draft] = [(s, question, attempt, draw(_evidence(s, response))) for s in stages]
    if ending:
        reason = "failed" if ending == "released" else "cut"
        drafts.insert(draw(st.integers(0, len(drafts))), (ending, question, attempt, {"reason": reason}))
    return drafts


def _evidence(stage: str, response: str | None) -> st.SearchStrategy[dict[str, Any]]:
    whole = evidence_of(stage, str(response))
    doubtful = [{**whole, "response_id": other} for other in RESPONSES]
    doubtful += [{**whole, "status": "cancelled"}, {**whole, "played_ms": 2_000}, {}]
    return st.one_of(st.just(whole), st.just(whole), st.just(whole), st.sampled_from(doubtful))


NOISE: st.SearchStrategy[Draft] = st.one_of(
    st.tuples(
        st.sampled_from(
            (
                "heard",
                "covered",
                "answered",
                "declined",
                "claimed",
                "reconstructed",
                "carried",
                "remembered",
                "guarded",
                "repeated",
                "late",
                "recovered",
            )
        ),
        st.sampled_from(QUESTIONS),
        st.none(),
        st.fixed_dictionaries({"response_id": st.sampled_from(RESPONSES), "volunteered": st.booleans()}),
    ),
    st.tuples(
        st.sampled_from((*STAGES, "released", "held")),
        st.sampled_from(QUESTIONS),
        st.sampled_from(ATTEMPTS),
        st.fixed_dictionaries(
            {"response_id": st.sampled_from(RESPONSES), "reason": st.sampled_from(("failed", "cut", None))}
        ),
    ),
    st.just(("unrecovered", None, None, {})),
)


@st.composite
def logs(draw: st.DrawFn) -> list[LedgerEvent]:
    """Up to five attempts woven into each other with noise, under rising numbers with gaps."""
    strands = [*draw(st.lists(attempts(), max_size=5)), draw(st.lists(NOISE, max_size=6))]
    order = draw(st.permutations([i for i, strand in enumerate(strands) for _ in strand]))
    rows: list[Draft] = [("question", q, None, {"text": q, "priority": 2, "planned": True}) for q in QUESTIONS]
    weave = draw(st.booleans())
    iterators = [iter(strand) for strand in strands]
    rows += [next(iterators[i]) for i in (order if weave else sorted(order))]
    events, seq = [], 0
    for kind, question, attempt, evidence in rows:
        seq += draw(st.sampled_from((1, 1, 1, 2, 7)))
        events.append(LedgerEvent(seq, seq * 100, kind, question, attempt, evidence=evidence))  # type: ignore[arg-type]
    return events


def proven(events: Sequence[LedgerEvent], question: str) -> bool:
    """Read off the events alone: one attempt of this question has all five stages, in order, under one response."""
    mine = [e for e in events if e.question_id == question and e.attempt_id]
    for attempt in sorted({e.attempt_id or "" for e in mine}):
        stages = [e for e in mine if e.attempt_id == attempt and e.kind in STAGES]
        if any(_chain(stages, response) for response in ("r1", "r2")):
            return True
    return False


def _chain(stages: Sequence[LedgerEvent], response: str) -> bool:
    due = 0
    for event in stages:
        if due == len(STAGES) or event.kind != STAGES[due]:
            continue
        e: Mapping[str, Any] = event.evidence
        if due >= 2 and e.get("response_id") != response:
            continue
        if due == 4 and not (e.get("status") == "completed" and e["played_ms"] + 250 >= e["end_ms"]):
            continue
        due += 1
    return due == len(STAGES)


@given(logs())
def test_delivered_implies_all_five_stages_under_one_completed_and_played_response(log: list[LedgerEvent]) -> None:
    for question in delivered(fold(log)):
        assert proven(log, question.id)


@given(logs())
def test_nothing_revives_a_closed_attempt(log: list[LedgerEvent]) -> None:
    ledger = Ledger()
    closed: dict[str, tuple[str, str, int]] = {}
    for event in log:
        ledger.append(event)
        for attempt in ledger.attempts.values():
            if attempt.id in closed:
                assert closed[attempt.id] == (attempt.outcome, attempt.reason, len(attempt.evidence))
            elif attempt.outcome != "open":
                closed[attempt.id] = (attempt.outcome, attempt.reason, len(attempt.evidence))


@given(logs())
def test_one_attempt_at_most_is_next_and_one_is_current(log: list[LedgerEvent]) -> None:
    ledger = Ledger()
    for event in log:
        ledger.append(event)
        still_open = [a for a in ledger.attempts.values() if a.outcome == "open"]
        assert sum(not a.started for a in still_open) <= 1
        assert sum(a.started for a in still_open) <= 1


@given(logs())
def test_credit_once_given_stays(log: list[LedgerEvent]) -> None:
    ledger = Ledger()
    credited: set[str] = set()
    for event in log:
        ledger.append(event)
        now = {q.id for q in delivered(ledger)}
        assert credited <= now
        credited = now


@given(logs(), st.randoms(use_true_random=False))
def test_order_of_arrival_and_repeats_do_not_matter(log: list[LedgerEvent], chance: random.Random) -> None:
    arrived = log + chance.sample(log, len(log) // 2)
    chance.shuffle(arrived)
    assert fold(arrived).snapshot() == fold(log).snapshot()


def _effective(log: Sequence[LedgerEvent]) -> list[LedgerEvent]:
    """The log as a core writes it: without what the ledger refused."""
    refused = {seq for seq, _ in fold(log).anomalies}
    return [event for event in log if event.seq not in refused]


@given(logs())
def test_a_lost_event_never_credits_a_question(log: list[LedgerEvent]) -> None:
    written = _effective(log)
    credited = {q.id for q in delivered(fold(written))}
    for lost in range(len(written)):
        left = fold(written[:lost] + written[lost + 1 :])
        assert {q.id for q in delivered(left)} <= credited


@given(logs())
def test_what_the_ledger_refused_can_be_left_out(log: list[LedgerEvent]) -> None:
    whole, written = fold(log).snapshot(), fold(_effective(log)).snapshot()
    assert written.pop("anomalies") == []
    del whole["anomalies"]
    assert written == whole


@given(logs())
@settings(max_examples=50)
def test_a_ledger_survives_being_written_down(log: list[LedgerEvent]) -> None:
    read = [LedgerEvent.from_dict(json.loads(json.dumps(event.to_dict()))) for event in log]
    assert read == log
    assert fold(read).snapshot() == fold(log).snapshot()
    assert json.loads(json.dumps(fold(log).snapshot())) == json.loads(json.dumps(fold(read).snapshot()))


def test_the_histories_above_do_reach_delivery() -> None:
    reached = []

    @given(logs())
    @settings(max_examples=100, database=None, derandomize=True)
    def look(log: list[LedgerEvent]) -> None:
        reached.append(bool(delivered(fold(log))))

    look()
    assert sum(reached) >= 5
