import json
import shutil
from pathlib import Path

import pytest

from interviewer.interview.demo import Demo
from interviewer.store.journal import Journal
from tests.cli.conftest import Terminal


@pytest.fixture
def own(made: Demo, tmp_path: Path) -> Terminal:
    """A home with a call of its own, for commands that add to it."""
    shutil.copytree(made.journal.parents[1], tmp_path / "own")
    return Terminal(tmp_path / "own")


def test_write_makes_a_second_draft_and_show_tells_which(own: Terminal) -> None:
    made = own.json("write", "last", "--style", "punchy")
    assert (made["version"], made["style"], made["flagged"]) == (2, "punchy", [])
    assert Path(made["path"]).is_file()
    assert 0 <= made["expressions_kept"] <= 1
    latest = own.json("show", "last", "--essay")
    assert (latest["draft"]["version"], latest["draft"]["style"]) == (2, "punchy")
    assert latest["essay"] == Path(made["path"]).read_text(encoding="utf-8")
    assert own.json("show", "last", "--draft", "1")["draft"]["version"] == 1
    assert own.json("show", "last")["essay_path"] == made["path"]


def test_write_shows_the_essay_and_says_where_it_is(own: Terminal) -> None:
    done = own("write", "last")
    assert done.exit_code == 0
    assert "# " in done.stdout
    assert "Draft 2 (standard)" in done.stderr


def test_a_sentence_that_nobody_said_is_flagged_where_the_essay_is_read(own: Terminal, made: Demo) -> None:
    path = own.home / "journals" / made.journal.name
    invented = "In 1742 the queen bought forty ships."
    essay = {"title": "Ships", "markdown": f"# Ships\n\n{invented}\n", "sentences": [{"text": invented, "turn": "t2"}]}
    with Journal.reopen(path) as journal:
        journal.write("rec", 10**7, {"kind": "essay", "data": {**essay, "version": 2, "style": "standard"}})
    shown = own("show", "last", "--essay").stdout
    assert f"not found in the talk: {invented}" in " ".join(shown.split())
    assert "of" in shown.partition("the essay keeps")[2][:8]
    assert own.json("show", "last", "--essay")["draft"]["untraced"] == [invented]
    assert "1 sentence of the essay" in " ".join(own("show", "last").stdout.split())
    assert own.json("show", "last")["untraced"] == [invented]


def test_correct_mends_the_transcript_and_the_next_draft(own: Terminal) -> None:
    turns = own.json("show", "last", "--transcript")["turns"]
    word = next(w for t in turns if t["speaker"] == "guest" for w in t["text"].split() if w.isalpha() and len(w) > 6)
    assert own.json("correct", "last", word, "Quirinal")["right"] == "Quirinal"
    again = own.json("show", "last", "--transcript")["turns"]
    assert any("Quirinal" in turn["text"] for turn in again)
    assert [turn["id"] for turn in again] == [turn["id"] for turn in turns]
    assert own("correct", "last", "Zebedee", "x").exit_code == 1


def test_style_shows_habits_of_a_guest(own: Terminal) -> None:
    guest = own.json("list")["calls"][0]["guest"]
    assert 4 <= len(own.json("style", guest)["bullets"]) <= 6
    shown = own("style", guest)
    assert "Expressions to keep" in shown.stdout
    missing = own("style", "Nobody")
    assert (missing.exit_code, guest in missing.stderr) == (1, True)


def test_plan_from_a_transcript(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("Anna: Why bees?\nBo: I like the noise they make.\nAnna: And the honey?\nBo: I sell it.\n")
    found = terminal.json("plan", "--from", str(path))
    assert [(a["turn"], a["text"]) for a in found["asked"]] == [("t1", "Why bees?"), ("t3", "And the honey?")]
    shown = terminal("plan", "--from", str(path))
    assert "Why bees?  (t1)" in shown.stdout
    out = tmp_path / "plan.yaml"
    assert terminal("plan", "--from", str(path), "--out", str(out)).exit_code == 0
    assert "Why bees?" in out.read_text(encoding="utf-8")


def test_plan_needs_a_topic_or_a_transcript(terminal: Terminal) -> None:
    assert terminal("plan").exit_code == 2


def test_plan_names_a_transcript_that_is_none(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "prose.txt"
    path.write_text("It was a dark night.\n", encoding="utf-8")
    failed = terminal("plan", "--from", str(path), "--json")
    assert failed.exit_code == 1
    assert json.loads(failed.stdout)["error"]["type"] == "TranscriptError"


def test_plan_shows_whom_it_takes_for_the_interviewer_and_can_be_told(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "talk.srt"
    path.write_text(
        "1\n00:00:01,000 --> 00:00:03,000\nAnna: Why bees?\n\n2\n00:00:03,500 --> 00:00:05,000\nBo: What do bees eat?",
        encoding="utf-8",
    )
    shown = terminal("plan", "--from", str(path))
    assert "talk: 2 turns, read as srt, utf-8" in shown.stderr
    assert "Interviewer: Anna. Guest: Bo." in shown.stderr
    assert "67% sure: questions by words: Anna 1 in 2, Bo 1 in 4." in shown.stderr
    assert "--interviewer NAME" in shown.stderr
    told = terminal.json("plan", "--from", str(path), "--interviewer", "Bo", "--format", "vtt")
    assert [place["text"] for place in told["asked"]] == ["What do bees eat?"]
    assert told["transcript"]["interviewers"] == ["Bo"]
    assert told["transcript"]["guess"] == {"by": "hand", "certainty": 1.0, "reason": "it was said"}
