"""All metrics, in the order in which they are shown."""

from interviewer.metrics.adoption import ADOPTION, STALE
from interviewer.metrics.answers import BITS, BITS_PER_WORD, PROBING
from interviewer.metrics.closing import EARLY_GOODBYES, LENGTH_ERROR
from interviewer.metrics.coverage import ANSWERED, DELIVERED, SELECTED, TARGETING
from interviewer.metrics.diversity import DIVERSITY
from interviewer.metrics.form import LENGTH, MULTI_PART, OPEN
from interviewer.metrics.funnel import FUNNEL, WORDS_HEARD
from interviewer.metrics.metric import Metric
from interviewer.metrics.repetition import MAX_SIMILARITY, RE_ASKED
from interviewer.metrics.runs import COST, FAILED_RUNS
from interviewer.metrics.talk import GAP_MEDIAN, GAP_P95, OVERLAPS, TALK_SHARE
from interviewer.metrics.uptake import FOLLOW_UP, UPTAKE

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        RE_ASKED,
        MAX_SIMILARITY,
        SELECTED,
        DELIVERED,
        ANSWERED,
        TARGETING,
        *ADOPTION,
        *FUNNEL,
        WORDS_HEARD,
        STALE,
        UPTAKE,
        FOLLOW_UP,
        OPEN,
        MULTI_PART,
        LENGTH,
        DIVERSITY,
        TALK_SHARE,
        BITS,
        BITS_PER_WORD,
        PROBING,
        GAP_MEDIAN,
        GAP_P95,
        OVERLAPS,
        LENGTH_ERROR,
        EARLY_GOODBYES,
        FAILED_RUNS,
        COST,
    )
}
