"""The line or two that tell the voice how to bring a question, and the themes it touches."""

import re

from interviewer.agents.guard import requests
from interviewer.agents.signals import WEIGHT, signals
from interviewer.agents.views import OrchestratorInput
from interviewer.agents.wording import one_line
from interviewer.matching.text import STOP_WORDS, content_words, words
from interviewer.model.decision import Proposal

_THEMES = 3
_THIN = frozenset(
    "said mentioned think thing things time times made make come turn turned one first still ever much many "
    "exactly people someone question tell know did used really part something anything nobody".split()
)
_BY_SOURCE = {
    "gap": "Stay with what they have just said; ask this one thing and wait.",
    "contradiction": "Be curious, not critical: two things they said do not seem to fit. Quote both fairly.",
    "research": "Ask about what they named; claim nothing about it yourself.",
    "closing": "Time is nearly up. Let them finish the thought, ask this last thing, then thank them.",
}


def brief(data: OrchestratorInput, proposal: Proposal | None, *, stop: bool = False) -> str:
    """How to go on: what of the guest's words to take up, and in what tone."""
    if stop:
        return "The guest wants to stop: thank them for something they said and say goodbye now."
    if proposal is None:
        if data.phase == "wrap_up":
            return "Open nothing new. Let them finish, thank them for one thing they said, and say goodbye."
        return _with_requests(data, "Nothing is planned now: follow what they have just said.")
    if proposal.returning and _touched(data, proposal):
        text = "In an earlier conversation you may have touched on this: say so, and ask for what was not told then."
    elif proposal.returning:
        text = "You asked this before and the answer was cut short: say so, and ask it once more in fresh words."
    else:
        text = _BY_SOURCE.get(proposal.source) or _into_the_plan(data)
    return _with_requests(data, text)


def themes(text: str) -> tuple[str, ...]:
    """Up to three words that say what a question is about, in its order."""
    found = dict.fromkeys(word for word in words(text) if word not in STOP_WORDS | _THIN and len(word) > 1)
    return tuple(found)[:_THEMES]


def _touched(data: OrchestratorInput, proposal: Proposal) -> bool:
    """Whether an old transcript, and nothing surer, says that it was asked."""
    view = next((view for view in data.questions if view.id == proposal.question_id), None)
    return view is not None and bool(view.clue) and view.status == "available"


def _into_the_plan(data: OrchestratorInput) -> str:
    said = _latest_words(data)
    if not any(turn.speaker == "guest" for turn in data.turns):
        return "Begin warmly and simply."
    if not said:
        return "Answer what they just said in a few words; ask this if it still fits."
    if data.phase == "wrap_up":
        return f'Time is short. Take up their words "{said}" in half a sentence, then ask this briefly.'
    return f'Take up their words "{said}" first; ask this if it still fits what they said.'


def _latest_words(data: OrchestratorInput) -> str:
    """The most telling clause of the guest's last turn; marks that could be taken for ours are left out."""
    last = next((turn.text for turn in reversed(data.turns) if turn.speaker == "guest"), "")
    full = [signal for signal in signals(last) if len(content_words(signal.clause.text)) > 1]
    telling = max(full, key=lambda signal: WEIGHT[signal.kind], default=None)
    return one_line(re.sub(r"[<>\"]", "", telling.clause.text)) if telling else ""


def _with_requests(data: OrchestratorInput, text: str) -> str:
    kinds = {kind for kind, _ in requests(data.requests[-1:])}
    if kinds & {"skip", "decline"}:
        return f"They asked to leave the last question: move on without comment. {text}"
    if "answered" in kinds:
        return f"They say they have answered that already: accept it in a word. {text}"
    if kinds & {"back", "return"}:
        return f"They want to go back to something: let them do that first. {text}"
    return text
