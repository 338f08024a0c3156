import csv
import json
from pathlib import Path

import pytest

from interviewer.errors import MatchError
from interviewer.lab.labelling import KINDS, Labelling
from interviewer.matching.agreement import kappa
from interviewer.matching.pair_file import read

HEADER = "id,q1,q2,answer,lead,stratum,weight"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    rows = [f"p{n},What broke {n}?,Which part {n}?,The cable.,And then?,top,2.5" for n in range(4)]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")
    return path


def label_all(pairs: Path, name: str, kinds: dict[str, str]) -> Labelling:
    labelling = Labelling(pairs, name)
    while current := labelling.current:
        labelling.label(current.id, kinds[current.id])
    return labelling


A = {"p0": "unwanted", "p1": "return", "p2": "different", "p3": "different"}
B = {"p0": "return", "p1": "continuation", "p2": "different", "p3": "return"}


def test_a_label_is_on_the_disk_at_once_and_the_next_run_goes_on(pairs: Path) -> None:
    first = Labelling(pairs, "Ann")
    assert first.current
    first.label(first.current.id, "unwanted")
    left = first.current
    again = Labelling(pairs, "Ann")
    assert (again.done, again.total, again.current) == (1, 4, left)
    (line,) = first.place.read_text(encoding="utf-8").splitlines()
    assert {key: json.loads(line)[key] for key in ("annotator", "kind", "label")} == {
        "annotator": "Ann",
        "kind": "unwanted",
        "label": "R",
    }


def test_half_a_surrogate_pair_in_a_name_loses_no_label(pairs: Path) -> None:
    first = Labelling(pairs, "Ann\ud800")
    assert first.current
    first.label(first.current.id, "unwanted")
    assert Labelling(pairs, "Ann\ud800").done == 1


def test_what_is_taken_back_comes_again(pairs: Path) -> None:
    labelling = Labelling(pairs, "Ann")
    first = labelling.current
    assert first
    labelling.undo()
    labelling.label(first.id, "different")
    labelling.undo()
    assert Labelling(pairs, "Ann").current == first
    labelling.label(first.id, "return")
    assert labelling.labels() == {"Ann": {first.id: "D"}}


def test_annotators_do_not_meet_before_both_are_done(pairs: Path) -> None:
    one = label_all(pairs, "Ann", A)
    other = Labelling(pairs, "Ben")
    assert other.done == 0
    assert one.agreement() is None
    orders = {tuple(Labelling(pairs, name)._order) for name in ("Ann", "Ben", "Cleo", "Dan")}
    assert len(orders) > 1


def test_kappa_by_hand(pairs: Path) -> None:
    label_all(pairs, "Ann", A)
    found = label_all(pairs, "Ben", B).agreement()
    assert found
    # R D N N against D D N D: 2 of 4 alike; by chance (1*0 + 1*3 + 2*1) / 16.
    assert (found["annotators"], found["alike"]) == (("Ann", "Ben"), 2)
    assert found["label"] == pytest.approx((2 / 4 - 5 / 16) / (1 - 5 / 16))
    # yes yes no no against yes yes no yes: 3 of 4 alike; by chance (2*3 + 2*1) / 16.
    assert found["same"] == pytest.approx((3 / 4 - 8 / 16) / (1 - 8 / 16))


def test_kappa_of_one_label_is_not_defined() -> None:
    assert kappa(["N", "N"], ["N", "N"]) != kappa(["N", "N"], ["N", "N"])
    assert kappa(["N", "D"], ["D", "N"]) == -1


def test_labels_become_a_file_to_tune_with(pairs: Path, tmp_path: Path) -> None:
    label_all(pairs, "Ann", A)
    assert label_all(pairs, "Ben", B).to_csv(tmp_path / "out.csv") == 2
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["label_Ann"], row["label_Ben"], row["label"]) for row in rows] == [
        ("p0", "R", "D", ""),
        ("p1", "D", "D", "D"),
        ("p2", "N", "N", "N"),
        ("p3", "N", "D", ""),
    ]
    found = read(tmp_path / "out.csv")
    assert (found.labels, found.weights) == ([None, True, False, None], [2.5] * 4)


def test_a_line_that_a_crash_cut_off_costs_no_other(pairs: Path) -> None:
    first = Labelling(pairs, "Ann")
    assert first.current
    first.label(first.current.id, "unwanted")
    first.place.write_bytes(first.place.read_bytes() + b'{"annotator": "An')
    again = Labelling(pairs, "Ann")
    assert (again.done, again.damaged) == (1, [2])
    assert again.current
    again.label(again.current.id, "different")
    assert Labelling(pairs, "Ann").done == 2


def test_what_cannot_be_labelled_is_named(pairs: Path, tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="needs a name"):
        Labelling(pairs, "  ")
    with pytest.raises(MatchError, match=r"'maybe'.*unwanted"):
        Labelling(pairs, "Ann").label("p0", "maybe")
    with pytest.raises(MatchError, match="no pair 'p9'"):
        Labelling(pairs, "Ann").label("p9", "unwanted")
    twice = tmp_path / "twice.csv"
    twice.write_text("id,q1,q2\na,b,c\na,d,e\n", encoding="utf-8")
    with pytest.raises(MatchError, match="two rows have one id"):
        Labelling(twice, "Ann")


def test_labels_that_cannot_be_read_are_named(pairs: Path) -> None:
    labelling = Labelling(pairs, "Ann")
    labelling.place.unlink(missing_ok=True)
    labelling.place.mkdir()
    with pytest.raises(MatchError, match="cannot read"):
        Labelling(pairs, "Ann")


def test_every_kind_stands_for_a_label() -> None:
    assert {label for label, _ in KINDS.values()} == set("RDNC")


def test_labels_of_other_texts_under_the_same_id_are_named_and_kept(pairs: Path) -> None:
    label_all(pairs, "Ann", A)
    kept = pairs.with_suffix(".labels.jsonl").read_bytes()
    rows = [f"p{n},{'What broke 0?' if n == 0 else 'Who came?'},Which part {n}?,,,top,1" for n in range(4)]
    pairs.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")
    again = Labelling(pairs, "Ann")
    assert (again.done, again.labels()) == (1, {"Ann": {"p0": "R"}})
    assert sorted(pair for _, pair in again.strangers) == ["p1", "p2", "p3"]
    assert "3 lines of" in again.warning
    again.label("p1", "return")
    assert again.place.read_bytes().startswith(kept)
    assert Labelling(pairs, "Ann").done == 2


def test_labels_from_before_there_were_fingerprints_count(pairs: Path) -> None:
    place = pairs.with_suffix(".labels.jsonl")
    place.write_text('{"annotator": "Ann", "pair": "p0", "kind": "return"}\n' + "[" * 100_000, encoding="utf-8")
    found = Labelling(pairs, "Ann")
    assert (found.done, found.damaged, found.strangers) == (1, [2], [])
