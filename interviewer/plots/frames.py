"""What the figures of a call are drawn from: queries on the store. Times are ms on the call's clock."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interviewer.store.store import Store

if TYPE_CHECKING:
    import pandas as pd

_CALL = """
SELECT
    call_id, topic, guest, target_ms,
    greatest(elapsed_ms, (SELECT max(at_ms) FROM moments AS m WHERE m.call_id = c.call_id)) AS end_ms,
    (SELECT max(at_ms) FROM moments AS m WHERE m.call_id = c.call_id AND m.kind = 'goodbye') AS goodbye_ms,
    try_cast(settings -> 'call' ->> 'wrap_up_from' AS DOUBLE) AS wrap_up_from
FROM calls AS c
WHERE call_id = ?
"""
_PHASES = """
SELECT at_ms AS started_ms, lead(at_ms) OVER (ORDER BY ts_ms, journal_line) AS ended_ms, detail ->> 'phase' AS phase
FROM moments
WHERE call_id = ? AND kind = 'phase'
ORDER BY ts_ms, journal_line
"""
_TURNS = """
SELECT number, speaker, at_ms AS started_ms, ended_at_ms AS ended_ms
FROM transcript
WHERE call_id = ? AND at_ms IS NOT NULL AND ended_at_ms > at_ms
ORDER BY number
"""
_ATTEMPTS = """
SELECT
    a.attempt_id, a.question_id, a.stage, a.outcome, a.reason, r.planned, a.selected_seq,
    max(e.at_ms) FILTER (e.seq = a.selected_seq) AS selected_ms,
    min(e.at_ms) FILTER (e.kind = 'started' AND a.stage >= 3) AS started_ms,
    min(e.at_ms) FILTER (e.kind = 'generated' AND a.stage >= 4) AS generated_ms,
    (SELECT at_ms FROM ledger_events AS c WHERE c.call_id = a.call_id AND c.seq = a.closed_seq) AS closed_ms
FROM attempts AS a
JOIN registered AS r USING (call_id, question_id)
JOIN ledger_events AS e ON e.call_id = a.call_id AND e.attempt_id = a.attempt_id
WHERE a.call_id = ?
GROUP BY ALL
ORDER BY a.selected_seq
"""
_RUNS = """
SELECT job_id, agent, at_ms AS started_ms, latency_ms, outcome
FROM agent_runs
WHERE call_id = ? AND cycle > 0 AND at_ms IS NOT NULL AND latency_ms IS NOT NULL
ORDER BY at_ms, job_id
"""
_QUESTIONS = """
SELECT
    s.question_id, s.text, s.planned, s.priority, s.status, s.last_reason, s.attempts, s.covered, s.volunteered,
    s.declined, s.nothing_to_say, s.claimed, coalesce(q.section_title, '') AS section, s.registered_seq,
    min(m.at_ms) FILTER (m.kind = 'answered' AND m.ts_ms > 0) AS answered_ms,
    (
        SELECT min(h.at_ms) FROM heard AS h
        WHERE h.call_id = s.call_id AND h.question_id = s.question_id AND h.from_call IS NULL
    ) AS heard_ms
FROM question_state AS s
LEFT JOIN questions AS q USING (call_id, question_id)
LEFT JOIN marks AS m USING (call_id, question_id)
-- What only earlier calls of the interview asked is theirs to show.
WHERE s.call_id = ? AND (s.planned OR s.attempts > 0 OR s.carried_from IS NULL)
GROUP BY ALL
ORDER BY s.registered_seq
"""


@dataclass(frozen=True, slots=True)
class CallFrames:
    """A call as one row of facts and some data frames; their columns are those of the queries above."""

    call: dict[str, Any]
    phases: "pd.DataFrame"
    turns: "pd.DataFrame"
    attempts: "pd.DataFrame"
    runs: "pd.DataFrame"
    questions: "pd.DataFrame"


def call_frames(store: Store, call: str) -> CallFrames:
    """Query everything the figures of one call need. Raises NotFound if `call` names none, or several."""
    call_id = [store.resolve(call)]
    frames = (store.sql(query, call_id) for query in (_PHASES, _TURNS, _ATTEMPTS, _RUNS, _QUESTIONS))
    return CallFrames(rows(store.sql(_CALL, call_id))[0], *frames)


def rows(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """The rows of a data frame, with None where there is no value."""
    whole = frame.astype(object)
    return [
        {str(name): value for name, value in row.items()} for row in whole.where(whole.notna(), None).to_dict("records")
    ]
