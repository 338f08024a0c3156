"""Run: python -m evals.performance.matching [--times N]. Writes evals/performance/matching.json.

One core: numpy's and the model's threads are held to one, and time is the processor's: what else the machine does
counts as little as can be. The questions are made from a list of words by a seed, as
long as those of the interviews at hand (median 16 words), so that the figures can be had anywhere.
"""

import os

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # before numpy loads

import argparse
import json
import random
import statistics
from collections.abc import Callable
from pathlib import Path
from time import process_time
from unittest.mock import patch

import numpy as np
from rapidfuzz.fuzz import token_set_ratio
from rapidfuzz.process import cdist

from evals.performance.measure import Figure, figure, machine, timed
from interviewer.matching.curve import curve
from interviewer.matching.scorer import Scorer, scorer
from interviewer.matching.tfidf import TABLE
from interviewer.matching.weights import weights

_QUESTIONS = 500
_PAIRS = 1_000_000
_WORDS = "mix without the model"


def main() -> int:
    """Measure, print and write down; exit 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=15)
    times = parser.parse_args().times
    asked = _questions("all pairs")
    figures = [_all_pairs(asked, times), *(_curve(kind, times) for kind in ("unweighted", "tied", "some unknown"))]
    figures += [_live(name, times) for name in ("jaccard", "jaccard2", "tfidf", "minilm", "centred", "mix", _WORDS)]
    report = {"machine": machine(), "figures": [f._asdict() for f in figures]}
    text = json.dumps(report, indent=2)
    (Path(__file__).parent / "matching.json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if all(f.kept for f in figures) else 1


def _questions(seed: str) -> list[str]:
    """1,000 questions of 8 to 26 words, drawn as often as interviews have them."""
    counts = json.loads(TABLE.read_text(encoding="utf-8"))["counts"]
    draw = random.Random(f"evals.performance.matching:{seed}")
    drawn = [draw.choices(list(counts), list(counts.values()), k=draw.randint(8, 26)) for _ in range(2 * _QUESTIONS)]
    return [f"{' '.join(words)}?" for words in drawn]


def _all_pairs(asked: list[str], times: int) -> Figure:
    """Each run of ours is set against the run of theirs beside it, on the same questions."""
    ours, some = scorer("jaccard"), asked[:_QUESTIONS]
    ratios = _beside(
        lambda: cdist(some, some, scorer=token_set_ratio, workers=1), lambda: ours.matrix(some, some), times
    )
    name = f"all pairs of {_QUESTIONS} questions: rapidfuzz cdist(token_set_ratio) over ours"
    return figure(name, "times", ratios, 30.0, at_most=False)


def _curve(kind: str, times: int) -> Figure:
    draw = np.random.default_rng(0)
    scores, labels = draw.random(_PAIRS), draw.random(_PAIRS) < 0.04
    if kind == "tied":
        scores = scores.round(3)
    if kind == "some unknown":
        scores[draw.random(_PAIRS) < 0.05] = np.nan
    ratios = _beside(lambda: curve(scores, labels), lambda: np.sort(scores), times)
    return figure(f"curve of {_PAIRS:,} pairs, {kind}, over numpy.sort", "times", ratios, 3.0, at_most=True)


def _live(name: str, times: int) -> Figure:
    """A question never seen before, against earlier ones that were."""
    chosen, asked = _without_model() if name == _WORDS else scorer(name), _questions(name)
    earlier, fresh = asked[:_QUESTIONS], iter(asked[_QUESTIONS:])
    chosen.matrix(earlier[:1], earlier)
    seconds = timed(lambda: chosen.matrix([next(fresh)], earlier), times, process_time)
    limit = 1.0 if name in ("jaccard", "jaccard2", "tfidf", _WORDS) else 15.0
    label = f"one new question against {_QUESTIONS} earlier ones, {name}"
    return figure(label, "ms", [1_000 * value for value in seconds], limit, at_most=True)


def _without_model() -> Scorer:
    """The mix as it is where the extra is not installed."""
    weights.cache_clear()
    with patch("interviewer.matching.weights.find_spec", return_value=None):
        made = scorer("mix")
    weights.cache_clear()
    return made


def _beside(theirs: Callable[[], object], ours: Callable[[], object], times: int) -> list[float]:
    """Ratios of neighbouring runs, each the median of three: what the machine does meanwhile hits both."""
    found = []
    for _ in range(times):
        found.append(
            statistics.median(timed(theirs, 3, process_time)) / statistics.median(timed(ours, 3, process_time))
        )
    return found


if __name__ == "__main__":
    raise SystemExit(main())
