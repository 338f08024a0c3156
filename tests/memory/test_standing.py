"""Where questions stood, from the ledger of one call to the next."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from interviewer.ledger.views import available, selectable
from interviewer.memory.earlier import Mark, Standing
from interviewer.memory.standing import apart, joined, open_still, standings
from tests.ledger.story import REAL, Story


def test_a_ledger_gives_where_every_planned_question_stood() -> None:
    story = Story(REAL).question("q1", 1).question("q2").question("q3").question("v1", 3, planned=False)
    story.reach("q1", "a1").hold("q2", "a2").add("answered", "q1", turn="t2", volunteered=False)
    story.question("u1", 3, planned=False, source="gap").reach("u1", "a3", response="r9")
    found = {each.id: each for each in standings(story.ledger(), call=2)}
    assert {key: (each.status, each.call) for key, each in found.items()} == {
        "q1": ("delivered", 2),
        "q2": ("held", 2),
        "q3": ("available", 2),
        "u1": ("delivered", 2),
    }
    assert (found["q2"].reason, found["q2"].holds) == ("cut", 1)
    assert found["q1"].marks == (Mark(kind="answered", call=2, turn="t2"),)
    assert (found["u1"].planned, found["u1"].source) == (False, "gap")


def test_what_the_end_of_a_journal_cut_off_may_have_been_heard() -> None:
    story = Story(REAL).question("q1").question("q2").reach("q1", "a1", "started").reach("q2", "a2", "accepted")
    found = {each.id: (each.status, each.reason, each.holds) for each in standings(story.ledger(), 1)}
    assert found == {"q1": ("held", "cut", 1), "q2": ("available", "", 0)}


def stand(status: Any, call: int = 1, **more: Any) -> Standing:
    return Standing(id="q1", text="Why?", status=status, call=call, **more)


def test_two_calls_that_did_not_know_each_other_leave_the_further_standing() -> None:
    (found,) = joined([stand("delivered", 1)], [stand("available", 2)])
    assert (found.status, found.call) == ("delivered", 1)
    (found,) = joined([stand("held", 1, holds=1)], [stand("delivered", 2)])
    assert (found.status, found.call) == ("delivered", 2)
    # A follow-up that carried it settles nothing anew.
    (found,) = joined([stand("delivered", 1)], [stand("delivered", 2)])
    assert found.call == 1


def test_two_calls_that_went_on_from_the_same_one_numbered_their_questions_alike() -> None:
    first = [stand("delivered", 2)]
    other = [Standing(id="q1", text="How so?", status="available", call=3)]
    assert apart(first, other, known={1}) == {"q1": "q1.3"}
    # One that knew it has only another wording for it, and the same words are the same question.
    assert apart(first, other, known={1, 2}) == {}
    assert apart(first, [stand("available", 3)], known={1}) == {}


def test_marks_add_up_and_keep_the_call_they_were_made_in() -> None:
    before = stand("available", marks=(Mark(kind="declined", call=1, turn="t4"),))
    after = stand("available", 2, marks=(Mark(kind="declined", call=2), Mark(kind="covered", call=2)))
    (found,) = joined([before], [after])
    assert {mark.kind: mark.call for mark in found.marks} == {"declined": 1, "covered": 2}


def test_what_was_carried_in_keeps_the_call_it_is_from_and_one_that_is_gone_is_none() -> None:
    story = Story(REAL).question("q1").question("q2").question("q3").question("q4")
    story.add("carried", "q1", status="delivered", call="c-a")
    story.add("answered", "q1", turn="t4", call="c-a", volunteered=False)
    story.add("carried", "q2", status="delivered", call="c-forgotten")
    story.add("declined", "q2", turn="t9", call="c-forgotten")
    story.add("carried", "q3", status="held", holds=1, reason="cut", call="c-a").reach("q3", "a1")
    story.add("carried", "q4", status="held", holds=1, reason="cut", call="c-a")
    found = {each.id: each for each in standings(story.ledger(), 3, {"c-a": 1, "c-b": 2, "c-c": 3})}
    assert {key: (each.status, each.call, each.reason) for key, each in found.items()} == {
        "q1": ("delivered", 1, ""),
        "q2": ("delivered", 0, ""),
        "q3": ("delivered", 3, ""),
        "q4": ("held", 1, "cut"),
    }
    assert found["q1"].marks == (Mark(kind="answered", call=1, turn="t4"),)
    assert found["q2"].marks == (Mark(kind="declined", call=0, turn="t9"),)


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3"]), st.sampled_from(["delivered", "cut", "failed", "answered", "declined"])
    ),
    max_size=8,
)


def story_of(told: list[tuple[str, str]]) -> Story:
    story = Story(REAL).question("q1", 1).question("q2").question("q3", 3)
    for number, (key, what) in enumerate(told):
        if what == "delivered":
            story.reach(key, f"a{number}", response=f"r{number}")
        elif what == "cut":
            story.hold(key, f"a{number}", response=f"r{number}")
        elif what == "failed":
            story.reach(key, f"a{number}", "started", f"r{number}").release(key, f"a{number}")
        else:
            story.add(what, key, turn="t1", volunteered=number % 2 == 0)
    return story


def again(found: tuple[Standing, ...]) -> Story:
    """A ledger that begins with what these standings carry over."""
    story = Story(REAL)
    for each in found:
        story.question(each.id, each.priority, each.planned)
        if each.status != "available":
            story.add("carried", each.id, status=each.status, holds=each.holds)
        for mark in each.marks:
            story.add(mark.kind, each.id, turn=mark.turn, volunteered=mark.volunteered)
    return story


@given(EVENTS)
def test_carried_over_every_question_stands_as_it_stood_and_may_be_asked_as_before(told: list[tuple[str, str]]) -> None:
    ledger = story_of(told).ledger()
    found = standings(ledger, 1)
    next_one = again(found).ledger()
    assert next_one.anomalies == []
    for key, question in ledger.questions.items():
        there = next_one.questions[key]
        assert (there.status, there.holds, there.effective_priority) == (
            question.status,
            question.holds,
            question.effective_priority,
        )
        assert selectable(there, 2) == selectable(question, 2)
    assert [q.id for q in available(next_one)] == [q.id for q in available(ledger)]
    assert {each.id for each in open_still(found, 2)} == {q.id for q in available(ledger)}


@given(st.lists(EVENTS, max_size=4))
def test_a_chain_of_any_length_loses_no_delivery(calls: list[list[tuple[str, str]]]) -> None:
    known: tuple[Standing, ...] = ()
    delivered: set[str] = set()
    for number, told in enumerate(calls, 1):
        ledger = story_of(told).ledger()
        delivered |= {q.id for q in ledger.questions.values() if q.status == "delivered"}
        known = joined(known, standings(ledger, number))
        assert {each.id for each in known if each.status == "delivered"} == delivered
        assert not delivered & {each.id for each in open_still(known, 2)}
