"""Drafts are kept beside each other, in the guest's voice, with names put right; guides are one guest's own."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel

from interviewer.agents.planner import PLANNER, PlannerInput
from interviewer.call.setup import CallSetup
from interviewer.errors import AgentError, InterviewerError, JournalError, NotFound
from interviewer.interview.demo import Demo, run_demo
from interviewer.kept.drafts import correct, draft, drafts, write_draft
from interviewer.kept.reading import CallLog
from interviewer.kept.said import said
from interviewer.kept.style import known_voice, style_guide, style_input
from interviewer.kept.verify import verify
from interviewer.llm.backend import Ran, Task
from interviewer.llm.router import Router
from interviewer.model.voice import VoiceGuide
from interviewer.settings import Settings, StyleSettings
from interviewer.simulate.dossier import by_name
from interviewer.simulate.run import simulate_call
from interviewer.store.journal import Journal
from interviewer.store.store import Store


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return run_demo(dossier="incidents-and-on-call", minutes=2, seed=2, home=tmp_path_factory.mktemp("once"))


@pytest.fixture
def made(once: Demo, fresh_home: Path) -> Demo:
    """The call in a home of the test's own."""
    first = once.journal.parents[1]
    shutil.copytree(first, fresh_home, dirs_exist_ok=True)
    essay = fresh_home / "drafts" / f"{once.call_id}.md"
    return replace(once, journal=fresh_home / "journals" / once.journal.name, essay_path=essay)


@pytest.fixture
def store(made: Demo, fresh_home: Path) -> Store:
    return Store.open(fresh_home)


RULES = Router(Settings.load(env={}))


class Broken:
    """A backend that is out of order."""

    def run(self, *_: object) -> Ran:
        return Ran(None, error="out of order")


def log_of(store: Store, call: str) -> CallLog:
    return CallLog.read(store.journal_path(call))


def test_a_new_draft_stands_beside_the_first(made: Demo, store: Store) -> None:
    assert made.essay_path is not None
    first = made.essay_path.read_bytes()
    second = write_draft(store, "last", RULES, style="punchy")
    third = write_draft(store, "last", RULES, style="reflective")
    assert (second.version, third.version) == (2, 3)
    assert made.essay_path.read_bytes() == first
    assert second.path.name == f"{made.call_id}.v2.md"
    assert second.path.read_text(encoding="utf-8") == second.essay.markdown
    kept = drafts(log_of(store, made.call_id), store.home)
    assert [(d.version, d.style) for d in kept] == [(1, "standard"), (2, "punchy"), (3, "reflective")]
    assert kept[1:] == [second, third]


def test_the_database_knows_every_draft_and_the_call_stays_sound(made: Demo, store: Store) -> None:
    write_draft(store, "last", RULES, style="punchy")
    query = "SELECT coalesce(version, 1) AS version, coalesce(style, 'standard') AS style FROM drafts ORDER BY version"
    assert store.sql(query).values.tolist() == [[1, "standard"], [2, "punchy"]]
    assert store.sql("SELECT count(*) AS n FROM agent_runs WHERE job_id = 'writer-2'").iloc[0, 0] == 1
    assert verify(store, made.call_id).ok


def test_a_file_that_is_in_the_way_is_not_overwritten(made: Demo, store: Store) -> None:
    mine = store.home.drafts / f"{made.call_id}.v2.md"
    mine.write_text("my own", encoding="utf-8")
    assert write_draft(store, "last", RULES).version == 3
    assert mine.read_text(encoding="utf-8") == "my own"


def test_a_failure_changes_nothing(made: Demo, store: Store) -> None:
    before = made.journal.read_bytes()
    with pytest.raises(AgentError, match="out of order"):
        write_draft(store, "last", Broken())
    assert made.journal.read_bytes() == before
    assert sorted(path.name for path in store.home.drafts.iterdir()) == [f"{made.call_id}.md"]


def test_a_call_that_has_not_ended_is_left_alone(store: Store, made: Demo) -> None:
    head = {"call_id": "c-open", "interview_id": "i-open", "guest": "x", "world": "real"}
    with Journal.create(store.home.journal("c-open"), head) as journal:
        journal.write("setup", 0, log_of(store, made.call_id).setup.model_dump(mode="json"))
    store.ingest_all()
    with pytest.raises(JournalError, match="has not come to its end"):
        write_draft(store, "c-open", RULES)


def test_every_sentence_of_a_draft_can_be_traced(made: Demo, store: Store) -> None:
    written = write_draft(store, made.call_id, RULES)
    assert [traced.sentence for traced in written.trace() if traced.flagged] == []
    assert written.expressions().share is not None


def test_an_earlier_draft_can_be_had_and_a_missing_one_is_named(made: Demo, store: Store) -> None:
    write_draft(store, "last", RULES, style="punchy")
    log = log_of(store, made.call_id)
    assert draft(log, store.home).version == 2
    assert draft(log, store.home, 1).style == "standard"
    with pytest.raises(NotFound, match="no draft 7; there are 1, 2"):
        draft(log, store.home, 7)


