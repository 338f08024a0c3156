from datetime import date
from pathlib import Path

import pytest

from interviewer.errors import SettingsError
from interviewer.interview.demo import run_demo
from interviewer.kept.verify import verify
from interviewer.matching import thresholds
from interviewer.matching.contains import BAND
from interviewer.matching.in_force import in_force
from interviewer.matching.thresholds import Threshold
from interviewer.settings import MatchSettings, Settings
from interviewer.store.store import Store

MINE = Threshold(
    name="mine",
    scorer="jaccard",
    version="1",
    value=0.62,
    low=0.5,
    high=0.7,
    corpus="ten made-up pairs",
    prevalence=0.04,
    cost_ratio=5,
    fold_spread=0.1,
    created=date(2026, 11, 30),
)


def test_a_named_threshold_takes_the_place_of_the_number(tmp_path: Path) -> None:
    thresholds.save(MINE, tmp_path)
    assert in_force(MatchSettings(threshold="mine"), tmp_path).recovery == 0.62
    assert in_force(MatchSettings(recovery=0.5), tmp_path).recovery == 0.5


def test_a_threshold_of_another_scorer_is_refused_by_both_names(tmp_path: Path) -> None:
    thresholds.save(MINE, tmp_path)
    with pytest.raises(SettingsError, match=r"'mine'.*jaccard/1.*jaccard2/1"):
        in_force(MatchSettings(scorer="jaccard2", threshold="mine"), tmp_path)
    with pytest.raises(
        SettingsError, match=r"0\.35 was chosen for the scorer jaccard, not for jaccard2/1.*tune --list"
    ):
        in_force(MatchSettings(scorer="jaccard2"))
    with pytest.raises(SettingsError, match=r"no threshold 'yours'.*mine"):
        in_force(MatchSettings(threshold="yours"), tmp_path)


def test_a_change_of_another_setting_does_not_turn_a_default_into_a_choice() -> None:
    settings = Settings.load(match={"scorer": "jaccard2"}).with_(call={"target_ms": 60_000})
    with pytest.raises(SettingsError, match="not for jaccard2/1"):
        in_force(settings.match)


def test_a_number_of_one_s_own_goes_with_any_scorer() -> None:
    assert in_force(MatchSettings(scorer="jaccard2", recovery=0.35)).recovery == 0.35


def test_a_packaged_threshold_lies_within_the_setting_s_bounds() -> None:
    settings = in_force(MatchSettings(threshold="same-jaccard-30"))
    assert MatchSettings.model_validate(settings.model_dump()) == settings


def test_a_call_keeps_the_name_and_what_it_meant(tmp_path: Path) -> None:
    tmp_path.joinpath("home").mkdir()
    thresholds.save(MINE, tmp_path / "home")
    settings = Settings.load(match={"threshold": "mine"})
    demo = run_demo("Bees", minutes=1, seed=1, home=tmp_path / "home", settings=settings)
    match = demo.call.core.setup.settings.match
    assert (match.threshold, match.recovery) == ("mine", 0.62)
    assert Store.open(tmp_path / "home").transcript(demo.call_id).shape[0] > 2
    with pytest.raises(SettingsError, match="'mine'"):
        run_demo(
            "Bees",
            minutes=1,
            home=tmp_path / "home",
            settings=Settings.load(match={"threshold": "mine", "scorer": "tfidf"}),
        )


def test_a_grey_band_of_one_s_own_holds_in_a_call_and_in_its_journal(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    band = thresholds.load(BAND).model_copy(update={"name": "myband", "value": 0.5, "low": 0.2, "high": 0.6})
    thresholds.save(band, home)
    settings = Settings.load(match={"contains": "myband"})
    demo = run_demo("Bees", minutes=1, seed=1, home=home, settings=settings)
    assert demo.call.core.setup.settings.match.grey_band == (0.2, 0.5)
    (home / thresholds.FILE).unlink()
    assert verify(Store.open(home), demo.call_id).problems == []
    with pytest.raises(SettingsError, match="'myband'"):
        run_demo("Bees", minutes=1, home=home, settings=settings)
