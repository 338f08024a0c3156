"""How fast the threshold lab answers its slider. Run: python -m evals.performance.lab [--questions N] [--json FILE].

The limit is what feels immediate, 100 ms (Card, Robertson and Mackinlay 1991), for 200,000 pairs of scored questions.
"""

import argparse
import json
import platform
import time
from pathlib import Path

import numpy as np

from interviewer.metrics.sliding import Sliding

LIMIT_MS = 100
_MOVES = 400


def main() -> int:
    """Measure and write; exit code 1 above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200_000)
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    random = np.random.default_rng(0)
    scores = np.clip(random.normal(0.4, 0.15, options.questions), -1, 1)
    calls = [f"c{n}" for n in random.integers(options.calls, size=options.questions)]
    began = time.perf_counter()
    lab = Sliding(scores, calls)
    made_ms = 1000 * (time.perf_counter() - began)
    chosen = random.choice(options.questions, 1_000, replace=False)
    began = time.perf_counter()
    lab.label({int(place): bool(scores[place] > 0.7) for place in chosen})
    labelled_ms = 1000 * (time.perf_counter() - began)
    moves = []
    for threshold in random.uniform(scores.min(), scores.max(), _MOVES):
        began = time.perf_counter()
        lab.at(float(threshold))
        lab.around(float(threshold), 4)
        len(lab.between(float(threshold), 0.7))
        moves.append(1000 * (time.perf_counter() - began))
    p95 = float(np.quantile(moves, 0.95))
    report = {
        "questions": options.questions,
        "calls": options.calls,
        "moves": _MOVES,
        "limit_ms": LIMIT_MS,
        "move_ms": {"median": round(float(np.median(moves)), 3), "p95": round(p95, 3), "max": round(max(moves), 3)},
        "ratio_to_limit": round(p95 / LIMIT_MS, 4),
        "made_ms": round(made_ms, 1),
        "labelled_ms": round(labelled_ms, 1),
        "machine": {"cpu": platform.machine(), "python": platform.python_version(), "numpy": np.__version__},
    }
    options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))
    return 0 if p95 <= LIMIT_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
