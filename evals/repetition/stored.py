"""The thresholds that come with the package."""

from datetime import date

from evals.repetition.fitting import PREVALENCE
from evals.repetition.scored import Scored
from interviewer.matching import thresholds
from interviewer.matching.scorer import scorer
from interviewer.matching.thresholds import Threshold
from interviewer.matching.tuning import tune

NAMES = ("jaccard", "jaccard2", "minilm", "centred", "mix")
COST_RATIOS = (3.0, 10.0, 30.0)
_CORPUS = "same information; labelled pairs in real interviews, sampled and found, unweighted, split by interview"


def store(real: Scored, created: date) -> None:
    """Choose and store them, one for each scorer and cost ratio, at the live prevalence."""
    labelled = real.labelled
    for name in NAMES:
        chosen = scorer(name)
        for ratio in COST_RATIOS:
            found = tune(real.scores[name], labelled.same, labelled.groups, prevalence=PREVALENCE, cost_ratio=ratio)
            threshold = Threshold(
                name=f"same-{name}-{ratio:.0f}",
                scorer=chosen.name,
                version=chosen.version,
                value=found.value,
                low=found.low,
                high=found.high,
                corpus=_CORPUS,
                prevalence=PREVALENCE,
                cost_ratio=ratio,
                fold_spread=found.fold_spread,
                created=created,
            )
            thresholds.save(threshold, thresholds.PACKAGED.parent)
