"""Where a call is killed: a moment of its own, or a place in the writing of one line."""

import random
from dataclasses import dataclass
from typing import Final, Literal

Mode = Literal["outside", "before", "within", "after", "taking_in", "essay", "closing", "live", "resuming"]

MODES: Final[dict[Mode, int]] = {
    "outside": 40,  # by another process, at any moment
    "before": 10,  # as a line is about to be written
    "within": 15,  # when a part of a line is written
    "after": 15,  # when a line is written and nobody knows yet
    "taking_in": 8,  # while the database takes the call in
    "essay": 4,  # between the journal's end and the essay's file
    "closing": 8,  # at any line, and once more while it is being closed
}
"""How many of a hundred points are of which kind."""

APART: Final[tuple[Mode, ...]] = ("live", "resuming")
"""Kinds that are asked for by name: calls with sound and threads, and calls killed once more after they went on."""


@dataclass(frozen=True, slots=True)
class Point:
    """Kill number `number` of a campaign. `seed` gives the call; `at` is the share of its lines, 0 to 1.

    `then`: what is done with what it left: every one is looked at and folded, some are opened in the store besides,
    some of those closed or resumed.
    """

    number: int
    seed: int
    mode: Mode
    at: float
    part: float
    late_s: float
    dossier: int
    then: Literal["close", "resume", "open", "look"]

    @property
    def key(self) -> tuple[int, str]:
        """What tells it from all other points of its campaign."""
        return self.number, self.mode


def point(number: int, seed: int, mode: Mode | None = None) -> Point:
    """The point of this number; the same two numbers give the same."""
    drawn = random.Random(f"{seed}:{number}")
    chosen = drawn.choices(list(MODES), list(MODES.values()))[0]
    return Point(
        number,
        drawn.randrange(10_000),
        mode or chosen,
        drawn.random() ** 1.5 if drawn.random() < 0.3 else drawn.random(),
        drawn.random(),
        drawn.random() * 0.004,
        drawn.randrange(8),
        drawn.choices(("close", "resume", "open", "look"), (12, 12, 20, 56))[0],
    )
