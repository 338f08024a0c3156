"""A session whose call is in trouble: its disk, its database, its program's death; and a name heard wrong."""

import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import InterviewerError, JournalError, StoreLocked
from interviewer.interview import session as session_module
from interviewer.interview.demo import Demo, run_demo
from interviewer.interview.session import InterviewSession
from interviewer.kept.reading import CallLog
from interviewer.kept.verify import verify
from interviewer.settings import Settings
from interviewer.store.database import Database
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.interview.test_session import PLAN
from tests.live.service import SURE, HandMicrophone, HandSpeaker, Talk, service
from tests.patience import PATIENCE_S, until

HEARD = "How did you come to keep bees?"
SAID = "Uncle Marten gave me his hives in the winter of the great frost"


def talkative(talk: Talk) -> None:
    """The first connection asks and is answered; later ones only go on."""
    talk.created()
    if talk.number == 1:
        talk.updated(talk.wait_for("session.update"))
        talk.reply(talk.wait_for("response.create"), f"Hello. {HEARD}")
        talk.guest_said("item_guest", SAID)
    talk.go_on()


def settings(url: str) -> Settings:
    return Settings.load(env={}, voice={"service": "simulator", "url": url}).with_(**SURE)


def begun(url: str, home: Path) -> InterviewSession:
    session = InterviewSession(plan=PLAN, settings=settings(url), home=home)
    session.begin(HandMicrophone(), HandSpeaker())
    until(lambda: SAID in said(session))
    return session


def shown(session: InterviewSession, name: str) -> Any:
    session.glance()
    return session.slices().get(name, {})


def said(session: InterviewSession) -> list[str]:
    return [turn["text"] for turn in shown(session, "turns")]


def ended(session: InterviewSession) -> InterviewSession:
    session.command("end")
    assert session.wait(PATIENCE_S)
    until(lambda: not session.restless)
    return session