def test_a_name_is_put_right_in_turns_and_later_drafts(made: Demo, store: Store) -> None:
    log = log_of(store, made.call_id)
    word = next(
        w for turn in said(log) if turn.speaker == "guest" for w in turn.text.split() if w.isalpha() and len(w) > 5
    )
    correct(store, "last", word, "Quirinal")
    mended = said(log_of(store, made.call_id))
    assert any("Quirinal" in turn.text for turn in mended)
    assert all(word.lower() not in turn.text.lower().split() for turn in mended)
    essay = write_draft(store, "last", RULES).essay.markdown
    assert word.lower() not in essay.lower().split()
    told = store.transcript(made.call_id)["text"]
    assert any("Quirinal" in text for text in told)
    assert all(word.lower() not in text.lower().split() for text in told)
    assert verify(store, made.call_id).ok
    with pytest.raises(NotFound, match="nobody said 'Zebedee'"):
        correct(store, "last", "Zebedee", "x")


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [(".", "X", "letter"), ("the", "...", "letter"), ("the", "a\x1b[31m", "control"), ("the", " the", "same")],
)
def test_names_that_cannot_be_are_refused(made: Demo, store: Store, wrong: str, right: str, said: str) -> None:
    with pytest.raises(InterviewerError, match=said):
        correct(store, "last", wrong, right)


def test_a_name_put_right_twice_is_not_put_in_twice(made: Demo, store: Store) -> None:
    heard = " ".join(turn.text for turn in said(log_of(store, made.call_id)))
    word = next(word for word in heard.split() if word.isalpha() and len(word) > 5)
    correct(store, "last", word, f"Mary {word}")
    correct(store, "last", f"Mary {word}", f"Ann Mary {word}")
    text = " ".join(turn.text for turn in said(log_of(store, made.call_id)))
    assert f"Ann Mary {word}" in text
    assert "Mary Mary" not in text
    assert "Ann Ann" not in text


def test_a_guide_reads_only_that_guests_calls(made: Demo, store: Store, fresh_home: Path) -> None:
    run_demo(dossier="rents-in-wellington", minutes=2, seed=1, home=fresh_home)
    name = made.dossier.guest
    data = style_input(Store.open(fresh_home), name, StyleSettings())
    own = {turn.text for turn in said(log_of(store, made.call_id)) if turn.speaker == "guest"}
    assert data.turns
    assert {turn.text for turn in data.turns} <= own
    assert len(data.drafts) == 1
    assert all(any(quote in text for text in own) for quote in data.quotes)


def test_a_guide_reads_no_more_than_the_settings_say(made: Demo, store: Store) -> None:
    few = StyleSettings(drafts=0, quotes=1, turns=2, turn_words=10)
    data = style_input(store, made.dossier.guest, few)
    assert (len(data.drafts), len(data.quotes), len(data.turns)) == (0, 1, 2)
    assert all(len(turn.text.split()) >= 10 for turn in data.turns)


def test_a_guide_shows_habits_in_the_guests_words(made: Demo, store: Store) -> None:
    guide = style_guide(store, made.dossier.guest)
    assert 4 <= len(guide.bullets) <= 6
    assert all(bullet.quotes for bullet in guide.bullets)
    assert len({bullet.trait for bullet in guide.bullets}) == len(guide.bullets)


def test_a_guide_reads_no_headings_for_those_are_the_writers(made: Demo, store: Store) -> None:
    assert store.essay(made.call_id).startswith("# ")
    (draft,) = style_input(store, made.dossier.guest, StyleSettings(drafts=1)).drafts
    assert draft
    assert not any(line.startswith("#") for line in draft.splitlines())


def test_an_extractor_that_fails_gives_an_empty_guide(made: Demo, store: Store) -> None:
    assert style_guide(store, made.dossier.guest, backend=Broken()).bullets == ()


def test_an_unknown_guest_is_named_with_those_there_are(made: Demo, store: Store) -> None:
    with pytest.raises(NotFound, match=f"'Nobody Known'; there are: .*{made.dossier.guest}"):
        style_guide(store, "Nobody Known")


def test_a_guest_who_comes_back_brings_their_voice(made: Demo, store: Store) -> None:
    known = known_voice(store, made.dossier.guest)
    assert known == style_guide(store, made.dossier.guest)
    assert known.expressions
    assert known_voice(store, "Nobody Known") == VoiceGuide()


def test_the_writer_of_a_call_gets_the_guide_it_was_begun_with(fresh_home: Path) -> None:
    guide = VoiceGuide(expressions=("pager at night",))
    settings = Settings.load(env={}).with_(call={"target_ms": 60_000})
    known = by_name("incidents-and-on-call")
    plan = PLANNER.rules(PlannerInput(topic=known.topic, target_ms=60_000))
    setup = CallSetup(plan=plan, world="simulated", settings=settings, voice_guide=guide)
    read: list[str] = []

    class Witness:
        def run(self, task: Task, data: BaseModel, job_id: str) -> Ran:
            if task.name == "writer":
                read.append(task.prompt(data))
            return RULES.run(task, data, job_id)

    simulate_call(setup, known, Witness(), seed=1)
    assert [("expressions to keep: pager at night" in text) for text in read] == [True]
