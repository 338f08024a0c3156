"""Agreement with people, as the evaluation of the metrics measures it."""

import sys
from pathlib import Path

import pytest

from evals.quality import __main__ as quality
from evals.quality.agreement import ranks, spearman, with_interval


def test_equal_values_share_their_mean_rank() -> None:
    assert list(ranks([3, 1, 3, 9])) == [2.5, 1, 2.5, 4]


def test_spearman_by_hand() -> None:
    # Ranks 1..5 against 2 1 4 3 5: 1 - 6 * 4 / (5 * 24).
    assert spearman([1, 2, 3, 4, 5], [20, 10, 40, 30, 99]) == pytest.approx(0.8)


def test_the_interval_resamples_groups() -> None:
    found = with_interval(lambda rows: float((rows % 4 == 0).mean()), ["a", "a", "b", "b"])
    assert (found["value"], found["groups"], found["n"]) == (0.25, 2, 4)
    assert (found["low"], found["high"]) == (0.0, 0.5)


def test_missing_data_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["quality", "--data", str(tmp_path), "--out", str(tmp_path / "out.json")])
    assert quality.main() == 1
    assert "no AnnoMI-full.csv" in capsys.readouterr().out
    assert not (tmp_path / "out.json").exists()


def test_the_whole_way_on_a_handful_of_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = "transcript_id,utterance_id,interlocutor,utterance_text,question_exists,question_subtype\n"
    asked = (("How was it?", "True", "open"), ("Did you like it?", "True", "closed"), ("I see.", "False", "n/a"))
    rows = [
        f"{talk_id},{at},therapist,{text},{exists},{kind}"
        for talk_id in (0, 1)
        for at, (text, exists, kind) in enumerate(asked)
    ]
    rows.append("1,3,client,Fine.,n/a,n/a")
    (tmp_path / "AnnoMI-full.csv").write_text(talk + "\n".join(rows) + "\n", encoding="utf-8")
    head = "obs_id,exchange_idx,student_text,teacher_text,uptake_zscore\n"
    said = "The two halves make a whole"
    replies = (
        ("Two halves make a whole, yes.", 1.5),
        ("What do halves make?", 0.5),
        ("Sit down.", -1.0),
        ("Off task.", ""),
    )
    lessons = "".join(f'{at},1,{said},"{text}",{rating}\n' for at, (text, rating) in enumerate(replies))
    (tmp_path / "uptake_data.csv").write_text(head + lessons, encoding="utf-8")
    monkeypatch.setattr("evals.quality.agreement.TIMES", 20)
    monkeypatch.setattr(sys, "argv", ["quality", "--data", str(tmp_path), "--out", str(tmp_path / "out.json")])
    assert quality.main() == 1  # these are not the data that the table of ranks is of
    told = capsys.readouterr().out
    assert "form: 1.0" in told
    assert "uptake: 1.0 [" in told
    assert ", n 3, " in told
