"""Run: python -m evals.repetition [--fit] [--date 2026-11-30] [--out DIR].

Scores every set by every scorer and writes tables, plots and a card. `--fit` first fits `mix` and `unwanted` and
stores the thresholds, all in the package's data.
"""

import argparse
import csv
from datetime import date
from pathlib import Path

from evals.repetition import fitting, kinds, stored
from evals.repetition.card import card
from evals.repetition.figures import draw
from evals.repetition.scored import everything
from evals.repetition.tables import (
    Row,
    calibration_table,
    cost_table,
    curve_table,
    decision_table,
    precision_table,
    threshold_table,
    views,
)
from interviewer.matching.encoder import encoder
from interviewer.matching.mix import Coefficients


def main() -> int:
    """Measure, and fit if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--date", type=date.fromisoformat, default=date(2026, 11, 30), help="to write into the results")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args()
    found = everything()
    if given.fit:
        texts = [(found.texts[name].labelled, table) for name, table in found.text_tables.items()]
        fitting.final(found.material, texts, given.date.isoformat(), encoder().version).save()
        kinds.final(found, given.date.isoformat()).save()
        stored.store(found, given.date)
        found = everything()  # what the new coefficients give texts alone
    parts = views(found)
    tables: dict[str, list[Row]] = {
        "average_precision": list(precision_table(parts)),
        "curves": list(curve_table(parts)),
        "thresholds": list(threshold_table(found)),
        "cost": list(cost_table(found)),
        "decisions": list(decision_table(found)),
        "calibration": list(calibration_table(found)),
        "kinds": list(kinds.kinds_table(found)),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        _write(given.out / f"{name}.csv", rows)
    draw(tables, given.out)
    (given.out / "README.md").write_text(card(tables, given.date.isoformat()), encoding="utf-8")
    print(f"{given.out}: {len(tables)} tables, 3 plots, README.md; mix {Coefficients.load().version}")
    return 0


def _write(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _short(value) for key, value in row.items()} for row in rows)


def _short(value: object) -> object:
    return f"{value:.5g}" if isinstance(value, float) else value


if __name__ == "__main__":
    raise SystemExit(main())
