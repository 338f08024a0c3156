"""The thresholds that come with the package."""

from dataclasses import dataclass
from datetime import date

from evals.repetition.fitting import PREVALENCE
from evals.repetition.scored import RUNNING, Everything, Scored
from evals.repetition.sets import asked
from interviewer.matching import thresholds
from interviewer.matching.scorer import Scorer, StudyScorer, scorer
from interviewer.matching.thresholds import Threshold
from interviewer.matching.tuning import tune

NAMES = ("jaccard", "jaccard2", "minilm", "centred", "mix")
COST_RATIOS = (3.0, 10.0, 30.0)
_CORPORA = {
    "same": "same information; labelled pairs in real interviews, sampled and found, unweighted, split by interview",
    "repeat": "unwanted repeats injected into real interviews, among drawn pairs that differ, split by interview",
}


@dataclass(frozen=True)
class _Purpose:
    """What thresholds are chosen for: the pairs, in words too, and the day."""

    name: str
    pairs: Scored
    created: date

    def keep(self, chosen: Scorer, column: str, name: str) -> None:
        """Store those of a scorer, whose scores of the pairs are `column`."""
        labelled = self.pairs.labelled
        for ratio in COST_RATIOS:
            found = tune(
                self.pairs.scores[column], labelled.same, labelled.groups, prevalence=PREVALENCE, cost_ratio=ratio
            )
            kept = Threshold(
                name=f"{self.name}-{name}-{ratio:.0f}",
                scorer=chosen.name,
                version=chosen.version,
                value=found.value,
                low=found.low,
                high=found.high,
                corpus=_CORPORA[self.name],
                prevalence=PREVALENCE,
                cost_ratio=ratio,
                fold_spread=found.fold_spread,
                created=self.created,
            )
            thresholds.save(kept, thresholds.PACKAGED.parent)


def store(of: Everything, created: date) -> None:
    """Choose and store them, for each purpose, scorer and cost ratio one, at the live prevalence.

    Those of `centred` and `mix` are for scores that know what the study asks; with "running" in the name, for scores
    that take the mean question of other studies, as a live call does.
    """
    study = next(iter(asked().values()))
    for purpose in (_Purpose("same", of.real, created), _Purpose("repeat", of.unwanted, created)):
        for name in NAMES:
            chosen = scorer(name)
            if isinstance(chosen, StudyScorer):
                purpose.keep(chosen, f"{name}, {RUNNING}", f"{name}-running")
                chosen = chosen.of_study(study)
            purpose.keep(chosen, name, name)
