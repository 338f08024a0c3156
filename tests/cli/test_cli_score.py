import csv
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interviewer.cli.score import COLUMN
from interviewer.matching.scorer import _SCORERS
from tests.cli.conftest import Terminal

# Content words shared over all: {bridge, built} of 2, {bridge} of 3, none of 4.
ROWS = [
    ("Who built the bridge?", "The bridge, who built it?"),
    ("Who built the bridge?", "Why paint the bridge?"),
    ("Who built the bridge?", "What broke last night?"),
]
SCORES = [1.0, 1 / 3, 0.0]


def file(path: Path, header: str, *rows: str, encoding: str = "utf-8") -> Path:
    path.write_bytes("\n".join([header, *rows, ""]).encode(encoding))
    return path


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    rows = [f'{n},"{q1}","{q2}",{label}' for n, ((q1, q2), label) in enumerate(zip(ROWS, (1, 0, 1), strict=True))]
    return file(tmp_path / "pairs.csv", "id,q1,q2,label", *rows)


def score(terminal: Terminal, *arguments: object) -> dict[str, Any]:
    return terminal.json("score", *map(str, arguments), "--scorer", "jaccard")


def failure(terminal: Terminal, *arguments: object) -> str:
    done = terminal(*map(str, arguments))
    assert done.exit_code == 1
    assert "internal error" not in done.stderr
    return done.stderr


