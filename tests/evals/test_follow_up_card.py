"""The card of follow-ups is what the committed tables say, the measures that were missed included."""

from pathlib import Path

from evals.follow_up.__main__ import _read
from evals.follow_up.card import TABLES, card

RESULTS = Path(__file__).resolve().parents[2] / "evals" / "follow_up" / "results"


def test_the_card_says_of_every_measure_whether_it_was_reached() -> None:
    tables = {name: _read(RESULTS / f"{name}.csv") for name in TABLES}
    told = card(tables, "2026-11-30")
    assert told == (RESULTS / "README.md").read_text(encoding="utf-8")
    verdict = told.partition("## Asked twice")[2].partition("| scenario")[0]
    judged = [row for row in tables["compared"] if row["value"] is not None]
    assert verdict.count("reached") + verdict.count("missed") == len(judged) == 9
    for row in judged:
        limit_met = row["value"] <= 0.2 if "share left" in row["figure"] else row["value"] >= 0
        said = f"{row['value']} [{row['low']}, {row['high']}], {'reached' if limit_met else 'missed'}"
        assert said in verdict
    repeats = [row["repeats"] for row in tables["calls"] if row["scenario"].startswith("one plan")]
    assert sum(repeats) == sum(row["repeats"] for row in tables["returned"] if row["scenario"].startswith("one plan"))
