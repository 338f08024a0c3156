"""The facts of a call are the same from its journal and from the database."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from interviewer.importing.read import read_transcript
from interviewer.interview.demo import Demo, run_demo
from interviewer.kept.imported import import_files
from interviewer.kept.reading import CallLog
from interviewer.lab.measured import of_log, of_recorded, of_turns
from interviewer.lab.measured_sql import QUERIES, tallies, tallies_in_course
from interviewer.lab.measured_store import in_numbers, of_store
from interviewer.lab.threshold_file import keep
from interviewer.metrics.course import over_time
from interviewer.metrics.every import METRICS
from interviewer.metrics.measuring import measure
from interviewer.metrics.record import CallFacts
from interviewer.settings import MetricSettings
from interviewer.store.store import Store
from tests.matching.test_thresholds import MINE


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(dossier="medical-device-audits", minutes=2, seed=4, home=tmp_path_factory.mktemp("made"))


def plain(facts: CallFacts) -> dict[str, Any]:
    assert facts.ledger is not None
    return {
        **vars(replace(facts, ledger=None, runs=())),
        "ledger": facts.ledger.snapshot(),
        "runs": sorted(map(str, facts.runs)),
    }


def test_journal_and_database_tell_the_same(made: Demo) -> None:
    store = Store.open(made.journal.parents[1])
    assert plain(of_store(store, [made.call_id])[0]) == plain(of_log(CallLog.read(made.journal)))


def test_python_and_sql_give_the_same_figures(made: Demo) -> None:
    store = Store.open(made.journal.parents[1])
    found = measure(of_store(store, [made.call_id]), MetricSettings(least=1))
    views = ("coverage", "delivery_funnel", "talk", "guidance_age", "call_lengths")
    rows = {view: store.sql(f"SELECT * FROM {view}").iloc[0] for view in views}
    for name, view, column in (
        ("coverage_selected", "coverage", "selected_share"),
        ("coverage_delivered", "coverage", "delivered_share"),
        ("coverage_answered", "coverage", "answered_share"),
        ("funnel_accepted", "delivery_funnel", "accepted_share"),
        ("funnel_started", "delivery_funnel", "started_share"),
        ("funnel_delivered", "delivery_funnel", "delivered_share"),
        ("stale_guidance", "guidance_age", "stale_share"),
        ("talk_share", "talk", "guest_share"),
        ("gap_median", "talk", "gap_median_ms"),
        ("gap_p95", "talk", "gap_p95_ms"),
        ("overlaps", "talk", "overlap_share"),
        ("length_error", "call_lengths", "length_error"),
    ):
        assert found[name].value == pytest.approx(float(rows[view][column])), name


def test_every_metric_can_be_summed_up_in_sql(made: Demo) -> None:
    store = Store.open(made.journal.parents[1])
    own = of_store(store, [made.call_id])
    talk = of_turns("a", [("interviewer", "How did it begin?"), ("guest", "With hives."), ("interviewer", "And how?")])
    groups, settings = {"own": own, "both": [*own, talk]}, in_numbers(store, MetricSettings(least=2))
    found = store.sql(QUERIES["figures"], frames={"tallies": tallies(groups, settings)})
    assert len(found) == 2 * len(METRICS)
    for row in found.to_dict("records"):
        told = measure(groups[row["source"]], settings, [row["metric"]])[row["metric"]]
        assert (row["n"], row["calls"]) == (told.n, told.calls), row
        assert row["value"] == pytest.approx(float("nan") if told.value is None else told.value, nan_ok=True), row
    apart = store.sql(
        QUERIES["differences"], {"first": "own", "second": "both"}, {"tallies": tallies(groups, settings)}
    ).set_index("metric")
    values = [measure(calls, settings)["question_words"].value or 0 for calls in groups.values()]
    assert apart.loc["question_words", "difference"] == pytest.approx(values[0] - values[1])


def test_the_course_of_calls_can_be_summed_up_in_sql(made: Demo) -> None:
    store = Store.open(made.journal.parents[1])
    own, settings = of_store(store, [made.call_id]), in_numbers(store, MetricSettings(least=1))
    frame = tallies_in_course({"own": own}, settings)
    found = store.sql(QUERIES["figures"], frames={"tallies": frame}).set_index(["metric", "part"])["value"]
    for metric, parts in over_time(own, settings).items():
        assert [found[metric, part] for part in range(len(parts))] == pytest.approx(
            [float("nan") if each.value is None else each.value for each in parts], nan_ok=True
        ), metric


def test_views_sum_up_to_the_figures_of_all_calls(made: Demo) -> None:
    store = Store.open(made.journal.parents[1])
    found = measure(of_store(store, [made.call_id]), MetricSettings(least=1))
    covered = store.sql(QUERIES["coverage"], ["simulated"]).iloc[0]
    for column in ("selected", "delivered", "answered"):
        assert covered[column] == pytest.approx(found[f"coverage_{column}"].value)
    stages = store.sql(QUERIES["funnel"], ["simulated"]).iloc[0]
    for before, stage in pairwise(("selected", "accepted", "started", "generated", "delivered")):
        assert stages[stage] / stages[before] == pytest.approx(found[f"funnel_{stage}"].value)
    talk = store.sql(QUERIES["talk"], ["simulated"]).iloc[0]
    assert talk["guest_share"] == pytest.approx(found["talk_share"].value)
    spent = store.sql(QUERIES["usage"], ["simulated"]).set_index("spender")
    runs = store.sql("SELECT agent, count(*) AS n FROM agent_runs GROUP BY agent").set_index("agent")["n"]
    assert spent.loc[runs.index, "runs"].tolist() == runs.tolist()
    tried = store.sql(QUERIES["outcomes"], ["simulated"])
    assert tried["attempts"].sum() == stages["selected"]


def test_derived_times_give_no_gap_in_python_and_none_in_sql(fresh_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("Ann: How did you begin?\nBob: With three hives.\nAnn: And then?\nBob: Then came winter.\n")
    store = Store.open(fresh_home)
    import_files(store, [path])
    ids = [str(each) for each in store.calls()["call_id"]]
    assert not measure(of_store(store, ids))["gap_median"].enough
    talk = store.sql("SELECT gap_median_ms, gap_p95_ms, overlap_share, turns FROM talk").iloc[0]
    assert talk[["gap_median_ms", "gap_p95_ms", "overlap_share"]].isna().all()
    assert talk["turns"] == 4


def test_a_threshold_of_the_home_stands_for_its_number(fresh_home: Path) -> None:
    keep(MINE.model_copy(update={"scorer": "jaccard2"}), fresh_home)
    found = in_numbers(Store.open(fresh_home), MetricSettings(threshold="mine"))
    assert found.threshold == 0.3
    assert measure([of_turns("a", [("interviewer", "How?")])], found)


def test_of_the_interviewers_words_only_the_heard_count(made: Demo) -> None:
    facts = of_log(CallLog.read(made.journal))
    assert facts.generated_words is not None
    assert facts.spoken("interviewer") <= facts.generated_words
    assert facts.world == "simulated"
    assert facts.target_ms == 120_000
    assert all(question.text in facts.turns[question.turn].text for question in facts.questions)


def test_a_transcript_has_no_ledger_and_no_times_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("Ann: How did you begin?\nBob: With three hives.\nAnn: And then?\nBob: Then came winter.\n")
    facts = of_recorded(read_transcript(path))
    assert facts.ledger is None
    assert not facts.timed
    assert [question.text for question in facts.questions] == ["How did you begin?", "And then?"]
    assert of_turns("a", [("interviewer", "How?"), ("guest", "...")]).turns[1].text == ""
