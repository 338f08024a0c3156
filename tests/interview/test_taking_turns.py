"""One call of an interview at a time, each with all that is remembered as it begins."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewer.audio import wav
from interviewer.audio.file import FileMicrophone, FileSpeaker
from interviewer.audio.pcm import silence
from interviewer.call.setup import CallSetup
from interviewer.errors import JournalBusy
from interviewer.interview.live_call import hold_call
from interviewer.interview.return_demo import run_follow_up
from interviewer.interview.returning import follow_up
from interviewer.interview.taking_turns import alone, up_to_date
from interviewer.kept.drafts import correct
from interviewer.kept.imported import import_files
from interviewer.llm.router import Router
from interviewer.model.plan import Plan, Question, Section
from interviewer.settings import Settings
from interviewer.store.journal import Journal
from interviewer.store.store import Store

ROUTER = Router(Settings.load())
PLAN = Plan(
    topic="Bees",
    goal="",
    sections=(Section(id="s1", title="All", questions=(Question(id="q1", text="Which tool would you never lend?"),)),),
)


def talk(folder: Path, name: str, question: str = "How did it begin?") -> Path:
    path = folder / f"{name}.txt"
    path.write_text(f"Anna: {question}\n\nBo: It began with {name}, behind the barn of my uncle.\n")
    return path


@pytest.fixture
def drawn(fresh_home: Path, tmp_path: Path) -> tuple[Store, CallSetup]:
    """An interview of one transcript, and what its next call was to begin with."""
    store = Store.open(fresh_home)
    import_files(store, [talk(tmp_path, "bees")], topic="Bees")
    return store, follow_up(store, plan=PLAN)


def test_what_another_call_left_meanwhile_is_remembered(drawn: tuple[Store, CallSetup], tmp_path: Path) -> None:
    store, setup = drawn
    with up_to_date(store.home, setup, ROUTER) as same:
        assert same is setup
    (other,) = import_files(store, [talk(tmp_path, "boats", PLAN.questions[0].text)], interview="last").calls
    wav.write(tmp_path / "guest.wav", silence(40))
    ends = FileMicrophone(tmp_path / "guest.wav"), FileSpeaker(tmp_path / "out.wav")
    held = hold_call(setup, ROUTER, *ends, home=store.home.root, simulate=True, attend=lambda call: None)
    begun = held.core.setup
    assert begun.earlier is not None
    assert begun.earlier.calls[-1].call_id == other.call_id
    assert [touched.question_id for touched in begun.earlier.touched] == ["q1"]
    assert "put together anew" in begun.earlier.problems[-1]
    assert begun.plan == setup.plan


def test_what_was_picked_stays_so_though_another_call_came(drawn: tuple[Store, CallSetup], tmp_path: Path) -> None:
    store, _ = drawn
    setup = follow_up(store, pick=1)
    assert setup.earlier is not None
    wanted = [question.text for question in setup.plan.sections[0].questions]
    asked = talk(tmp_path, "boats", wanted[0])
    import_files(store, [asked], interview="last", date=datetime(2001, 1, 1, tzinfo=UTC))
    with up_to_date(store.home, setup, ROUTER) as now:
        assert now.earlier is not None
        assert setup.earlier.thread is not None
        assert now.earlier.thread == setup.earlier.thread.model_copy(update={"turn": "c2.t2"})
        assert [q.text for q in now.plan.questions if q.id in now.earlier.asked_for] == wanted
        assert not {each.question_id for each in now.earlier.touched} & set(now.earlier.asked_for)


def test_a_name_put_right_meanwhile_is_right_in_what_is_remembered(drawn: tuple[Store, CallSetup]) -> None:
    store, _ = drawn
    setup = follow_up(store, pick=1)
    correct(store, "last", "uncle", "Uncle Bert")
    with up_to_date(store.home, setup, ROUTER) as now:
        assert now.earlier is not None
        assert now.earlier.thread is not None
        assert "Uncle Bert" in now.earlier.thread.quote
        assert now.earlier.problems[-1].endswith("put together anew")
        assert any("Uncle Bert" in turn.text for turn in now.earlier.turns)


def test_none_begins_while_another_begins_or_runs(drawn: tuple[Store, CallSetup], tmp_path: Path) -> None:
    store, setup = drawn
    assert setup.earlier is not None
    with (
        alone(store.home, setup.earlier.interview_id),
        pytest.raises(JournalBusy, match="is beginning"),
        up_to_date(store.home, setup, ROUTER),
    ):
        pass
    with alone(store.home, setup.earlier.interview_id), pytest.raises(JournalBusy, match="is beginning"):
        run_follow_up(store, "last", about="bees", dossier="incidents-and-on-call")
    with (
        Journal.reopen(store.journal_path("last")),
        pytest.raises(JournalBusy, match="still runs"),
        up_to_date(store.home, setup, ROUTER),
    ):
        pass
    assert len(store.calls()) == 1


def test_other_interviews_are_free(drawn: tuple[Store, CallSetup], tmp_path: Path) -> None:
    store, setup = drawn
    (other,) = import_files(store, [talk(tmp_path, "boats")], topic="Boats").calls
    with alone(store.home, store.resolve_interview(other.call_id)), up_to_date(store.home, setup, ROUTER) as same:
        assert same is setup


def test_a_setup_of_another_home_is_as_it_was(drawn: tuple[Store, CallSetup], tmp_path: Path) -> None:
    _, setup = drawn
    with up_to_date(Store.open(tmp_path / "elsewhere").home, setup, ROUTER) as same:
        assert same is setup
