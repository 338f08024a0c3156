"""What a call may still use of the calls before it: all that it knows, less what was forgotten since."""

from dataclasses import dataclass
from pathlib import Path

from interviewer.kept.reading import CallLog
from interviewer.kept.said import chain_said
from interviewer.memory.gone import Gone
from interviewer.model.turn import Said, call_of
from interviewer.store.tombstones import forgotten_at


@dataclass(frozen=True)
class Left:
    """`turns`: what was said in the chain up to this call, less forgotten calls; `gone`: the words of those."""

    turns: tuple[Said, ...]
    gone: Gone


def left_of(log: CallLog, root: Path) -> Left:
    """What is left of a call's chain in the home `root`. Turns of calls before it have ids `cn.t5`, as in its setup."""
    earlier = log.begun_with.earlier if log.begun_with else None
    calls = enumerate(earlier.calls if earlier else (), 1)
    lost = {number for number, past in calls if forgotten_at(root, past.call_id)}
    turns = chain_said(log)
    left = tuple(turn for turn in turns if call_of(turn.id) not in lost)
    return Left(left, Gone((turn for turn in turns if call_of(turn.id) in lost), left))
