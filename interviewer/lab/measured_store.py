"""Many calls as metrics take them, straight from the database."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from interviewer.errors import InterviewerError, LedgerError, NotFound
from interviewer.kept.reading import CallLog
from interviewer.lab.collecting import collecting_afterwards
from interviewer.lab.measured import TOO_EARLY, Kept, of_log
from interviewer.ledger.events import Kind, LedgerEvent
from interviewer.matching import thresholds
from interviewer.matching.scorer import scorer
from interviewer.metrics.record import CallFacts
from interviewer.model.corrections import Corrections
from interviewer.settings import MetricSettings
from interviewer.store.store import Store

_CALLS = """
    SELECT call_id, world, source, c.target_ms, plan ->> 'language', l.elapsed_ms
    FROM calls AS c LEFT JOIN plans USING (call_id) LEFT JOIN call_lengths AS l USING (call_id)
    WHERE call_id IN (SELECT unnest(?))"""
_EVENTS = """
    SELECT call_id, seq, ts_ms, kind, question_id, attempt_id, known, world, basis, evidence, at_ms
    FROM ledger_events WHERE call_id IN (SELECT unnest(?)) ORDER BY call_id, seq"""
_TS_MS = 2
# One row a thing, each with the call it belongs to; in the order in which the journal has them.
_QUERIES: dict[str, str] = {
    "turns": """
        SELECT call_id, turn_id AS id, speaker, text, heard, at_ms, ended_at_ms, item_id
        FROM turns WHERE call_id IN (SELECT unnest(?)) ORDER BY call_id, position, started_ms, turn_id""",
    "replies": """
        SELECT call_id, kind, stale_ms FROM replies WHERE call_id IN (SELECT unnest(?)) ORDER BY call_id, number""",
    "decisions": """
        SELECT call_id, source, question_id, text, outcome
        FROM decisions WHERE call_id IN (SELECT unnest(?)) ORDER BY call_id, number""",
    "runs": """
        SELECT call_id, agent, outcome, cost_usd
        FROM agent_runs WHERE call_id IN (SELECT unnest(?)) ORDER BY call_id, ended_ms, job_id""",
    "moments": """
        SELECT call_id, ts_ms, kind, detail ->> 'what' AS what
        FROM moments WHERE call_id IN (SELECT unnest(?)) AND kind IN ('ignored', 'correction')
        ORDER BY call_id, journal_line""",
}

_KINDS = frozenset(get_args(Kind))


def of_store(
    store: Store, calls: Sequence[str], on_failed: Callable[[InterviewerError], object] | None = None
) -> list[CallFacts]:
    """The facts of these calls by id, in this order; the same as `of_log` gives of their journals, and much faster.

    Of calls in which a name was put right, and of imported ones, the journal is read. A call that cannot be used is
    told to `on_failed` and left out; without it LedgerError, JournalError or NotFound is raised, naming the call.
    """
    with collecting_afterwards():
        return _read(store, calls, on_failed)


def _read(
    store: Store, calls: Sequence[str], on_failed: Callable[[InterviewerError], object] | None
) -> list[CallFacts]:
    wanted = list(dict.fromkeys(calls))
    with store.database.connect(writes=False) as connection:
        heads = {row[0]: row for row in connection.execute(_CALLS, [wanted]).fetchall()}
        rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
        for name, query in _QUERIES.items():
            answer = connection.execute(query, [wanted])
            rows[name] = _by_call([column[0] for column in answer.description or ()], answer.fetchall())
        events: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for row in connection.execute(_EVENTS, [wanted]).fetchall():
            events[row[0]].append(row)
    found: list[CallFacts] = []
    for call in calls:
        try:
            if call not in heads:
                raise NotFound(f"no call {call!r}")
            found.append(_facts(store, heads[call], {name: rows[name][call] for name in rows}, events[call]))
        except InterviewerError as error:
            if on_failed is None:
                raise
            on_failed(error)
    return found


def in_numbers(store: Store, settings: MetricSettings) -> MetricSettings:
    """These settings with the number that their threshold stands for, which may be one of the home's own.

    Raises SettingsError if there is none of that name, or if it was chosen for another scorer.
    """
    value = thresholds.value(settings.threshold, scorer(settings.scorer), store.home.root)
    return settings.model_copy(update={"threshold": value})


def _by_call(names: Sequence[str], found: Sequence[Sequence[Any]]) -> dict[str, list[dict[str, Any]]]:
    by_call: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in found:
        by_call[row[0]].append(dict(zip(names[1:], row[1:], strict=True)))
    return by_call


def _facts(
    store: Store, head: Sequence[Any], rows: Mapping[str, list[dict[str, Any]]], events: Sequence[tuple[Any, ...]]
) -> CallFacts:
    call_id, world, source, target_ms, language, elapsed_ms = head
    if source == "import" or any(row["kind"] == "correction" for row in rows["moments"]):
        return of_log(CallLog.read(store.journal_path(call_id)))
    shown = {row[_TS_MS]: row[-1] for row in events}
    try:
        return Kept(
            call_id=call_id,
            world=world or "real",
            source=source or "call",
            language=language or "",
            target_ms=target_ms,
            turns=rows["turns"],
            events=_events(events),
            replies=rows["replies"],
            decisions=rows["decisions"],
            runs=rows["runs"],
            elapsed_ms=elapsed_ms,
            shown=shown.__getitem__,
            early_goodbyes=sum(row["kind"] == "ignored" and row["what"] == TOO_EARLY for row in rows["moments"]),
            names=Corrections(),
        ).facts()
    except LedgerError as error:
        raise LedgerError(f"call {call_id}: {error}") from None


def _events(rows: Sequence[tuple[Any, ...]]) -> list[LedgerEvent]:
    """Events as `_EVENTS` gives them: columns have types, so that only the kinds have to be looked at."""
    evidence = json.loads(f"[{','.join(row[-2] for row in rows)}]")  # read at once, which is quicker
    made = [
        LedgerEvent(seq, t_ms, kind, question, attempt, known, world, basis, each)
        for (_, seq, t_ms, kind, question, attempt, known, world, basis, _, _), each in zip(rows, evidence, strict=True)
    ]
    if odd := next((event for event in made if event.kind not in _KINDS), None):
        raise LedgerError(f"ledger event {odd.seq}: kind cannot be {odd.kind!r}")
    return made