def test_a_score_is_added_and_all_else_kept_in_order(terminal: Terminal, labelled: Path, tmp_path: Path) -> None:
    found = score(terminal, labelled, "--out", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as given, labelled.open(newline="") as before:
        rows, old = list(csv.DictReader(given)), list(csv.DictReader(before))
    assert [{key: value for key, value in row.items() if key != COLUMN} for row in rows] == old
    assert [float(row[COLUMN]) for row in rows] == pytest.approx(SCORES)
    assert (found["n"], found["unknown"], found["labelled"], found["positive"]) == (3, 0, 3, 2)


def test_figures_of_three_pairs_by_hand(terminal: Terminal, labelled: Path) -> None:
    found = score(terminal, labelled)
    assert found["prevalence"] == pytest.approx(2 / 3)
    # Positives come first and third: (1/1 + 2/3) / 2.
    assert found["ap"] == pytest.approx(5 / 6)
    essays = next(one for one in found["thresholds"] if one["name"] == "the essays'")
    assert (essays["precision"], essays["recall"]) == (1.0, 0.5)
    assert found["curve"]["recall"] == pytest.approx([1.0, 0.5, 0.5])


def test_weights_count(terminal: Terminal, tmp_path: Path) -> None:
    rows = [f'"{q1}","{q2}",{label},{weight}' for (q1, q2), label, weight in zip(ROWS, "RND", (1, 4, 1), strict=True)]
    found = score(terminal, file(tmp_path / "w.csv", "q1,q2,label,weight", *rows))
    # Half the recall at precision 1, half where 2 of the weight 6 are positive.
    assert found["ap"] == pytest.approx((1 + 2 / 6) / 2)
    assert found["weighted"]


def test_what_cannot_be_told_is_empty_and_never_zero(terminal: Terminal, tmp_path: Path) -> None:
    pairs = file(tmp_path / "odd.csv", "q1,q2,label", ",Who?,1", "😀,😀,1", "Who paid?,Who paid?,1", "Why so?,Red?,0")
    found = score(terminal, pairs, "--out", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as given:
        # Of "Why so?" no content word is left: the published 0 against another text would say "different".
        assert [row[COLUMN] for row in csv.DictReader(given)] == ["", "", "1", ""]
    assert found["unknown"] == 3
    assert found["problems"] == [{"line": 2, "what": "q1 is empty: no score"}]
    assert max(found["curve"]["recall"]) == pytest.approx(1 / 3)


def test_repeated_rows_count_once_and_contradicting_ones_not_at_all(terminal: Terminal, tmp_path: Path) -> None:
    rows = [
        "Who paid?,Who paid?,1",
        "Who paid?,Who paid?,1",
        "Why red?,Why red?,1",
        "Why red?,Why red?,0",
        "A b?,C d?,0",
    ]
    found = score(terminal, file(tmp_path / "twice.csv", "q1,q2,label", *rows))
    assert (found["n"], found["labelled"], found["positive"]) == (5, 2, 1)
    assert [one["line"] for one in found["problems"]] == [3, 5]
    assert "line 4" in found["problems"][1]["what"]


def test_a_question_with_nothing_left_has_no_score_by_any_scorer(terminal: Terminal, tmp_path: Path) -> None:
    rows = [",Who built the bridge?,1", "Bridge?,Who built the bridge?,0", "Who built it?,Who built it?,1"]
    pairs = file(tmp_path / "empty.csv", "q1,q2,label", *rows)
    for number, scorer in enumerate(("jaccard", "jaccard2", "tfidf")):
        out = tmp_path / f"{number}.csv"
        assert terminal("score", str(pairs), "--scorer", scorer, "--out", str(out)).exit_code == 0
        with out.open(encoding="utf-8", newline="") as given:
            shown = [row[COLUMN] for row in csv.DictReader(given)]
        # One word is a question: {bridge} of {built, bridge} by the baseline.
        assert (shown[0], shown[1] > "0") == ("", True)
        assert scorer != "jaccard" or float(shown[1]) == 0.5
    # The empty one is a positive that no threshold finds, not one that scored 0.
    assert max(score(terminal, pairs)["curve"]["recall"]) == 0.5
    why = file(tmp_path / "why.csv", "q1,q2", "Why?,Who built the bridge?")
    assert "1 pair without a score" in terminal("score", str(why), "--scorer", "jaccard").stderr


@pytest.mark.parametrize(
    "rows",
    [
        ["Who paid?,Why red?,1", "Why red?,Who paid?,0"],
        ["Who paid?,Why red?,1", "who PAID?,Why  red?,0"],
        ["Who paid?,Why red?,R", "Who paid?,Why red?,C"],
        ["Who paid?,Why red?,unsure", "Why red?,Who paid?,N"],
    ],
)
def test_a_contradiction_is_seen_whatever_side_case_and_spaces(
    terminal: Terminal, tmp_path: Path, rows: list[str]
) -> None:
    pairs = file(tmp_path / "clash.csv", "q1,q2,label", *rows, "A b?,C d?,0")
    found = score(terminal, pairs)
    assert (found["labelled"], [one["line"] for one in found["problems"]]) == (1, [3])
    assert "line 2 labels the same pair differently" in found["problems"][0]["what"]
    assert "differently" in failure(terminal, "tune", pairs)


def test_a_line_break_in_a_cell_does_not_shift_the_lines(terminal: Terminal, tmp_path: Path) -> None:
    pairs = file(tmp_path / "lines.csv", "q1,q2", '"Who\npaid?",Who paid?', ",Who?")
    assert score(terminal, pairs)["problems"] == [{"line": 4, "what": "q1 is empty: no score"}]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["q1;q2", "a;b"], "no column q1 and q2"),
        (["q1,q2,q2", "a,b,c"], "'q2' is there twice"),
        (["q1,q2"], "no pairs"),
        (["q1,q2", "a,b", "a,b,c"], "line 3: 3 cells where the header has 2"),
        (["q1,q2,label", "a,b,maybe"], "line 2: the label is 'maybe'"),
        (["q1,q2,weight", "a,b,1", "a,c,-1"], "line 3: the weight is '-1'"),
        (["q1,q2,weight", "a,b,1e308", "a,c,1e308"], "line 2: the weight is '1e308'"),
        (["q1,q2,weight", "a,b,1", "a,c,1e-320"], "line 3: the weight is '1e-320'"),
        (["q1,q2,label,weight", "a,b,1,0", "a,c,0,0"], "every weight is 0"),
        (["q1,q2,label,weight", "a,b,1,0", "a,c,0,0", "a,d,,1"], "every labelled pair has the weight 0"),
        (["q1,q2", f"a,{'b' * 200_000}"], "line 2: field larger"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_line(
    terminal: Terminal, tmp_path: Path, lines: list[str], said: str
) -> None:
    assert said in failure(terminal, "score", file(tmp_path / "bad.csv", *lines), "--scorer", "jaccard")


def test_encodings(terminal: Terminal, tmp_path: Path) -> None:
    row = "Où est-il né?,Où est-il né?"
    for encoding in ("utf-8-sig", "utf-16"):
        assert score(terminal, file(tmp_path / f"{encoding}.csv", "q1,q2", row, encoding=encoding))["n"] == 1
    plain = ["a b?,c d?"] * 4
    latin = file(tmp_path / "latin.csv", "q1,q2", *plain, row, encoding="latin-1")
    assert "line 6 is not UTF-8" in failure(terminal, "score", latin, "--scorer", "jaccard")
    study = file(tmp_path / "latin.jsonl", json.dumps(INTERVIEW), '{"id": "\xe9"}', encoding="latin-1")
    placed = file(tmp_path / "placed.csv", "interview,turn_a,turn_b,q1,q2", "i1,0,2,a,b")
    assert "line 2 is not UTF-8" in failure(terminal, "score", placed, "--scorer", "jaccard", "--study", study)


def test_a_column_of_scores_is_not_overwritten(terminal: Terminal, tmp_path: Path) -> None:
    pairs = file(tmp_path / "p.csv", "q1,q2,score", "a b?,a b?,0.5")
    message = failure(terminal, "score", pairs, "--scorer", "jaccard", "--out", tmp_path / "out.csv")
    assert "column score" in message
    assert not (tmp_path / "out.csv").exists()


def test_missing_files_and_scorers_are_named(terminal: Terminal, labelled: Path, tmp_path: Path) -> None:
    assert "nowhere.csv" in failure(terminal, "score", tmp_path / "nowhere.csv", "--scorer", "jaccard")
    assert "'guess'" in failure(terminal, "score", labelled, "--scorer", "guess")


INTERVIEW = {
    "id": "i1",
    "turns": [
        {"role": "interviewer", "text": "Who built the bridge?"},
        {"role": "interviewee", "text": "My uncle did."},
        {"role": "interviewer", "text": "And who paid for it?"},
    ],
}


def test_what_surrounds_a_pair_is_looked_up(terminal: Terminal, tmp_path: Path) -> None:
    study = file(tmp_path / "study.jsonl", json.dumps(INTERVIEW))
    rows = [
        "i1,0,2,Who built the bridge?,And who paid for it?",
        "i1,2,0,And who paid for it?,Who built the bridge?",
        "i1,0,9,Who built the bridge?,And who paid for it?",
        "i2,0,2,Who built the bridge?,And who paid for it?",
        "i1,0,2,Who built the bridge?,Who sold it?",
    ]
    pairs = file(tmp_path / "placed.csv", "interview,turn_a,turn_b,q1,q2", *rows)
    found = score(terminal, pairs, "--study", study)
    assert found["with_context"] == 3
    said = {one["line"]: one["what"] for one in found["problems"]}
    assert sorted(said) == [3, 4, 5, 6]
    assert "the other way round" in said[3]
    assert "there are 3" in said[4]
    assert "no interview 'i2'" in said[5]
    assert "turn 2 does not hold 'Who sold it?'" in said[6]


def test_a_study_may_be_a_folder_and_turns_as_spreadsheets_write_them(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    other = {"id": "i2", "turns": [{"speaker": "AI", "text": "Who sold it?"}, {"speaker": "User", "text": "I did."}]}
    file(folder / "a.jsonl", json.dumps(INTERVIEW))
    file(folder / "b.jsonl", json.dumps(other))
    rows = ["talks/i1,0.0,2.0,Who built the bridge?,And who paid for it?,1.0"]
    rows += ["i2,0.0,0.0,Who sold it?,Who sold it?,0.0"]
    pairs = file(tmp_path / "placed.csv", "interview,turn_a,turn_b,q1,q2,label", *rows)
    found = score(terminal, pairs, "--study", folder)
    assert (found["with_context"], found["problems"], found["labelled"], found["positive"]) == (2, [], 2, 1)
    assert "no .jsonl file" in failure(terminal, "score", pairs, "--scorer", "jaccard", "--study", tmp_path / "own")


def test_for_the_second_step_labels_are_read_as_unwanted_or_not(terminal: Terminal, tmp_path: Path) -> None:
    study = file(tmp_path / "study.jsonl", json.dumps(INTERVIEW))
    rows = [
        f"i1,0,2,Who built the bridge?,{q2},{label}"
        for label, q2 in zip("RDNC", ("a b", "c d", "e f", "g h"), strict=True)
    ]
    pairs = file(tmp_path / "kinds.csv", "interview,turn_a,turn_b,q1,q2,label", *rows)
    found = terminal.json("score", str(pairs), "--scorer", "unwanted", "--study", str(study))
    assert (found["question"], found["labelled"], found["positive"], found["unknown"]) == ("unwanted", 2, 1, 0)


def test_where_nothing_can_be_told_there_is_no_figure_and_a_hint(terminal: Terminal, labelled: Path) -> None:
    done = terminal("score", str(labelled), "--scorer", "unwanted", "--json")
    found = json.loads(done.stdout)
    assert (found["unknown"], found["ap"], found["curve"]) == (3, None, None)
    assert "without --study" in done.stderr


def test_a_study_that_is_none_is_named(terminal: Terminal, labelled: Path, tmp_path: Path) -> None:
    broken = file(tmp_path / "broken.jsonl", json.dumps(INTERVIEW), "{")
    study = file(tmp_path / "study.jsonl", json.dumps(INTERVIEW))
    assert "interview, turn_a, turn_b" in failure(terminal, "score", labelled, "--scorer", "jaccard", "--study", study)
    placed = file(tmp_path / "placed.csv", "interview,turn_a,turn_b,q1,q2", "i1,0,2,a,b")
    assert "line 2 is not JSON" in failure(terminal, "score", placed, "--scorer", "jaccard", "--study", broken)


TURN = {"role": "interviewer", "text": "Who built the bridge?"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": "i1", "turns": [TURN, {"role": "guest", "text": None}]}, "line 1, turn 1: text is null"),
        ({"id": "i1", "turns": [{"role": "interviewer", "text": ["a", "b"]}]}, 'turn 0: text is ["a", "b"]'),
        ({"id": "i1", "turns": [{"role": None, "text": "a"}]}, "turn 0: role is null"),
        ({"id": None, "turns": [TURN]}, "line 1: id is null"),
        ({"id": "i1", "source": 7, "turns": [TURN]}, "line 1: source is 7"),
        ({"id": "i1", "turns": [{"role": "A", "text": "Who?"}, {"role": "B", "text": "I."}]}, "roles are 'A', 'B'"),
        ("[" * 100_000, "line 1 is no interview"),
        ("", "holds no interviews"),
    ],
)
def test_a_study_of_which_something_is_no_text_or_nobody_asks_is_named(
    terminal: Terminal, tmp_path: Path, line: object, said: str
) -> None:
    study = file(tmp_path / "study.jsonl", line if isinstance(line, str) else json.dumps(line))
    placed = file(tmp_path / "placed.csv", "interview,turn_a,turn_b,q1,q2", "i1,0,2,a,b")
    message = failure(terminal, "score", placed, "--scorer", "jaccard", "--study", study)
    assert said in " ".join(message.split())


def test_an_interview_in_which_nobody_asks_is_a_problem_of_its_pairs(terminal: Terminal, tmp_path: Path) -> None:
    other = {"id": 2, "turns": [{"role": "A", "text": "Who sold it?"}, {"role": "B", "text": "I did."}]}
    study = file(tmp_path / "study.jsonl", json.dumps(INTERVIEW), json.dumps(other))
    placed = file(tmp_path / "placed.csv", "interview,turn_a,turn_b,q1,q2", "2,0,0,Who sold it?,Who sold it?")
    (problem,) = score(terminal, placed, "--study", study)["problems"]
    assert "nobody asks in the interview '2'" in problem["what"]


class Own:
    """A scorer of somebody else's."""

    name, version = "own", "1"

    def __init__(self, give: Callable[[int, int], object]) -> None:
        self.give = give

    def matrix(self, rows: Sequence[str], columns: Sequence[str]) -> Any:
        return self.give(len(rows), len(columns))


def _boom(_rows: int, _columns: int) -> object:
    raise RuntimeError("boom")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Own(lambda _r, _c: np.zeros((1, 1))), "own gave float64 of shape (1, 1)"),
        (lambda: Own(lambda r, c: [[0.5] * c] * r), "own gave list"),
        (lambda: Own(lambda r, c: np.full((r, c), np.inf)), "own gave an infinite score"),
        (lambda: Own(_boom), "own failed: RuntimeError: boom"),
        (object, "'theirs' has no name and no version and no matrix"),
        (lambda: 1 / 0, "'theirs' cannot be made: ZeroDivisionError"),
    ],
)
def test_a_plugged_in_scorer_that_does_not_work_is_named(
    terminal: Terminal, labelled: Path, monkeypatch: pytest.MonkeyPatch, make: Any, said: str
) -> None:
    monkeypatch.setitem(_SCORERS, "theirs", make)
    message = failure(terminal, "score", labelled, "--scorer", "theirs")
    assert said in " ".join(message.split())


