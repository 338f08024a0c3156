import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import duckdb
import pytest

from interviewer.ledger.events import HELD_REASONS, RELEASE_REASONS, STAGES, LedgerEvent
from interviewer.ledger.fold import Ledger, fold
from interviewer.ledger.state import QuestionState
from interviewer.store.columns import shapes
from interviewer.store.database import Database
from interviewer.store.store import Store
from tests.store import journals

QUESTIONS = ["q1", "q2", "q3", "q4", None]


def _evidence(rng: random.Random, kind: str, response_id: str) -> dict[str, Any]:
    """Evidence that is mostly right for this kind of event."""
    given: dict[str, Any] = {"response_id": response_id if rng.random() < 0.9 else rng.choice(["r1", "", None])}
    if kind == "question":
        given = {"text": rng.choice(["a", "b"]), "priority": rng.choice([1, 2, 3, None]), "planned": rng.random() < 0.7}
    elif kind == "delivered":
        given |= {"status": rng.choice(["completed"] * 6 + ["cancelled"]), "displayed": rng.random() < 0.1}
        # Two seconds, and a question so short that the tolerance alone would cover it: half of that must be played.
        end_ms, played_ms = rng.choice(
            [(2_000, 1_800), (2_000, 1_749), (2_000, None), (201, 0), (201, 100), (201, 101)]
        )
        given |= {"played_ms": played_ms, "tolerance_ms": 250, "end_ms": end_ms}
    elif kind in ("released", "held"):
        given |= {"reason": rng.choice([*RELEASE_REASONS, *HELD_REASONS]), "heard_ms": rng.choice([0, 700, None])}
    elif kind == "heard":
        given |= {"item_id": rng.choice(["i1", "i2"]), "start": rng.choice([0, 9]), "text": "heard"}
    elif kind == "answered":
        given |= {"volunteered": rng.random() < 0.5}
    elif kind == "reconstructed":
        given |= {"score": rng.choice([0.41, 0.9, None])}
    elif kind == "carried":
        given = {
            "status": rng.choice(["delivered", "held", "held", "lost", None]),
            "holds": rng.choice([1, 2, None]),
            "reason": "cut",
        }
    elif kind == "guarded":
        given = {"decision": rng.choice(["passed", "warned", "refused", "refused", "lost", None]), "score": 0.5}
    elif kind == "repeated":
        given |= {"item_id": rng.choice(["i1", "i2"]), "start": rng.choice([0, 9]), "text": "again", "like": "heard"}
        given |= {"deliberate": rng.random() < 0.3}
    elif kind == "remembered":
        given = {"text": "asked before", "call": rng.choice(["c-0", None])}
    return given


def _anything(rng: random.Random) -> list[LedgerEvent]:
    """A ledger in which most attempts go their way and much comes out of turn."""
    kinds = [*STAGES, "question", "released", "held", "heard", "covered", "answered", "declined", "nothing", "claimed"]
    events: list[LedgerEvent] = []
    tried: list[tuple[str | None, str, int]] = []  # question, attempt, stages so far
    for seq in range(1, rng.randint(5, 60)):
        question_id, attempt_id = rng.choice(QUESTIONS), rng.choice(["a1", "a2", "a3", None])
        kind: Any = rng.choice([*kinds, "reconstructed", "carried", "carried", "remembered", "late", "unrecovered"])
        kind = rng.choice([kind, kind, kind, "guarded", "heard", "repeated"])
        if seq <= 4:
            kind, question_id = "question", QUESTIONS[seq - 1]
        elif tried and rng.random() < 0.7:
            at = rng.randrange(len(tried))
            question_id, attempt_id, stage = tried[at]
            kind = rng.choice(["released", "held"]) if rng.random() < 0.15 else STAGES[min(stage, 4)]
            tried[at] = (question_id, attempt_id, stage + 1)
        elif rng.random() < 0.6:
            kind, attempt_id = "selected", f"n{seq}"
            tried.append((question_id, attempt_id, 1))
        evidence = _evidence(rng, kind, f"r-{attempt_id}")
        events.append(LedgerEvent(seq, seq * 10, kind, question_id, attempt_id, evidence=evidence))
    return events


