"""A finished call as one object: questions with their reasons, turns, phases, the closing, the truth, the essay."""

from collections import Counter
from pathlib import Path
from typing import Any

from interviewer.agents.expressions import distinctive, kept
from interviewer.agents.trace import trace
from interviewer.interview.demo import Demo
from interviewer.kept.reading import CallLog
from interviewer.kept.said import chain_said, corrections, records_with_names, turn_records
from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.state import Attempt, QuestionState
from interviewer.ledger.views import guarded, reason
from interviewer.llm.budget import USED_UP
from interviewer.model.corrections import Corrections
from interviewer.model.decision import ResearchItem
from interviewer.model.outcome import Essay
from interviewer.model.turn import call_of

Report = dict[str, Any]

_TRUTH = (
    "false_deliveries",
    "false_releases",
    "false_releases_held",
    "heard_repeats",
    "questions_heard",
    "details_asked",
    "details_volunteered",
    "details_total",
)
_TURN = ("id", "speaker", "text", "heard", "started_ms", "ended_ms")


def demo_report(demo: Demo, log: CallLog) -> Report:
    """The report of a demo and its journal: that of the call, a note on the guest, and the seconds it took."""
    return {**call_report(log, demo.essay_path), "note": demo.note, "seconds": round(demo.seconds, 3)}


def call_report(log: CallLog, essay_path: Path | None = None) -> Report:
    """The report of a call as its journal tells it; all times in ms since the call was begun.

    `truth` is None for calls that were not simulated, `imported` for calls that were held here, `closing.reason` for
    calls that did not come to their end. `elapsed_ms` and a turn's `at_ms` are on the call's own clock, which counts
    neither connecting nor pauses; `closing.target_ms` is None if the journal lost it.

    Raises JournalError or LedgerError.
    """
    essay = log.last("essay")
    return {
        "call_id": log.call_id,
        "questions": [question_report(log, q) for q in log.ledger.questions.values()],
        "turns": turn_reports(log),
        "phases": [data for _, data in log.records("phase")],
        "closing": _closing(log),
        "fallbacks": [data for _, data in log.records("fallback")],
        "budget": _budget(log),
        "imported": log.last("import"),
        "guard": guard_report(log),
        "coverage_may_be_incomplete": log.ledger.unrecovered > 0,
        "unrecovered": log.ledger.unrecovered,
        "truth": {name: log.truth[name] for name in _TRUTH} if log.truth else None,
        "research": research_report(log),
        "chain": chain_report(log),
        "essay_path": str(essay_path) if essay_path else None,
        "essay_words": len(str(essay["markdown"]).split()) if essay else 0,
        **_words_of_the_guest(log, essay),
    }


def _budget(log: CallLog) -> Report | None:
    """What was last said of the call's budget, and for how many runs rules stood in; None: it was never at its end."""
    if (told := log.last("budget")) is None:
        return None
    stood_in = sum(str(job.get("error", "")).startswith(USED_UP) for _, job in log.records("job"))
    return {"state": told.get("state"), "note": told.get("note"), "rules_stood_in": stood_in}


def _words_of_the_guest(log: CallLog, essay: dict[str, Any] | None) -> Report:
    """The guest's own expressions that the essay keeps and loses, and its sentences that nobody said."""
    if essay is None:
        return {"expressions_kept": [], "expressions_lost": [], "untraced": []}
    written = Essay.model_validate({name: essay[name] for name in Essay.model_fields})
    turns = chain_said(log)
    found = kept(distinctive(turn.text for turn in turns if turn.speaker == "guest"), written.markdown)
    untraced = [traced.sentence for traced in trace(written, turns) if traced.flagged]
    return {"expressions_kept": list(found.kept), "expressions_lost": list(found.lost), "untraced": untraced}


def question_report(log: CallLog, question: QuestionState) -> Report:
    """A question, where it stands and why, and every attempt to get it asked.

    `score`: how well what was said matched it, as the one stage or end that was decided by it has it.
    """
    return {
        "id": question.id,
        "text": corrections(log).text(question.text),
        "priority": question.priority,
        "planned": question.planned,
        "state": question.status,
        "carried_from": str(question.carried.evidence.get("call") or "") if question.carried else None,
        "reason": reason(question),
        "attempts": [_attempt(log, attempt) for attempt in question.attempts],
        "refused": guarded(question.refused) if question.refused else None,
    }


