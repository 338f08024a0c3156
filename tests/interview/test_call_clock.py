"""One clock for a call: a turn is told at the time that was seen while it was said, then and later."""

from pathlib import Path
from time import sleep

from interviewer.interview.reading import CallLog
from interviewer.interview.report import turn_reports
from interviewer.store.store import Store
from tests.interview.test_session import until
from tests.interview.test_session_troubles import begun, ended, shown, talkative
from tests.live.service import service

PAUSE_S = 0.4


def test_what_is_said_after_a_pause_is_told_at_the_time_that_the_clock_shows(fresh_home: Path) -> None:
    with service(talkative) as (url, _):
        session = begun(url, fresh_home)
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