# -- what keeps a call from being kept -----------------------------------------------------------------------------


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No line of a journal is taken meanwhile."""

    def refused(*_: object) -> None:
        raise JournalError("call.jsonl cannot be written: No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", refused)
        yield


def test_a_full_disk_is_shown_while_it_lasts_and_costs_no_line(
    fresh_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("interviewer.store.steady._AGAIN_S", 0.05)
    with service(talkative) as (url, _):
        session = begun(url, fresh_home)
        assert shown(session, "keeping") == {"problem": "", "lost": False}
        with full_disk(monkeypatch):
            session.command("ask", "Why roofs?")
            until(lambda: shown(session, "keeping")["problem"])
            keeping = shown(session, "keeping")
            assert "No space left on device" in keeping["problem"]
            assert str(tmp_path) in keeping["problem"]  # where it is kept meanwhile
            assert keeping["lost"] is False
        session.command("ask", "Why bees?")
        until(lambda: not shown(session, "keeping")["problem"])
        ended(session)
    assert (session.stage, session.problem) == ("over", "")
    assert verify(Store.open(fresh_home), "last").problems == []


def test_a_database_in_use_is_shown_until_it_is_free(fresh_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.interview.keeping._AGAIN_S", 0.05)
    locked = [True]
    open_it = Database._open

    def opened(database: Database, writes: bool) -> Any:
        if locked[0]:
            raise StoreLocked(f"{database.path} is in use by duckdb (process 7); close it there or try again")
        return open_it(database, writes)

    monkeypatch.setattr(Database, "_open", opened)
    with service(talkative) as (url, _):
        session = begun(url, fresh_home)
        problem = shown(session, "keeping")["problem"]
        assert "in use by duckdb (process 7)" in problem
        assert "The call is kept in" in problem
        assert ".jsonl" in problem
        locked[0] = False
        until(lambda: not shown(session, "keeping")["problem"])
        ended(session)
    assert session.problem == ""


def test_sound_that_finds_no_room_is_said_and_the_words_are_kept(fresh_home: Path) -> None:
    (fresh_home / "audio").write_text("in the way")
    with service(talkative) as (url, _):
        session = InterviewSession(plan=PLAN, settings=settings(url).with_(audio={"keep": True}), home=fresh_home)
        session.begin(HandMicrophone(), HandSpeaker())
        until(lambda: SAID in said(session))
        keeping = shown(session, "keeping")
        assert "What is said is kept in words." in keeping["problem"]
        ended(session)


# -- a call that does not come about --------------------------------------------------------------------------------


def test_a_call_that_did_not_come_about_leaves_form_and_plan_and_can_be_tried_again(fresh_home: Path) -> None:
    with service(talkative) as (url, _):
        session = InterviewSession(plan=PLAN, settings=settings(url), home=fresh_home)
        session.begin(HandMicrophone("no microphone: plug one in"), HandSpeaker())
        with pytest.raises(InterviewerError, match="plug one in"):
            session.wait(PATIENCE_S)
        until(lambda: not session.restless)
        assert (session.stage, session.preparation.plan, session.call_id) == ("form", PLAN, None)
        assert "plug one in" in session.problem
        assert "status" not in session.slices()["clock"]
        assert list((fresh_home / "journals").glob("*")) == []
        session.begin(HandMicrophone(), HandSpeaker())
        until(lambda: SAID in said(session))
        ended(session)
    assert (session.stage, session.problem) == ("over", "")
    assert len(Store.open(fresh_home).calls()) == 1


def test_a_service_that_is_not_there_leaves_the_form_and_says_where_it_was_sought(fresh_home: Path) -> None:
    with service(talkative) as (url, _):
        pass
    given = settings(url).with_(call={"reconnect_tries": 1})
    session = InterviewSession(plan=PLAN, settings=given, home=fresh_home)
    session.begin(HandMicrophone(), HandSpeaker())
    with pytest.raises(InterviewerError, match=url.removesuffix("/v1")):
        session.wait(PATIENCE_S)
    assert (session.stage, session.preparation.plan) == ("form", PLAN)


# -- a call that was interrupted ------------------------------------------------------------------------------------


def killed(url: str, home: Path) -> str:
    """The id of a call that stopped as if its process had been killed: nothing was ended."""
    session = begun(url, home)
    assert session._onlooker.call is not None
    session._onlooker.call.stop()
    assert session.wait(PATIENCE_S)
    assert session.stage == "stopped"
    assert session.call_id is not None
    return session.call_id


def test_an_interrupted_call_goes_on_where_it_stopped(fresh_home: Path) -> None:
    with service(talkative) as (url, talks):
        call_id = killed(url, fresh_home)
        session = InterviewSession.of_call("last", home=fresh_home)
        slices = session.slices()
        assert (session.stage, slices["after"]["interrupted"], slices["after"]["cannot_resume"]) == (
            "stopped", True, "",
        )  # fmt: skip
        assert slices["clock"]["running"] is False
        stopped_ms = slices["clock"]["elapsed_ms"]
        listed = int(Store.open(fresh_home).sql("SELECT elapsed_ms FROM calls").elapsed_ms.item())
        assert slices["after"]["elapsed_ms"] == listed > 0
        session.resume(HandMicrophone(), HandSpeaker())
        assert not session.wait(0)
        until(lambda: len(talks) == 2 and any(e["type"] == "response.create" for e in talks[1].received))
        assert SAID in said(session)
        assert shown(session, "clock")["elapsed_ms"] >= stopped_ms
        ended(session)
    log = CallLog.read(Store.open(fresh_home).journal_path("last"))
    assert (log.call_id, session.call_id, session.stage) == (call_id, call_id, "over")
    assert len(log.records("seam")) == 1
    assert SAID in json.dumps(talks[1].received)
    assert session.slices()["after"]["drafts"]
    with pytest.raises(InterviewerError, match="only a call that was interrupted"):
        session.resume(HandMicrophone(), HandSpeaker())


@pytest.mark.parametrize(
    ("task", "made", "act"),
    [
        ("follow_up", "follow_up", lambda session: session.follow_up(pick=1)),
        ("turn", "Afterwards", lambda session: session.turn_to("last")),
    ],
)
def test_a_call_that_goes_on_meanwhile_stays_on_show(
    fresh_home: Path, monkeypatch: pytest.MonkeyPatch, task: str, made: str, act: Callable[[InterviewSession], None]
) -> None:
    running = threading.Event()
    makes = getattr(session_module, made)

    def late(*given: Any, **named: Any) -> Any:
        result = makes(*given, **named)
        running.wait(PATIENCE_S)
        return result

    with service(talkative) as (url, talks):
        call_id = killed(url, fresh_home)
        session = InterviewSession.of_call("last", home=fresh_home)
        monkeypatch.setattr(session_module, made, late)
        act(session)
        session.resume(HandMicrophone(), HandSpeaker())
        until(lambda: session.slices()["clock"].get("running") and len(talks) == 2)
        running.set()
        until(lambda: task not in session.slices()["setup"]["busy"])
        shows = session.slices()
        assert (session.stage, session.call_id, shows["clock"]["running"]) == ("call", call_id, True)
        assert "call" in session.problem
        assert not session.preparation.is_open
        ended(session)
    assert (session.stage, session.call_id) == ("over", call_id)


def test_a_call_that_is_being_closed_does_not_go_on(fresh_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()
    with service(talkative) as (url, _):
        killed(url, fresh_home)
    session = InterviewSession.of_call("last", home=fresh_home)
    monkeypatch.setattr(session_module, "recover", lambda *_, **__: told.wait(PATIENCE_S))
    session.finish()
    with pytest.raises(InterviewerError, match="being closed"):
        session.resume(HandMicrophone(), HandSpeaker())
    told.set()
    until(lambda: not session.restless)
    assert session.stage == "stopped"


def test_an_interrupted_call_is_closed_into_a_draft(fresh_home: Path) -> None:
    with service(talkative) as (url, _):
        call_id = killed(url, fresh_home)
    session = InterviewSession.of_call(call_id, home=fresh_home)
    session.finish()
    until(lambda: not session.restless)
    after = session.slices()["after"]
    assert (session.stage, session.problem, after["interrupted"]) == ("over", "", False)
    assert [draft["version"] for draft in after["drafts"]] == [1]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(minutes=1, seed=3, home=tmp_path_factory.mktemp("demo"))


def test_a_call_that_cannot_go_on_says_why_and_can_be_closed(fresh_home: Path, demo: Demo) -> None:
    raw = demo.journal.read_bytes()
    path = fresh_home / "journals" / demo.journal.name
    path.parent.mkdir(parents=True)
    path.write_bytes(raw[: raw.rindex(b"\n", 0, raw.index(b'"speaker":"guest"') + 5_000) + 1])
    session = InterviewSession.of_call("last", home=fresh_home)
    assert "a simulated one" in session.slices()["after"]["cannot_resume"]
    session.resume(HandMicrophone(), HandSpeaker())
    until(lambda: not session.restless)
    assert (session.stage, "a simulated one" in session.problem) == ("stopped", True)
    session.finish()
    until(lambda: not session.restless)
    assert (session.stage, session.problem) == ("over", "")


# -- names ------------------------------------------------------------------------------------------------------------


def test_a_name_is_put_right_in_all_that_is_shown_after_the_call(fresh_home: Path) -> None:
    with service(talkative) as (url, _):
        session = ended(begun(url, fresh_home))
    session.correct("the great Frost", "the Great Freeze")
    until(lambda: not session.restless)
    after = session.slices()["after"]
    assert session.problem == ""
    assert [draft["version"] for draft in after["drafts"]] == [1, 2]
    shows = [after["drafts"][-1]["markdown"], after["analysis"]["title"], after["turns"]]
    assert all("great freeze" in json.dumps(part).lower() for part in shows)
    assert "great frost" not in json.dumps([*shows, after["analysis"], after["follow_up"]]).lower()
    assert "great frost" in after["drafts"][0]["markdown"]  # what was written stays


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [("", "Ada", "give the name twice"), ("Ada", " ", "give the name twice"), ("Zebedee", "Ada", "nobody said")],
)
def test_a_name_that_cannot_be_put_right_is_answered_in_words(demo: Demo, wrong: str, right: str, words: str) -> None:
    session = InterviewSession.of_call("last", home=demo.journal.parents[1])
    try:
        session.correct(wrong, right)
        until(lambda: not session.restless)
        told = session.problem
    except InterviewerError as error:
        told = str(error)
    assert words in told
    assert len(session.slices()["after"]["drafts"]) == 1
