"""What was said in a kept call, as agents get to see it."""

from interviewer.interview.reading import CallLog
from interviewer.model.corrections import Corrections
from interviewer.model.turn import Said


def said(log: CallLog) -> tuple[Said, ...]:
    """The turns of a call in order: of the interviewer's what was heard; names put right as the journal says."""
    turns = {str(data["id"]): data for _, data in log.records("turn")}
    ordered = sorted(turns.values(), key=lambda data: int(data["position"]))
    visible = ((data, str(data["text"] if data["speaker"] == "guest" else data["heard"])) for data in ordered)
    told = (Said(str(data["id"]), data["speaker"], text) for data, text in visible if text.strip())
    return corrections(log).turns(told)


def corrections(log: CallLog) -> Corrections:
    """The names that a person put right in this call, the latest first."""
    found = Corrections()
    for _, data in log.records("correction"):
        found = found.adding(str(data["wrong"]), str(data["right"]))
    return found
