"""Run: python -m evals.follow_up [--interviews FOLDER] [--chains N] [--calls N] [--jobs J] [--date DAY] [--out DIR].

Holds four follow-ups of each chain and rebuilds the coverage of calls of our own; writes tables, a plot and a card.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import joblib
from tqdm import tqdm

from evals.follow_up import rebuilt, summary
from evals.follow_up.calls import run_chain
from evals.follow_up.card import card
from evals.follow_up.chains import INTERVIEWS, chains
from evals.follow_up.figures import draw
from interviewer.simulate.dossier import load_all


def main() -> int:
    """Measure, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interviews", type=Path, default=INTERVIEWS)
    parser.add_argument("--chains", type=int, default=40)
    parser.add_argument("--calls", type=int, default=40, help="calls of our own to rebuild")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--date", type=date.fromisoformat, default=date(2026, 11, 30), help="to write into the results")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args()
    names = [dossier.id for dossier in load_all()]
    ours = [joblib.delayed(rebuilt.score_one)(names[seed % len(names)], seed) for seed in range(given.calls)]
    again = [
        joblib.delayed(run_chain)(chain, seed) for seed, chain in enumerate(chains(given.interviews, given.chains))
    ]
    scored = _all(ours, given.jobs, "call")
    calls = [call for held in _all(again, given.jobs, "chain") for call in held]
    tables: dict[str, list[dict[str, Any]]] = {
        "calls": [asdict(call) for call in calls],
        "returned": summary.table(calls),
        "compared": summary.comparisons(calls),
        "rebuilt": rebuilt.table(scored),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        with (given.out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    draw(tables["returned"], tables["rebuilt"], given.out / "follow_up.png")
    told = card(tables["returned"], tables["compared"], tables["rebuilt"], given.date.isoformat())
    (given.out / "README.md").write_text(told, encoding="utf-8")
    print(told)
    return 0


def _all(work: Sequence[Any], jobs: int, unit: str) -> list[Any]:
    done = joblib.Parallel(n_jobs=jobs, return_as="generator")(work)
    return list(tqdm(done, total=len(work), unit=unit, file=sys.stderr))


if __name__ == "__main__":
    raise SystemExit(main())
