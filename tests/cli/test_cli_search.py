from pathlib import Path

import pytest

from tests.cli.conftest import Terminal
from tests.store.journals import setup, turn, write


@pytest.fixture
def home(terminal: Terminal) -> Path:
    turns = (turn(n, "guest", f"Loaf {n}: \x1b[31m[bold]flour[/] and so on\x07.", n * 1_000) for n in range(1, 4))
    write(terminal.home / "journals" / "c-1.jsonl", iter([setup(), *turns]))
    return terminal.home


@pytest.mark.usefixtures("home")
def test_search_shows_the_places_under_their_call_and_runs_nothing(terminal: Terminal) -> None:
    done = terminal("search", "flour", "--most", "2")
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    first, *lines = done.stdout.splitlines()
    assert first == "c-1  sourdough, with Ada"
    assert [line.split()[:4] for line in lines] == [["0:01", "1", "Guest:", "Loaf"], ["0:02", "2", "Guest:", "Loaf"]]
    assert "3 places; the first 2 are shown" in done.stderr


@pytest.mark.usefixtures("home")
def test_an_argument_of_several_words_is_a_phrase(terminal: Terminal) -> None:
    assert terminal.json("search", "and so")["found"] == 3
    assert terminal.json("search", "so and")["found"] == 0
    assert terminal.json("search", "so", "and")["found"] == 3
    assert terminal.json("search", "flour", "--who", "interviewer") == {"found": 0, "passages": []}


@pytest.mark.usefixtures("home")
def test_a_search_for_nothing_fails_and_says_what_to_give(terminal: Terminal) -> None:
    done = terminal("search", "?!")
    assert done.exit_code == 1
    assert "give a word" in done.stderr


@pytest.mark.usefixtures("home")
def test_words_that_cannot_be_shown_are_called_that(terminal: Terminal) -> None:
    assert terminal("search", "\x1b[32m").stdout.strip() == "Nobody said that."
