"""A replayed recording and a run, made by hand."""

from dataclasses import replace
from typing import Any

from interviewer.call.setup import CallSetup
from interviewer.ledger.events import LedgerEvent
from interviewer.model.plan import Plan, Question, Section
from interviewer.replay.outcome import (
    AgentRun,
    Decided,
    Difference,
    Disclosure,
    Failed,
    Left,
    Moment,
    Replayed,
    Run,
    reuse,
)
from interviewer.replay.recording import Spoken
from interviewer.settings import Settings

PLAN = Plan(
    topic="Bees on roofs",
    goal="what she no longer thinks to say",
    sections=(Section(id="s1", title="Winter", questions=(Question(id="q1", text="Which hive is lost first?"),)),),
)


def spoken(number: int, text: str) -> Spoken:
    """Turn `tN`, the interviewer's if odd, two seconds long, ten seconds after the one before."""
    return Spoken(
        f"t{number}", "interviewer" if number % 2 else "guest", text, number * 10_000, number * 10_000 + 2_000
    )


def moment(turn: str, offered: str, asked: str, score: float | None, **more: Any) -> Moment:
    """What would have been asked at a turn, and what was; it agrees from .5 on."""
    about: dict[str, Any] = {"t_ms": 10_000, "kind": "ask", "phase": "exploration", "question_id": "q1", "decision": 1}
    return Moment(
        turn,
        offered=offered,
        asked=asked,
        score=score,
        agrees=None if score is None else score >= 0.5,
        **(about | more),
    )


def decided(number: int, text: str, **more: Any) -> Decided:
    """A decision that was taken up."""
    about: dict[str, Any] = {
        "cycle": number,
        "t_ms": number * 1_000,
        "snapshot_ms": number * 900,
        "turn": "t2",
        "phase": "exploration",
        "proposed_phase": "exploration",
        "question_id": "q1",
        "source": "plan",
        "returning": False,
        "why": "it is next",
        "brief": "Pick up the storm.",
        "themes": ("winter", "wind"),
        "outcome": "selected",
        "reason": "",
    }
    return Decided(number, text=text, **(about | more))


def agent_run(job: str, agent: str, latency_ms: int, **more: Any) -> AgentRun:
    """A run of an agent that went well and cost nothing."""
    about: dict[str, Any] = {
        "version": "1",
        "cycle": 1,
        "started_ms": 100,
        "ended_ms": 100 + latency_ms,
        "input_hash": "ab",
        "model": "rules",
        "outcome": "ok",
        "error": "",
        "input_tokens": 0,
        "output_tokens": 0,
        "cached_tokens": 0,
        "cost_usd": 0.0,
        "retries": 0,
        "repairs": 0,
    }
    return AgentRun(job, agent, latency_ms=latency_ms, **(about | more))


def event(seq: int, kind: str, **evidence: Any) -> LedgerEvent:
    """A ledger event of question q1."""
    return LedgerEvent.from_dict(
        {"seq": seq, "t_ms": seq * 100, "kind": kind, "question_id": "q1", "evidence": evidence}
    )


TURNS = (
    spoken(1, "Which hive is lost first?"),
    spoken(2, "The northern one, <b>always</b>."),
    spoken(3, "And what did the storm do?"),
    spoken(4, 'It took the lids. \'Twas loud; "very".'),
)


def result(source: str = "talk", **changes: Any) -> Replayed:
    """A recording of four turns, replayed; every field that can hold something does."""
    made = Replayed(
        source=source,
        origin="file",
        kind="teacher-forced",
        setup=CallSetup(plan=PLAN, guest="Ada"),
        turns=TURNS,
        recorded=TURNS,
        decisions=(
            decided(1, "Which hive is lost first?", score=0.8, asked="And what did the storm do?", asked_turn="t3"),
        ),
        moments=(
            moment("t1", "Which hive is lost first?", "Which hive is lost first?", 1.0),
            moment("t3", "", "And what did the storm do?", None, question_id=None),
        ),
        events=(event(1, "question", text="Which hive is lost first?", priority=1, planned=True), event(2, "answered")),
        runs=(agent_run("j1", "note_taker", 30), agent_run("j2", "orchestrator", 12, cost_usd=None, reused=True)),
        inputs=41,
        ended="target",
        ended_ms=42_000,
        seconds=0.25,
        notes=("times were derived",),
        records=(("reply", 5, {"kind": "ask", "stale_ms": 5}),),
    )
    return replace(made, **changes)


FULL = {
    "differences": (
        Difference(3, "frame", 900, event(1, "answered"), None),
        Difference(
            4, "frame", 950, event(2, "covered", score=0.5), event(2, "covered", score=0.6), (("score", 0.5, 0.6),)
        ),
    ),
    "left": Left("t3", 30_000, "Why?", "And what did the storm do?", 0.1, 1, 2),
    "disclosures": (Disclosure("d1", "t2", "the northern one", 20_500, True, "Which hive is lost first?"),),
    "details": 4,
    "truth": {"heard_repeats": 1},
}
"""What the other kinds have beside."""


def run(run_id: str, *results: Replayed, **changes: Any) -> Run:
    """A run of these results under default settings."""
    made = Run(
        run_id=run_id,
        kind=results[0].kind if results else "teacher-forced",
        settings=Settings(),
        agents={"note_taker": "1"},
        version="0.1.0",
        started_at="2026-11-30T13:15:00+00:00",
        results=results,
        failures=(Failed("broken", "TranscriptError", "broken: it is empty"),),
        seconds=1.5,
        reused=reuse(results),
    )
    return replace(made, **changes)
