"""One clock for a call: whatever shows a time shows the clock that was seen then; sound and subtitles do not."""

import json
from pathlib import Path
from time import sleep

import pytest
from typer.testing import CliRunner

from interviewer.cli.app import app
from interviewer.interview.report import turn_reports
from interviewer.interview.session import InterviewSession
from interviewer.kept.reading import CallLog
from interviewer.kept.searching import search
from interviewer.lab.measured import of_log
from interviewer.lab.measured_store import of_store
from interviewer.ledger.views import why
from interviewer.metrics.closing import LENGTH_ERROR
from interviewer.metrics.talk import gaps
from interviewer.plots.frames import call_frames, rows
from interviewer.plots.show import transcript_table
from interviewer.store.export import export
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.interview.test_session_troubles import begun, ended, shown, talkative
from tests.live.service import service
from tests.patience import until
from tests.store import journals

PAUSE_S = 0.4
# A call that is ready after 1 s and paused from 5 s to 65 s: what happens at 66 s happens 5 s into it.
PAUSED = (
    (0, journals.setup(settings={"call": {"target_ms": 10_000, "wrap_up_from": 0.85}})),
    (0, journals.registration(1, journals.PLAN["sections"][0]["questions"][0], "s1")),  # type: ignore[index]
    (1_000, journals.rec("status", status="live")),
    (1_000, journals.rec("phase", phase="opening", elapsed_ms=0, locked=False)),
    (4_000, journals.turn(1, "interviewer", "How did you begin?", 2_000)),
    (5_000, ("in", {"type": "command", "name": "pause", "value": "", "t_ms": 5_000})),
    (65_000, ("in", {"type": "command", "name": "resume", "value": "", "t_ms": 65_000})),
    (68_000, journals.turn(2, "guest", "With rye.", 66_000)),
    (68_500, journals.event(2, 68_500, "answered", "q1", turn="t2")),
    (68_500, journals.rec("phase", phase="wrap_up", elapsed_ms=7_500, locked=True)),
    (70_000, journals.rec("status", status="closing")),
    (71_000, journals.rec("status", status="done")),
    (71_000, ("end", {"reason": "goodbye"})),
)


@pytest.fixture
def paused(fresh_home: Path) -> Store:
    (fresh_home / "journals").mkdir()
    with Journal.create(fresh_home / "journals" / "c-1.jsonl", journals.head("c-1")) as journal:
        for t_ms, (kind, data) in PAUSED:
            journal.write(kind, t_ms, data)
    return Store.open(fresh_home)


@pytest.fixture
def log(paused: Store) -> CallLog:
    return CallLog.read(paused.journal_path("last"))


def replied(session: InterviewSession) -> bool:
    last = shown(session, "turns")[-1]
    return last["speaker"] == "interviewer" and last["over"] and bool(last["heard"])


def test_what_is_said_after_a_pause_is_told_at_the_time_that_the_clock_shows(fresh_home: Path) -> None:
    with service(talkative) as (url, _):
        session = begun(url, fresh_home)
        until(lambda: replied(session))  # before a reply begins, what is typed goes on with the turn before
        session.command("pause")
        until(lambda: shown(session, "clock")["paused"])
        sleep(PAUSE_S)
        session.command("resume")
        until(lambda: not shown(session, "clock")["paused"])
        session.command("type", "We lost two of them.")
        until(lambda: any(turn["text"] == "We lost two of them." for turn in shown(session, "turns")))
        clock_ms = session.slices()["clock"]["elapsed_ms"]
        seen = {turn["id"]: turn["at_ms"] for turn in session.slices()["turns"]}
        ended(session)
    log = CallLog.read(Store.open(fresh_home).journal_path("last"))
    kept = {turn["id"]: turn for turn in turn_reports(log)}
    assert {name: kept[name]["at_ms"] for name in seen} == seen
    typed = next(turn for turn in kept.values() if turn["text"] == "We lost two of them.")
    assert typed["at_ms"] <= clock_ms
    # The record goes on while the clock stands still, and began before it.
    assert typed["started_ms"] - typed["at_ms"] >= PAUSE_S * 1_000
    elapsed_ms = session.slices()["after"]["elapsed_ms"]
    assert clock_ms <= elapsed_ms <= session.slices()["clock"]["elapsed_ms"]