def many(path: Path) -> Path:
    """Ten interviews with a pair of score 1 that is the same, and one of 1/3 that is not."""
    rows = [f'i{n},{q1},"{q2}",{label}' for n in range(10) for (q1, q2), label in zip(ROWS[:2], (1, 0), strict=True)]
    return file(path, "interview,q1,q2,label", *rows)


def test_tune_stores_a_threshold_that_settings_can_name(terminal: Terminal, tmp_path: Path) -> None:
    done = terminal(
        "tune", str(many(tmp_path / "m.csv")), "--name", "mine", "--prevalence", "0.05", "--cost-ratio", "3", "--json"
    )
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert "10 positive pairs and 10 negative pairs" in done.stderr
    # Half way between the two scores.
    assert found["threshold"]["value"] == pytest.approx(2 / 3)
    assert (found["threshold"]["fold_spread"], found["folds_left_out"]["recall"]) == (0, 1)
    assert found["threshold"]["corpus"] == "m.csv: 20 labelled pairs in 10 groups"
    named = {one["name"] for one in score(terminal, tmp_path / "m.csv")["thresholds"]}
    assert "mine" in named


def test_a_person_reads_how_well_scores_tell_and_which_pairs_are_likest(terminal: Terminal, labelled: Path) -> None:
    done = terminal("score", str(labelled), "--scorer", "jaccard")
    assert f"{labelled}: 3 pairs, by jaccard/1" in done.stdout
    assert "Labelled: 3 pairs, of which 2 ask for the same (66.7 %)." in done.stdout
    assert "Average precision: 0.833; of scores that tell nothing 0.667." in done.stdout
    assert re.search(r"the essays' +0\.350 +100\.0 % +50\.0 % +33\.3 %", done.stdout)
    likest = done.stdout[done.stdout.index("The likest pairs") :]
    assert re.search(r"1\.000 +yes +Who built the bridge\? +The bridge, who built it\?", likest)
    assert likest.index("1.000") < likest.index("0.333") < likest.index("0.000")


