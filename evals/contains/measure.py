"""Every scorer on the labelled pairs: average precision, verdicts by kind, calibration, McNemar, kinds left out."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evals.contains.fitting import Material, Outside, outside, without_kind
from evals.contains.sets import ADVERSARIAL, SPEECH, Labelled
from interviewer.matching.contains import Judgement
from interviewer.matching.curve import average_precision, curve
from interviewer.matching.logistic import Floats
from interviewer.matching.pairs import Pair, aligned, score_pairs
from interviewer.matching.scorer import Scorer, scorer
from interviewer.matching.split import resamples
from interviewer.matching.text import sentences

Row = dict[str, str | int | float]
Bools = NDArray[np.bool_]

ESSAYS = 0.35
PRECISION = 0.9
_TIMES = 300
_BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The pairs, what each scorer gives them, and the nested verdicts of `contains`."""

    material: Material
    outside: Outside
    scores: dict[str, Floats]

    @property
    def rows(self) -> tuple[Labelled, ...]:
        """The pairs."""
        return self.material.rows

    def parts(self) -> dict[str, Bools]:
        """Pairs by where they come from; speech is what the simulator and guides read out give."""
        kinds = np.array([row.kind for row in self.rows])
        sources = np.array([row.source for row in self.rows])
        parts = {"all": np.ones(len(kinds), dtype=np.bool_), "speech": np.isin(kinds, SPEECH)}
        parts["adversarial"] = np.isin(kinds, ADVERSARIAL)
        return parts | {name: sources == name for name in dict.fromkeys(sources.tolist())}


def everything(given: Material) -> Found:
    """All scores; those of `contains` by fits that have not seen the planned question."""
    nested = outside(given)
    planned, spoken = [row.planned for row in given.rows], [row.utterance for row in given.rows]
    found = {"contains": nested.scores, "jaccard, whole turn": aligned(scorer("jaccard"), planned, spoken)}
    for name in ("jaccard", "jaccard2", "tfidf", "minilm", "centred"):
        found[f"{name}, by sentence"] = by_sentence(scorer(name), given.rows)
    # It looks for the sentences that go together by itself.
    whole = score_pairs(scorer("mix"), [Pair(row.planned, row.utterance) for row in given.rows])
    found["mix"] = np.nan_to_num(whole, nan=0.0)
    return Found(given, nested, found)


def by_sentence(of: Scorer, rows: Sequence[Labelled]) -> Floats:
    """The highest score of a planned question over the sentences of its utterance."""
    flat, starts = [], [0]
    for row in rows:
        flat += [(row.planned, span.text) for span in sentences(row.utterance)]
        starts.append(len(flat))
    values = np.nan_to_num(aligned(of, [one for one, _ in flat], [other for _, other in flat]), nan=-1.0)
    return np.array([values[a:b].max() if b > a else -1.0 for a, b in pairwise(starts)])


def precision_table(of: Found) -> Iterator[Row]:
    """AP of each scorer with its prevalence and 90 % interval, and its recall at precision .9."""
    for part, kept in of.parts().items():
        yes = of.material.yes[kept]
        groups = [row.group for row, here in zip(of.rows, kept, strict=True) if here]
        for name, values in of.scores.items():
            low, high = _interval(values[kept], yes, groups)
            drawn = curve(values[kept], yes)
            reached = drawn.recall[drawn.precision >= PRECISION]
            yield {
                "part": part,
                "scorer": name,
                "n": int(kept.sum()),
                "groups": len(set(groups)),
                "prevalence": _short(drawn.prevalence),
                "ap": _short(average_precision(drawn)),
                "low": low,
                "high": high,
                "recall_at_precision_90": _short(float(reached.max()) if len(reached) else 0.0),
            }


def _interval(values: Floats, yes: Bools, groups: Sequence[str]) -> tuple[float, float]:
    found = []
    for held in resamples(groups, _TIMES):
        if 0 < (held * yes).sum() < held.sum():
            found.append(average_precision(curve(values, yes, held)))
    low, high = np.quantile(found, [0.05, 0.95])
    return _short(float(low)), _short(float(high))


def curve_table(of: Found, points: int = 60) -> Iterator[Row]:
    """Precision and recall over thresholds, at most sixty of each."""
    for part in ("speech", "adversarial", "all"):
        kept = of.parts()[part]
        for name, values in of.scores.items():
            drawn = curve(values[kept], of.material.yes[kept])
            for at in np.unique(np.linspace(0, len(drawn.thresholds) - 1, points).astype(int)):
                point = float(drawn.thresholds[at]), float(drawn.recall[at]), float(drawn.precision[at])
                row: Row = {"part": part, "scorer": name}
                yield row | dict(zip(("threshold", "recall", "precision"), map(_short, point), strict=True))


def verdict_table(of: Found, judgement: Judgement) -> Iterator[Row]:
    """Of each kind: share of yes, unconfirmed and no. Yes is nested; the other two are those of the stored band."""
    yes = of.outside.yes
    kinds = list(dict.fromkeys((row.source, row.kind) for row in of.rows))
    for source, kind in kinds:
        at = [k for k, row in enumerate(of.rows) if (row.source, row.kind) == (source, kind)]
        stored = [judgement.find(of.rows[k].planned, of.rows[k].utterance).verdict for k in at]
        groups = [of.rows[k].group for k in at]
        low, high = _share_interval(yes[at], groups)
        yield {
            "source": source,
            "kind": kind,
            "truth": "yes" if of.rows[at[0]].yes else "no",
            "n": len(at),
            "yes": _short(float(yes[at].mean())),
            "low": low,
            "high": high,
            "stored_yes": _short(stored.count("yes") / len(at)),
            "stored_unconfirmed": _short(stored.count("unconfirmed") / len(at)),
            "stored_no": _short(stored.count("no") / len(at)),
        }


