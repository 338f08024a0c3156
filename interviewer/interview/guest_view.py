"""What a guest is shown of an interview: while they speak nothing that would prime an answer, not even out of sight."""

from collections.abc import Mapping
from typing import Any, Final

from interviewer.interview.slices import Slice

SHOWN: Final = (
    "setup",
    "plan",
    "clock",
    "turns",
    "words",
    "cost",
    "levels",
    "keeping",
    "outcome",
    "draft",
    "after",
    "found",
)
"""The slices a guest's view may ever hold; the others are for who conducts the research."""

_WHILE_SPEAKING: Final = ("clock", "levels", "keeping")
_ABOUT: Final = ("topic", "guest", "destination")


def for_guest(slices: Mapping[str, Any]) -> dict[str, Any]:
    """The slices of a session (`InterviewSession.slices`) as the guest may have them.

    The plan is there to be agreed on before the call, and never again. From the call's beginning until nobody speaks
    any more the interviewer's words are those that were heard, and what agents have made of it is left out.
    """
    shown = {name: slices[name] for name in SHOWN if name in slices}
    if slices["setup"]["stage"] != "form":
        shown["plan"] = {}
    if slices["setup"]["stage"] != "call" or slices.get("clock", {}).get("status") in ("after", "done"):
        return shown
    turns = slices.get("turns", [])
    own = {turn["id"] for turn in turns if turn["speaker"] == "guest"}
    words = slices.get("words", {})
    return {
        **{name: type(value)() for name, value in shown.items()},
        **{name: shown[name] for name in _WHILE_SPEAKING if name in shown},
        "setup": _setup(slices["setup"]),
        "turns": [turn if turn["id"] in own else _heard(turn) for turn in turns],
        "words": {name: said if name in own else _heard(said) for name, said in words.items()},
    }


def _setup(setup: Mapping[str, Any]) -> Slice:
    """Where the interview stands and what the guest has agreed to; not what is known of them, nor of the plan."""
    form = {name: setup["form"][name] for name in _ABOUT}
    return {**{name: setup[name] for name in ("stage", "problem", "busy", "destinations")}, "form": form}


def _heard(said: Mapping[str, Any]) -> Slice:
    return {**said, "text": said["heard"]}
