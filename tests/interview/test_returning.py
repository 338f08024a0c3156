"""Returning to an interview: chains of calls, and what is remembered of each."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from interviewer.errors import JournalBusy, JournalError, NotFound, PlanError, SettingsError
from interviewer.interview.demo import Demo, run_demo
from interviewer.interview.return_demo import run_follow_up, told_in
from interviewer.interview.returning import follow_up, offer_of, topics_of, with_plan
from interviewer.kept.chain import chain_of
from interviewer.kept.drafts import append, correct, draft, write_draft
from interviewer.kept.forget import forget, what_goes
from interviewer.kept.imported import import_files
from interviewer.kept.reading import CallLog
from interviewer.kept.remembering import covered, earlier_of, touched_in, unquoted
from interviewer.kept.verify import verify
from interviewer.llm.router import Router
from interviewer.memory.earlier import Earlier, Standing
from interviewer.memory.gone import Gone
from interviewer.model.notes import Coverage, Notes
from interviewer.model.plan import Plan, Question, Section
from interviewer.model.turn import Said, call_of
from interviewer.settings import Settings
from interviewer.store.export import export
from interviewer.store.journal import Journal
from interviewer.store.store import Store
from tests.store import journals


@dataclass(frozen=True)
class Made:
    """A home with a call, a follow-up of it and a second one."""

    home: Path
    calls: tuple[Demo, ...]

    @property
    def ids(self) -> list[str]:
        return [call.call_id for call in self.calls]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    home = tmp_path_factory.mktemp("chain")
    quick = Settings.load(guard={"mode": "off"})
    first = run_demo("Handling incidents", minutes=1.5, seed=3, home=home, settings=quick)
    store = Store.open(home)
    second = run_follow_up(store, pick=1, minutes=1, seed=4, settings=quick)
    about = "what being on call costs"
    third = run_follow_up(store, "last", about=about, minutes=0.75, seed=5, settings=quick)
    return Made(home, (first, second, third))


@pytest.fixture
def store(made: Made) -> Store:
    """For looking only."""
    return Store.open(made.home)


@pytest.fixture
def own(made: Made, tmp_path: Path) -> Store:
    """A copy to change."""
    shutil.copytree(made.home, tmp_path / "own")
    return Store.open(tmp_path / "own")


def left(store: Store, interview: str = "last") -> Earlier:
    """What the next call of this interview would know."""
    return earlier_of(chain_of(store, interview), Settings())


# -- a chain of three ---------------------------------------------------------------------------------------------


def test_the_calls_of_an_interview_share_its_id_and_follow_each_other(made: Made, store: Store) -> None:
    frame = store.sql("SELECT call_id, interview_id, follows FROM calls ORDER BY started_at")
    assert frame["call_id"].tolist() == made.ids
    assert frame["interview_id"].nunique() == 1
    assert [each if isinstance(each, str) else None for each in frame["follows"]] == [None, *made.ids[:2]]
    assert [link.call_id for link in chain_of(store, made.ids[1])] == made.ids


def test_every_delivery_is_carried_and_none_was_asked_again(made: Made) -> None:
    delivered: set[str] = set()
    for demo in made.calls:
        ledger = demo.call.core.ledger
        carried = {q.id for q in ledger.questions.values() if q.carried and q.status == "delivered"}
        assert delivered <= carried
        assert not [q.id for q in ledger.questions.values() if q.id in delivered and q.attempts]
        assert ledger.anomalies == []
        assert demo.call.truth.heard_repeats == ()
        delivered |= {q.id for q in ledger.questions.values() if q.status == "delivered"}
    assert len(delivered) >= 4


def test_the_guest_remembers_what_it_told_and_tells_more(made: Made, store: Store) -> None:
    told = [[each.detail_id for each in demo.call.disclosures] for demo in made.calls]
    assert told[1]
    assert not set(told[0]) & {*told[1], *told[2]}
    assert {each.detail_id for each in told_in(chain_of(store, "last"))} == {each for ids in told for each in ids}


def test_every_update_to_the_voice_bears_what_is_remembered(made: Made) -> None:
    log = CallLog.read(made.calls[1].journal)
    sent = [
        line.data["session"]["instructions"]
        for line in log.contents.lines
        if line.kind == "out" and line.data.get("type") == "session.update"
    ]
    assert len(sent) > 3
    first = made.calls[0].call.core
    idea = first.notes.ideas[-1].text if first.notes.ideas else first.notes.stories[-1].text
    asked = first.ledger.heard[-1].text
    for instructions in sent:
        assert idea in instructions.partition("<earlier>")[2]
        assert asked in instructions.partition("<heard>")[2]


def test_the_opening_picks_up_the_guests_own_words(made: Made) -> None:
    setup = made.calls[1].call.core.setup
    assert setup.earlier is not None
    thread = setup.earlier.thread
    assert thread is not None
    told = {turn.id: turn.text for turn in setup.earlier.turns}
    assert thread.quote in told[thread.turn]
    assert thread.quote.lower() in made.calls[1].call.core.turns[0].heard.lower()


def test_the_whole_of_it_verifies_and_comes_back_after_the_database_is_gone(own: Store, made: Made) -> None:
    own.database.path.unlink()
    again = Store.open(own.home.root)
    assert [verify(again, call).problems for call in made.ids] == [[], [], []]
    state = again.question_state(made.ids[2])
    assert set(state[state["carried_from"] == made.ids[0]]["status"]) <= {"delivered", "held"}
    heard = again.sql("SELECT from_call, known FROM heard WHERE call_id = ? AND from_call IS NOT NULL", [made.ids[2]])
    assert set(heard["from_call"]) == set(made.ids[:2])
    assert set(heard["known"]) == {"live"}


def test_the_essay_is_made_of_all_calls_and_says_of_which(made: Made, store: Store) -> None:
    written = draft(CallLog.read(made.calls[2].journal), store.home)
    calls = {call_of(sentence.turn) for sentence in written.essay.sentences if sentence.turn}
    assert {1, 2} <= calls
    assert sum(written.sources().values()) == sum(sentence.turn is not None for sentence in written.essay.sentences)
    (page,) = export(store, made.ids[2], "md", store.home.root / "out")
    text = page.read_text(encoding="utf-8")
    assert f"- Call 1: {made.ids[0].replace('-', '-')}" in text.replace("\\-", "-")
    assert "sentences from call 1" in text
    assert "(call 1)" in text.partition("## Quotes")[2]


def test_a_name_put_right_in_the_first_call_is_right_in_the_next(own: Store, made: Made) -> None:
    guest = next(turn.text for turn in made.calls[0].call.core.turns if turn.speaker == "guest" and len(turn.text) > 60)
    name = max(guest.split(), key=len).strip(".,")
    correct(own, made.ids[0], name, "Zebedee")
    earlier = left(own)
    assert earlier.names[0] == (name, "Zebedee")
    assert any("Zebedee" in turn.text for turn in earlier.turns if call_of(turn.id) == 1)


def test_a_plan_of_ones_own_is_not_credited_for_what_other_questions_of_its_ids_were(made: Made, store: Store) -> None:
    asked = {q.id: q for q in made.calls[0].call.core.setup.plan.questions}
    ids = [q.id for q in made.calls[0].call.core.ledger.questions.values() if q.status == "delivered" and q.planned]
    texts = {ids[0]: "Who taught your daughters to swim?", ids[1]: asked[ids[1]].text}
    questions = tuple(Question.model_validate({"id": key, "text": text}) for key, text in texts.items())
    setup = follow_up(store, plan=Plan(topic="x", goal="", sections=(Section(id="z", title="z", questions=questions),)))
    assert setup.earlier is not None
    assert [question.id for question in setup.plan.questions] == [f"{ids[0]}.4", ids[1]]
    assert f"{ids[0]} is {ids[0]}.4" in setup.earlier.problems[-1]
    assert f"{ids[0]}.4" not in {standing.id for standing in setup.earlier.standings}


def test_what_is_asked_for_in_own_words_comes_first_and_the_other_topics_fill_the_time(store: Store) -> None:
    setup = follow_up(store, about="the price of tulips")
    assert setup.earlier is not None
    assert "tulips" in setup.plan.questions[0].text
    offered = {question for topic in topics_of(store).topics for question in topic.questions}
    assert offered & {question.text for question in setup.plan.questions}
    assert len(setup.plan.questions) > 5
    # Nothing said is near it, so no thread leads elsewhere.
    assert setup.earlier.thread is None


# -- what of a chain is missing -----------------------------------------------------------------------------------


def test_a_call_that_was_forgotten_is_remembered_no_more(own: Store, made: Made) -> None:
    second = own.home.journal(made.ids[1])
    assert second in what_goes(own, made.ids[0]).named
    forget(own, made.ids[0])
    earlier = left(own)
    assert [past.call_id for past in earlier.calls] == made.ids[1:]
    assert {call_of(turn.id) for turn in earlier.turns} == {1, 2}
    words = {turn.text for turn in made.calls[0].call.core.turns if turn.speaker == "guest"}
    assert not words & {turn.text for turn in earlier.turns}
    quotes = {idea.quote for idea in earlier.notes.ideas} | {line.quote for line in earlier.notes.lines}
    assert not [quote for quote in quotes if quote and any(quote in text for text in words)]
    # What it asked stays asked: the next call's own ledger says so.
    delivered = {q.id for q in made.calls[0].call.core.ledger.questions.values() if q.status == "delivered"}
    assert delivered <= {standing.id for standing in earlier.standings if standing.status == "delivered"}
    assert {standing.call for standing in earlier.standings if standing.id in delivered} == {0}
    assert verify(own, made.ids[1]).problems == []


def test_no_new_copy_is_made_of_what_a_forgotten_call_said(own: Store, made: Made) -> None:
    _, second, third = made.ids
    said = next(turn.text for turn in made.calls[1].call.core.turns if turn.speaker == "guest" and len(turn.text) > 60)
    old = topics_of(own)
    quoting = old.topics[0].model_copy(update={"why": f"Said in passing and left: “{' '.join(said.split()[:7])}”"})
    topics = old.model_copy(update={"topics": (quoting, *old.topics[1:])})
    append(CallLog.read(own.journal_path(third)), [("follow_up", topics.model_dump(mode="json"))])
    assert topics_of(own) == topics
    forget(own, second)
    gone = chain_of(own, "last").gone
    assert gone.in_any(topics)
    assert not gone.in_any(topics_of(own))
    setup = follow_up(own, pick=1)
    assert not gone.in_any(setup.model_copy(update={"earlier": None}))
    assert setup.earlier is not None
    assert not gone.in_any(setup.earlier.model_copy(update={"turns": ()}))
    done = {each.id for each in setup.earlier.standings if each.status == "delivered"}
    ledger = made.calls[1].call.core.ledger
    assert {q.id for q in ledger.questions.values() if q.status == "delivered"} <= done
    log = CallLog.read(own.journal_path(third))
    before = draft(log, own.home)
    assert any(call_of(sentence.turn) == 2 for sentence in before.essay.sentences if sentence.turn)
    after = write_draft(own, third, Router(Settings(), seed=1))
    assert not any(call_of(sentence.turn) == 2 for sentence in after.essay.sentences if sentence.turn)
    assert not gone.in_any(after.essay)


def test_a_held_question_that_quotes_a_forgotten_call_is_not_offered_by_its_id() -> None:
    gone = Gone((Said("c1.t2", "guest", "the pager rang at four in the morning"),), ())
    text = "You said “the pager rang at four in the morning”. What came of it?"
    found = [
        Standing.model_validate({"id": status, "text": text, "status": status})
        for status in ("available", "held", "delivered")
    ]
    assert [(each.id, each.text) for each in unquoted(found, gone)] == [("delivered", "delivered")]


def test_topics_say_what_of_the_chain_they_do_without(own: Store, made: Made) -> None:
    assert offer_of(own).problems == ()
    own.home.journal(made.ids[2]).unlink()
    found = offer_of(own, made.ids[0])
    assert len(found.found.topics) == 3
    assert any(made.ids[2] in problem and "journal is gone" in problem for problem in found.problems)
    assert "what call 3 asked is not known, so it may be offered again" in found.problems


def test_a_call_whose_journal_is_gone_lives_on_in_what_the_next_one_knows(own: Store, made: Made) -> None:
    own.home.journal(made.ids[0]).unlink()
    own.database.path.unlink()
    store = Store.open(own.home.root)
    chain = chain_of(store, "last")
    assert [link.call_id for link in chain] == made.ids
    assert "what a later call remembers of it is used" in chain.links[0].problem
    earlier = left(store)
    before = made.calls[1].call.core.setup.earlier
    assert before is not None
    assert [turn for turn in earlier.turns if call_of(turn.id) == 1] == list(before.turns)
    assert any(made.ids[0] in problem for problem in earlier.problems)
    assert [asked for asked in earlier.heard if asked.call == 1] == list(before.heard)
    settled = {each.id: each.call for each in before.standings if each.status == "delivered"}
    assert settled.items() <= {each.id: each.call for each in earlier.standings}.items()


def test_a_damaged_call_gives_what_is_whole_and_says_so(own: Store, made: Made) -> None:
    path = own.home.journal(made.ids[0])
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"setup"' in line[:60])
    lines[at] = lines[at][:200] + b"?" + lines[at][201:]
    path.write_bytes(b"".join(lines))
    earlier = left(Store.open(own.home.root))
    assert earlier.calls[0].transcript_only
    assert {asked.known for asked in earlier.heard} == {"live"}
    assert any("damaged" in problem and "taken as a transcript" in problem for problem in earlier.problems)
    assert {call_of(turn.id) for turn in earlier.turns} == {1, 2, 3}


def test_an_empty_call_is_named_and_the_others_used(own: Store, made: Made) -> None:
    setup = CallLog.read(made.calls[0].journal).setup
    head = {"interview_id": chain_of(own, "last").interview_id, "started_at": "2020-01-01T00:00:00+00:00"}
    journals.write(own.home.journal("c-empty"), iter([("setup", setup.model_dump(mode="json"))]), **head)
    earlier = left(Store.open(own.home.root))
    assert [past.call_id for past in earlier.calls] == ["c-empty", *made.ids]
    assert any("c-empty" in problem and "nothing was said" in problem for problem in earlier.problems)
    assert {call_of(turn.id) for turn in earlier.turns} == {2, 3, 4}


def test_none_begins_while_a_call_of_the_interview_runs(own: Store, made: Made) -> None:
    with Journal.reopen(own.home.journal(made.ids[2])), pytest.raises(JournalBusy, match="still runs"):
        follow_up(own, pick=1)


def test_where_nothing_can_be_read_it_says_why(own: Store, made: Made) -> None:
    for call in made.ids:
        own.home.journal(call).unlink()
    with pytest.raises(JournalError, match="none of its calls can be read"):
        follow_up(own, pick=1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pick": 4}, "pick: there are 3 topics"),
        ({"pick": 0}, "not 0"),
        ({"about": "  "}, "about: it is empty"),
        ({}, "say what to return to"),
        ({"pick": 1, "about": "boats"}, "say what to return to"),
        ({"pick": "1"}, "pick: .* not '1'"),
        ({"pick": 1.5}, "not 1.5"),
        ({"pick": True}, "not True"),
        ({"about": 5}, "about: it is a few words, not 5"),
        ({"about": "bad\udcffbyte"}, "about: it holds bytes that are no text"),
        ({"plan": "x"}, "plan: it is a Plan, .* not str"),
    ],
)
def test_what_cannot_be_returned_to_is_refused_before_anything_is_read(
    store: Store, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(PlanError, match=said):
        follow_up(store, "no such interview", **given)


@pytest.mark.parametrize("minutes", ["6", True, float("nan"), [6]])
def test_minutes_that_are_no_number_are_named(store: Store, minutes: Any) -> None:
    with pytest.raises(SettingsError, match="minutes: a call is"):
        follow_up(store, pick=1, minutes=minutes)


def test_an_interview_there_is_not_is_named(store: Store) -> None:
    with pytest.raises(NotFound):
        follow_up(store, "i-none", pick=1)


# -- transcripts --------------------------------------------------------------------------------------------------

TALK = """Ann: How did you first come to keep bees?

