"""The figures of the notebooks as documented queries: what rules in Python count in each call, summed up in SQL."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from interviewer.lab.threshold_lab import ThresholdLab
from interviewer.metrics import course
from interviewer.metrics.every import METRICS
from interviewer.metrics.metric import Metric, Tally, Told
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings

if TYPE_CHECKING:
    import pandas as pd

_TALLIES = ("source", "call_id", "metric", "part", "top", "bottom", "n", "least", "why")
_QUESTIONS = ("question_id", "call_id", "score", "band", "label", "repeats")

QUERIES: dict[str, str] = {
    # Of `tallies` and `tallies_in_course`: a figure is the sum of `top` over that of `bottom`, if `n` is enough.
    "figures": """
        SELECT
            source, metric, part, sum(n)::BIGINT AS n, count(*) FILTER (bottom > 0) AS calls,
            CASE WHEN sum(n) >= any_value(least) THEN sum(top) / sum(bottom) END AS value
        FROM tallies GROUP BY ALL ORDER BY metric, part, source""",
    # One group less another: $first and $second are names of `source`.
    "differences": """
        WITH figures AS (
            SELECT source, metric, CASE WHEN sum(n) >= any_value(least) THEN sum(top) / sum(bottom) END AS value
            FROM tallies GROUP BY ALL
        )
        SELECT metric, first.value AS first, second.value AS second, first.value - second.value AS difference
        FROM figures AS first JOIN figures AS second USING (metric)
        WHERE first.source = $first AND second.source = $second ORDER BY metric""",
    # Calls of the world ?: the three columns of all of them together, by the weight of their plans.
    "coverage": """
        SELECT
            sum(selected_share * weight) / sum(weight) AS selected,
            sum(delivered_share * weight) / sum(weight) AS delivered,
            sum(answered_share * weight) / sum(weight) AS answered
        FROM coverage JOIN calls USING (call_id) WHERE world = ?""",
    "coverage_by_call": """
        SELECT topic, planned, selected_share, delivered_share, answered_share
        FROM coverage JOIN calls USING (call_id) WHERE world = ? ORDER BY started_at""",
    "funnel": """
        SELECT
            sum(selected)::BIGINT AS selected, sum(accepted)::BIGINT AS accepted, sum(started)::BIGINT AS started,
            sum(generated)::BIGINT AS generated, sum(delivered)::BIGINT AS delivered
        FROM delivery_funnel JOIN calls USING (call_id) WHERE world = ?""",
    "outcomes": """
        SELECT outcome, reason, count(*) AS attempts
        FROM attempts JOIN calls USING (call_id) WHERE world = ? GROUP BY ALL ORDER BY attempts DESC""",
    "talk": """
        SELECT topic, guest_share, gap_median_ms, gap_p95_ms, overlap_share, stale_share, length_error
        FROM talk JOIN guidance_age USING (call_id) JOIN call_lengths USING (call_id) JOIN calls USING (call_id)
        WHERE world = ? ORDER BY started_at""",
    "usage": """
        SELECT
            spender, sum(runs)::BIGINT AS runs, sum(input_tokens)::BIGINT AS read,
            sum(output_tokens)::BIGINT AS written, sum(cost_usd) AS usd
        FROM usage JOIN calls USING (call_id) WHERE world = ? GROUP BY spender ORDER BY read DESC NULLS LAST""",
    "guard": """
        SELECT decision, count(*) AS n, round(max(score), 3) AS highest, any_value(scorer) AS scorer
        FROM guard GROUP BY decision ORDER BY n DESC""",
    # Of files of labelled pairs, ? being their path or a pattern of it.
    "labels": """
        PIVOT (SELECT source, label FROM read_csv(?, union_by_name = true, all_varchar = true))
        ON label IN ('R', 'D', 'N', 'C') USING count(*) GROUP BY source ORDER BY source""",
    "labelled": """
        SELECT count(*) FILTER (label <> '') AS agreed, count(*) AS pairs
        FROM read_csv(?, all_varchar = true)""",
    # Of `lab_questions`: the labelled ones of a band of scores stand for all of it. $threshold is a score.
    "threshold": """
        WITH bands AS (
            SELECT
                count(*) AS held, count(*) FILTER (score > $threshold) AS above, avg(repeats::INTEGER) AS rate
            FROM scored GROUP BY band
        )
        SELECT
            sum(above)::BIGINT AS refused,
            CASE WHEN bool_and(rate IS NOT NULL OR held = above) THEN
                coalesce(sum((held - above) * rate), 0) / (SELECT count(DISTINCT call_id) FROM scored)
            END AS slipped_a_call,
            CASE WHEN bool_and(rate IS NOT NULL OR above = 0) THEN
                coalesce(sum(above * (1 - rate)), 0) / (SELECT count(DISTINCT call_id) FROM scored)
            END AS good_refused_a_call
        FROM bands""",
}
"""By name, for `Store.sql`. `figures`, `differences` and `threshold` take a frame of this module as well.

Their values are those of `measure`, `compare`, `over_time` and `ThresholdLab.at`; intervals and p, which resample
calls, are not for SQL to say.
"""


def tallies(groups: Mapping[str, Sequence[CallFacts]], settings: MetricSettings) -> "pd.DataFrame":
    """What each call of each group adds to each metric: the frame `tallies` of the queries; without it, `why`.

    Raises SettingsError for a scorer or threshold that does not fit.
    """
    return _frame(
        _row(source, call, metric, None, metric.tally(call, settings), settings)
        for source, calls in groups.items()
        for metric in METRICS.values()
        for call in calls
    )


def tallies_in_course(
    groups: Mapping[str, Sequence[CallFacts]], settings: MetricSettings, parts: int = course.PARTS
) -> "pd.DataFrame":
    """The same of `over_time`, by `part` of the calls' turns, from 0."""
    return _frame(
        _row(source, call, metric, part, told, settings)
        for source, calls in groups.items()
        for metric in course.OVER_TIME
        for part in range(parts)
        for call, told in zip(calls, course.tallies(metric, calls, settings, part, parts), strict=True)
    )


def lab_questions(lab: ThresholdLab) -> "pd.DataFrame":
    """The questions of a threshold lab: the frame `scored` of the query `threshold`. `repeats`: as it is labelled."""
    import pandas as pd

    rows = []
    for at, row in enumerate(lab.rows):
        label = lab.said(row)
        repeats = label == "R" if label not in ("", "C") else None
        rows.append((row.id, row.interview.name, row.score, lab.sliding.band(at), label, repeats))
    return pd.DataFrame(rows, columns=_QUESTIONS).astype({"repeats": "boolean"})


def _row(
    source: str, call: CallFacts, metric: Metric, part: int | None, told: Told, settings: MetricSettings
) -> tuple[object, ...]:
    known = (told.top, told.bottom, told.n, "") if isinstance(told, Tally) else (0.0, 0.0, 0, told)
    return (source, call.id, metric.name, part, *known[:3], metric.least or settings.least, known[3])


def _frame(rows: Iterator[tuple[object, ...]]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(rows, columns=_TALLIES).astype({"part": "Int64"})
