"""What was proposed, held against what the recording really asked next."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from interviewer.matching.scorer import Scorer, scorer
from interviewer.matching.text import questions
from interviewer.replay.outcome import Decided
from interviewer.replay.recording import Spoken
from interviewer.settings import ReplaySettings


@dataclass(frozen=True, slots=True)
class Agreeing:
    """Says how alike two wordings are, by `replay.scorer`, each pair once; from `agrees` on they are one question."""

    scorer: Scorer
    agrees: float
    _known: dict[tuple[str, str], float | None] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: ReplaySettings) -> "Agreeing":
        """By these settings. Raises SettingsError for an unknown scorer."""
        return cls(scorer(settings.scorer), settings.agrees)

    def score(self, proposed: str, spoken: str) -> float | None:
        """How well `spoken`, a whole turn of the interviewer's, asks what was proposed; None if it asks nothing.

        What a question is about may stand before it ("You said it broke. What happened?"), so the turn counts as well
        as its questions alone, whichever is more alike. None too if nothing can be compared.
        """
        if not proposed.strip() or not (asked := asked_in(spoken)):
            return None
        if (proposed, spoken) not in self._known:
            scores = self.scorer.matrix([proposed], list(dict.fromkeys((asked, spoken))))[0]
            told = scores[~np.isnan(scores)]
            self._known[proposed, spoken] = round(float(told.max()), 6) if told.size else None
        return self._known[proposed, spoken]


def asked_in(spoken: str) -> str:
    """The sentences of a turn that ask."""
    return " ".join(span.text for span in questions(spoken))


def held_against(decisions: Sequence[Decided], recorded: Sequence[Spoken], by: Agreeing) -> tuple[Decided, ...]:
    """The decisions with what the interviewer's next turn asked, and how alike that is."""
    turns = [turn for turn in recorded if turn.speaker == "interviewer"]
    starts = [turn.started_ms for turn in turns]
    found = []
    for decided in decisions:
        place = bisect.bisect_left(starts, decided.t_ms)
        if place == len(turns):
            found.append(decided)
            continue
        turn = turns[place]
        score = by.score(decided.text, turn.text)
        found.append(replace(decided, asked_turn=turn.id, asked=asked_in(turn.text), score=score))
    return tuple(found)