def test_tables_and_views_tell_both_times(paused: Store) -> None:
    columns = ["at_ms", "ended_at_ms", "started_ms", "ended_ms"]
    times = [[1_000, 3_000, 2_000, 4_000], [5_000, 7_000, 66_000, 68_000]]
    assert paused.transcript("c-1")[columns].to_numpy().tolist() == times
    assert paused.calls()[["elapsed_ms", "duration_ms"]].to_numpy().tolist() == [[9_000, 71_000]]
    lengths = paused.sql("SELECT elapsed_ms, length_error FROM call_lengths").to_numpy().tolist()
    assert lengths == [[9_000, -0.1]]
    # 62 s of the record lie between the two turns, 60 of them a pause.
    assert paused.sql("SELECT gap_median_ms FROM talk").iat[0, 0] == 2_000
    assert paused.ledger("c-1")[["ts_ms", "at_ms"]].to_numpy().tolist() == [[0, 0], [68_500, 7_500]]


def test_a_database_from_before_takes_its_journals_in_again(paused: Store) -> None:
    with paused.database.connect() as connection:
        for table in ("turns", "ledger_events", "moments", "agent_runs"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN at_ms")
        connection.execute("ALTER TABLE turns DROP COLUMN ended_at_ms")
        connection.execute("ALTER TABLE calls DROP COLUMN elapsed_ms")
        connection.execute("DELETE FROM migrations WHERE name = '0012_clock'")
        connection.execute("UPDATE schema_version SET version = 11")
    again = Store.open(paused.home.root)
    assert list(again.transcript("c-1")["at_ms"]) == [1_000, 5_000]


def test_what_is_read_goes_by_the_clock_and_subtitles_by_the_sound(paused: Store, tmp_path: Path) -> None:
    [page] = export(paused, "c-1", "md", tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "0:09 long by its own clock, as all times here" in text
    assert "**Interviewer** (0:01)" in text
    assert "**Guest** (0:05)" in text
    [cues] = export(paused, "c-1", "vtt", tmp_path)
    assert "NOTE Times are those of the call's sound: connecting and pauses count." in cues.read_text(encoding="utf-8")
    assert "00:01:06.000 --> 00:01:08.000\n<v Guest>With rye." in cues.read_text(encoding="utf-8")
    [data] = export(paused, "c-1", "json", tmp_path)
    turns = json.loads(data.read_text(encoding="utf-8"))["turns"]
    assert [(turn["at_ms"], turn["started_ms"]) for turn in turns] == [(1_000, 2_000), (5_000, 66_000)]


def test_commands_and_tables_show_the_clock(paused: Store, log: CallLog) -> None:
    assert "At 0:07 the guest answered it" in why(log.ledger, "q1", log.clock.at)
    assert "At 1:08 the guest answered it" in why(log.ledger, "q1")
    assert "0:05" in transcript_table(paused.transcript("c-1")).text
    assert search(paused, "rye")[0].at_ms == 5_000
    for command, line in (
        (["list"], "0:09"),
        (["show", "last", "--transcript"], "0:05  Guest"),
        (["show", "last", "--question", "q1"], "At 0:07 the guest"),
        (["show", "last"], "At 0:07 the guest"),
        (["search", "rye"], "0:05"),
    ):
        told = CliRunner().invoke(app, ["--home", str(paused.home.root), *command])
        assert line in told.output
        assert "1:0" not in told.output


def test_figures_are_drawn_on_the_clock(paused: Store) -> None:
    frames = call_frames(paused, "last")
    assert (frames.call["end_ms"], frames.questions["answered_ms"].max()) == (10_000, 7_500)
    assert frames.turns[["started_ms", "ended_ms"]].to_numpy().tolist() == [[1_000, 3_000], [5_000, 7_000]]
    phases = [(phase["phase"], phase["started_ms"], phase["ended_ms"]) for phase in rows(frames.phases)]
    assert phases == [("opening", 0, 7_500), ("wrap_up", 7_500, None)]


def test_metrics_count_no_pause(paused: Store, log: CallLog) -> None:
    [kept] = of_store(paused, ["c-1"])
    read = of_log(log)
    assert (kept.turns, kept.questions, kept.elapsed_ms) == (read.turns, read.questions, read.elapsed_ms)
    assert gaps(kept) == [2_000]
    assert LENGTH_ERROR(kept).value == pytest.approx(-0.1)
