"""The campaign's figures, per call and per attempt, with intervals by resampling calls."""

import platform
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evals.demo_calls.one import CallFigures

_RESAMPLES = 2_000


def summarise(calls: Sequence[CallFigures]) -> dict[str, Any]:
    """Totals, rates with 95 % intervals (percentile bootstrap over calls) and what was broken."""
    broken = [f"{c.dossier} seed {c.seed}: {c.broken}" for c in calls if c.broken]
    return {
        "calls": len(calls),
        "python": platform.python_version(),
        "dossiers": dict(sorted(Counter(c.dossier for c in calls).items())),
        "ended_by": dict(sorted(Counter(c.ended_by for c in calls).items())),
        "false_deliveries": sum(c.false_deliveries for c in calls),
        "attempts": _mean(calls, lambda c: c.attempts),
        "delivered_per_attempt": _ratio(calls, lambda c: c.delivered, lambda c: c.attempts),
        "false_releases_per_attempt": _ratio(calls, lambda c: c.false_releases, lambda c: c.attempts),
        "of_which_held": _ratio(calls, lambda c: c.false_releases_held, lambda c: c.false_releases),
        "false_covers_per_call": _mean(calls, lambda c: c.false_covers),
        "heard_repeats_per_call": _mean(calls, lambda c: c.heard_repeats),
        "calls_with_a_heard_repeat": sum(c.heard_repeats > 0 for c in calls),
        "questions_heard": _mean(calls, lambda c: c.questions_heard),
        "plan_questions_delivered": _ratio(calls, lambda c: c.plan_delivered, lambda c: c.plan_questions),
        "details_brought_out_by_asking": _ratio(calls, lambda c: c.details_asked, lambda c: c.details_total),
        "details_volunteered": _ratio(calls, lambda c: c.details_volunteered, lambda c: c.details_total),
        "length_ms": _mean(calls, lambda c: c.elapsed_ms),
        "cpu_s_per_call": _mean(calls, lambda c: c.cpu_s),
        "broken_promises": broken,
    }


def compare(before: Sequence[CallFigures], after: Sequence[CallFigures]) -> dict[str, Any]:
    """The same calls under two rules: totals, and differences of each call with 95 % intervals by resampling calls.

    `share`: what is left of a figure under the second rule.
    """
    report: dict[str, Any] = {"calls": len(after)}
    for name in ("false_releases", "heard_repeats", "false_deliveries", "false_covers", "delivered", "attempts"):
        first = np.array([getattr(call, name) for call in before], dtype=float)
        second = np.array([getattr(call, name) for call in after], dtype=float)
        draws = np.random.default_rng(0).integers(0, len(first), (_RESAMPLES, len(first)))
        low, high = np.percentile((second - first)[draws].mean(axis=1), [2.5, 97.5])
        report[name] = {
            "before": int(first.sum()),
            "after": int(second.sum()),
            "share": round(float(second.sum() / first.sum()), 4) if first.sum() else None,
            "difference_per_call": round(float((second - first).mean()), 4),
            "low": round(float(low), 4),
            "high": round(float(high), 4),
        }
    return report


def _mean(calls: Sequence[CallFigures], value: Callable[[CallFigures], float]) -> dict[str, Any]:
    return _ratio(calls, value, lambda _: 1)


def _ratio(
    calls: Sequence[CallFigures], above: Callable[[CallFigures], float], below: Callable[[CallFigures], float]
) -> dict[str, Any]:
    top = np.array([above(c) for c in calls], dtype=float)
    bottom = np.array([below(c) for c in calls], dtype=float)
    if bottom.sum() == 0:
        return {"value": None, "n": len(calls)}
    draws = np.random.default_rng(0).integers(0, len(calls), (_RESAMPLES, len(calls)))
    sums = bottom[draws].sum(axis=1)
    rates = top[draws].sum(axis=1)[sums > 0] / sums[sums > 0]
    low, high = np.percentile(rates, [2.5, 97.5])
    value = float(top.sum() / bottom.sum())
    return {"value": round(value, 4), "low": round(float(low), 4), "high": round(float(high), 4), "n": len(calls)}
