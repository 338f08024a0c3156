import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import platformdirs
import pytest

import interviewer.store.home as module
from interviewer.errors import JournalError, StoreReadOnly
from interviewer.store.home import home
from interviewer.store.ids import new_call_id


def test_an_explicit_home_wins_and_is_made_with_its_folders(tmp_path: Path) -> None:
    found = home(tmp_path / "a" / "b")
    assert found.root == tmp_path / "a" / "b"
    assert found.journals.is_dir()
    assert found.drafts.is_dir()
    assert found.database.parent == found.workspace.parent == found.root
    assert found.journal("c-1") == found.root / "journals" / "c-1.jsonl"


def test_the_environment_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "from-environment"))
    assert home().root == tmp_path / "from-environment"


@pytest.mark.parametrize(("name", "ours"), [("interviewer", True), ("another", False), (None, False)])
def test_then_the_checkout_the_package_runs_from_else_the_users_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None, ours: bool
) -> None:
    monkeypatch.delenv("INTERVIEWER_HOME")
    place = tmp_path / "checkout" / "interviewer" / "store" / "home.py"
    place.parent.mkdir(parents=True)
    shutil.copy(module.__file__, place)
    if name:
        (tmp_path / "checkout" / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n', encoding="utf-8")
    monkeypatch.setattr(module, "__file__", str(place))
    monkeypatch.setattr(platformdirs, "user_data_path", lambda name: tmp_path / "user" / name)
    expected = tmp_path / "checkout" / "data" / "home" if ours else tmp_path / "user" / "interviewer"
    assert home().root == expected


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreReadOnly, match=r"file.home"):
        home(tmp_path / "file" / "home")


def test_a_home_that_cannot_be_written_is_named(open_folder: Path, unprivileged: Callable[[Path], Path]) -> None:
    home(open_folder)
    unprivileged(open_folder)
    with pytest.raises(StoreReadOnly, match=open_folder.name):
        home(open_folder)


@pytest.mark.parametrize("call_id", ["../up", "a/b", "", ".hidden", "a\\b", "nul\0", "x" * 200])
def test_an_id_that_is_no_safe_file_name_is_refused(tmp_path: Path, call_id: str) -> None:
    with pytest.raises(JournalError, match="call id"):
        home(tmp_path).journal(call_id)


def test_call_ids_sort_by_time_and_do_not_repeat() -> None:
    at = datetime(2026, 11, 30, 13, 15, tzinfo=UTC)
    ids = [new_call_id(at + timedelta(seconds=second)) for second in range(100)]
    assert ids == sorted(ids)
    assert ids[0].startswith("c-20261130-131500-")
    assert len({new_call_id(at) for _ in range(1_000)}) == 1_000


def test_a_call_id_is_in_utc() -> None:
    there = datetime(2026, 11, 30, 1, 15, tzinfo=timezone(timedelta(hours=9)))
    assert new_call_id(there).startswith("c-20261129-161500-")
    assert new_call_id() > "c-20261130"
