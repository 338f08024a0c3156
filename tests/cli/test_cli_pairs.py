import csv
from pathlib import Path

from tests.cli.conftest import Terminal


def test_pairs_of_calls_are_drawn_into_a_file_to_label(looking: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "pairs.csv"
    told = looking.json("pairs", "--n", "3", "--out", str(out))
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert told["pairs"] == len(rows) == sum(told["strata"].values())
    assert {row["label"] for row in rows} == {""}
    scored = looking("score", str(out), "--scorer", "jaccard", "--study", told["study"], "--json")
    assert '"problems_in_all": 0' in scored.stdout
    assert looking("pairs", "--out", str(out)).exit_code == 1
    assert looking("pairs", "--out", str(out), "--call", "last", "--from", "x.md").exit_code == 2


def test_pairs_that_would_lie_where_their_interviews_go_are_refused_and_nothing_is_left(
    looking: Terminal, tmp_path: Path
) -> None:
    done = looking("pairs", "--out", str(tmp_path / "x.jsonl"))
    assert done.exit_code == 1
    assert "name the pairs *.csv" in done.stderr
    assert not list(tmp_path.iterdir())
