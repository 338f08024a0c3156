"""The thresholds that come with the package."""

from datetime import date

from evals.repetition.fitting import PREVALENCE
from evals.repetition.scored import Everything, Scored
from interviewer.matching import thresholds
from interviewer.matching.scorer import scorer
from interviewer.matching.thresholds import Threshold
from interviewer.matching.tuning import tune

NAMES = ("jaccard", "jaccard2", "minilm", "centred", "mix")
COST_RATIOS = (3.0, 10.0, 30.0)
_CORPORA = {
    "same": "same information; labelled pairs in real interviews, sampled and found, unweighted, split by interview",
    "repeat": "unwanted repeats injected into real interviews, among drawn pairs that differ, split by interview",
}


def store(of: Everything, created: date) -> None:
    """Choose and store them, for each purpose, scorer and cost ratio one, at the live prevalence."""
    for purpose, scored in (("same", of.real), ("repeat", of.unwanted)):
        for name in NAMES:
            for ratio in COST_RATIOS:
                found = _chosen(scored, name, ratio, f"{purpose}-{name}-{ratio:.0f}", _CORPORA[purpose], created)
                thresholds.save(found, thresholds.PACKAGED.parent)


def _chosen(scored: Scored, scorer_name: str, ratio: float, name: str, corpus: str, created: date) -> Threshold:
    labelled, chosen = scored.labelled, scorer(scorer_name)
    scores = scored.scores[scorer_name]
    found = tune(scores, labelled.same, labelled.groups, prevalence=PREVALENCE, cost_ratio=ratio)
    return Threshold(
        name=name,
        scorer=chosen.name,
        version=chosen.version,
        value=found.value,
        low=found.low,
        high=found.high,
        corpus=corpus,
        prevalence=PREVALENCE,
        cost_ratio=ratio,
        fold_spread=found.fold_spread,
        created=created,
    )
