"""Journals of every released format are read, folded and taken in as they were when they were written."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from interviewer.kept.reading import CallLog
from interviewer.kept.said import said
from interviewer.store.store import Store

GOLDEN = Path(__file__).parent / "golden"
EXPECTED: dict[str, dict[str, Any]] = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
NAMES = sorted(EXPECTED)


def test_none_is_without_its_expectation() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.jsonl")) == NAMES


@pytest.fixture(params=NAMES)
def golden(request: pytest.FixtureRequest, fresh_home: Path) -> tuple[Path, dict[str, Any]]:
    name: str = request.param
    path = fresh_home / "journals" / f"{EXPECTED[name]['call_id']}.jsonl"
    path.parent.mkdir()
    shutil.copy(GOLDEN / f"{name}.jsonl", path)
    return path, EXPECTED[name]


def test_it_folds_to_the_same_ledger(golden: tuple[Path, dict[str, Any]]) -> None:
    path, expected = golden
    log = CallLog.read(path)
    assert (log.contents.damaged, log.contents.torn, len(log.contents.lines) + 1) == ([], False, expected["lines"])
    assert {name: log.contents.head[name] for name in ("format", "version", "call_id")} == {
        name: expected[name] for name in ("format", "version", "call_id")
    }
    assert log.setup.plan.questions
    assert log.end_reason == expected["end_reason"]
    assert len(list(log.inputs())) == expected["inputs"]
    assert log.ledger.anomalies == []
    heard = [each.question_id for each in log.ledger.heard]
    assert {
        q.id: {
            "status": q.status,
            "attempts": [attempt.outcome for attempt in q.attempts],
            "answered": q.answered is not None,
            "heard": heard.count(q.id),
        }
        for q in log.ledger.questions.values()
    } == expected["questions"]
    assert {turn.id: turn.speaker for turn in said(log)} == expected["turns"]


def test_it_is_taken_into_the_database_as_it_is(golden: tuple[Path, dict[str, Any]]) -> None:
    path, expected = golden
    store = Store.open(path.parents[1])
    for table, count in expected["rows"].items():
        rows = store.sql(f"SELECT count(*) AS n FROM {table} WHERE call_id = ?", [expected["call_id"]])
        assert (table, int(rows["n"][0])) == (table, count)
    states = store.question_state("last").set_index("question_id")["status"].to_dict()
    assert states == {name: each["status"] for name, each in expected["questions"].items()}
    assert store.calls()["damaged"].tolist() == [0]
    assert store.essay("last")
