"""When a fault strikes: one stream of chances a fault for a whole call, over all its sessions, and the log of them."""

import random
from collections import Counter
from dataclasses import dataclass

from interviewer.realtime.engine.faults import FAULTS, Faults, Rule, Stage


@dataclass(frozen=True, slots=True)
class Fired:
    """A fault that struck, at `t_ms`; `stage`: where the question under way stood, None before the first."""

    t_ms: int
    name: str
    stage: Stage | None
    session: int


class Trouble:
    """Decides whether a fault strikes. Shared by the sessions of a call, so that "the second drop" means the call's.

    `strikes(name)` is one chance; the n-th chance of a rule is always decided alike.
    """

    def __init__(self, faults: Faults) -> None:
        self._seed = faults.seed
        self._rules: dict[str, list[Rule]] = {}
        for rule in faults.rules:
            self._rules.setdefault(rule.name, []).append(rule)
        self._counts: Counter[str] = Counter()
        self.fired: list[Fired] = []
        self.session = -1

    @property
    def calm(self) -> bool:
        """Whether nothing can ever strike."""
        return not self._rules

    def strikes(self, name: str, t_ms: int, stage: Stage | None, *, staged: bool | None = None) -> bool:
        """One chance for a fault; a strike is written down. `staged`: only rules that do, or do not, name a stage."""
        rules = self._rules.get(name)
        if rules is None:
            return False
        fits = [r for r in rules if r.stage in (None, stage) and staged in (None, r.stage is not None)]
        # Every rule counts its own chances, whether or not another one has struck.
        if not sum(self._hits(rule) for rule in fits):
            return False
        self.fired.append(Fired(t_ms, name, stage, self.session))
        return True

    def draw(self, name: str, low: int, high: int) -> int:
        """The next number for a fault, both bounds included."""
        self._counts[name] += 1
        return random.Random(f"{self._seed}:{name}:draw:{self._counts[name]}").randint(low, high)

    def _hits(self, rule: Rule) -> bool:
        key = str(rule)
        self._counts[key] += 1
        if rule.nth is not None and self._counts[key] != rule.nth:
            return False
        return random.Random(f"{self._seed}:{key}:{self._counts[key]}").random() < rule.probability


def stage_of(name: str, now: Stage | None) -> Stage | None:
    """The stage a chance counts for: that of a fault which has only one, else where the exchange stands."""
    stages = FAULTS[name].stages
    return stages[0] if len(stages) == 1 else now
