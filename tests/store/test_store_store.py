import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.errors import NotFound, StoreError
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.store import journals


def _two_calls(home: Path) -> Store:
    journals.write(home / "journals" / "c-20261130-1.jsonl", started_at="2026-11-30T13:15:00+00:00")
    start = "2026-12-01T09:00:00+00:00"
    journals.write(home / "journals" / "c-20261201-2.jsonl", iter([journals.setup()]), started_at=start)
    return Store.open(home)


@pytest.fixture
def store(fresh_home: Path) -> Store:
    """A store that a test may change."""
    return _two_calls(fresh_home)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The same, only to look at."""
    return _two_calls(tmp_path_factory.mktemp("shared"))


def test_opening_takes_in_what_is_new(store: Store) -> None:
    calls = store.calls()
    assert list(calls["call_id"]) == ["c-20261130-1", "c-20261201-2"]
    first = calls.iloc[0]
    assert (first["guest"], first["turns"], first["planned"], first["delivered"]) == ("Ada", 2, 3, 1)
    journals.write(store.home.journal("c-20261202-3"), started_at="2026-12-02T09:00:00+00:00")
    assert Store.open().resolve("last") == "c-20261202-3"


def test_a_call_that_is_running_or_was_killed_is_there_as_far_as_it_got(store: Store) -> None:
    with Journal.create(store.home.journal("c-live"), journals.head("c-live")) as journal:
        journal.write(*_at(journals.setup()))
        again = Store.open()
        assert again.calls().set_index("call_id").loc["c-live", "topic"] == "sourdough"


def _at(line: tuple[str, dict[str, object]]) -> tuple[str, int, dict[str, object]]:
    return line[0], 0, line[1]


def test_a_call_answers_to_its_id_a_prefix_of_its_own_and_last(shared: Store) -> None:
    assert shared.resolve("c-20261130-1") == "c-20261130-1"
    assert shared.resolve("c-202611") == "c-20261130-1"
    assert shared.resolve("last") == "c-20261201-2"


def test_an_id_that_is_a_prefix_of_another_is_still_itself(store: Store) -> None:
    journals.write(store.home.journal("c-20261130-12"))
    store.ingest_all()
    assert store.resolve("c-20261130-1") == "c-20261130-1"


@pytest.mark.parametrize(
    ("name", "message"),
    [("c-2026", "2 calls begin with 'c-2026': c-20261201-2, c-20261130-1"), ("x", "no call 'x'; there are: c-2026")],
)
def test_names_that_fit_none_or_several_list_the_candidates(shared: Store, name: str, message: str) -> None:
    with pytest.raises(NotFound, match=message):
        shared.resolve(name)


@pytest.mark.parametrize("name", ["", "%", "_", "c-2026%"])
def test_signs_that_mean_something_in_sql_mean_nothing_here(shared: Store, name: str) -> None:
    with pytest.raises(NotFound):
        shared.resolve(name)


def test_an_empty_store_says_so(fresh_home: Path) -> None:
    with pytest.raises(NotFound, match="none yet"):
        Store.open(fresh_home).resolve("last")


def test_sql_takes_values_apart_from_the_query(shared: Store) -> None:
    frame = shared.sql("SELECT turn_id FROM turns WHERE text LIKE ?", ["%flour%"])
    assert list(frame["turn_id"]) == ["t2"]
    named = shared.sql("SELECT turn_id FROM turns WHERE turn_id = $name", {"name": "t1' OR true"})
    assert len(named) == 0


def test_a_query_that_is_wrong_is_an_error_of_ours_with_duckdbs_hint(shared: Store) -> None:
    with pytest.raises(StoreError, match=r"(?s)turn.*turns"):
        shared.sql("SELECT * FROM turn")


def test_a_query_does_not_see_the_variables_of_the_program(shared: Store) -> None:
    with pytest.raises(StoreError, match="values"):
        shared.sql("SELECT * FROM values")


def test_transcript_ledger_and_questions_are_in_order(shared: Store) -> None:
    assert list(shared.transcript("c-202611")["speaker"]) == ["interviewer", "guest"]
    assert list(shared.ledger("c-202611")["seq"]) == list(range(1, 17))
    assert list(shared.question_state("c-202611")["status"]) == ["delivered", "held", "available", "available"]


def test_ten_turns_stand_in_the_order_of_the_conversation(store: Store) -> None:
    turns = [journals.turn(number, "guest", str(number), 0) for number in reversed(range(1, 12))]
    journals.write(store.home.journal("c-9"), iter(turns))
    store.ingest_all()
    assert list(store.transcript("c-9")["text"]) == [str(number) for number in range(1, 12)]


def test_the_latest_essay_counts(store: Store) -> None:
    assert store.essay("c-202611") == "# Bread\n\nWith flour."
    with Journal.reopen(store.journal_path("c-202611")) as journal:
        journal.write(*_at(journals.rec("essay", title="B", markdown="better", sentences=[])))
    store.ingest_all()
    assert store.essay("c-202611") == "better"


@pytest.mark.parametrize("raw", [b"", "{}".encode("utf-16"), None])
def test_a_journal_that_is_there_and_is_none_is_not_called_gone(store: Store, raw: bytes | None) -> None:
    path = store.journal_path("c-20261201-2")
    path.unlink()
    if raw is None:
        path.mkdir()
    else:
        path.write_bytes(raw)
    again = Store.open(store.home.root)
    told = r"is there and cannot be used: .*c-20261201-2\.jsonl.*" + ("Is a directory" if raw is None else "line 1")
    with pytest.raises(NotFound, match=told):
        again.journal_path("c-20261201-2")


def test_no_essay_yet_and_a_journal_that_is_gone_are_named(store: Store) -> None:
    with pytest.raises(NotFound, match="c-20261201-2 has no essay"):
        store.essay("last")
    path = store.journal_path("last")
    assert path == store.home.journal("c-20261201-2")
    path.unlink()
    with pytest.raises(NotFound, match=r"is gone.*c-20261201-2\.jsonl"):
        store.journal_path("last")


def test_a_journal_from_elsewhere_can_be_taken_in(store: Store, tmp_path: Path) -> None:
    path = journals.write(tmp_path / "elsewhere" / "c-5.jsonl")
    assert store.ingest(path).call_id == "c-5"
    assert store.journal_path("c-5") == path


def test_a_database_that_cannot_be_written_is_still_read(
    open_folder: Path, unprivileged: Callable[[Path], Path], caplog: pytest.LogCaptureFixture
) -> None:
    journals.write(open_folder / "journals" / "c-1.jsonl")
    Store.open(open_folder).calls()
    journals.write(open_folder / "journals" / "c-2.jsonl")
    for path in (open_folder, open_folder / "journals", open_folder / "drafts"):
        path.chmod(0o777)
    unprivileged(open_folder / "interviewer.duckdb")
    with caplog.at_level(logging.WARNING):
        assert list(Store.open(open_folder).calls()["call_id"]) == ["c-1"]
    assert "not taken in" in caplog.text


@pytest.mark.parametrize("made_before", [True, False])
def test_a_home_that_cannot_be_written_is_read(
    open_folder: Path, unprivileged: Callable[[Path], Path], *, made_before: bool
) -> None:
    journals.write(open_folder / "journals" / "c-1.jsonl")
    if made_before:
        Store.open(open_folder)
    (open_folder / "journals").chmod(0o555)
    unprivileged(open_folder)
    store = Store.open(open_folder, make=False)
    assert list(store.calls()["call_id"]) == ["c-1"]
    assert store.journal_path("last") == open_folder / "journals" / "c-1.jsonl"
    assert (open_folder / "interviewer.duckdb").exists() is made_before