Bo: My uncle had hives behind the barn, and I never told anybody how I lost the first one.

Ann: What do beginners nearly always get wrong?

Bo: They open the hive far too often, every single day in spring.
"""


def imported(home: Path, talk: str, topic: str = "Keeping bees") -> Store:
    store = Store.open(home)
    path = home / "talk.txt"
    path.write_text(talk, encoding="utf-8")
    assert not import_files(store, [path], topic=topic).failures
    return store


OWN = Plan(
    topic="Keeping bees",
    goal="",
    sections=(
        Section(
            id="s1",
            title="All",
            questions=(
                Question(id="q1", text="What do beginners nearly always get wrong?", priority=1),
                Question(id="q2", text="Which tool would you never lend?", priority=1),
            ),
        ),
    ),
)


def test_of_a_transcript_coverage_is_reconstructed_and_lowers_without_barring(fresh_home: Path) -> None:
    store = imported(fresh_home, TALK)
    setup = follow_up(store, plan=OWN)
    assert setup.earlier is not None
    (touched,) = setup.earlier.touched
    assert (touched.question_id, touched.turn, touched.call) == ("q1", "c1.t3", 1)
    assert [(asked.text, asked.known) for asked in setup.earlier.heard] == [
        ("How did you first come to keep bees?", "reconstructed"),
        ("What do beginners nearly always get wrong?", "reconstructed"),
    ]
    done = run_follow_up_with(store, setup)
    state = store.question_state(done.call_id).set_index("question_id")
    assert state.at["q1", "reconstructed"] == pytest.approx(touched.score)
    assert state.at["q1", "effective_priority"] == pytest.approx(1 + touched.score)
    first = next(event for event in done.call.core.ledger.events if event.kind == "selected")
    assert first.question_id == "q2"
    assert verify(store, done.call_id).problems == []


def test_what_is_asked_for_opens_the_call_though_a_transcript_may_have_touched_on_it(fresh_home: Path) -> None:
    store = imported(fresh_home, TALK)
    eager = Settings.load(match={"reconstruction_scorer": "jaccard", "reconstruction": 0.0})
    setup = follow_up(store, about="keeping bees as a beginner", minutes=1, settings=eager)
    assert setup.earlier is not None
    own = {question.id for question in setup.plan.sections[0].questions}
    found, _ = touched_in(chain_of(store, "last"), setup.earlier, setup.plan, eager)
    assert own & {each.question_id for each in found}
    assert not own & {each.question_id for each in setup.earlier.touched}
    done = run_follow_up_with(store, setup)
    first = next(event for event in done.call.core.ledger.events if event.kind == "selected")
    assert first.question_id == setup.plan.questions[0].id


def test_another_plan_for_a_follow_up_has_its_touches_reckoned_anew(fresh_home: Path) -> None:
    store = imported(fresh_home, TALK)
    setup = follow_up(store, plan=OWN)
    assert setup.earlier is not None
    assert [each.question_id for each in setup.earlier.touched] == ["q1"]
    q2 = OWN.questions[1]
    moved = Question(id="q3", text="How did you come to keep bees in the first place?", priority=1)
    other = OWN.model_copy(update={"sections": (Section(id="s1", title="All", questions=(q2, moved)),)})
    again = with_plan(store, setup, other)
    assert again.earlier is not None
    assert [(each.question_id, each.turn) for each in again.earlier.touched] == [("q3", "c1.t1")]
    back = with_plan(store, again, OWN)
    assert back.earlier is not None
    assert back.earlier.touched == setup.earlier.touched


def run_follow_up_with(store: Store, setup: Any) -> Demo:
    """A minute's call with this setup, with a guest who knows about something else."""
    from interviewer.interview.demo import keep_simulated
    from interviewer.llm.router import Router
    from interviewer.simulate.dossier import load_all
    from interviewer.simulate.run import simulate_call

    minute = setup.settings.with_(call={"target_ms": 60_000}, guard={"mode": "off"})
    begun = setup.model_copy(update={"settings": minute, "world": "simulated"})
    return keep_simulated(store.home, begun, load_all()[0], Router(minute, seed=1), seed=1, simulate=simulate_call)


