import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviewer.errors import NotFound
from interviewer.store.search import search
from interviewer.store.store import Store
from tests.store.journals import rec, setup, turn, write

Lines = Iterator[tuple[str, dict[str, Any]]]


def _bread() -> Lines:
    yield setup()
    yield turn(1, "interviewer", "How did the oven burn? And the salt?", 0, heard="How did the oven burn?")
    yield turn(2, "guest", "It didn’t burn in the Café; the burning smelt of Straße 9, so to speak.", 3_000)
    yield turn(3, "guest", "Marten so said to me: speak! 我喜欢蜂蜜。", 6_000)
    yield rec("correction", wrong="Marten", right="Maarten")


def _bees() -> Lines:
    yield setup()
    yield turn(1, "guest", "The hive burned, and the café with it.", 1_000)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two calls of two interviews, only looked at."""
    home = tmp_path_factory.mktemp("said")
    write(home / "journals" / "c-1.jsonl", _bread(), started_at="2026-11-01T10:00:00+00:00")
    bees = {"started_at": "2026-11-02T10:00:00+00:00", "interview_id": "i-2", "guest": "Bo"}
    write(home / "journals" / "c-2.jsonl", _bees(), **bees)
    return Store.open(home)


def _places(store: Store, words: str, **where: Any) -> list[tuple[str, int]]:
    frame = store.search(words, **where)
    return list(zip(frame["call_id"], frame["number"], strict=True))


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("café", [("c-2", 1), ("c-1", 2)]),  # the latest call first, accents and case do not count
        ("CAFE", [("c-2", 1), ("c-1", 2)]),
        ("burn", [("c-1", 1), ("c-1", 2)]),  # a word is whole ...
        ("burn*", [("c-2", 1), ("c-1", 1), ("c-1", 2)]),  # ... unless a star lets it go on
        ("hive café", [("c-2", 1)]),  # all the words, anywhere in the turn
        ("café hive", [("c-2", 1)]),
        ("hive oven", []),
        ("so to speak", [("c-1", 2), ("c-1", 3)]),
        ('"so to speak"', [("c-1", 2)]),  # a phrase: in this order, with nothing between
        ("“so to speak”", [("c-1", 2)]),
        ('"so to speak', [("c-1", 2)]),  # a quote left open
        ("didn't", [("c-1", 2)]),
        ("salt", []),  # of the interviewer only what was heard
        ("蜂蜜", [("c-1", 3)]),  # a script without spaces
        ("蜜蜂", []),
        ("Maarten", [("c-1", 3)]),  # a name that was put right
        ("Marten", []),
        ("strasse", []),
    ],
)
def test_a_search_finds_turns_by_words_and_phrases(store: Store, words: str, places: list[tuple[str, int]]) -> None:
    assert _places(store, words) == places


def test_a_search_keeps_to_one_interview_and_to_one_speaker(store: Store) -> None:
    assert _places(store, "burn*", interview="i-1") == [("c-1", 1), ("c-1", 2)]
    assert _places(store, "burn*", interview="last") == [("c-2", 1)]
    assert _places(store, "burn*", interview="c-1", speaker="guest") == [("c-1", 2)]
    with pytest.raises(NotFound, match="no call 'c-9'"):
        store.search("burn", interview="c-9")


@pytest.mark.parametrize("words", ["", "   ", "*", '""', "?!", '"*"'])
def test_nothing_to_search_for_is_named(store: Store, words: str) -> None:
    with pytest.raises(NotFound, match="nothing to search for"):
        store.search(words)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.lists(st.text()))
def test_no_text_breaks_a_search(store: Store, typed: list[str]) -> None:
    with store.database.connect(writes=False) as connection:
        for words in typed:
            with contextlib.suppress(NotFound):
                search(connection, words)
