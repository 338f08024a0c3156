"""Reads the marks of the instructions: the only words that tell the simulated voice what to do."""

import re
from dataclasses import dataclass
from typing import Literal, cast, get_args

ReplyKind = Literal["opening", "question", "free", "nudge", "resume", "closing"]

# An earlier call may have left nothing to list; lines that others have written never begin with these words.
_BEFORE = re.compile(r"^[ \t]*(?:<earlier>|You have talked with this guest before\b)", re.M)


@dataclass(frozen=True, slots=True)
class Marks:
    """What the instructions ask for. `ask` None: no question is carried; `minutes_left` None: not said.

    `earlier`: they have talked before; `thread`: words of the guest's to begin with.
    """

    topic: str = ""
    reply: ReplyKind = "free"
    phase: str = "exploration"
    ask: str | None = None
    returning: bool = False
    heard: tuple[str, ...] = ()
    minutes_left: int | None = None
    earlier: bool = False
    thread: str = ""


def read(instructions: str) -> Marks:
    """The marks of `instructions`. A mark counts on lines of its own only; an unknown reply is a free one."""
    reply = _inside(instructions, "reply")
    ask = _inside(instructions, "ask")
    minutes = _inside(instructions, "minutes_left")
    return Marks(
        topic=_inside(instructions, "topic"),
        reply=cast(ReplyKind, reply) if reply in get_args(ReplyKind) else "free",
        phase=_inside(instructions, "phase") or "exploration",
        ask=ask or None,
        returning=bool(ask) and re.search(r'^[ \t]*<ask returning="yes">', instructions, re.M) is not None,
        heard=_items(_inside(instructions, "heard")),
        minutes_left=int(minutes) if minutes.isdecimal() else None,
        earlier=_BEFORE.search(instructions) is not None,
        thread=_inside(instructions, "thread"),
    )


def _inside(instructions: str, mark: str) -> str:
    found = re.search(rf"^[ \t]*<{mark}(?: [^>\n]*)?>(.*?)</{mark}>[ \t]*$", instructions, re.M | re.S)
    return found[1].strip() if found else ""


def _items(listed: str) -> tuple[str, ...]:
    lines = (line.strip() for line in listed.splitlines())
    return tuple(line.removeprefix("- ").strip() for line in lines if line.removeprefix("- ").strip())
