"""What the parts of the core share: settings, time, counters, the ledger, and the actions of the step under way."""

from collections import Counter
from typing import Any

from interviewer.call.actions import Action, Append, Record, RecordKind
from interviewer.call.setup import CallSetup
from interviewer.ledger.events import Basis, Kind, Known, LedgerEvent, Value, World
from interviewer.ledger.fold import Ledger
from interviewer.model.corrections import Corrections


class Hub:
    """Shared by the parts of one core. `now` is ms since the call was begun; `online`: a session takes our events.

    `names`: those that a person put right; whoever shows words to somebody, or compares them, puts them right first.
    """

    def __init__(self, setup: CallSetup) -> None:
        self.setup = setup
        self.settings = setup.settings
        self.ledger = Ledger()
        self.now = 0
        self.epoch = 0
        self.online = False
        self.names = Corrections(pairs=setup.earlier.names if setup.earlier else ())
        self._actions: list[Action] = []
        self._counters: Counter[str] = Counter()

    def act(self, action: Action) -> None:
        """Ask the driver for something."""
        self._actions.append(action)

    def record(self, kind: RecordKind, /, **data: Any) -> None:
        """Write something down."""
        self._actions.append(Record(self.now, kind, data))

    def log(
        self,
        kind: Kind,
        question_id: str | None,
        attempt_id: str | None = None,
        *,
        known: Known = "live",
        basis: Basis = "protocol",
        world: World | None = None,
        **evidence: Value,
    ) -> str | None:
        """Append an event to the ledger; `world`: the call's by default. Returns why it has no effect, or None."""
        event = LedgerEvent(
            seq=len(self.ledger.events) + 1,
            t_ms=self.now,
            kind=kind,
            question_id=question_id,
            attempt_id=attempt_id,
            known=known,
            world=world or self.setup.world,
            basis=basis,
            evidence=evidence,
        )
        problem = self.ledger.append(event)
        self._actions.append(Append(event))
        return problem

    def count(self, name: str) -> int:
        """The next number of this counter, from 1."""
        self._counters[name] += 1
        return self._counters[name]

    def new_question_id(self, letter: str) -> str:
        """The next id of this letter that no question of the chain has."""
        while (question_id := f"{letter}{self.count(f'question {letter}')}") in self.ledger.questions:
            pass
        return question_id

    @property
    def acted(self) -> bool:
        """Whether something was asked for since the last call of `take`."""
        return bool(self._actions)

    def take(self) -> list[Action]:
        """The actions asked for since the last call."""
        actions, self._actions = self._actions, []
        return actions


def earliest(*deadlines: int | None) -> int | None:
    """The first of some deadlines, None if there is none."""
    found: int | None = None
    for due in deadlines:
        if due is not None and (found is None or due < found):
            found = due
    return found
