"""Thresholds tried on one's own calls: every question with the likest heard before it, labels, and what they tell."""

import csv
import io
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from interviewer.errors import MatchError, MetricError
from interviewer.lab.labelling import Labelling, Shown
from interviewer.lab.sampling import COLUMNS, from_store
from interviewer.lab.threshold_file import keep
from interviewer.matching import checked, thresholds
from interviewer.matching.comparable import comparable, of_one_kind
from interviewer.matching.interview_file import Interview
from interviewer.matching.pairs import context
from interviewer.matching.sampling import Asked, asked, cut
from interviewer.matching.scorer import Scorer, scorer
from interviewer.matching.thresholds import Threshold
from interviewer.metrics.sliding import Effect, Sliding
from interviewer.model.counting import counted
from interviewer.settings import GuardSettings
from interviewer.store.mending import write_whole
from interviewer.store.store import Store

FOLDER = "labelling"
_REPEAT = "R"
_UNCLEAR = "C"


@dataclass(frozen=True, slots=True)
class Nearest:
    """A question of a call, and the likest that was heard in an earlier turn of it."""

    id: str
    interview: Interview
    first: Asked
    second: Asked
    score: float


def nearest(interviews: Iterable[Interview], of: Scorer) -> Iterator[Nearest]:
    """Each question that can be compared with one of an earlier turn of its call. Raises MatchError."""
    for interview in interviews:
        found = asked(interview)
        texts = [comparable(one.text) for one in found]
        parts = list(dict.fromkeys(part for text in texts for part in text))
        scores = checked.matrix(of, parts, parts) if parts else np.zeros((0, 0))
        place = {part: at for at, part in enumerate(parts)}
        for number, second in enumerate(found):
            alike = [
                (float(score), at)
                for at in range(number)
                if found[at].turn < second.turn
                for one in texts[at]
                for other in texts[number]
                if of_one_kind(one, other) and not np.isnan(score := scores[place[one], place[other]])
            ]
            if alike:
                score, at = max(alike, key=lambda each: (each[0], -each[1]))
                name = f"{interview.name}:{second.turn}:{number}"
                yield Nearest(name, interview, found[at], second, score)


