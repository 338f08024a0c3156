"""Rates with and without memory side by side, what is left of the repeats, and what it costs in new details."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evals.follow_up.calls import PLAN, TOPIC, WITH, WITHOUT, Returned
from interviewer.metrics.statistics import Estimate, holm, mean, paired, resampled, share

Row = dict[str, Any]

SCENARIOS = (PLAN, TOPIC)
TARGET = 0.2
"""At most a fifth of the repeats may be left."""


def table(calls: Sequence[Returned]) -> list[Row]:
    """A row for each scenario and memory: rates of the questions heard and means of a call, with 95 % intervals."""
    rows = []
    for scenario in SCENARIOS:
        for memory in (WITHOUT, WITH):
            these = _of(calls, scenario, memory)
            heard = [call.heard for call in these]
            rows.append(
                {
                    "scenario": scenario,
                    "memory": memory,
                    "chains": len(these),
                    "heard": sum(heard),
                    "repeats": sum(call.repeats for call in these),
                    **_ends("repeat_rate", share([call.repeats for call in these], heard)),
                    **_ends("alike_rate", share([call.alike for call in these], heard)),
                    **_ends("both_rate", share([call.both for call in these], heard)),
                    **_ends("refused_per_call", mean([call.refused for call in these], events=True)),
                    **_ends("new_details", mean([call.new for call in these])),
                    **_ends("new_details_asked", mean([call.new_asked for call in these])),
                }
            )
    return rows


def comparisons(calls: Sequence[Returned]) -> list[Row]:
    """Per scenario: the share of the repeats that memory leaves, and the difference in new details, each chain's own.

    The share's interval resamples chains, the same for both; p is of the sign-flip permutation, after Holm over all.
    """
    rows: list[Row] = []
    ps: dict[str, float] = {}
    for scenario in SCENARIOS:
        old, new = _of(calls, scenario, WITHOUT), _of(calls, scenario, WITH)
        for name in ("repeats", "alike", "both"):
            gap = paired(_rates(new, name), _rates(old, name))
            ps[f"{scenario}/{name}"] = gap.p if gap.p is not None else 1.0
            rows.append({"scenario": scenario, "figure": f"{name}: share left", **_left(old, new, name)})
        for name in ("new", "new_asked"):
            gap = paired([getattr(call, name) for call in new], [getattr(call, name) for call in old])
            ps[f"{scenario}/{name}"] = gap.p if gap.p is not None else 1.0
            ends = {"value": gap.value, "low": gap.low, "high": gap.high}
            rows.append({"scenario": scenario, "figure": f"{name}: with less without", **_short(ends)})
    for row, p in zip(rows, holm(ps).values(), strict=True):
        row["p_holm"] = round(p, 4)
    return rows


def _left(old: Sequence[Returned], new: Sequence[Returned], name: str) -> Row:
    """What share of the rate without memory is left with it."""
    tops = [np.array([getattr(call, name) for call in calls], dtype=np.float64) for calls in (old, new)]
    bottoms = [np.array([call.heard for call in calls], dtype=np.float64) for calls in (old, new)]
    rates = [top.sum() / bottom.sum() for top, bottom in zip(tops, bottoms, strict=True)]
    if not rates[0]:
        return {"value": None, "low": None, "high": None}
    drawn = [resampled(top, bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    shares = drawn[1][drawn[0] > 0] / drawn[0][drawn[0] > 0]
    low, high = np.percentile(shares, [2.5, 97.5])
    return _short({"value": float(rates[1] / rates[0]), "low": float(low), "high": float(high)})


def _rates(calls: Sequence[Returned], name: str) -> list[float]:
    return [getattr(call, name) / call.heard if call.heard else float("nan") for call in calls]


def _of(calls: Sequence[Returned], scenario: str, memory: str) -> list[Returned]:
    return [call for call in calls if (call.scenario, call.memory) == (scenario, memory)]


def _ends(name: str, estimate: Estimate) -> Row:
    return _short({name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high})


def _short(row: dict[str, float | None]) -> Row:
    return {name: None if value is None else round(value, 3) for name, value in row.items()}
