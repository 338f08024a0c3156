"""A transcript put into an interview there is: at its place in time, once, and not while a call runs."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from interviewer.errors import JournalBusy, NotFound, TranscriptError
from interviewer.interview.demo import run_demo
from interviewer.kept.chain import chain_of
from interviewer.kept.forget import forget
from interviewer.kept.imported import import_files
from interviewer.kept.remembering import earlier_of
from interviewer.settings import Settings
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.cli.conftest import Terminal

SUMMER = datetime(2024, 7, 1, 12, tzinfo=UTC)


def talk(folder: Path, answer: str, guest: str = "Bo") -> Path:
    path = folder / f"{answer.split()[-1].strip('.')}.txt"
    path.write_text(
        f"Anna: How did it begin for you?\n\n{guest}: {answer}\n\nAnna: And then?\n\n{guest}: Then I went.\n"
    )
    return path


def heard(store: Store, interview: str) -> list[str]:
    """What the guest said first in each call of the chain."""
    turns = earlier_of(chain_of(store, interview), Settings()).turns
    return [turn.text for turn in turns if turn.id.endswith(".t2")]


def test_old_ones_stand_by_their_dates_whatever_came_in_first(fresh_home: Path, tmp_path: Path) -> None:
    store = Store.open(fresh_home)
    late, early, middle = (talk(tmp_path, f"I began with {what}.") for what in ("boats", "bees", "bread"))
    (first,) = import_files(store, [late], topic="A life", guest="Bo Larsen", date=SUMMER).calls
    interview = store.resolve_interview(first.call_id)
    import_files(store, [early], interview=interview, date=SUMMER - timedelta(days=9))
    (third,) = import_files(store, [middle], interview=first.call_id, date=SUMMER - timedelta(days=3)).calls
    assert heard(store, interview) == ["I began with bees.", "I began with bread.", "I began with boats."]
    rows = store.sql("SELECT interview_id, topic FROM calls").drop_duplicates().to_numpy().tolist()
    assert rows == [[interview, "A life"]]
    calls = [link.call_id for link in chain_of(store, interview)]
    (follows,) = store.sql("SELECT follows FROM calls WHERE call_id = ?", [third.call_id])["follows"]
    assert (calls[1], follows) == (third.call_id, calls[0])
    (again,) = import_files(store, [middle], interview=interview).calls
    assert again.before
    assert len(store.calls()) == 3
    in_order = "SELECT call_id, call_before FROM interview_calls WHERE interview_id = ? ORDER BY number"
    assert store.sql(in_order, [interview]).fillna("").to_numpy().tolist() == [
        [calls[0], ""], [calls[1], calls[0]], [calls[2], calls[1]],
    ]  # fmt: skip
    forget(store, third.call_id)
    assert store.sql(in_order, [interview]).fillna("").to_numpy().tolist() == [[calls[0], ""], [calls[2], calls[0]]]


def test_they_stand_by_the_dates_of_their_files_which_are_told(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "own")
    first = talk(tmp_path, "I began with boats.").rename(tmp_path / "talk 2024-06-02.txt")
    second = talk(tmp_path, "I began with bees.")
    second.write_text(f"Recorded: 1 June 2024\n\n{second.read_text()}")
    third = talk(tmp_path, "I began with bread.").rename(tmp_path / "talk-2099-01-01.txt")
    done = [terminal("import", str(first), "--topic", "A life")]
    done += [terminal("import", str(path), "--interview", "last") for path in (second, third)]
    assert [one.exit_code for one in done] == [0, 0, 0], [one.stderr for one in done]
    store = Store.open(tmp_path / "own")
    assert heard(store, "last") == ["I began with bees.", "I began with boats.", "I began with bread."]
    assert "Date: 2024-06-02 (the file's name; --date says it)." in done[0].stderr
    assert "Date: 2024-06-01 (a line above the talk; --date says it)." in done[1].stderr
    assert "2099-01-01, which is still to come, so it is today" in done[2].stderr


def test_one_stands_before_or_after_a_live_call_with_its_guest(fresh_home: Path, tmp_path: Path) -> None:
    quick = Settings.load(guard={"mode": "off"}, call={"target_ms": 30_000})
    live = run_demo("Handling incidents", seed=3, home=fresh_home, settings=quick)
    store = Store.open(fresh_home)
    old, new = (talk(tmp_path, f"I began with {what}.", "Speaker 2") for what in ("bees", "bread"))
    (before,) = import_files(store, [old], interview="last", date=SUMMER).calls
    (after,) = import_files(store, [new], interview="last").calls
    assert [link.call_id for link in chain_of(store, live.call_id)] == [before.call_id, live.call_id, after.call_id]
    assert set(store.calls()["guest"]) == {live.dossier.guest}


def test_what_cannot_be_is_refused_and_nothing_is_kept(fresh_home: Path, tmp_path: Path) -> None:
    store = Store.open(fresh_home)
    (first,) = import_files(store, [talk(tmp_path, "I began with bees.")], topic="A life").calls
    more = [talk(tmp_path, "I began with boats.")]
    with pytest.raises(NotFound, match="no call 'i-none'"):
        import_files(store, more, interview="i-none")
    with pytest.raises(TranscriptError, match="still to come"):
        import_files(store, more, date=datetime.now(UTC) + timedelta(days=2))
    with Journal.reopen(store.journal_path(first.call_id)), pytest.raises(JournalBusy, match="still runs"):
        import_files(store, more, interview="last")
    assert len(store.calls()) == 1


def test_the_command_takes_interview_and_date(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "own")
    first = terminal("import", str(talk(tmp_path, "I began with boats.")), "--topic", "A life")
    done = terminal("import", str(talk(tmp_path, "I began with bees.")), "--interview", "last", "--date", "2024-06-01")
    assert (first.exit_code, done.exit_code) == (0, 0), done.stderr
    store = Store.open(tmp_path / "own")
    assert heard(store, "last") == ["I began with bees.", "I began with boats."]