class ThresholdLab:
    """The questions of some calls, a scorer, and what one annotator says of them: see `at`.

    Labels lie in the home, in `labelling/`, one file a scorer; each is on the disk before `label` returns, and counts
    again after more calls were held. `reference`: the stored threshold to compare with, if there is one of this scorer.
    Raises MatchError if no call has two questions in different turns that the scorer can compare.
    """

    def __init__(
        self,
        store: Store,
        annotator: str,
        scorer_name: str = GuardSettings().scorer,
        calls: Iterable[str] = (),
        progress: Callable[[list[Interview]], Iterable[Interview]] = iter,
    ) -> None:
        self.scorer = scorer(scorer_name)
        self._home = store.home.root
        interviews = from_store(store, calls)
        self.rows = list(nearest(progress(interviews), self.scorer))
        if not self.rows:
            raise MatchError(
                f"{counted(len(interviews), 'call')}, and none has two questions in different turns that "
                f"{scorer_name} can compare: not enough to look at"
            )
        self.sliding = Sliding([row.score for row in self.rows], [row.interview.name for row in self.rows])
        self._place = {row.id: at for at, row in enumerate(self.rows)}
        self.labelling = Labelling(self._write(), annotator)
        self._order = random.Random(self.labelling.annotator).sample(range(len(self.rows)), len(self.rows))
        self.reference = self._stored(GuardSettings().threshold)
        self._relabel()

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        return float(self.sliding.sorted[0]), float(self.sliding.sorted[-1])

    def at(self, threshold: float) -> Effect:
        """What a threshold does: refused, slipped and good questions per call, and the cost ratio it is best for."""
        return self.sliding.at(threshold)

    def flipped(self, threshold: float) -> int:
        """How many questions it decides otherwise than the reference does; 0 without one."""
        return len(self.sliding.between(threshold, self.reference.value)) if self.reference else 0

    def around(self, threshold: float, each: int = 4) -> tuple[list[Nearest], list[Nearest]]:
        """The nearest that pass, and the nearest that are refused, nearest first."""
        below, above = self.sliding.around(threshold, each)
        return [self.rows[at] for at in below], [self.rows[at] for at in above]

    def said(self, row: Nearest) -> str:
        """The label of a question: R, D, N or C; empty if it has none."""
        return self._given.get(row.id, "")

    def next(self, threshold: float) -> Shown | None:
        """One to label, drawn by chance from the band of scores that the threshold lies in, or from one near it.

        A band that has many labels gives way to its neighbours: every band needs some. None once all are labelled.
        """
        of, here = self.sliding, self.sliding.band_at(threshold)
        cost = [abs(band - here) + of.seen(band) for band in range(of.bands)]
        left = [at for at in self._order if self.rows[at].id not in self._given]
        at = min(left, key=lambda place: cost[of.band(place)], default=None)
        return None if at is None else self.labelling.shown(self.rows[at].id)

    def label(self, pair: str, kind: str) -> None:
        """Say what a question is, see `labelling.KINDS`. Raises MatchError."""
        self.labelling.label(pair, kind)
        self._relabel()

    def undo(self) -> None:
        """Take the last label back."""
        self.labelling.undo()
        self._relabel()

    def save(self, name: str, threshold: float, *, replace: bool = False) -> Threshold:
        """Keep a threshold in the home, for `guard.threshold` and `match.threshold`.

        Its `low` and `high` are where, by other calls and labels, the best one for the same costs may lie, see
        `Sliding.best_between`. Raises MatchError if the name is taken or unfit, or if too little is labelled to say
        what it is good for, as in one call.
        """
        thresholds.free(name, self._home, replace=replace)
        effect, labelled = self.at(threshold), self.sliding.labelled
        if effect.cost_ratio is None or not effect.cost_ratio > 0:
            raise MatchError(f"not enough labels to say what {threshold:.3f} is good for: {effect.why or 'all repeat'}")
        of = f"{counted(len(self.rows), 'question')} in {counted(self.sliding.calls, 'own call')}"
        try:
            low, high = self.sliding.best_between(threshold)
        except MetricError as error:
            raise MatchError(f"{threshold:.3f} cannot be kept: {error}") from None
        try:
            made = Threshold(
                name=name,
                scorer=self.scorer.name,
                version=self.scorer.version,
                value=threshold,
                low=low,
                high=high,
                corpus=f"{labelled} labelled of {of}, by hand",
                prevalence=self.sliding.prevalence,
                cost_ratio=effect.cost_ratio,
                fold_spread=None,
                created=date.today(),
            )
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            raise MatchError(f"{name!r} cannot be kept: {first['loc'][0]}: {first['msg']}") from None
        keep(made, self._home, replace=replace)
        return made

    def _relabel(self) -> None:
        mine = self.labelling.labels().get(self.labelling.annotator, {})
        self._given = {pair: label for pair, label in mine.items() if pair in self._place}
        told = {self._place[pair]: label == _REPEAT for pair, label in self._given.items() if label != _UNCLEAR}
        self.sliding.label(told)

    def _stored(self, name: str) -> Threshold | None:
        found = thresholds.load_all(self._home).get(name)
        fits = found and (found.scorer, found.version) == (self.scorer.name, self.scorer.version)
        return found if fits else None

    def _write(self) -> Path:
        """The questions as a file of pairs, which labels belong to; written anew, as there may be more calls."""
        path = self._home / FOLDER / f"lab-{self.scorer.name}.csv"
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(self._row, self.rows))
        try:
            path.parent.mkdir(exist_ok=True)
            write_whole(path, text.getvalue())
        except OSError as error:
            raise MatchError(f"cannot write {path}: {error.strerror}") from None
        return path

    def _row(self, row: Nearest) -> tuple[object, ...]:
        interview, first, second = row.interview, row.first, row.second
        around = context(interview.turns, first.turn, first.text, second.turn, second.text)
        where = (row.id, interview.study, interview.name, first.turn, second.turn)
        return (*where, first.text, second.text, cut(around.answer), cut(around.before2, last=True), "", 1, "")
