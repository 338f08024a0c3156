"""Validate metrics: `python -m evals.quality --data FOLDER`; what to fetch is in evals/quality/README.md."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from evals.quality import form, uptake
from interviewer.metrics.uptake import TABLE

RESULTS = Path(__file__).parent / "results" / "results.json"
LEAST = {"form": ("kappa", 0.7), "uptake": ("uptake", 0.53)}


def main() -> int:
    """Measure, write the results, and say whether the targets are met."""
    parser = argparse.ArgumentParser(prog="python -m evals.quality", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="where the fetched data is")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FILE")
    parser.add_argument("--table", action="store_true", help="write the quantiles of uptake anew first")
    given = parser.parse_args()
    figures: dict[str, Any] = {}
    for part in (form, uptake):
        path = next(iter(sorted(given.data.rglob(part.FILE))), None)
        if path is None:
            print(f"there is no {part.FILE} under {given.data}; evals/quality/README.md says where it is from")
            return 1
        if part is uptake:
            figures["table_is_that_of_the_data"] = _table(uptake.table(path), write=given.table)
        figures[part.__name__.rpartition(".")[2]] = part.measure(path)
    given.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    met = figures["table_is_that_of_the_data"]
    for what, (name, least) in LEAST.items():
        value = figures[what][name]
        met &= value["value"] >= least
        print(f"{what}: {value['value']} [{value['low']}, {value['high']}], n {value['n']}, at least {least}")
    print(f"written to {given.out}")
    return 0 if met else 1


def _table(found: dict[str, list[float]], *, write: bool) -> bool:
    kept = json.loads(TABLE.read_text(encoding="utf-8"))
    if write:
        kept |= found
        TABLE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return all(kept[name] == row for name, row in found.items())


if __name__ == "__main__":
    sys.exit(main())
