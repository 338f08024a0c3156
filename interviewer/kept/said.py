"""What was said in a kept call, as agents get to see it."""

from typing import Any

from interviewer.kept.reading import CallLog
from interviewer.model.corrections import Corrections
from interviewer.model.turn import Said


def said(log: CallLog) -> tuple[Said, ...]:
    """The turns of a call in order: of the interviewer's what was heard; names put right as the journal says."""
    told = []
    for data in turn_records(log):
        text = str(data["text"] if data["speaker"] == "guest" else data["heard"])
        if text.strip():
            told.append(Said(str(data["id"]), data["speaker"], text))
    return tuple(told)


def chain_said(log: CallLog) -> tuple[Said, ...]:
    """What was said in the calls before this one, as far as it knows, and in it; turns of call n have ids `cn.t5`.

    Names put right in this call are right in all of it.
    """
    earlier = log.begun_with.earlier if log.begun_with else None
    return (*corrections(log).turns(earlier.turns if earlier else ()), *said(log))


def turn_records(log: CallLog) -> list[dict[str, Any]]:
    """The turns in the order of the conversation, each as it was written last, with names put right."""
    last = {str(data["id"]): (data, names) for data, names in records_with_names(log, "turn")}
    mended = (
        {**data, **{name: names.text(str(data.get(name) or "")) for name in ("text", "heard")}}
        for data, names in last.values()
    )
    return sorted(mended, key=lambda data: int(data.get("position") or 0))


def corrections(log: CallLog) -> Corrections:
    """The names that a person put right in this call."""
    found = Corrections()
    for _, data in log.records("correction"):
        found = found.adding(str(data["wrong"]), str(data["right"]))
    return found


def records_with_names(log: CallLog, kind: str) -> list[tuple[dict[str, Any], Corrections]]:
    """The records of a kind, each with the names put right since; those put right before stand right in it."""
    found: list[tuple[dict[str, Any], Corrections]] = []
    for line in log.contents.lines:
        data = line.data.get("data")
        if line.kind != "rec" or not isinstance(data, dict):
            continue
        if line.data.get("kind") == "correction":
            found = [(each, names.adding(str(data["wrong"]), str(data["right"]))) for each, names in found]
        elif line.data.get("kind") == kind:
            found.append((data, Corrections()))
    return found
