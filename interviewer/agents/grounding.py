"""Puts a quote back into the guest's own words, or drops it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from interviewer.agents.quotes import as_said, locate
from interviewer.matching.text import words
from interviewer.model.turn import Said


class Grounded(NamedTuple):
    """Words as they stand in the guest's turn of this id, and in how many of them the quote differed."""

    quote: str
    turn: str
    distance: int = 0


def ground(quote: str, turn: str, turns: Sequence[Said]) -> Grounded | None:
    """The stretch of a guest turn that `quote` repeats, letter for letter as it stands there; None if none does.

    Capitals, punctuation and the form of apostrophes need not agree. The turn named first is looked at first. Where
    none holds the quote's words, the nearest stretch counts, as `locate` finds it.
    """
    if not words(quote):
        return None
    guest = [said for said in turns if said.speaker == "guest"]
    for said in sorted(guest, key=lambda said: said.id != turn):
        if quote in said.text:
            return Grounded(quote, said.id)
        if found := _pattern(quote).search(said.text):
            return Grounded(found.group(), said.id)
    near = locate(quote, guest)
    return Grounded(as_said(quote, near, guest), near.turn, near.distance) if near else None


@lru_cache(maxsize=1_024)
def _pattern(quote: str) -> re.Pattern[str]:
    """Most quotes stand there as they are, and making this takes its time."""
    parts = [re.escape(word).replace("'", "['’‘]") for word in words(quote)]
    return re.compile(r"(?<!\w)" + r"\W+".join(parts) + r"(?!\w)", re.IGNORECASE)
