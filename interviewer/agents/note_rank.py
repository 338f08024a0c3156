"""Which notes matter most: what is telling, and what is new."""

import re

from interviewer.agents.signals import strength
from interviewer.model.notes import Claim, Contradiction, Gap, Idea, Story

Note = Idea | Story | Claim | Gap | Contradiction
RECENT = 0.05
"""What a turn later is worth beside the strength of a note's words; chosen here."""


def texts(note: Note) -> tuple[str, ...]:
    """The texts by which a note is known: its quotes, and what it says of them."""
    quotes = (f"{note.first_quote} / {note.second_quote}",) if isinstance(note, Contradiction) else (note.quote,)
    return tuple(text for text in (*quotes, note.text) if text)


def turn(note: Note) -> str:
    """Id of the turn it is from; of a contradiction, the later one."""
    return note.second_turn if isinstance(note, Contradiction) else note.turn


def rank(note: Note) -> float:
    """How telling its words are, and more the later they were said; whatever else there is."""
    number = re.search(r"\d+", turn(note))
    known = texts(note)
    return (strength(known[0]) if known else 0.0) + RECENT * (int(number.group()) if number else 0)
