"""The tables of the evaluation: rows of named figures."""

from collections.abc import Iterator

import numpy as np

from evals.repetition import fitting
from evals.repetition.measure import (
    BASE,
    ap,
    ap_at_a_sixth,
    baseline_matches,
    mcnemar,
    own_matches,
    precision_recall,
    with_interval,
)
from evals.repetition.scored import SCORERS, VARIANTS, Everything, Scored
from interviewer.matching.curve import curve
from interviewer.matching.logistic import Floats
from interviewer.matching.tuning import tune

Row = dict[str, object]

PREVALENCES = (0.03, 0.04, 0.05)
COST_RATIOS = (1.0, 3.0, 10.0, 30.0)
_MANY = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0)
_POINTS = 60
_TIMES = 100
_BINS = 8
_NEAR = (3, 7, 15)
"""Turns between the questions of a pair, as steps."""
REAL, UNWANTED = "in interviews", "injected R among drawn N"


def views(of: Everything) -> dict[str, tuple[Scored, Floats]]:
    """The sets and parts of sets that figures are given for, with the weights to use."""
    real, placed = of.real, of.placed
    styles, same = np.array(placed.labelled.strata), placed.labelled.same
    parts = {
        "sampled": real.where("sampled", of.drawn),
        "found": real.where("found", ~of.drawn),
        REAL: real,
        **_across(of),
        UNWANTED: of.unwanted,
        "injected": placed,
        **{f"injected, {s}": placed.where(s, (styles == s) | ~same) for s in ("none", "topic", "words")},
        **of.texts,
    }
    even = {name: (one, np.ones(len(one.labelled))) for name, one in parts.items()}
    far = _equally_far(placed)
    return {
        "sampled, weighted": (parts["sampled"], parts["sampled"].labelled.weights),
        **even,
        "injected, equally far": (placed.where("equally far", far > 0), far[far > 0]),
    }


def _equally_far(placed: Scored) -> Floats:
    """Weights of injected pairs, R and N, by which the N lie as far from their question as the R; 0: left out."""
    kinds = np.array(placed.labelled.kinds)
    turns = np.array([pair.context.distance if pair.context else 0 for pair in placed.labelled.pairs])
    near = np.digitize(turns, _NEAR)
    weights = np.zeros(len(kinds))
    for step in range(1, len(_NEAR) + 1):
        repeats, others = (kinds == "R") & (near == step), (kinds == "N") & (near == step)
        weights[repeats], weights[others] = 1.0, repeats.sum() / max(1, others.sum())
    return weights


def _across(of: Everything) -> dict[str, Scored]:
    """The mix fitted to one kind of interview and used on the other."""
    made_by_ai = np.array([source.startswith("anthropic") for source in of.material.labelled.sources])
    here = made_by_ai[: len(of.real.labelled)]
    to_podcasts, to_ai = (
        of.real.with_mix(fitting.across(of.material, kept)[: len(here)]) for kept in (made_by_ai, ~made_by_ai)
    )
    return {
        "podcasts, fitted on AI interviews": to_podcasts.where("podcasts", ~here),
        "AI interviews, fitted on podcasts": to_ai.where("AI interviews", here),
    }


def precision_table(of: dict[str, tuple[Scored, Floats]]) -> Iterator[Row]:
    """Average precision of each scorer on each set, its 95 % interval and the paired 90 % interval of the gain."""
    for name, (scored, weights) in of.items():
        same = scored.labelled.same
        for scorer in (*SCORERS, *(name for name in VARIANTS if name in scored.scores)):
            value, low, high = with_interval(ap, scored, scorer, weights)
            sixth, sixth_low, sixth_high = with_interval(ap_at_a_sixth, scored, scorer, weights)
            gain = with_interval(ap, scored, scorer, weights, BASE, 0.9)
            sixth_gain = with_interval(ap_at_a_sixth, scored, scorer, weights, BASE, 0.9)
            yield {
                "set": name,
                "scorer": scorer,
                "pairs": len(same),
                "groups": len(set(scored.labelled.groups)),
                "positive": int(same.sum()),
                "prevalence": weights[same].sum() / weights.sum(),
                "unknown": int(np.isnan(scored.scores[scorer]).sum()),
                **dict(zip(("ap", "ap_low", "ap_high"), (value, low, high), strict=True)),
                **dict(zip(("gain", "gain_low", "gain_high"), gain, strict=True)),
                **dict(zip(("sixth", "sixth_low", "sixth_high"), (sixth, sixth_low, sixth_high), strict=True)),
                **dict(zip(("sixth_gain", "sixth_gain_low", "sixth_gain_high"), sixth_gain, strict=True)),
            }


