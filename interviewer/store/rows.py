"""From the lines of a journal to rows of tables. The payloads are plain values to this room, and nothing more."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from interviewer.model.stopwatch import Stopwatch
from interviewer.store.call_clock import ended_ms
from interviewer.store.lines import Line

Row = dict[str, Any]
Found = tuple[str, Row]

# Where a record goes, and which of its names differ there. Everything else becomes a row of `moments`.
_RECORDS: dict[str, tuple[str, dict[str, str]]] = {
    "turn": ("turns", {"id": "turn_id"}),
    "decision": ("decisions", {"returning": "is_return"}),
    "request": ("requests", {"turn": "turn_id"}),
    "job": ("agent_runs", {}),
    "essay": ("drafts", {}),
    "import": ("imports", {}),
}
_COUNTED = ("ideas", "stories", "claims", "gaps", "contradictions")


def rows_of(line: Line) -> Iterator[Found]:
    """(table, row) for everything this line says; rows lack `call_id`. Inputs and outputs stay in the journal.

    Raises KeyError, TypeError, ValueError or AttributeError if the payload has another shape than its kind.
    """
    maker = _MAKERS.get(line.kind)
    for table, row in maker(line.data) if maker else ():
        yield table, {"journal_line": line.n, "ts_ms": line.t_ms, **row}


def call_row(call_id: str, head: Mapping[str, Any], lines: list[Line], clock: Stopwatch) -> Row:
    """The row of `calls`: from the head, the setup, the last status, the end, and what the call's clock showed."""
    setup = next((line.data for line in lines if line.kind == "setup"), {})
    plan = _mapping(setup.get("plan"))
    settings = _mapping(setup.get("settings"))
    last_ms = lines[-1].t_ms if lines else 0
    ended = ended_ms(lines)
    return {
        **{name: head.get(name) for name in ("interview_id", "follows", "source", "seed", "dossier")},
        "call_id": call_id,
        "started_at": utc(head.get("started_at")),
        "guest": head.get("guest") or setup.get("guest"),
        "world": head.get("world") or setup.get("world"),
        "package_version": head.get("version"),
        "topic": plan.get("topic") or head.get("topic"),
        "context": setup.get("context"),
        "target_ms": _mapping(settings.get("call")).get("target_ms"),
        "duration_ms": last_ms,
        "elapsed_ms": clock.at(last_ms if ended is None else ended),
        "status": _last(lines, "rec", "status"),
        "end_reason": _last(lines, "end", "reason"),
        "settings": settings or None,
        "earlier": setup.get("earlier"),
    }


def utc(text: object) -> datetime | None:
    """A point in time written in ISO 8601, in UTC without saying so, as the database keeps it; None if it is none."""
    try:
        at = datetime.fromisoformat(text) if isinstance(text, str) else None
        return at.astimezone(UTC).replace(tzinfo=None) if at and at.tzinfo else at
    except (ValueError, OverflowError):
        return None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _last(lines: list[Line], kind: str, name: str) -> Any:
    for line in reversed(lines):
        if line.kind == kind and (kind != "rec" or line.data.get("kind") == name):
            data = line.data if kind != "rec" else _mapping(line.data.get("data"))
            return data.get(name)
    return None


def _setup(data: Mapping[str, Any]) -> Iterator[Found]:
    plan = data["plan"]
    yield "plans", {**plan, "plan_notes": plan.get("notes"), "plan": plan}
    number = 0
    for section in plan["sections"]:
        for question in section["questions"]:
            number += 1
            yield (
                "questions",
                {
                    **question,
                    "question_id": question["id"],
                    "question_notes": question.get("notes"),
                    "number": number,
                    "planned": True,
                    "source": "plan",
                    "section_id": section["id"],
                    "section_title": section.get("title"),
                },
            )


def _event(data: Mapping[str, Any]) -> Iterator[Found]:
    evidence = data["evidence"]
    yield "ledger_events", {**evidence, **data, "ts_ms": data["t_ms"]}
    if data["kind"] == "question":
        planned = bool(evidence.get("planned"))
        yield "questions", {**evidence, "question_id": data["question_id"], "planned": planned}


def _record(data: Mapping[str, Any]) -> Iterator[Found]:
    kind, payload = data["kind"], data["data"]
    if kind in _RECORDS:
        table, names = _RECORDS[kind]
        yield table, {names.get(name, name): value for name, value in payload.items()}
    elif kind in _SPECIAL:
        yield from _SPECIAL[kind](payload)
    else:
        yield "moments", {"kind": kind, "detail": payload}


def _truth(data: Mapping[str, Any]) -> Iterator[Found]:
    yield "truth", {"kind": data["kind"], "detail": data["data"]}


def _reply(data: Mapping[str, Any]) -> Iterator[Found]:
    usage = data.get("usage") or {}
    spent = {name: usage.get(name) for name in ("input_tokens", "output_tokens", "cost_usd")}
    cached = (usage.get("input_token_details") or {}).get("cached_tokens")
    yield "replies", {**data, **spent, "cached_tokens": cached}


def _notes(data: Mapping[str, Any]) -> Iterator[Found]:
    notes = data["notes"]
    yield "notes", {"cycle": data["cycle"], "notes": notes, **{name: len(notes.get(name, ())) for name in _COUNTED}}


def _research(data: Mapping[str, Any]) -> Iterator[Found]:
    items = data["items"]
    found = {item["subject"] for item in items}
    rows: list[Row] = [{**item, "found": True, "turn_id": item["turn"], "suggested_use": item["use"]} for item in items]
    rows += [{"subject": subject, "found": False} for subject in data["tried"] if subject not in found]
    for number, row in enumerate(rows, 1):
        yield "research", {"cycle": data["cycle"], "item": number, **row}


def _analysis(data: Mapping[str, Any]) -> Iterator[Found]:
    yield "analyses", {**data, "analysis": data}


def _follow_up(data: Mapping[str, Any]) -> Iterator[Found]:
    for number, topic in enumerate(data["topics"], 1):
        yield "follow_ups", {**data, **topic, "topic_number": number}


_SPECIAL: dict[str, Callable[[Mapping[str, Any]], Iterator[Found]]] = {
    "reply": _reply,
    "notes": _notes,
    "research": _research,
    "analysis": _analysis,
    "follow_up": _follow_up,
}
_MAKERS: dict[str, Callable[[Mapping[str, Any]], Iterator[Found]]] = {
    "setup": _setup,
    "ev": _event,
    "rec": _record,
    "truth": _truth,
}
