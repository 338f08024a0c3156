"""Run: python -m evals.demo_calls [--calls N] [--jobs J] [--minutes M] [--out DIR] [--beside SCORE].

`--beside 0.35` runs every call a second time, its questions told by shared words above that score, and compares.
"""

import argparse
import csv
import json
import sys
from pathlib import Path

import joblib
from tqdm import tqdm

from evals.demo_calls.one import CallFigures, run_one
from evals.demo_calls.summary import compare, summarise
from interviewer.simulate.dossier import load_all


def main() -> int:
    """Run the campaign; exit 1 if a call breaks a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("--beside", type=float, metavar="SCORE")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    calls = _run(options, "contains")
    report = summarise(calls)
    _write_csv(options.out / "calls.csv", calls)
    _write(options.out / "summary.json", report)
    if options.beside is not None:
        words = _run(options, options.beside)
        _write_csv(options.out / "calls_by_words.csv", words)
        _write(options.out / "summary_by_words.json", summarise(words))
        _write(options.out / "comparison.json", compare(words, calls))
    print(json.dumps(report, indent=2))
    return 1 if report["broken_promises"] else 0


def _run(options: argparse.Namespace, contains: float | str) -> list[CallFigures]:
    names = [dossier.id for dossier in load_all()]
    seeds = range(options.first_seed, options.first_seed + options.calls)
    work = [joblib.delayed(run_one)(names[seed % len(names)], seed, options.minutes, contains) for seed in seeds]
    results = joblib.Parallel(n_jobs=options.jobs, return_as="generator")(work)
    return list(tqdm(results, total=len(work), unit="call", file=sys.stderr))


def _write(path: Path, report: object) -> None:
    path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _write_csv(path: Path, calls: list[CallFigures]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CallFigures._fields)
        writer.writerows(calls)


if __name__ == "__main__":
    raise SystemExit(main())
