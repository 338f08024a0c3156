"""Run: python -m evals.follow_up [--interviews FOLDER] [--chains N] [--calls N] [--jobs J] [--out DIR] [--card].

Holds four follow-ups of each chain and rebuilds the coverage of calls of our own; writes tables, a plot and a card.
`--card` holds none: it writes the card anew from the tables that are there.
"""

import argparse
import contextlib
import csv
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import joblib
from tqdm import tqdm

from evals.follow_up import planned, rebuilt, summary
from evals.follow_up.calls import run_chain
from evals.follow_up.card import TABLES, card
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
    parser.add_argument("--card", action="store_true", help="only the card, from the tables in DIR")
    given = parser.parse_args()
    if given.card:
        return _tell(given.out, given.date)
    names = [dossier.id for dossier in load_all()]
    ours = [joblib.delayed(rebuilt.score_one)(names[seed % len(names)], seed) for seed in range(given.calls)]
    cut = chains(given.interviews, given.chains)
    again = [joblib.delayed(run_chain)(chain, seed) for seed, chain in enumerate(cut)]
    scored = _all(ours, given.jobs, "call")
    calls = [call for held in _all(again, given.jobs, "chain") for call in held]
    tables: dict[str, list[dict[str, Any]]] = {
        "calls": [asdict(call) for call in calls],
        "returned": summary.table(calls),
        "compared": summary.comparisons(calls),
        "rebuilt": rebuilt.table(scored),
        "planned": planned.table(cut),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        with (given.out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    draw(tables["returned"], tables["rebuilt"], given.out / "follow_up.png")
    return _tell(given.out, given.date)


def _tell(out: Path, day: date) -> int:
    """Write the card from the tables in `out`."""
    told = card({name: _read(out / f"{name}.csv") for name in TABLES}, day.isoformat())
    (out / "README.md").write_text(told, encoding="utf-8")
    print(told)
    return 0


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(file)]


def _value(text: str) -> str | int | float | None:
    """A cell as it was before it was written."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text or None


def _all(work: Sequence[Any], jobs: int, unit: str) -> list[Any]:
    done = joblib.Parallel(n_jobs=jobs, return_as="generator")(work)
    return list(tqdm(done, total=len(work), unit=unit, file=sys.stderr))


if __name__ == "__main__":
    raise SystemExit(main())