def _fill(database: Database, ledgers: dict[str, list[LedgerEvent]]) -> None:
    with database.connect() as connection:
        shape = shapes(connection)["ledger_events"]
        rows = [
            shape.fit({**event.evidence, **event.to_dict(), "ts_ms": event.t_ms, "call_id": call_id})
            for call_id, events in ledgers.items()
            for event in events
        ]
        connection.from_arrow(shape.arrow(rows)).insert_into("ledger_events")


def _last_reason(question: QuestionState) -> object:
    if question.attempts:
        return question.attempts[-1].reason
    return question.carried.evidence["reason"] if question.carried else ""


def _states(ledger: Ledger) -> list[tuple[Any, ...]]:
    return sorted(
        (
            q.id, q.text, q.priority, q.planned, q.status, len(q.attempts), q.holds,
            _last_reason(q), q.covered is not None, q.answered is not None, q.volunteered,
            q.declined is not None, q.nothing is not None, q.claimed is not None,
            q.refused is not None, round(q.effective_priority, 6),
        )
        for q in ledger.questions.values()
    )  # fmt: skip


def _attempts(ledger: Ledger) -> list[tuple[Any, ...]]:
    return sorted(
        (a.id, a.question_id, STAGES.index(a.stage) + 1, a.outcome, a.reason, a.heard_ms)
        for a in ledger.attempts.values()
    )


def _by_call(connection: duckdb.DuckDBPyConnection, query: str) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for call_id, *row in connection.execute(query).fetchall():
        found[call_id].append(tuple(row))
    return found