def test_a_hostile_text_cannot_write_to_the_terminal(terminal: Terminal, tmp_path: Path) -> None:
    pairs = file(tmp_path / "bad.csv", "q1,q2,label", "Who \x1b[2Jpaid [bold]you[/]?,Who paid you?,1")
    shown = terminal("score", str(pairs), "--scorer", "jaccard").stdout
    assert "\x1b" not in shown
    assert "[bold]you[/]" in shown


def test_a_person_reads_what_was_tuned_and_how_to_use_it(terminal: Terminal, tmp_path: Path) -> None:
    done = terminal("tune", str(many(tmp_path / "m.csv")), "--name", "mine", "--cost-ratio", "3")
    assert "mine: above 0.667 (90 %: " in done.stdout
    assert "Chosen on m.csv: 20 labelled pairs in 10 groups, for a miss that costs 3 false flags" in done.stdout
    # The folds are told apart without an error: all that repeats is flagged, 4 in a hundred, and nothing is paid.
    assert "precision 100.0 %, recall 100.0 %, flagged 4.0 %; it costs 0.00 of what flagging nothing" in done.stdout
    assert "guard.threshold: mine with guard.scorer: jaccard" in done.stdout


def test_thresholds_are_listed_with_what_they_belong_to(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal("tune", str(many(tmp_path / "m.csv")), "--name", "mine").exit_code == 0
    found = {one["name"]: one for one in terminal.json("tune", "--list")["thresholds"]}
    assert (found["mine"]["scorer"], found["mine"]["version"]) == ("jaccard", "1")
    assert {one["scorer"] for one in found.values()} >= {"jaccard", "minilm", "centred", "mix"}
    assert "mine" in terminal("tune", "--list").stdout
    assert terminal("tune").exit_code == 2


def test_a_name_of_the_package_is_kept_and_one_s_own_is_only_replaced_if_told(
    terminal: Terminal, tmp_path: Path
) -> None:
    given = ("tune", str(many(tmp_path / "m.csv")), "--name")
    assert "comes with the package" in failure(terminal, *given, "contains", "--replace")
    assert terminal("contains", str(file(tmp_path / "c.csv", "planned,utterance", "How so?,How so?"))).exit_code == 0
    assert terminal(*given, "mine").exit_code == 0
    assert "--replace" in failure(terminal, *given, "mine", "--prevalence", "0.5")
    assert terminal(*given, "mine", "--prevalence", "0.5", "--replace").exit_code == 0
    (mine,) = [one for one in terminal.json("tune", "--list")["thresholds"] if one["name"] == "mine"]
    assert mine["prevalence"] == 0.5


def test_tune_refuses_what_it_cannot_learn_from(terminal: Terminal, labelled: Path, tmp_path: Path) -> None:
    assert "groups" in failure(terminal, "tune", labelled)
    clash = file(tmp_path / "clash.csv", "q1,q2,label", "a b?,a b?,1", "a b?,a b?,0")
    assert "line 3: line 2 labels the same pair differently" in failure(terminal, "tune", clash)
    assert "prevalence" in failure(terminal, "tune", many(tmp_path / "m.csv"), "--prevalence", "2")
    assert str(labelled) in "".join(failure(terminal, "tune", labelled).split("\n"))
    assert "cost_ratio" in failure(terminal, "tune", tmp_path / "m.csv", "--cost-ratio", "inf")
    assert "--name ''" in failure(terminal, "tune", tmp_path / "m.csv", "--name", "")
    assert "--name '../x'" in failure(terminal, "tune", tmp_path / "m.csv", "--name", "../x")


def test_tune_writes_elsewhere_if_told(terminal: Terminal, tmp_path: Path) -> None:
    done = terminal("tune", str(many(tmp_path / "m.csv")), "--out", str(tmp_path / "t.json"))
    assert done.exit_code == 0
    assert json.loads((tmp_path / "t.json").read_text())[0]["name"] == "jaccard-m"
    assert not (terminal.home / "thresholds.json").exists()


def test_pairs_without_any_label_are_named_as_such(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("q1,q2,label\nWhat broke?,What failed?,\n", encoding="utf-8")
    assert "no pair has a label yet" in terminal("tune", str(path)).stderr
