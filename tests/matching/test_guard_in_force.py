"""What the names in the guard's settings mean as a call begins, and what becomes of a scorer that is not there."""

import logging
from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import ModelMissing, SettingsError
from interviewer.interview.demo import run_demo
from interviewer.interview.report import call_report
from interviewer.kept.reading import CallLog
from interviewer.kept.verify import verify
from interviewer.matching import compare, thresholds
from interviewer.matching.in_force import guard_in_force
from interviewer.matching.jaccard2 import Jaccard2
from interviewer.matching.scorer import register, scorer
from interviewer.settings import GuardSettings, Settings
from interviewer.store.store import Store


def gone() -> Any:
    raise ModelMissing("the weights are not here")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    compare._made.cache_clear()


def test_the_default_is_a_stored_threshold_of_its_scorer() -> None:
    found = guard_in_force(GuardSettings())
    stored = thresholds.load(found.threshold)
    assert (found.value, found.version, found.missing) == (stored.value, scorer(stored.scorer).version, "")


def test_a_threshold_of_another_scorer_is_refused_by_both_names() -> None:
    with pytest.raises(SettingsError, match=r"guard\.threshold: 'guard-tfidf' was chosen for the scorer tfidf"):
        guard_in_force(GuardSettings(scorer="jaccard2", threshold="guard-tfidf"))
    with pytest.raises(SettingsError, match="no threshold 'nobody'"):
        guard_in_force(GuardSettings(threshold="nobody"))
    assert guard_in_force(GuardSettings(mode="off", threshold="nobody")).value is None


def test_without_its_weights_shared_words_decide_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        "interviewer.matching.in_force.scorer", lambda name: gone() if name == "minilm" else scorer(name)
    )
    with caplog.at_level(logging.WARNING):
        found = guard_in_force(GuardSettings(scorer="minilm", threshold="guard-minilm"))
    assert (found.value, found.missing) == (None, "the weights are not here")
    assert "shared words: the weights are not here" in caplog.text


def test_a_call_is_folded_to_the_same_ledger_where_the_scorer_is_not_there_any_more(tmp_path: Path) -> None:
    register("visiting", Jaccard2)
    home = tmp_path / "home"
    home.mkdir()
    mine = thresholds.load("guard-jaccard2").model_copy(update={"name": "visitors"})
    thresholds.save(mine.model_copy(update={"scorer": "visiting"}), home)
    settings = Settings.load(env={}, guard={"scorer": "visiting", "threshold": "visitors"})
    with pytest.raises(SettingsError, match="visiting"):  # it calls itself jaccard2
        run_demo("Bees", minutes=2, seed=3, home=home, settings=settings)
    settings = Settings.load(env={}, guard={"scorer": "jaccard2", "threshold": "guard-jaccard2"})
    demo = run_demo("Bees", minutes=2, seed=3, home=home, settings=settings)
    looked = [event for event in demo.call.core.ledger.events if event.kind == "guarded"]
    assert {event.evidence["scorer"] for event in looked if event.evidence["score"] is not None} == {"jaccard2/1"}
    register("jaccard2", gone)
    try:
        assert verify(Store.open(home), demo.call_id).problems == []
    finally:
        register("jaccard2", Jaccard2)
    report = call_report(CallLog.read(demo.journal))["guard"]
    assert (report["by"], report["proposals"], report["problems"]) == ("jaccard2/1", len(looked), [])


def test_a_journal_from_before_the_guard_is_folded_without_it() -> None:
    golden = Path(__file__).parents[1] / "store" / "golden" / "0.1.0-demo.jsonl"
    assert CallLog.read(golden).setup.settings.guard.mode == "off"
    assert call_report(CallLog.read(golden))["guard"] is None
