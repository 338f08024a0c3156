"""Run: python -m evals.contains [--fit] [--date 2026-11-30] [--out DIR].

Scores the labelled pairs by every scorer and writes tables, plots and a card. `--fit` first fits `contains` and stores
its grey band in the package's data.
"""

import argparse
import csv
from datetime import date
from pathlib import Path

from evals.contains import measure
from evals.contains.card import card
from evals.contains.figures import draw
from evals.contains.fitting import band, fitted, held_out, material
from evals.contains.measure import Row
from evals.contains.sets import clashes, fresh, load
from evals.contains.stored import store
from interviewer.matching import thresholds
from interviewer.matching.contains import BAND, Coefficients, Contains, Judgement


def main() -> int:
    """Measure, and fit if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--date", type=date.fromisoformat, default=date(2026, 11, 30), help="to write into the results")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args()
    found = measure.everything(material(load()))
    if given.fit:
        coefficients = fitted(found.material, given.date.isoformat())
        coefficients.save()
        store(band(found.material, held_out(found.material)), found.outside, coefficients, given.date)
    scorer = Contains(Coefficients.load())
    kept = thresholds.load(BAND)
    judgement = Judgement(scorer, kept.for_(scorer), kept.low)
    tables: dict[str, list[Row]] = {
        "average_precision": list(measure.precision_table(found)),
        "curves": list(measure.curve_table(found)),
        "verdicts": list(measure.verdict_table(found, judgement)),
        "near_other": list(measure.note_table(found)),
        "decisions": list(measure.decision_table(found)),
        "calibration": list(measure.calibration_table(found)),
        "kinds_left_out": list(measure.kind_table(found, judgement.yes)),
        "fresh": list(measure.fresh_table(fresh(), judgement)),
        "clashes": list(measure.clash_table(clashes(), judgement)),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        with (given.out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    draw(tables, given.out)
    (given.out / "README.md").write_text(card(tables, found.outside, given.date.isoformat()), encoding="utf-8")
    print(f"{given.out}: {len(tables)} tables, 2 plots, README.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
