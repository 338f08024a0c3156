"""The campaign of kills finds nothing in the package as it is, and finds a line that was lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.crashes.__main__ import main
from evals.crashes.campaign import campaign
from evals.crashes.point import MODES, point
from evals.crashes.summary import by_mode, summarise

# In a process of its own, since it forks. Then with a journal that says a line is written before it is.
CAMPAIGN = """
import json
from evals.crashes.campaign import campaign
from interviewer.store.journal import Journal

sound = [outcome.broken for outcome in campaign(4, 5)]
write, kept = Journal._append, []

def late(journal, descriptor, line):
    kept.append(line)
    while len(kept) > 2:
        write(journal, descriptor, kept.pop(0))

Journal._append = late
print(json.dumps({"sound": sound, "planted": [o.broken for o in campaign(1, 5, mode="after")]}))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_sound_journal_passes_and_one_that_lies_does_not() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", CAMPAIGN], cwd=root, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["sound"] == [[], [], [], []]
    assert any("that were written is lost" in broken for broken in found["planted"][0])


def test_the_same_numbers_give_the_same_point_and_all_kinds_come_up() -> None:
    assert point(17, 3) == point(17, 3)
    assert {point(number, 0).mode for number in range(300)} == set(MODES)
    assert {point(number, 0).then for number in range(100)} == {"close", "resume", "open", "look"}
    assert all(0 <= point(number, 0).at <= 1 for number in range(100))


def test_the_figures_are_sums_over_the_points() -> None:
    rows = [
        {"mode": "after", "then": "close", "lines": "10", "killed": "1", "seconds": "0.5", "broken": ""},
        {"mode": "after", "then": "resume", "lines": "20", "killed": "1", "seconds": "1.5", "broken": "line 3 is lost"},
        {"mode": "outside", "then": "look", "lines": "5", "killed": "0", "seconds": "1", "broken": ""},
    ]
    total = summarise(rows, 7)
    assert (total["points"], total["killed"], total["lines_known_to_be_written"]) == (3, 2, 35)
    assert (total["points_with_violation"], total["points_per_second"], total["seed"]) == (1, 1.0, 7)
    assert by_mode(rows)[1] == {
        "mode": "after", "points": 2, "killed": 2, "lines": 30, "to_close": 1, "to_resume": 1, "violations": 1
    }  # fmt: skip


def test_a_point_counts_once_however_often_it_was_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "summary.json").write_text('{"seed": 3}', encoding="utf-8")
    rows = [
        "number,mode,then,lines,killed,seconds,broken",
        f"8,{point(8, 3).mode},look,5,1,1,",
        f"7,{point(7, 3).mode},look,10,1,1,",
        "7,live,look,2,1,1,",
        f"8,{point(8, 3).mode},look,5,1,1,line 4 is lost",
    ]
    (tmp_path / "points.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    asked = ["crashes", "--points", "2", "--first", "7", "--seed", "3", "--add", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", asked)
    assert main() == 1  # nothing was run, and the violation is not forgotten
    assert (tmp_path / "points.csv").read_text(encoding="utf-8").splitlines() == [rows[0], rows[2], rows[4], rows[3]]
    told = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert (told["points"], told["lines_known_to_be_written"], told["points_with_violation"]) == (3, 17, 1)
    monkeypatch.setattr(sys, "argv", ["4" if each == "3" else each for each in asked])
    with pytest.raises(SystemExit, match="are of seed 3"):
        main()


def test_points_that_are_done_are_not_run_again() -> None:
    assert list(campaign(2, 3, first=7, done={point(number, 3).key for number in (7, 8)})) == []
