from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from interviewer.errors import MatchError, SettingsError
from interviewer.matching import thresholds
from interviewer.matching.scorer import scorer
from interviewer.matching.thresholds import Threshold

MINE = Threshold(
    name="mine",
    scorer="jaccard",
    version="1",
    value=0.3,
    low=0.25,
    high=0.4,
    corpus="ten made-up pairs",
    prevalence=0.04,
    cost_ratio=5,
    fold_spread=0.1,
    created=date(2026, 11, 30),
)


def test_a_kept_threshold_comes_back(tmp_path: Path) -> None:
    thresholds.save(MINE, tmp_path)
    thresholds.save(MINE.model_copy(update={"name": "another"}), tmp_path)
    assert thresholds.load("mine", tmp_path) == MINE
    assert set(thresholds.load_all(tmp_path)) >= {"mine", "another"}


def test_one_of_the_same_name_is_replaced(tmp_path: Path) -> None:
    thresholds.save(MINE, tmp_path)
    thresholds.save(MINE.model_copy(update={"value": 0.35}), tmp_path)
    assert thresholds.load("mine", tmp_path).value == 0.35


def test_it_serves_its_own_scorer_only(tmp_path: Path) -> None:
    thresholds.save(MINE, tmp_path)
    assert thresholds.value("mine", scorer("jaccard"), tmp_path) == 0.3
    assert thresholds.value(0.5, scorer("tfidf")) == 0.5
    with pytest.raises(SettingsError, match=r"'mine'.*jaccard/1.*jaccard2/1"):
        thresholds.value("mine", scorer("jaccard2"), tmp_path)
    with pytest.raises(SettingsError, match=r"jaccard/0.*jaccard/1"):
        MINE.model_copy(update={"version": "0"}).for_(scorer("jaccard"))


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    thresholds.save(MINE, tmp_path)
    with pytest.raises(SettingsError, match=r"'yours'.*mine"):
        thresholds.load("yours", tmp_path)


@pytest.mark.parametrize("change", [{"low": 0.31}, {"prevalence": 0}, {"cost_ratio": -1}, {"value": float("nan")}])
def test_a_threshold_that_makes_no_sense_is_none(change: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Threshold.model_validate(MINE.model_dump() | change)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"name": "x"}]'])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / thresholds.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(MatchError, match=r"thresholds\.json"):
        thresholds.load_all(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match=r"nowhere.*thresholds\.json"):
        thresholds.save(MINE, tmp_path / "nowhere")