def test_sql_folds_any_ledger_as_the_package_does(tmp_path: Path) -> None:
    ledgers = {f"c{number:03d}": _anything(random.Random(f"views:{number}")) for number in range(300)}
    database = Database(tmp_path / "x.duckdb")
    _fill(database, ledgers)
    with database.connect() as connection:
        states = _by_call(
            connection,
            "SELECT call_id, question_id, text, priority, planned, status, attempts, holds, last_reason, covered, "
            "answered, volunteered, declined, nothing_to_say, claimed, refused, round(effective_priority, 6) "
            "FROM question_state ORDER BY ALL",
        )
        attempts = _by_call(
            connection,
            "SELECT call_id, attempt_id, question_id, stage, outcome, reason, heard_ms FROM attempts ORDER BY ALL",
        )
        by_seq = "SELECT call_id, ts_ms, text, question_id FROM heard WHERE from_call IS {} NULL ORDER BY call_id, seq"
        heard = _by_call(connection, by_seq.format(""))
        before = _by_call(connection, by_seq.format("NOT"))
        repeats = _by_call(connection, "SELECT call_id, seq, decision FROM guard WHERE spoken ORDER BY call_id, seq")
    for call_id, events in ledgers.items():
        ledger = fold(events)
        said = [(e.seq, "returned" if e.evidence.get("deliberate") else "repeated") for e in ledger.repeats]
        assert repeats[call_id] == said, call_id
        assert states[call_id] == _states(ledger), call_id
        assert attempts[call_id] == _attempts(ledger), call_id
        assert heard[call_id] == [(h.t_ms, h.text, h.question_id) for h in ledger.heard], call_id
        assert before[call_id] == [(h.t_ms, h.text, h.question_id) for h in ledger.remembered], call_id
    assert {decision for rows in repeats.values() for _, decision in rows} == {"repeated", "returned"}
    statuses = {row[4] for rows in states.values() for row in rows}
    outcomes = {row[3] for rows in attempts.values() for row in rows}
    assert (statuses, outcomes) == (
        {"delivered", "pending", "held", "available"},
        {"delivered", "open", "held", "released"},
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    home = tmp_path_factory.mktemp("views")
    journals.write(home / "journals" / "c-1.jsonl")
    return Store.open(home)


def _rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    with store.database.connect() as connection:
        return connection.execute(query).fetchall()


def test_question_state_of_the_small_call(store: Store) -> None:
    query = "SELECT question_id, status, attempts, last_reason, volunteered, effective_priority FROM question_state"
    assert _rows(store, f"{query} ORDER BY question_id") == [
        ("q1", "delivered", 1, "", False, 1.0),
        ("q2", "held", 1, "unconfirmed", False, 2.0),
        ("q3", "available", 0, "", True, 4.0),
        ("u1", "available", 0, "", False, 3.0),
    ]


def test_coverage_counts_planned_questions_and_weighs_them_by_priority(store: Store) -> None:
    # Weights 3, 2 and 1; q1 and q2 selected, q1 delivered, q3 answered.
    shares = "selected_share, delivered_share, answered_share"
    rows = _rows(store, f"SELECT planned, selected, delivered, answered, weight, {shares} FROM coverage")
    assert rows == [(3, 2, 1, 1, 6, pytest.approx(5 / 6), pytest.approx(3 / 6), pytest.approx(1 / 6))]


def test_the_delivery_funnel_gives_each_stage_as_a_share_of_the_one_before(store: Store) -> None:
    assert _rows(store, "SELECT * EXCLUDE (call_id) FROM delivery_funnel") == [
        (2, 2, 2, 1, 1, 0, 1, 1.0, 1.0, 0.5, 1.0)
    ]


def test_agent_latency_counts_late_runs_and_fallbacks(store: Store) -> None:
    # Runs of 1,000 and 3,000 ms: the median lies between them, the 95th percentile at 1,000 + 0.95 * 2,000.
    assert _rows(store, "SELECT * FROM agent_latency") == [("c-1", "note_taker", 2, 2_000.0, 2_900.0, 3_000, 1)]


def test_usage_is_by_agent_and_by_the_voice(store: Store) -> None:
    assert _rows(store, "SELECT * FROM usage ORDER BY spender") == [
        ("c-1", "note_taker", 2, 40, 5, 4, 0.001, 1, 3),
        ("c-1", "voice", 1, 120, 40, 64, 0.02, 0, 0),
    ]


def test_heard_keeps_planned_and_unplanned_questions(store: Store) -> None:
    assert _rows(store, "SELECT question_id, text FROM heard ORDER BY seq") == [
        ("q1", "How did you begin?"),
        ("u1", "And the salt?"),
    ]


def test_every_table_view_and_unobvious_column_says_what_it_is(store: Store) -> None:
    undocumented = "SELECT {0}_name FROM duckdb_{0}s() WHERE NOT internal AND comment IS NULL"
    assert _rows(store, undocumented.format("table")) == []
    assert _rows(store, undocumented.format("view")) == []
    described = "SELECT comment FROM duckdb_columns() WHERE table_name = 'replies' AND column_name = 'stale_ms'"
    assert "guidance" in _rows(store, described)[0][0]
    views = "('question_state', 'coverage')"
    silent = f"SELECT column_name FROM duckdb_columns() WHERE table_name IN {views} AND comment IS NULL"
    assert set(_rows(store, silent)) == {("call_id",)}


def test_usage_counts_what_writing_down_the_guest_cost(tmp_path: Path) -> None:
    tokens = {"type": "tokens", "input_tokens": 50, "output_tokens": 10, "cost_usd": 0.003}
    timed = {"type": "duration", "seconds": 4, "cost_usd": None}
    heard = (journals.rec("transcription", item_id=f"i{n}", usage=used) for n, used in enumerate((tokens, timed)))
    journals.write(tmp_path / "journals" / "c-2.jsonl", iter([journals.setup(), *heard]))
    kept = Store.open(tmp_path)
    assert _rows(kept, "SELECT * FROM usage") == [("c-2", "transcription", 2, 50, 10, None, 0.003, 1, 0)]
