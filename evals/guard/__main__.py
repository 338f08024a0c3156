"""Run: python -m evals.guard [--calls N] [--jobs J] [--minutes M] [--rate R] [--out DIR].

Instead of the campaign, `--fit` chooses the guard's thresholds on real interviews anew and stores them with the
package, and draws what each scorer finds; `--thresholds` tries others of the default scorer on fewer calls; `--themes`
measures what tells that a theme was touched. Exit code 1 if a call breaks a promise.
"""

import argparse
import csv
import json
import platform
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import joblib
from tqdm import tqdm

from evals.guard.figures import draw, draw_curves
from evals.guard.fitting import fit, keep
from evals.guard.one import GuardFigures, run_one
from evals.guard.summary import summarise
from evals.guard.themes import measure
from evals.guard.themes_in_calls import measure as in_simulated_calls
from interviewer.matching.thresholds import load_all
from interviewer.settings import GuardSettings

SCORERS = ("jaccard", "jaccard2", "tfidf", "minilm", "centred", "mix")
_FEW, _FEWER = 40, 20
_TRIED = (0.01, 0.02, 0.05, 0.1)


def main() -> int:
    """Run the campaign and write its results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200, help="calls of each mode and of the wordings that count")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=0.3, help="share of decisions that propose a repeat")
    parser.add_argument("--thresholds", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--themes", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.fit:
        _fit(options.out)
        return 0
    if options.themes:
        with tqdm(total=options.calls, unit="call", file=sys.stderr) as bar:
            in_calls = in_simulated_calls(options.calls, lambda _: bar.update())
        _write(options.out / "themes.json", {**measure(), "in calls": in_calls})
        return 0
    if options.thresholds:
        return _thresholds(options)
    scorer = GuardSettings().scorer
    few = min(options.calls, _FEW)
    kinds = [(wording, mode, options.calls) for wording in ("model", "real", "ordinary") for mode in ("off", "on")]
    kinds += [(wording, mode, few) for wording in ("far", "tables") for mode in ("off", "on")]
    kinds.append(("model", "warn", few))  # few are enough to see that a warned call is heard as one without the guard
    work = [(wording, mode, seed, scorer, None) for wording, mode, count in kinds for seed in range(count)]
    calls = _run(work, options)
    report = {**_about(options), "scorer": scorer, "threshold": _threshold(scorer), **summarise(calls)}
    _write_rows(options.out / "calls.csv", [call._asdict() for call in calls])
    _write(options.out / "summary.json", report)
    draw(report, options.out / "guard.png")
    print(json.dumps(report, indent=2))
    return 1 if report["broken_promises"] else 0


def _thresholds(options: argparse.Namespace) -> int:
    """The same calls with higher and lower thresholds of the default scorer: what is cut, and what good that costs."""
    scorer, seeds = GuardSettings().scorer, range(min(options.calls, _FEWER))
    with (options.out / "curves.csv").open(encoding="utf-8", newline="") as file:
        known = {float(row["real_refused"]): row for row in csv.DictReader(file) if row["scorer"] == scorer}
    wordings = ("model", "real", "ordinary")
    off = _run([(w, "off", seed, scorer, None) for w in wordings for seed in seeds], options)
    report: dict[str, Any] = {**_about(options), "scorer": scorer}
    for refused in _TRIED:
        threshold = float(known[refused]["threshold"])
        on = _run([(w, "on", seed, scorer, threshold) for w in wordings for seed in seeds], options)
        report[f"{refused:.0%} of real questions refused"] = {"threshold": threshold, **summarise([*off, *on])}
    _write(options.out / "thresholds.json", report)
    return 1 if any(isinstance(each, dict) and each["broken_promises"] for each in report.values()) else 0


def _fit(out: Path) -> None:
    rows: list[dict[str, Any]] = []
    curves: list[dict[str, Any]] = []
    for scorer in tqdm(SCORERS, unit="scorer"):
        threshold, told, curve = fit(scorer)
        keep(threshold)
        rows += told
        curves += curve
    _write_rows(out / "real_interviews.csv", rows)
    _write_rows(out / "curves.csv", curves)
    draw_curves(curves, out / "curves.png")


def _run(work: Sequence[tuple[str, str, int, str, float | None]], options: argparse.Namespace) -> list[GuardFigures]:
    jobs = [
        joblib.delayed(run_one)(wording, mode, seed, options.minutes, options.rate, scorer, threshold)
        for wording, mode, seed, scorer, threshold in work
    ]
    results: Iterable[GuardFigures] = joblib.Parallel(n_jobs=options.jobs, return_as="generator")(jobs)
    return list(tqdm(results, total=len(jobs), unit="call", file=sys.stderr))


def _about(options: argparse.Namespace) -> dict[str, Any]:
    return {"minutes": options.minutes, "rate": options.rate, "python": platform.python_version()}


def _threshold(scorer: str) -> dict[str, Any]:
    return load_all()[f"guard-{scorer}"].model_dump(mode="json")


def _write(path: Path, report: object) -> None:
    path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    raise SystemExit(main())
