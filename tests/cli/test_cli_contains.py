"""`contains`: verdicts for a file, how well they fit its labels, and what is wrong in it."""

import csv
import re
from pathlib import Path

import pytest

from interviewer.matching import thresholds
from interviewer.matching.contains import BAND
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


def test_a_person_reads_the_verdicts_beside_the_labels(terminal: Terminal, pairs: Path) -> None:
    done = terminal("contains", str(pairs))
    assert done.exit_code == 0, done.stderr
    assert f"{pairs}: 5 utterances, 1 without a score, by contains/" in done.stdout
    for verdict in (r"yes +2 +2 +0", r"unconfirmed +2 +0 +1", r"no +1 +0 +1"):
        assert re.search(verdict, done.stdout), verdict
    assert "1 because the utterance holds no words" in done.stdout
    assert "of which 2 ask the planned question (50.0 %)." in done.stdout


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


def test_the_grey_band_is_the_one_that_settings_name(
    terminal: Terminal, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert terminal("tune", str(pairs), "--scorer", "contains", "--name", "myband").exit_code == 1  # too few pairs
    band = thresholds.load(BAND).model_copy(update={"name": "myband", "value": 0.99, "low": 0.2, "high": 0.99})
    terminal.home.mkdir(exist_ok=True)
    thresholds.save(band, terminal.home)
    monkeypatch.setenv("INTERVIEWER_MATCH__CONTAINS", "myband")
    found = terminal.json("contains", str(pairs))
    assert found["grey_band"] == {"no_below": 0.2, "yes_above": 0.99}
    assert "yes" not in found["verdicts"]
    monkeypatch.setenv("INTERVIEWER_MATCH__CONTAINS", "nobody-s")
    assert "there is no threshold 'nobody-s'" in terminal("contains", str(pairs)).stderr
    monkeypatch.setenv("INTERVIEWER_MATCH__CONTAINS", "0.35")
    assert "match.contains: 0.35 is a score" in terminal("contains", str(pairs)).stderr


def test_score_gives_what_contains_gives(terminal: Terminal, tmp_path: Path) -> None:
    rows = ("Why?,Why?", "How do you weld?,Why?", "How do you weld?,How do you weld?")
    for name, first in (("a", "planned,utterance"), ("b", "q1,q2")):
        (tmp_path / f"{name}.csv").write_text("\n".join((first, *rows, "")), encoding="utf-8")
    terminal.json("contains", str(tmp_path / "a.csv"), "--out", str(tmp_path / "c.csv"))
    done = terminal("score", str(tmp_path / "b.csv"), "--scorer", "contains", "--out", str(tmp_path / "s.csv"))
    assert done.exit_code == 0, done.stderr
    scores = [
        [row["score"] for row in csv.DictReader((tmp_path / name).read_text(encoding="utf-8").splitlines())]
        for name in ("c.csv", "s.csv")
    ]
    assert scores[0] == scores[1]
    assert scores[0][:2] == ["", ""]
    assert float(scores[0][2]) > 0.9
