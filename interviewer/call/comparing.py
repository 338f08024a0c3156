"""How alike texts are, as the driver says: asked once for each pair, and by shared words where it does not say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

from interviewer.agents.repeats import WORDS, nearness
from interviewer.call.actions import Compare
from interviewer.call.hub import Hub, earliest
from interviewer.call.inputs import Compared

_KEPT = 20_000
"""Pairs that are remembered, the latest: an hour's talk has some hundred questions."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two texts are. `scorer`: name and version of who says so; above `threshold` they ask the same."""

    score: float
    threshold: float
    scorer: str

    @property
    def alike(self) -> bool:
        """Whether both ask for the same."""
        return self.score > self.threshold


@dataclass(frozen=True, slots=True)
class _Open:
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    deadline_ms: int
    then: Callable[[], None]


class Comparing:
    """Pairs that were compared, and those that a driver has been asked for."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._known: dict[tuple[str, str], Likeness] = {}
        self._open: dict[int, _Open] = {}
        self._until: int | None = None

    def ask(self, rows: Sequence[str], columns: Sequence[str], then: Callable[[], None]) -> None:
        """Run `then` once `likeness` knows every row with every column: now, or when the driver has said so."""
        guard = self._hub.settings.guard
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        columns = tuple(dict.fromkeys(columns))
        new = {row for one in columns for row in rows if (row, one) not in self._known}
        rows = tuple(row for row in dict.fromkeys(rows) if row in new)
        until = self._hub.now + guard.wait_ms if self._until is None else self._until
        if rows and (guard.value is None or until <= self._hub.now):
            self._by_words(rows, columns)
        elif rows:
            number = self._hub.count("comparison")
            self._open[number] = _Open(rows, columns, until, then)
            self._hub.act(Compare(number, guard.scorer, rows, columns))
            return
        then()

    def knows(self, rows: Sequence[str], columns: Sequence[str]) -> bool:
        """Whether every row was compared with every column."""
        return all((row, one) in self._known for row in rows for one in columns)

    def likeness(self, row: str, column: str) -> Likeness:
        """What was said of a pair; by words what nobody was asked about."""
        if (row, column) not in self._known:
            self._by_words([row], [column])
        return self._known[row, column]

    def take(self, said: Compared) -> None:
        """Take what the driver says; what it cannot tell goes by words."""
        asked = self._open.pop(said.number, None)
        if asked is None:
            self._hub.record("ignored", what="late comparison", number=said.number)
            return
        guard = self._hub.settings.guard
        expected = f"{guard.scorer}/{guard.version}"
        fits = len(said.scores) == len(asked.rows) and all(len(row) == len(asked.columns) for row in said.scores)
        if said.scorer != expected or not fits or guard.value is None:
            other = f"scores of {said.scorer or 'nobody'}, and those of {expected} were expected"
            shape = f"not {len(asked.rows)} rows of {len(asked.columns)} scores each, as was asked for"
            problem = said.problem or (other if said.scorer != expected else shape)
            self._hub.record("guard", problem=problem, by=WORDS)
        else:
            for row, scores in zip(asked.rows, said.scores, strict=True):
                for column, score in zip(asked.columns, scores, strict=True):
                    if isinstance(score, int | float) and isfinite(score) and score is not True:
                        self._known[row, column] = Likeness(float(score), guard.value, expected)
        self._by_words(asked.rows, asked.columns)
        self._go_on(asked)

    def due(self) -> None:
        """What was not said in time goes by words."""
        if not self._open:
            return
        for number in [n for n, asked in self._open.items() if self._hub.now >= asked.deadline_ms]:
            asked = self._open.pop(number)
            self._hub.record("guard", problem="no scores in time", by=WORDS)
            self._by_words(asked.rows, asked.columns)
            self._go_on(asked)

    def _go_on(self, asked: _Open) -> None:
        """Run what waited; what it asks for in turn, as for the next best question, waits no longer than it did."""
        before, self._until = self._until, asked.deadline_ms
        try:
            asked.then()
        finally:
            self._until = before

    def stop(self) -> None:
        """Nobody waits for any of it any more."""
        self._open.clear()

    @property
    def deadline(self) -> int | None:
        """When the next comparison is given up."""
        return earliest(*(asked.deadline_ms for asked in self._open.values()))

    def _by_words(self, rows: Sequence[str], columns: Sequence[str]) -> None:
        words = self._hub.settings.guard.words
        near = [nearness(column, rows) for column in columns]
        for row, scores in zip(rows, zip(*near, strict=True), strict=False):
            for column, score in zip(columns, scores, strict=True):
                if (row, column) not in self._known:
                    self._known[row, column] = Likeness(round(score, 6), words, WORDS)