def test_a_transcript_that_begins_an_interview_has_topics_and_notes_and_keeps_them(fresh_home: Path) -> None:
    store = imported(fresh_home, TALK)
    topics = topics_of(store)
    assert len(topics.topics) == 3
    kept = CallLog.read(store.journal_path("last")).last("follow_up")
    assert kept is not None
    assert kept["topics"][0]["title"] == topics.topics[0].title
    setup = follow_up(store, pick=1)
    assert setup.earlier is not None
    assert setup.guest == "Bo"
    assert setup.plan.questions[0].id == "f2q1"
    assert {gap.turn for gap in setup.earlier.notes.gaps} <= {"c1.t2", "c1.t4"}
    assert topics_of(store) == topics


POOR = {
    "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Bo>My uncle had hives behind the barn.\n": "nobody asks",
    "Ann: so how did you come to bees\n\nBo: my uncle\n\nAnn: what went wrong first\n\nBo: a\n": "no question marks",
    "Ann: Wie bist du denn zu den Bienen gekommen?\n\nBo: Mein Onkel hatte Stöcke hinter der Scheune.\n\n"
    "Ann: Und was machen Anfänger fast immer falsch?\n\nBo: Sie schauen zu oft hinein.\n": "it is in “de”",
}


def test_small_talk_and_sections_that_fill_up_are_nothing_to_remember(fresh_home: Path) -> None:
    empty = "\nAnn: And the honey?\n\nBo: Hmm, nothing comes to mind there.\n"
    talk = f"{TALK}{empty}{empty}"
    assert "nothing comes" not in " ".join(left(imported(fresh_home, talk)).expressions).lower()
    notes = Notes(coverage=tuple(Coverage(section_id=key, depth="deep") for key in ("s1", "f2z", "f2o")))
    sections = [("s1", "Winter"), ("f2z", "If there is time"), ("f2o", "Still open")]
    questions = OWN.questions
    plan = OWN.model_copy(
        update={"sections": tuple(Section(id=key, title=title, questions=questions) for key, title in sections)}
    )
    assert covered(notes, [plan]) == ("Winter",)


