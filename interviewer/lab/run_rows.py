"""A replayed recording as rows of the tables of runs, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from interviewer.call.setup import CallSetup
from interviewer.ledger.events import LedgerEvent
from interviewer.replay.outcome import AgentRun, Decided, Difference, Disclosure, Failed, Kind, Left, Moment, Replayed
from interviewer.replay.recording import Origin, Spoken
from interviewer.store.runs import Tables

Row = dict[str, Any]

# Where a table calls a field otherwise: some names are SQL's own, and `source` is a question's.
_DECIDED = {"t_ms": "ts_ms", "turn": "turn_id", "returning": "is_return"}
_MOMENT = {"t_ms": "ts_ms", "turn": "turn_id"}
_SPOKEN = {"id": "turn_id"}
_DISCLOSURE = {"t_ms": "ts_ms", "turn": "turn_id"}
_LEFT = {field.name: f"left_{field.name.removeprefix('t_')}" for field in fields(Left)}


def rows_of(result: Replayed) -> Tables:
    """The rows of a replayed recording, by table."""
    whose = {"recording": result.source, "call_id": call_of(result.source, result.origin)}
    differences = (
        {
            "input": each.input,
            "input_type": each.input_type,
            "ts_ms": each.t_ms,
            "stored": each.stored.to_dict() if each.stored else None,
            "fresh": each.fresh.to_dict() if each.fresh else None,
            "fields": [list(field) for field in each.fields],
        }
        for each in result.differences
    )
    tables: dict[str, list[Row]] = {
        "run_calls": [_call(result)],
        "run_turns": [
            *_numbered(result.recorded, _SPOKEN, side="recorded"),
            *_numbered(result.turns, _SPOKEN, side="replayed"),
        ],
        "run_decisions": [_renamed(each, _DECIDED) for each in result.decisions],
        "run_moments": _numbered(result.moments, _MOMENT),
        "run_events": [_event(each) for each in result.events],
        "run_agent_runs": [asdict(each) for each in result.runs],
        "run_differences": [{**row, "position": number} for number, row in enumerate(differences, 1)],
        "run_disclosures": [_renamed(each, _DISCLOSURE) for each in result.disclosures],
        "run_records": [
            {"position": number, "kind": kind, "ts_ms": t_ms, "data": dict(data)}
            for number, (kind, t_ms, data) in enumerate(result.records, 1)
        ],
    }
    return {table: [{**row, **whose} for row in rows] for table, rows in tables.items()}


def rows_of_failure(failed: Failed, origin: Origin | None = None) -> Tables:
    """The row of a recording that could not be replayed."""
    return {
        "run_failures": [
            {
                "recording": failed.source,
                "call_id": call_of(failed.source, origin),
                "error": failed.error,
                "problem": failed.problem,
            }
        ]
    }


def call_of(source: str, origin: Origin | None) -> str | None:
    """The id of the call that a recording is, if it is one of the store."""
    # A call that was named twice is `ID~2` the second time.
    return source.partition("~")[0] if origin in ("call", "import") else None


def joined(parts: Sequence[Tables]) -> Tables:
    """The rows of several recordings as those of one part."""
    tables: dict[str, list[Row]] = {}
    for part in parts:
        for table, rows in part.items():
            tables.setdefault(table, []).extend(rows)
    return tables


def replayed(kind: Kind, call: Row, tables: Mapping[str, Sequence[Row]]) -> Replayed:
    """A replayed recording from its row of `run_calls` and its own rows of the other tables, JSON read."""
    sides = {side: [row for row in tables["run_turns"] if row["side"] == side] for side in ("recorded", "replayed")}
    left = _made(Left, call, _LEFT) if call["left_turn"] is not None else None
    return Replayed(
        source=call["recording"],
        origin=call["origin"],
        kind=kind,
        setup=CallSetup.model_validate(call["setup"]),
        turns=tuple(_made(Spoken, row, _SPOKEN) for row in sides["replayed"]),
        recorded=tuple(_made(Spoken, row, _SPOKEN) for row in sides["recorded"]),
        decisions=tuple(_decided(row) for row in tables["run_decisions"]),
        moments=tuple(_made(Moment, row, _MOMENT) for row in tables["run_moments"]),
        events=tuple(LedgerEvent.from_dict({**row, "t_ms": row["ts_ms"]}) for row in tables["run_events"]),
        runs=tuple(_made(AgentRun, row, {}) for row in tables["run_agent_runs"]),
        inputs=call["inputs"],
        ended=call["ended"],
        ended_ms=call["ended_ms"],
        seconds=call["seconds"],
        differences=tuple(_difference(row) for row in tables["run_differences"]),
        left=left,
        disclosures=tuple(_made(Disclosure, row, _DISCLOSURE) for row in tables["run_disclosures"]),
        details=call["details"],
        truth=call["truth"],
        records=tuple((row["kind"], row["ts_ms"], row["data"]) for row in tables["run_records"]),
        notes=tuple(call["notes"] or ()),
    )


def _call(result: Replayed) -> Row:
    left = {} if result.left is None else _renamed(result.left, _LEFT)
    return {
        "origin": result.origin,
        "topic": result.setup.plan.topic,
        **{name: getattr(result, name) for name in ("ended", "ended_ms", "inputs", "seconds", "details")},
        **left,
        "truth": dict(result.truth) if result.truth is not None else None,
        "notes": list(result.notes),
        "setup": result.setup.model_dump(mode="json"),
    }


def _event(event: LedgerEvent) -> Row:
    data = event.to_dict()
    scores = {name: data["evidence"].get(name) for name in ("reason", "score")}
    return {**data, **scores, "ts_ms": data["t_ms"]}


def _numbered(values: Sequence[Any], names: Mapping[str, str], **more: Any) -> list[Row]:
    return [{"position": number, **_renamed(value, names), **more} for number, value in enumerate(values, 1)]


def _renamed(value: Any, names: Mapping[str, str]) -> Row:
    row = {names.get(field.name, field.name): getattr(value, field.name) for field in fields(value)}
    return {name: list(each) if isinstance(each, tuple) else each for name, each in row.items()}


def _made(kind: type[Any], row: Row, names: Mapping[str, str]) -> Any:
    return kind(**{field.name: row[names.get(field.name, field.name)] for field in fields(kind)})


def _decided(row: Row) -> Decided:
    found: Decided = _made(Decided, {**row, "themes": tuple(row["themes"] or ())}, _DECIDED)
    return found


def _difference(row: Row) -> Difference:
    stored, fresh = (LedgerEvent.from_dict(row[name]) if row[name] else None for name in ("stored", "fresh"))
    changed = tuple((str(name), before, now) for name, before, now in row["fields"])
    return Difference(row["input"], row["input_type"], row["ts_ms"], stored, fresh, changed)