def threshold_table(of: Everything) -> Iterator[Row]:
    """Thresholds by cost at the live prevalences, and their worth on the folds left out."""
    for name, scored in _sets(of).items():
        for scorer in SCORERS:
            for prevalence in PREVALENCES:
                for ratio in COST_RATIOS:
                    yield {"set": name, "scorer": scorer} | _tuned(scored, scorer, prevalence, ratio, _TIMES)


def cost_table(of: Everything) -> Iterator[Row]:
    """The cost curve at a prevalence of 4 %: for each cost ratio the threshold and what it does."""
    for name, scored in _sets(of).items():
        for scorer in SCORERS:
            for ratio in _MANY:
                yield {"set": name, "scorer": scorer} | _tuned(scored, scorer, fitting.PREVALENCE, ratio, 0)


def _tuned(scored: Scored, scorer: str, prevalence: float, ratio: float, times: int) -> Row:
    labelled = scored.labelled
    found = tune(
        scored.scores[scorer],
        labelled.same,
        labelled.groups,
        prevalence=prevalence,
        cost_ratio=ratio,
        times=times,
    )
    return {
        "prevalence": prevalence,
        "cost_ratio": ratio,
        "threshold": found.value,
        "low": found.low,
        "high": found.high,
        "fold_low": min(found.choices),
        "fold_high": max(found.choices),
        "precision": found.precision,
        "recall": found.recall,
        "flagged": found.flagged,
        "cost": found.cost,
        "cost_of_silence": prevalence * ratio,
    }


def decision_table(of: Everything) -> Iterator[Row]:
    """Each scorer's decisions at its own threshold against those of the essays' rule, by McNemar's test."""
    for name, scored in _sets(of).items():
        same, baseline = scored.labelled.same, baseline_matches(scored)
        yield {"set": name, "rule": "jaccard > .35"} | _decided(baseline, same)
        for scorer in SCORERS:
            matches = own_matches(scored, scorer)
            better, worse, p = mcnemar(matches, baseline, same)
            test = {"right_only_here": better, "right_only_baseline": worse, "p": p}
            yield {"set": name, "rule": f"{scorer}, own threshold"} | _decided(matches, same) | test


def _decided(matches: np.ndarray, same: np.ndarray) -> Row:
    precision, recall = precision_recall(matches, same)
    return {"flagged": int(matches.sum()), "precision": precision, "recall": recall}


def curve_table(of: dict[str, tuple[Scored, Floats]]) -> Iterator[Row]:
    """Precision and recall along the thresholds, at most 60 points a curve."""
    for name, (scored, weights) in of.items():
        for scorer in SCORERS:
            found = curve(scored.scores[scorer], scored.labelled.same, weights)
            steps = np.unique(np.linspace(0, len(found.thresholds) - 1, _POINTS).astype(int))
            for at in steps:
                point = {
                    "threshold": found.thresholds[at],
                    "precision": found.precision[at],
                    "recall": found.recall[at],
                }
                yield {"set": name, "scorer": scorer} | point


def calibration_table(of: Everything) -> Iterator[Row]:
    """Mean probability of the mix and share of positives in bins of equal size, at a prevalence of 4 %."""
    for name, scored in _sets(of).items():
        scores, same = scored.scores["mix"], scored.labelled.same
        share = same.mean()
        weights = np.where(same, fitting.PREVALENCE / share, (1 - fitting.PREVALENCE) / (1 - share))
        known = np.flatnonzero(~np.isnan(scores))
        for bin_number, rows in enumerate(np.array_split(known[np.argsort(scores[known], kind="stable")], _BINS)):
            held = weights[rows]
            yield {
                "set": name,
                "bin": bin_number + 1,
                "pairs": len(rows),
                "positive": int(same[rows].sum()),
                "predicted": float(scores[rows] @ held / held.sum()),
                "observed": float(held[same[rows]].sum() / held.sum()),
            }


def _sets(of: Everything) -> dict[str, Scored]:
    return {REAL: of.real, UNWANTED: of.unwanted, "injected": of.placed, **of.texts}
