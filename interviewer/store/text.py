"""A call as Markdown and as WebVTT. What people said is escaped: it is text, never markup."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from interviewer.model.turn import call_of
from interviewer.store.plain import harmless

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_SHORTEST_CUE_MS = 500
_MEDIA_TIME = "NOTE Times are those of the call's sound: connecting and pauses count."


def markdown(rows: Tables) -> str:
    """Essay, transcript and questions of a call, to read."""
    call = rows["calls"][0]
    essays, analyses = rows["drafts"], rows["analyses"]
    title = (essays or analyses or [{}])[-1].get("title") or call["topic"] or call["call_id"]
    parts = [f"# {_escaped(title)}", _facts(call)]
    if essays:
        parts += ["## Essay", essays[-1]["markdown"] or ""]
    parts += _where_from(call, essays, analyses)
    parts += ["## Transcript", *map(_paragraph, rows["turns"])]
    parts += ["## Questions", "\n".join(_question_table(rows["question_state"]))]
    return harmless("\n\n".join(parts)) + "\n"


def _where_from(call: Row, essays: Sequence[Row], analyses: Sequence[Row]) -> Iterator[str]:
    """Of a call that continues others: from which call each quote and the sentences of the essay are."""
    past = (call["earlier"] or {}).get("calls") or []
    if not past:
        return
    yield "## The calls before"
    yield "\n".join(f"- Call {n}: {_escaped(str(each.get('call_id')))}" for n, each in enumerate(past, 1))
    quotes = (analyses[-1]["analysis"] or {}).get("quotes") or [] if analyses else []
    if quotes:
        yield "## Quotes"
        yield "\n".join(f"- “{_escaped(str(q.get('text')))}” ({_call(q.get('turn'))})" for q in quotes)
    sentences = (essays[-1]["sentences"] or []) if essays else []
    counts = Counter(_call(each["turn"]) for each in sentences if each.get("turn"))
    if counts:
        yield "## Where the essay is from"
        yield "\n".join(f"- {count} sentences from {where}" for where, count in counts.items())


def _call(turn: object) -> str:
    number = call_of(str(turn or ""))
    return "this call" if number is None else f"call {number}"


def vtt(rows: Tables) -> str:
    """What was heard in a call, as WebVTT cues in order of time, each at its place in the sound that was kept.

    Turns without sound or words have none.
    """
    turns = sorted((turn for turn in rows["turns"] if _audible(turn)), key=lambda turn: turn["started_ms"])
    return harmless("\n\n".join(["WEBVTT", _MEDIA_TIME, *map(_cue, turns)])) + "\n"


def _facts(call: Row) -> str:
    when = f"{call['started_at']}, " if call["started_at"] else ""
    facts = f"Call {call['call_id']} with {_escaped(call['guest'] or 'a guest')}, {when}"
    return (
        facts
        + f"{_clock(call['elapsed_ms'])} long by its own clock, as all times here; {call['world'] or 'world unknown'}."
    )


def _paragraph(turn: Row) -> str:
    speaker = "Interviewer" if turn["speaker"] == "interviewer" else "Guest"
    return f"**{speaker}** ({_clock(turn['at_ms'])}): {_escaped(_said(turn))}"


def _said(turn: Row) -> str:
    """The words of a turn as they came across."""
    text, heard = turn["text"] or "", turn["heard"] or ""
    if turn["state"] == "inaudible":
        return "(inaudible)"
    if turn["speaker"] != "interviewer" or heard == text:
        return text
    return f"{heard} (the rest was not heard)" if heard else f"(not heard) {text}"


def _question_table(questions: Sequence[Row]) -> Iterator[str]:
    yield "| Question | Planned | Priority | Status | Attempts | Last reason |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in questions:
        planned = "yes" if row["planned"] else "no"
        cells = (_escaped(row["text"]), planned, row["priority"], row["status"], row["attempts"], row["last_reason"])
        yield f"| {' | '.join(map(str, cells))} |"


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", _line(text))


def _clock(t_ms: int | None) -> str:
    seconds = (t_ms or 0) // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"


def _audible(turn: Row) -> bool:
    return turn["started_ms"] is not None and bool(_words(turn))


def _words(turn: Row) -> str:
    words = turn["heard"] if turn["speaker"] == "interviewer" else turn["text"]
    return _line(words or "")


def _line(text: str) -> str:
    """One line, made harmless before it is escaped: an escape sequence would take along what is put before a mark."""
    return " ".join(harmless(" ".join(text.split())).split())


def _cue(turn: Row) -> str:
    start = turn["started_ms"]
    end = max(turn["ended_ms"] or 0, start + _SHORTEST_CUE_MS)
    voice = "Interviewer" if turn["speaker"] == "interviewer" else "Guest"
    return f"{_stamp(start)} --> {_stamp(end)}\n<v {voice}>{escape(_words(turn), quote=False)}"


def _stamp(t_ms: int) -> str:
    return f"{t_ms // 3_600_000:02d}:{t_ms // 60_000 % 60:02d}:{t_ms // 1000 % 60:02d}.{t_ms % 1000:03d}"
