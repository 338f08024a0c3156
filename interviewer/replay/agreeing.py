"""What was proposed, held against what the recording really asked next."""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from interviewer.matching.scorer import Scorer, scorer
from interviewer.matching.text import questions
from interviewer.replay.outcome import Decided
from interviewer.replay.recording import Spoken
from interviewer.settings import ReplaySettings


@dataclass(frozen=True, slots=True)
class Agreeing:
    """Says how alike two wordings are, by `replay.scorer`, and whether that is the same question."""

    scorer: Scorer
    agrees: float

    @classmethod
    def of(cls, settings: ReplaySettings) -> "Agreeing":
        """By these settings. Raises SettingsError for an unknown scorer."""
        return cls(scorer(settings.scorer), settings.agrees)

    def score(self, proposed: str, spoken: str) -> float | None:
        """How well `spoken`, a turn of the interviewer's, asks what was proposed; None if nothing can be compared."""
        if not proposed.strip() or not spoken.strip():
            return None
        score = float(self.scorer.matrix([proposed], [spoken])[0, 0])
        return None if np.isnan(score) else round(score, 6)


def asked_in(turn: Spoken) -> str:
    """The sentences of a turn that ask."""
    return " ".join(span.text for span in questions(turn.text))


def held_against(decisions: Sequence[Decided], recorded: Sequence[Spoken], by: Agreeing) -> tuple[Decided, ...]:
    """The decisions with what the interviewer's next turn asked, and how alike that is; a pair is scored once."""
    turns = [turn for turn in recorded if turn.speaker == "interviewer"]
    starts = [turn.started_ms for turn in turns]
    known: dict[tuple[str, str], float | None] = {}
    found = []
    for decided in decisions:
        place = bisect.bisect_left(starts, decided.t_ms)
        if place == len(turns):
            found.append(decided)
            continue
        turn = turns[place]
        asked = asked_in(turn)
        pair = (decided.text, asked)
        if pair not in known:
            known[pair] = by.score(*pair)
        found.append(replace(decided, asked_turn=turn.id, asked=asked, score=known[pair]))
    return tuple(found)
