"""Run: python -m evals.faults [--calls N] [--seed S] [--jobs J] [--minutes M] [--spec FAULTS] [--out DIR].

Exits 1 if a call broke a promise and says how to have it again. Ctrl-C keeps what was done.
"""

import argparse
import csv
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import joblib
from tqdm import tqdm

from evals.faults.one import FaultyCall, repeat_line, run_one
from evals.faults.summary import by_stage, summarise
from interviewer.realtime.engine import Faults

INTERRUPTED = 130


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first call; those after it count up")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--spec", help="these faults in every call, instead of a random mix for each")
    parser.add_argument("--out", type=Path, help="folder for summary.json and faults_by_stage.csv")
    options = parser.parse_args()
    calls: list[FaultyCall] = []
    began, interrupted = time.perf_counter(), False
    results = _calls(options)
    try:
        for call in tqdm(results, total=options.calls, unit="call", file=sys.stderr, smoothing=0):
            calls.append(call)
            if call.broken:
                tqdm.write(repeat_line(call, options.minutes), file=sys.stderr)
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - began
    report = summarise(calls, minutes=options.minutes, seconds=seconds, jobs=options.jobs)
    if options.out:
        _write(options.out, report, calls)
    print(json.dumps(report, indent=2))
    return 1 if report["calls_with_violation"] else INTERRUPTED if interrupted else 0


def _calls(options: argparse.Namespace) -> Iterator[FaultyCall]:
    seeds = range(options.seed, options.seed + options.calls)
    work = [(seed, options.minutes, Faults.parse(options.spec, seed) if options.spec else None) for seed in seeds]
    if options.jobs == 1:
        return (run_one(*each) for each in work)
    parallel = joblib.Parallel(n_jobs=options.jobs, return_as="generator", batch_size=16)
    return iter(parallel(joblib.delayed(run_one)(*each) for each in work))


def _write(out: Path, report: dict[str, object], calls: list[FaultyCall]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "summary.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    rows = by_stage(calls)
    with (out / "faults_by_stage.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else ["fault"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    raise SystemExit(main())