def guard_report(log: CallLog) -> Report | None:
    """What the repeat guard went by, how much it looked at, and all that it found; None if it was off or not there."""
    if not (began := log.records("guard")):
        return None
    looked = [event for event in log.events if event.kind == "guarded"]
    found = [e for e in looked if e.evidence.get("decision") in ("refused", "warned")] + log.ledger.repeats
    return {
        **{name: began[0][1].get(name) or "" for name in ("mode", "by", "threshold")},
        "problems": list(dict.fromkeys(data["problem"] for _, data in began if data.get("problem"))),
        "proposals": len(looked),
        "found": [_found(log, event) for event in sorted(found, key=lambda event: event.seq)],
    }


def _found(log: CallLog, event: LedgerEvent) -> Report:
    right = corrections(log).text
    spoken = "returned" if event.evidence.get("deliberate") else "repeated"
    return {
        "t_ms": event.t_ms,
        "question_id": event.question_id,
        "decision": event.evidence.get("decision") or spoken,
        "text": right(str(event.evidence.get("text"))),
        "heard_before": right(str(event.evidence.get("like"))),
        **{name: event.evidence.get(name) for name in ("score", "threshold", "scorer")},
    }


def research_report(log: CallLog) -> list[Report]:
    """What was looked up and found: things the guest named, with sources or a verdict, in order."""
    names = ("subject", "said", "turn", "summary", "verification", "sources")
    items = (item for data, right in records_with_names(log, "research") for item in _mended(data["items"], right))
    told = ({name: item.get(name) for name in names} for item in items)
    return [item for item in told if item["sources"] or item["verification"] in ("supported", "contradicted")]


def _mended(items: list[Report], right: Corrections) -> list[Report]:
    return [right.model(ResearchItem.model_validate(item)).model_dump(mode="json") for item in items]


def chain_report(log: CallLog) -> Report | None:
    """The calls before this one, and from which call the quotes of the analysis and the sentences of the essay are.

    `call` is a number in the chain, None for this one. None of a call that begins an interview.
    """
    earlier = log.begun_with.earlier if log.begun_with else None
    if earlier is None:
        return None
    quotes, essay = (log.last("analysis") or {}).get("quotes", ()), log.last("essay")
    sources = Counter(call_of(str(s["turn"])) for s in essay["sentences"] if s["turn"]) if essay else Counter()
    return {
        "interview_id": earlier.interview_id,
        "calls": [call.model_dump(mode="json") for call in earlier.calls],
        "problems": list(earlier.problems),
        "quotes": [{"text": q["text"], "turn": q["turn"], "call": call_of(str(q["turn"]))} for q in quotes],
        "essay_sentences": [{"call": call, "sentences": n} for call, n in sources.items()],
    }


def turn_reports(log: CallLog) -> list[Report]:
    """The turns in the order of the conversation, each as it was written last, with names put right.

    `at_ms`: when it began on the call's own clock.
    """
    clock = log.clock
    turns = ({name: data.get(name) for name in _TURN} for data in turn_records(log))
    return [{**turn, "at_ms": None if turn["started_ms"] is None else clock.at(turn["started_ms"])} for turn in turns]


def _attempt(log: CallLog, attempt: Attempt) -> Report:
    judged = (e for e in log.events if e.attempt_id == attempt.id and e.kind in ("generated", "held"))
    return {
        "id": attempt.id,
        "outcome": attempt.outcome,
        "reason": attempt.reason,
        "stages": {stage: event.t_ms for stage, event in attempt.evidence.items()},
        "heard_ms": attempt.heard_ms,
        "score": next((event.evidence.get("score") for event in judged), None),
    }


def _closing(log: CallLog) -> Report:
    goodbye = log.last("goodbye")
    return {
        "reason": log.end_reason,
        "elapsed_ms": log.elapsed_ms,
        "target_ms": log.target_ms,
        "goodbye": goodbye["phrase"] if goodbye else None,
    }
