"""`follow-up` at the command line."""

import shutil
from pathlib import Path

import pytest

from interviewer.interview.demo import Demo
from interviewer.kept.reading import CallLog
from tests.cli.conftest import Terminal


@pytest.fixture
def terminal(made: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """The command line in a home of its own that holds the call of a minute."""
    monkeypatch.setenv("INTERVIEWER_GUARD__MODE", "off")
    shutil.copytree(made.journal.parents[1], tmp_path / "own")
    return Terminal(tmp_path / "own")


def test_without_a_pick_it_shows_three_topics_and_begins_nothing(looking: Terminal, made: Demo) -> None:
    found = looking.json("follow-up", made.call_id)
    assert len(found["topics"]) == 3
    assert found["problems"] == []
    said = looking("follow-up", made.call_id)
    assert said.exit_code == 0
    for number, topic in enumerate(found["topics"], 1):
        assert f"{number}  " in said.stdout
        assert topic["questions"][0][:30] in said.stdout
    assert len(list((looking.home / "journals").glob("*.jsonl"))) == 1


def test_a_simulated_one_goes_on_with_the_interview_and_the_list_shows_it(terminal: Terminal, made: Demo) -> None:
    done = terminal.json("follow-up", "last", "--pick", "2", "--simulate", "--minutes", "0.5", "--seed", "7")
    assert done["chain"]["calls"][0]["call_id"] == made.call_id
    assert done["truth"]["heard_repeats"] == 0
    calls = terminal.json("list")["calls"]
    assert [call["follows"] for call in calls] == [None, made.call_id]
    assert len({call["interview_id"] for call in calls}) == 1
    assert terminal("list").stdout.count("↳") == 1
    shown = terminal("show", "last").stdout
    assert f"call 1: {made.call_id}" in shown
    assert "Questions of the calls before" in shown
    assert terminal("verify", "last").exit_code == 0
    told = terminal("forget", made.call_id, "--yes").stdout
    assert done["call_id"] in told.partition("left as they are")[2]
    earlier = CallLog.read(terminal.home / "journals" / f"{done['call_id']}.jsonl").setup.earlier
    assert earlier is not None
    kept = f"call {done['call_id']}: what it began with ({len(earlier.turns)} turns word for word"
    for text in (told, terminal("verify", made.call_id).stdout):
        assert kept in " ".join(text.split())
        assert "in other words" in text
    (later,) = terminal.json("verify", made.call_id)["later_calls"]
    quotes = (CallLog.read(Path(later["path"])).last("analysis") or {})["quotes"]
    assert later["quotes"] == sum(quote["turn"].startswith("c1.") for quote in quotes)


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (("--pick", "4"), 1, "there are 3 topics, 1 to 3, not 4"),
        (("--about", " "), 1, "about: it is empty"),
        (("--about", "???"), 1, "about: there is no word in"),
        (("--pick", "1", "--about", "x"), 2, "not both"),
        (("--pick", "one"), 2, "Invalid value for '--pick'"),
        (("--pick", "1", "--minutes", "99"), 1, "minutes"),
        (("--pick", "1", "--simulate", "--dossier", "nobody-at-all"), 1, "there is no dossier"),
    ],
)
def test_what_it_cannot_do_it_names(looking: Terminal, given: tuple[str, ...], code: int, said: str) -> None:
    done = looking("follow-up", "last", *given)
    assert done.exit_code == code
    assert said in done.stderr


def test_an_interview_there_is_not_is_named(looking: Terminal) -> None:
    done = looking("follow-up", "i-none", "--pick", "1")
    assert (done.exit_code, "i-none" in done.stderr) == (1, True)