def test_what_a_poor_transcript_cannot_show_is_said_and_the_rest_is_used(fresh_home: Path) -> None:
    for talk, said in POOR.items():
        store = imported(fresh_home, talk)
        earlier = left(store)
        touched, problems = touched_in(chain_of(store, "last"), earlier, OWN, Settings())
        assert said in " ".join(problems)
        assert earlier.turns
        assert touched == ()


def test_interviews_know_nothing_of_each_other(fresh_home: Path) -> None:
    store = imported(fresh_home, TALK)
    journals.write(fresh_home / "journals" / "c-1.jsonl")
    store = Store.open(fresh_home)
    bread, bees = left(store, "c-1"), left(store, "last")
    assert not {turn.text for turn in bread.turns} & {turn.text for turn in bees.turns}
    assert "bees" not in bread.model_dump_json()
    assert [past.call_id for past in bread.calls] == ["c-1"]


# -- a live call made by hand -------------------------------------------------------------------------------------


@pytest.fixture
def bread(fresh_home: Path) -> Store:
    """q1 delivered, q2 held, q3 answered unasked; the salt was asked about by the voice."""
    journals.write(fresh_home / "journals" / "c-1.jsonl")
    return Store.open(fresh_home)


def test_a_ledger_carries_over_as_it_is_with_ids_holds_marks_and_memory(bread: Store) -> None:
    setup = follow_up(bread, "i-1", pick=2, settings=Settings())
    earlier = setup.earlier
    assert earlier is not None
    assert {s.id: (s.status, s.reason, s.holds) for s in earlier.standings} == {
        "q1": ("delivered", "", 0),
        "q2": ("held", "unconfirmed", 1),
        "q3": ("available", "", 0),
    }
    q3 = next(s for s in earlier.standings if s.id == "q3")
    assert [(m.kind, m.turn, m.volunteered) for m in q3.marks] == [("answered", "t2", True)]
    assert [(a.text, a.turn, a.question_id) for a in earlier.heard] == [
        ("How did you begin?", "c1.t1", "q1"),
        ("And the salt?", "", "u1"),
    ]
    assert earlier.researched == ("rye", "salt")
    # What is held comes last; the other topics ask the same two questions, so they fill nothing up.
    assert [q.id for q in setup.plan.questions] == ["f2q1", "f2q2", "q3", "q2"]
    assert setup.target_ms == 360_000
    assert (setup.guest, setup.world, setup.plan.topic) == ("Ada", "simulated", "sourdough")
