"""A search of one's own: its sources stand beside what the guest named, in sight, and never in the draft."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from interviewer.errors import SettingsError
from interviewer.interview.demo import run_demo
from interviewer.interview.report import call_report
from interviewer.kept.reading import CallLog
from interviewer.model.decision import SearchResult
from interviewer.settings import Settings

ADDRESS = "https://example.org/zyzzogeton"


def find(query: str) -> Sequence[SearchResult]:
    """What setting agents.search names in a test below."""
    return [SearchResult(title="A page", url=ADDRESS, text=f"{query} was begun in 2018.")]


def report_of(journal: Path) -> dict[str, object]:
    return call_report(CallLog.read(journal))


def test_a_callable_given_in_python_brings_sources(fresh_home: Path) -> None:
    demo = run_demo(dossier="incidents-and-on-call", minutes=2, seed=1, home=fresh_home, search=find)
    items = report_of(demo.journal)["research"]
    assert isinstance(items, list)
    assert items
    assert all(item["sources"] == [f"A page {ADDRESS}"] for item in items)
    assert CallLog.read(demo.journal).setup.searches
    assert demo.essay_path is not None
    assert "example.org" not in demo.essay_path.read_text(encoding="utf-8")


def test_a_callable_named_in_the_settings_does_so_too(fresh_home: Path) -> None:
    settings = Settings.load(env={}).with_(agents={"search": f"{__name__}:find"})
    demo = run_demo(dossier="incidents-and-on-call", minutes=2, seed=1, home=fresh_home, settings=settings)
    assert report_of(demo.journal)["research"]


def test_without_a_search_nothing_is_said_to_have_been_looked_up(fresh_home: Path) -> None:
    demo = run_demo(dossier="incidents-and-on-call", minutes=2, seed=1, home=fresh_home)
    assert report_of(demo.journal)["research"] == []


@pytest.mark.parametrize("name", ["nowhere_at_all:find", f"{__name__}:absent", __name__, "os:getcwd", "json"])
def test_a_search_that_is_none_is_refused_before_the_call(fresh_home: Path, name: str) -> None:
    settings = Settings.load(env={}).with_(agents={"search": name})
    with pytest.raises(SettingsError, match=r"agents\.search: .* as module:function"):
        run_demo(minutes=1, home=fresh_home, settings=settings)
    assert not list((fresh_home / "journals").glob("*")) if (fresh_home / "journals").exists() else True
