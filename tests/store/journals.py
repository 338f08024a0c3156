"""A small call as its driver would have written it, made by hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interviewer.store.journal import Journal

PLAN = {
    "topic": "sourdough",
    "goal": "what she no longer thinks to say",
    "angle": "",
    "notes": "",
    "language": "en",
    "sections": [
        {
            "id": "s1",
            "title": "Starter",
            "importance": "high",
            "seconds": 300,
            "questions": [
                {"id": "q1", "text": "How did you begin?", "role": "backbone", "priority": 1, "notes": ""},
                {"id": "q2", "text": "What went wrong first?", "role": "backbone", "priority": 2, "notes": ""},
            ],
        },
        {
            "id": "s2",
            "title": "Heat",
            "importance": "low",
            "seconds": 60,
            "questions": [{"id": "q3", "text": "Why that oven?", "role": "follow_up", "priority": 3, "notes": "kiln"}],
        },
    ],
}


def head(call_id: str = "c-1", **changes: Any) -> dict[str, Any]:
    """The first line of a journal."""
    return {
        "call_id": call_id,
        "interview_id": "i-1",
        "started_at": "2026-11-30T13:15:00+00:00",
        "version": "0.1.0",
        "world": "simulated",
        "guest": "Ada",
        "seed": 7,
        "dossier": "baker",
        "source": "demo",
        **changes,
    }


def rec(kind: str, /, **data: Any) -> tuple[str, dict[str, Any]]:
    """A record."""
    return "rec", {"kind": kind, "data": data}


def turn(number: int, speaker: str, text: str, start_ms: int, **changes: Any) -> tuple[str, dict[str, Any]]:
    """A final turn, two seconds long and wholly heard."""
    data = {
        "id": f"t{number}",
        "item_id": f"item{number}",
        "speaker": speaker,
        "text": text,
        "state": "final",
        "started_ms": start_ms,
        "ended_ms": start_ms + 2_000,
        "heard": text if speaker == "interviewer" else "",
        "response_id": None,
        "question_id": None,
        "position": number,
    }
    return rec("turn", **{**data, **changes})


def event(
    seq: int, t_ms: int, kind: str, question_id: str | None, attempt_id: str | None = None, **evidence: Any
) -> tuple[str, dict[str, Any]]:
    """A ledger event."""
    data = {"seq": seq, "t_ms": t_ms, "kind": kind, "question_id": question_id, "attempt_id": attempt_id}
    return "ev", {**data, "known": "live", "world": "simulated", "basis": "protocol", "evidence": evidence}


def registration(seq: int, question: dict[str, Any], section_id: str) -> tuple[str, dict[str, Any]]:
    """The ledger event that gives a planned question its identity."""
    facts = {"text": question["text"], "priority": question["priority"], "role": question["role"]}
    return event(seq, 0, "question", question["id"], planned=True, source="plan", section_id=section_id, **facts)


def setup(**changes: Any) -> tuple[str, dict[str, Any]]:
    """What the call was begun with."""
    settings = {"call": {"target_ms": 840_000}}
    data = {"plan": PLAN, "context": "bakes at night", "guest": "Ada", "world": "simulated"}
    return "setup", {**data, "settings": settings, "earlier": None, **changes}


def small_call() -> Iterator[tuple[str, dict[str, Any]]]:
    """Three planned questions: q1 delivered, q2 held, q3 never chosen but answered unasked; and one unplanned."""
    sections: list[dict[str, Any]] = PLAN["sections"]  # type: ignore[assignment]
    yield setup()
    planned = [(q, section["id"]) for section in sections for q in section["questions"]]
    for seq, (question, section_id) in enumerate(planned, 1):
        yield registration(seq, question, section_id)
    yield "in", {"type": "begin", "t_ms": 0}
    yield rec("status", status="live")
    yield event(4, 100, "selected", "q1", "a1", revision=1)
    yield event(5, 200, "accepted", "q1", "a1", revision=1)
    yield event(6, 300, "started", "q1", "a1", response_id="r1")
    yield turn(1, "interviewer", "Hello. How did you begin?", 400, response_id="r1", question_id="q1")
    yield event(
        7, 900, "generated", "q1", "a1", response_id="r1", item_id="item1", score=0.9, threshold=0.35, scorer="jaccard"
    )
    reached = {"played_ms": 1_900, "end_ms": 2_000, "tolerance_ms": 250, "total_ms": 2_000}
    yield event(8, 2_400, "delivered", "q1", "a1", response_id="r1", status="completed", **reached)
    yield event(9, 2_400, "heard", "q1", "a1", response_id="r1", item_id="item1", start=7, text="How did you begin?")
    details = {"cached_tokens": 64, "cached_tokens_details": {"text_tokens": 64, "audio_tokens": 0}}
    usage = {"input_tokens": 120, "output_tokens": 40, "total_tokens": 160, "input_token_details": details}
    usage["cost_usd"] = 0.02
    yield rec(
        "reply", number=1, kind="opening", response_id="r1", attempt_id="a1", question_id="q1", status="completed",
        reason="", requested_ms=250, created_ms=300, first_audio_ms=350, done_ms=900, ended_ms=2_400, played_ms=2_000,
        total_ms=2_000, stale_ms=None, text="Hello. How did you begin?", basis="protocol", usage=usage,
    )  # fmt: skip
    yield turn(2, "guest", "With flour", 3_000)
    yield turn(2, "guest", "With <b>flour</b> & water -- in 1999", 3_000)
    yield rec(
        "job", job_id="j1", agent="note_taker", version="abc", cycle=1, started_ms=3_000, ended_ms=4_000,
        latency_ms=1_000, input_hash="h1", output={"ideas": []}, error="", model="rules", input_tokens=10,
        output_tokens=5, outcome="ok", cached_tokens=4, cost_usd=0.001, retries=2, repairs=1,
    )  # fmt: skip
    yield rec(
        "job", job_id="j2", agent="note_taker", version="abc", cycle=2, started_ms=5_000, ended_ms=8_000,
        latency_ms=3_000, input_hash="h2", output=None, error="late", model="rules", input_tokens=30,
        output_tokens=0, outcome="late", cached_tokens=0, cost_usd=None, retries=1, repairs=0,
    )  # fmt: skip
    yield rec("fallback", agent="note_taker", job_id="j2", reason="late")
    yield rec("notes", cycle=1, notes={"ideas": [{"id": "i1"}], "stories": [], "claims": [], "gaps": []})
    item = {"subject": "rye", "said": "rye", "turn": "t2", "summary": "a grain", "use": "ask why"}
    yield rec(
        "research", cycle=1, items=[{**item, "verification": "not_a_claim", "sources": []}], tried=["rye", "salt"]
    )
    yield rec(
        "decision", number=1, cycle=1, phase="exploration", question_id="q2", text="What went wrong first?",
        source="plan", returning=False, why="next", brief="warmly", themes=["failure"], outcome="selected", reason="",
        snapshot_ms=4_000,
    )  # fmt: skip
    yield event(10, 5_000, "answered", "q3", turn="t2", volunteered=True)
    yield event(11, 5_100, "selected", "q2", "a2", revision=2)
    yield event(12, 5_200, "accepted", "q2", "a2", revision=2)
    yield event(13, 5_300, "started", "q2", "a2", response_id="r2")
    yield event(14, 7_000, "held", "q2", "a2", reason="unconfirmed", heard_ms=1_500, response_id="r2")
    yield event(15, 7_100, "question", "u1", text="And the salt?", planned=False, source="voice", priority=3)
    yield event(16, 7_100, "heard", "u1", response_id="r2", item_id="item3", start=0, text="And the salt?")
    yield rec("request", kind="skip", turn="t2", question_id="q2", text="skip that")
    yield "truth", {"kind": "disclosure", "data": {"detail_id": "d1", "asked": True}}
    yield rec("follow_up", summary="more", topics=[_topic(n) for n in (1, 2, 3)], gaps=["salt"], strengthen=[])
    yield rec(
        "analysis",
        goal_met="partly",
        assessment="fine",
        claims=[],
        themes=[],
        tensions=[],
        quotes=[],
        title="Bread",
        subtitle="slow",
    )
    yield rec(
        "essay", title="Bread", markdown="# Bread\n\nWith flour.", sentences=[{"text": "With flour.", "turn": "t2"}]
    )
    yield "end", {"reason": "goodbye"}


def _topic(number: int) -> dict[str, Any]:
    return {"title": f"Topic {number}", "why": "untold", "questions": ["One?", "Two?"]}


def write(path: Path, lines: Iterator[tuple[str, dict[str, Any]]] | None = None, **changes: Any) -> Path:
    """A journal of these lines, by default the small call, named after its call."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Journal.create(path, head(path.stem, **changes)) as journal:
        for number, (kind, data) in enumerate(small_call() if lines is None else lines):
            journal.write(kind, data.get("t_ms", number * 10) if kind == "ev" else number * 10, data)
    return path
