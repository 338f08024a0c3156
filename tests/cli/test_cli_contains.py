"""`contains`: verdicts for a file, how well they fit its labels, and what is wrong in it."""

import csv
from pathlib import Path

import pytest

from tests.cli.conftest import Terminal

ROWS = (
    "How do you weld in the rain?,And how do you weld in the rain?,yes,a",
    "What broke on the crossing?,What broke on the crossing?,1,b",
    "What broke on the crossing?,The crossing was long.,no,c",
    "What broke on the crossing?,So what broke on,partial,d",
    "What broke on the crossing?,🙂,,e",
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(("planned,utterance,label,own", *ROWS, "")), encoding="utf-8")
    return path


def test_score_and_verdict_are_added_and_all_else_is_kept(terminal: Terminal, pairs: Path, tmp_path: Path) -> None:
    terminal.json("contains", str(pairs), "--out", str(tmp_path / "out.csv"))
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as given:
        rows = list(csv.DictReader(given))
    assert [(row["own"], row["verdict"]) for row in rows] == [
        ("a", "yes"),
        ("b", "yes"),
        ("c", "no"),
        ("d", "unconfirmed"),
        ("e", "unconfirmed"),
    ]
    assert rows[4]["score"] == ""
    assert 0 <= float(rows[2]["score"]) < float(rows[0]["score"]) <= 1


def test_the_figures_go_by_the_labels(terminal: Terminal, pairs: Path) -> None:
    found = terminal.json("contains", str(pairs))
    assert (found["n"], found["labelled"], found["positive"], found["unknown"]) == (5, 4, 2, 1)
    assert found["by_verdict"]["yes"] == {"true": 2, "false": 0}
    assert (found["prevalence"], found["ap"]) == (0.5, 1.0)
    (band,) = [one for one in found["thresholds"] if one["name"] == "contains"]
    assert (band["precision"], band["recall"], band["threshold"]) == (1.0, 1.0, found["grey_band"]["yes_above"])
    assert found["reasons"]["the utterance holds no words"] == 1


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("question,utterance\na,b\n", "line 1: no column planned"),
        (
            "planned,utterance,label\nHow so?,How so?,maybe\n",
            "line 2: the label is 'maybe'; use 1 and 0, or yes, partial",
        ),
        ("planned,utterance\n", "holds no pairs"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(terminal: Terminal, tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    done = terminal("contains", str(path))
    assert done.exit_code == 1
    assert str(path) in done.stderr
    assert named in done.stderr


def test_a_column_that_is_there_already_is_not_written_over(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "again.csv"
    path.write_text("planned,utterance,verdict\nHow so?,How so?,yes\n", encoding="utf-8")
    done = terminal("contains", str(path), "--out", str(tmp_path / "out.csv"))
    assert "has a column verdict already" in done.stderr
    assert not (tmp_path / "out.csv").exists()
