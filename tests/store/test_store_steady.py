"""A journal whose disk takes no more goes on in memory and beside, and is made whole again."""

import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interviewer.errors import JournalError
from interviewer.store.journal import Journal, read
from interviewer.store.steady import SteadyJournal, rejoin, rests


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@contextlib.contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """The system itself refuses what is beyond, as a full disk does."""
    if sys.platform == "win32":
        pytest.skip("there is no such limit here")
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def numbers(path: Path) -> list[int]:
    return [line.data["number"] for line in read(path).lines]


def test_what_the_system_refuses_waits_and_can_be_put_back(tmp_path: Path, temp: Path) -> None:
    path = tmp_path / "c-1.jsonl"
    journal = SteadyJournal(Journal.create(path, {"call_id": "c-1"}))
    with files_no_larger_than(4_096):
        for number in range(60):
            journal.write("in", number, {"number": number, "text": "x" * 50})
        journal.close()
    assert journal.problem is not None
    assert "File too large" in str(journal.problem)
    assert path.stat().st_size <= 4_096
    assert read(path).damaged == []
    assert not read(path).torn
    (rest,) = rests("c-1")
    assert str(rest) in str(journal.problem)
    assert rest.stat().st_mode & 0o077 == 0  # nobody else may read it
    kept = numbers(path)
    assert kept == list(range(len(kept)))
    assert 0 < len(kept) < 60
    assert rejoin(path, rest) == 60 - len(kept)
    assert numbers(path) == list(range(60))
    assert rests() == []


def test_where_not_even_the_copy_fits_memory_holds_it_until_there_is_room(tmp_path: Path, temp: Path) -> None:
    path = tmp_path / "c-1.jsonl"
    journal = SteadyJournal(Journal.create(path, {"call_id": "c-1"}))
    with files_no_larger_than(0):
        for number in range(5):
            journal.write("in", number, {"number": number})
    journal.close()
    assert journal.problem is None
    assert numbers(path) == [0, 1, 2, 3, 4]
    assert rests() == []


def test_what_no_disk_took_until_the_end_is_told_by_number(tmp_path: Path, temp: Path) -> None:
    path = tmp_path / "c-1.jsonl"
    journal = SteadyJournal(Journal.create(path, {"call_id": "c-1"}))
    with files_no_larger_than(300):
        for number in range(5):  # the temp folder takes only the first of the lines
            journal.write("in", number, {"number": number, "text": "x" * 180})
        assert "in memory only" in str(journal.problem)
        journal.close()
    told = str(journal.problem)
    assert "its last 4 lines are lost" in told
    assert numbers(path) == []
    (rest,) = rests("c-1")
    assert f"the first 1 that waited in {rest}" in told
    assert rejoin(path, rest) == 1
    assert numbers(path) == [0]


def test_a_folder_that_becomes_read_only_does_not_stop_the_journal(
    open_folder: Path, unprivileged: Callable[[Path], Path]
) -> None:
    open_folder.chmod(0o777)
    path = open_folder / "c-1.jsonl"
    journal = SteadyJournal(Journal.create(path, {"call_id": "c-1"}))
    journal.write("in", 0, {"number": 0})
    unprivileged(open_folder)
    journal.write("in", 1, {"number": 1})
    journal.close()
    assert journal.problem is None
    assert numbers(path) == [0, 1]


def test_a_copy_of_somebody_else_is_not_taken(tmp_path: Path, temp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (temp / "interviewer-rest-c-1-x.jsonl").write_bytes(b"")
    assert len(rests("c-1")) == 1
    monkeypatch.setattr("os.getuid", lambda: 4_711, raising=False)
    assert rests("c-1") == []


def test_what_is_not_json_is_refused_and_leaves_no_gap(tmp_path: Path) -> None:
    path = tmp_path / "c-1.jsonl"
    journal = SteadyJournal(Journal.create(path, {"call_id": "c-1"}))
    with pytest.raises(JournalError, match="cannot be written as JSON"):
        journal.write("in", 0, {"number": object()})
    journal.write("in", 0, {"number": 1})
    journal.close()
    assert numbers(path) == [1]
    assert read(path).damaged == []
