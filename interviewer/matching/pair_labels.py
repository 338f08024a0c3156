"""What a label in a file says, for each of the two questions a scorer can answer."""

from typing import Literal

from interviewer.errors import MatchError

Question = Literal["same", "unwanted", "contains"]
"""same: do both ask for the same information? unwanted: if they do, is the second an unwanted repeat? contains: does
the utterance put the planned question, whole?"""

_YES = frozenset({"1", "1.0", "yes", "true"})
_NO = frozenset({"0", "0.0", "no", "false"})
_NOTHING = frozenset({"", "nan", "none"})
_UNSURE = frozenset({"c", "unsure"})
_UNTOLD = _NOTHING | _UNSURE

POSITIVE: dict[Question, frozenset[str]] = {
    "same": _YES | {"r", "d", "same"},
    "unwanted": _YES | {"r"},
    "contains": _YES,
}
NEGATIVE: dict[Question, frozenset[str]] = {
    "same": _NO | {"n", "different"},
    "unwanted": _NO | {"d"},
    "contains": _NO | {"partial"},
}
LEFT_OUT: dict[Question, frozenset[str]] = {"same": _UNTOLD, "unwanted": _UNTOLD | {"n"}, "contains": _UNTOLD}


_USE: dict[Question, str] = {
    "same": "1 and 0, yes and no, or R, D, N and C",
    "unwanted": "1 and 0, yes and no, or R, D, N and C",
    "contains": "1 and 0, or yes, partial and no",
}


def label(where: str, cell: str, question: Question) -> bool | None:
    """True, False, or None for a label that leaves the pair out of all figures. Raises MatchError naming `where`."""
    key = cell.strip().casefold()
    if key in LEFT_OUT[question]:
        return None
    if key in POSITIVE[question] or key in NEGATIVE[question]:
        return key in POSITIVE[question]
    raise MatchError(f"{where}: the label is {cell[:40]!r}; use {_USE[question]}")


def meant(cell: str, question: Question) -> str | None:
    """What a label says, one word for all that say it, left-out ones too; None if nobody said anything."""
    key = cell.strip().casefold()
    if key in _NOTHING:
        return None
    for word, keys in (("yes", POSITIVE[question]), ("no", NEGATIVE[question]), ("unsure", _UNSURE)):
        if key in keys:
            return word
    return key