def _share_interval(said: Bools, groups: Sequence[str]) -> tuple[float, float]:
    """90 % interval by resampling groups; by the rule of three where none was said."""
    if not said.any():
        return 0.0, _short(min(1.0, 3 / len(said)))
    found = [float((held * said).sum() / held.sum()) for held in resamples(groups, _TIMES)]
    low, high = np.quantile(found, [0.05, 0.95])
    return _short(float(low)), _short(float(high))


def note_table(of: Found) -> Iterator[Row]:
    """False yes among pairs that only look alike, by what differs."""
    near = [k for k, row in enumerate(of.rows) if row.kind == "near_other"]
    notes = {k: of.rows[k].note.split(",")[0] for k in near}
    for note in sorted(set(notes.values())):
        at = [k for k in near if notes[k] == note]
        yield {"differs": note, "n": len(at), "false_yes": int(of.outside.yes[at].sum())}


def decision_table(of: Found) -> Iterator[Row]:
    """Precision and recall of the nested yes and of the baselines at the essays' threshold, and McNemar between."""
    rules = {"contains, nested": of.outside.yes} | {
        name: of.scores[name] > ESSAYS for name in ("jaccard, whole turn", "jaccard, by sentence")
    }
    for part, kept in of.parts().items():
        truth = of.material.yes[kept]
        right = {name: said[kept] == truth for name, said in rules.items()}
        for name, said in rules.items():
            hits = int((said[kept] & truth).sum())
            only = int((right["contains, nested"] & ~right[name]).sum())
            other = int((~right["contains, nested"] & right[name]).sum())
            yield {
                "part": part,
                "rule": name,
                "n": int(kept.sum()),
                "precision": _short(hits / int(said[kept].sum())) if said[kept].any() else "",
                "recall": _short(hits / int(truth.sum())),
                "contains_alone_right": only,
                "this_alone_right": other,
                "mcnemar_p": f"{mcnemar(only, other):.2g}",
            }


def mcnemar(first: int, second: int) -> float:
    """Two-sided exact p of McNemar's test with so many discordant pairs on either side (binomial, 1/2)."""
    total = first + second
    if not total:
        return 1.0
    tail = sum(math.comb(total, k) for k in range(min(first, second) + 1))
    return min(1.0, float(2 * tail / 2**total))


def calibration_table(of: Found) -> Iterator[Row]:
    """Mean score and share of true questions in tenths of the score."""
    values, yes = of.outside.scores, of.material.yes
    bins = np.minimum((values * _BINS).astype(int), _BINS - 1)
    for place in range(_BINS):
        here = bins == place
        if here.any():
            yield {
                "from": place / _BINS,
                "n": int(here.sum()),
                "mean_score": _short(float(values[here].mean())),
                "true": _short(float(yes[here].mean())),
            }


def kind_table(of: Found, threshold: float) -> Iterator[Row]:
    """Share of yes of a kind whose fit has seen none of that kind."""
    for kind in dict.fromkeys(row.kind for row in of.rows):
        values = without_kind(of.material, kind)
        truth = next(row.yes for row in of.rows if row.kind == kind)
        share = float((values > threshold).mean())
        yield {"left_out": kind, "truth": "yes" if truth else "no", "n": len(values), "yes": _short(share)}


def fresh_table(rows: Sequence[Labelled], judgement: Judgement) -> Iterator[Row]:
    """The stored verdicts of pairs written after everything was fitted."""
    for kind in dict.fromkeys(row.kind for row in rows):
        here = [row for row in rows if row.kind == kind]
        found = [judgement.find(row.planned, row.utterance).verdict for row in here]
        row: Row = {"kind": kind, "truth": "yes" if here[0].yes else "no", "n": len(here)}
        yield row | {name: found.count(name) for name in ("yes", "unconfirmed", "no")}


def clash_table(rounds: dict[str, list[Labelled]], judgement: Judgement) -> Iterator[Row]:
    """Pairs in nearly the planned words: how many score above the band, and how many get a yes despite the clashes."""
    for name, rows in rounds.items():
        for kind, yes in sorted({(row.kind, row.yes) for row in rows}, key=lambda one: (one[1], one[0])):
            here = [row for row in rows if (row.kind, row.yes) == (kind, yes)]
            found = [judgement.find(row.planned, row.utterance) for row in here]
            yield {
                "round": name,
                "kind": kind,
                "truth": "yes" if yes else "no",
                "n": len(here),
                "yes_by_score_alone": sum(one.score > judgement.yes for one in found),
                "yes": sum(one.verdict == "yes" for one in found),
                "unconfirmed": sum(one.verdict == "unconfirmed" for one in found),
                "no": sum(one.verdict == "no" for one in found),
            }


def _short(value: float) -> float:
    return round(value, 4)
