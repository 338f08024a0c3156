"""Run: python -m evals.demo_calls [--calls N] [--jobs J] [--minutes M] [--out DIR]."""

import argparse
import csv
import json
import sys
from pathlib import Path

import joblib
from tqdm import tqdm

from evals.demo_calls.one import CallFigures, run_one
from evals.demo_calls.summary import summarise
from interviewer.simulate.dossier import load_all


def main() -> int:
    """Run the campaign; exit 1 if a call breaks a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    names = [dossier.id for dossier in load_all()]
    seeds = range(options.first_seed, options.first_seed + options.calls)
    work = [joblib.delayed(run_one)(names[seed % len(names)], seed, options.minutes) for seed in seeds]
    results = joblib.Parallel(n_jobs=options.jobs, return_as="generator")(work)
    calls: list[CallFigures] = list(tqdm(results, total=len(work), unit="call", file=sys.stderr))
    report = summarise(calls)
    options.out.mkdir(parents=True, exist_ok=True)
    _write_csv(options.out / "calls.csv", calls)
    (options.out / "summary.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))
    return 1 if report["broken_promises"] else 0


def _write_csv(path: Path, calls: list[CallFigures]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CallFigures._fields)
        writer.writerows(calls)


if __name__ == "__main__":
    raise SystemExit(main())
