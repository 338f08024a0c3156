"""Run: python -m evals.crashes [--points N] [--live N] [--resuming N] [--seed S] [--mode M] [--out DIR] [--add] ...

Kills calls with SIGKILL and looks at what they left. Exits 1 if anything was lost and says how to have it again.
"""

import argparse
import csv
import json
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from tqdm import tqdm

from evals.crashes.campaign import Outcome, campaign
from evals.crashes.point import APART, MODES, Mode
from evals.crashes.summary import by_mode, distinct, key_of, row_of, summarise


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first point")
    parser.add_argument("--mode", choices=[*MODES, *APART], help="points of this kind only")
    parser.add_argument("--live", type=int, default=0, help="so many more of calls with sound, on threads and a socket")
    parser.add_argument("--resuming", type=int, default=0, help="so many more that are killed again after they went on")
    parser.add_argument("--out", type=Path, help="folder for summary.json, by_mode.csv and points.csv")
    parser.add_argument("--add", action="store_true", help="go on with the campaign in --out: what it has is not run")
    options = parser.parse_args()
    rows = _before(options.out, options.seed) if options.add and options.out else []
    done = {key_of(row) for row in rows}
    points = campaign(options.points, options.seed, first=options.first, mode=options.mode, done=done)
    apart: dict[Mode, int] = {"live": options.live, "resuming": options.resuming}
    more = [campaign(n, options.seed, first=options.first, mode=mode, done=done) for mode, n in apart.items()]
    began = time.perf_counter()
    total = options.points + sum(apart.values())
    for outcome in tqdm(chain(points, *more), total=total, unit="point", file=sys.stderr, smoothing=0):
        ended = time.perf_counter()
        rows.append(row_of(outcome, ended - began))
        began = ended
        if outcome.broken:
            tqdm.write(_again(outcome, options.seed), file=sys.stderr)
    rows = distinct(rows)
    report = summarise(rows, options.seed)
    if options.out:
        _write(options.out, report, rows)
    print(json.dumps(report, indent=2))
    return 1 if report["points_with_violation"] else 0


def _again(outcome: Outcome, seed: int) -> str:
    at = outcome.point
    again = f"python -m evals.crashes --points 1 --seed {seed} --first {at.number} --mode {at.mode}"
    return f"{again}: {'; '.join(outcome.broken)}"


def _before(out: Path, seed: int) -> list[Mapping[str, Any]]:
    """The points of the campaign so far. Exits if they are of another seed: their numbers mean other points."""
    if not (out / "points.csv").exists():
        return []
    before = json.loads((out / "summary.json").read_text(encoding="utf-8"))["seed"]
    if before != seed:
        raise SystemExit(f"the points in {out} are of seed {before}: add to them with --seed {before}")
    with (out / "points.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _write(out: Path, report: dict[str, Any], rows: Sequence[Mapping[str, Any]]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "summary.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for name, table in (("points", rows), ("by_mode", by_mode(rows))):
        with (out / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(table[0]) if table else ["mode"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)


if __name__ == "__main__":
    raise SystemExit(main())
