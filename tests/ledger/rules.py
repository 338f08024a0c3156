"""The rules of the ledger as plain checks: run on the package, and on changed copies that must fail them."""

from collections.abc import Callable
from typing import Any

import pytest

from interviewer.errors import LedgerError
from tests.ledger.story import STAGES, Lab, Story

Rule = Callable[[Lab], None]


# -- an attempt --------------------------------------------------------------------------------------------------


def five_stages_in_order_deliver(lab: Lab) -> None:
    story = Story(lab).question()
    seen = []
    for stage in STAGES:
        story.stage(stage)
        seen.append(story.status())
    assert seen == ["pending", "pending", "pending", "pending", "delivered"]
    assert story.ledger().anomalies == []
    attempt = story.ledger().attempts["a1"]
    assert (attempt.outcome, attempt.stage, attempt.heard_ms) == ("delivered", "delivered", 4_000)


def selection_is_not_delivery(lab: Lab) -> None:
    story = Story(lab).question().stage("selected")
    assert story.ids("delivered") == []
    assert story.ids("pending") == ["q1"]


def no_stage_can_be_left_out(lab: Lab) -> None:
    for missing in STAGES[:-1]:
        story = Story(lab).question()
        for stage in STAGES:
            if stage != missing:
                story.stage(stage)
        assert story.status() != "delivered", missing
        assert story.ledger().anomalies, missing


def stages_do_not_swap(lab: Lab) -> None:
    story = Story(lab).question()
    for stage in ("selected", "started", "accepted", "generated", "delivered"):
        story.stage(stage)
    ledger = story.ledger()
    assert ledger.attempts["a1"].stage == "accepted"
    assert [seq for seq, _ in ledger.anomalies] == [3, 5, 6]


def a_stage_counts_once(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1", "started").stage("started", response="r2")
    ledger = story.ledger()
    assert ledger.attempts["a1"].value("started", "response_id") == "r1"
    assert [seq for seq, _ in ledger.anomalies] == [5]


def a_response_must_have_an_id(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1", "accepted").stage("started", response_id=None)
    assert not story.ledger().attempts["a1"].started
    assert [seq for seq, _ in story.ledger().anomalies] == [4]


def another_response_generates_nothing(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1", "started").stage("generated", response="r2")
    assert story.ledger().attempts["a1"].stage == "started"


def another_response_delivers_nothing(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1", "generated").stage("delivered", response="r2")
    assert story.status() == "pending"


def only_a_completed_response_delivers(lab: Lab) -> None:
    for status in ("cancelled", "incomplete", "failed", "in_progress", None):
        story = Story(lab).question().reach("q1", "a1", "generated").stage("delivered", status=status)
        assert story.status() == "pending", status


def delivery_needs_the_end_of_the_question_played(lab: Lab) -> None:
    # The question ends at 3,000 ms and 250 ms are tolerated: 2,750 is enough, 2,749 is not.
    for played_ms, status in ((0, "pending"), (2_749, "pending"), (2_750, "delivered"), (4_000, "delivered")):
        story = Story(lab).question().reach("q1", "a1", "generated").stage("delivered", played_ms=played_ms)
        assert story.status() == status, played_ms


def a_short_question_is_not_delivered_by_its_tolerance(lab: Lab) -> None:
    # It ends at 200 ms, which is below the 250 ms tolerated: half of it must have been played all the same.
    for played_ms, status in ((0, "pending"), (99, "pending"), (100, "delivered")):
        story = Story(lab).question().reach("q1", "a1", "generated")
        story.stage("delivered", end_ms=200, played_ms=played_ms)
        assert story.status() == status, played_ms


def delivery_needs_a_known_end(lab: Lab) -> None:
    for end_ms in (0, None):
        story = Story(lab).question().reach("q1", "a1", "generated").stage("delivered", end_ms=end_ms)
        assert story.status() == "pending"


def shown_text_stands_in_for_played_audio(lab: Lab) -> None:
    shown: dict[str, Any] = {"displayed": True, "played_ms": 0, "end_ms": 0}
    assert Story(lab).question().reach("q1", "a1", "generated").stage("delivered", **shown).status() == "delivered"
    failed = Story(lab).question().reach("q1", "a1", "generated").stage("delivered", **shown, status="failed")
    assert failed.status() == "pending"


def an_attempt_belongs_to_its_question(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").reach("q1", "a1", "generated").stage("delivered", "q2", "a1")
    assert (story.status("q1"), story.status("q2")) == ("pending", "available")


# -- how attempts end --------------------------------------------------------------------------------------------


def every_release_makes_the_question_available(lab: Lab) -> None:
    for reason in lab.events.RELEASE_REASONS:
        story = Story(lab).question().reach("q1", "a1", "started").release(reason=reason, heard_ms=1_200)
        attempt = story.ledger().attempts["a1"]
        assert story.status() == "available", reason
        assert (attempt.outcome, attempt.reason, attempt.heard_ms) == ("released", reason, 1_200)


def a_release_names_a_known_reason(lab: Lab) -> None:
    for reason in ("bored", "cut", None):
        story = Story(lab).question().reach("q1", "a1", "started")
        story.add("released", "q1", "a1", reason=reason)
        assert story.status() == "pending", reason


def holding_names_a_known_reason(lab: Lab) -> None:
    for reason, status in (("cut", "held"), ("unconfirmed", "held"), ("failed", "pending"), (None, "pending")):
        story = Story(lab).question().reach("q1", "a1", "started")
        story.add("held", "q1", "a1", reason=reason)
        assert story.status() == status, reason


def nothing_is_held_before_a_response_ran(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1", "accepted").add("held", "q1", "a1", reason="cut")
    assert story.status() == "pending"


def a_closed_attempt_never_opens_again(lab: Lab) -> None:
    for ending in ("released", "held"):
        story = Story(lab).question().reach("q1", "a1", "generated")
        story.add(ending, "q1", "a1", reason="failed" if ending == "released" else "cut")
        before = story.status()
        story.stage("delivered").stage("selected").add("held", "q1", "a1", reason="cut").release(reason="declined")
        ledger = story.ledger()
        assert story.status() == before
        assert ledger.attempts["a1"].outcome == ending
        assert ledger.attempts["a1"].reason in ("failed", "cut")
        assert len(ledger.anomalies) == 4


def a_delivered_attempt_cannot_be_taken_back(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1").release().add("held", "q1", "a1", reason="cut")
    assert story.status() == "delivered"


def delivered_once_is_delivered_for_good(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1")
    assert story.reach("q1", "a2", "started", "r2").status() == "delivered"
    assert story.release(attempt="a2").status() == "delivered"


def a_released_question_can_be_delivered_by_another_attempt(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1", "accepted").release(reason="timed_out").reach("q1", "a2")
    assert story.status() == "delivered"
    assert [a.outcome for a in story.ledger().questions["q1"].attempts] == ["released", "delivered"]


def once_held_a_released_return_leaves_it_held(lab: Lab) -> None:
    story = Story(lab).question().hold("q1", "a1").reach("q1", "a2", "started", "r2").release(attempt="a2")
    assert story.status() == "held"
    assert story.ledger().questions["q1"].holds == 1


# -- next and current --------------------------------------------------------------------------------------------


def a_new_selection_supersedes_the_next(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").reach("q1", "a1", "accepted").stage("selected", "q2", "a2")
    ledger = story.ledger()
    assert (ledger.attempts["a1"].outcome, ledger.attempts["a1"].reason) == ("released", "superseded")
    assert ledger.next.id == "a2"


def a_new_selection_leaves_the_current_alone(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").reach("q1", "a1", "started").stage("selected", "q2", "a2")
    ledger = story.ledger()
    assert (ledger.current.id, ledger.next.id) == ("a1", "a2")
    ledger = story.question("q3").stage("selected", "q3", "a3").ledger()
    assert (ledger.current.id, ledger.next.id) == ("a1", "a3")
    assert story.stage("generated").stage("delivered").status("q1") == "delivered"


def only_one_attempt_is_current(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").reach("q1", "a1", "started").reach("q2", "a2", "started", "r2")
    ledger = story.ledger()
    assert (ledger.current.id, ledger.next.id) == ("a1", "a2")
    assert not ledger.attempts["a2"].started


def a_pending_question_is_not_selected_again(lab: Lab) -> None:
    for reached in ("accepted", "started"):
        story = Story(lab).question().reach("q1", "a1", reached).stage("selected", attempt="a2")
        assert list(story.ledger().attempts) == ["a1"], reached
        assert story.status() == "pending"


def an_attempt_id_is_used_once(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").reach("q1", "a1", "accepted").release()
    story.stage("selected", "q2", "a1")
    assert story.status("q2") == "available"
    assert len(story.ledger().anomalies) == 1


def only_registered_questions_are_selected(lab: Lab) -> None:
    assert Story(lab).stage("selected").ledger().attempts == {}
    assert Story(lab).question().add("selected", "q1").ledger().attempts == {}


# -- questions, memory, marks ------------------------------------------------------------------------------------


def a_question_is_registered_once(lab: Lab) -> None:
    ledger = Story(lab).question(priority=1, text="First?").question(priority=3, text="Second?").ledger()
    assert (ledger.questions["q1"].text, ledger.questions["q1"].priority) == ("First?", 1)
    assert [seq for seq, _ in ledger.anomalies] == [2]


def a_question_needs_an_id(lab: Lab) -> None:
    ledger = Story(lab).add("question", None, text="Who?").ledger()
    assert ledger.questions == {}
    assert len(ledger.anomalies) == 1


def memory_is_not_credit(lab: Lab) -> None:
    story = Story(lab).question().add("heard", "q1", text="What about q1?", response_id="r1", item_id="i1", start=0)
    assert [h.text for h in story.ledger().heard] == ["What about q1?"]
    assert story.status() == "available"


def the_same_sentence_is_heard_once(lab: Lab) -> None:
    story = Story(lab)
    for response, item, start in (("r1", "i1", 0), ("r1", "i1", 0), ("r1", "i1", 40), ("r1", "i2", 0), ("r2", "i1", 0)):
        story.add("heard", None, text="Why?", response_id=response, item_id=item, start=start)
    assert [h.t_ms for h in story.ledger().heard] == [1_000, 3_000, 4_000, 5_000]


def a_mark_stays_as_first_set(lab: Lab) -> None:
    for kind in ("covered", "answered", "declined", "claimed", "reconstructed"):
        story = Story(lab).question().add(kind, "q1", turn="t2").add(kind, "q1", turn="t9")
        mark = getattr(story.ledger().questions["q1"], kind)
        assert mark.evidence["turn"] == "t2", kind
        assert len(story.ledger().anomalies) == 1
        assert len(Story(lab).add(kind, "q9").ledger().anomalies) == 1


def failed_recoveries_are_counted(lab: Lab) -> None:
    story = Story(lab).question().add("unrecovered", text="Eh?").add("recovered", "q1", score=0.5).add("unrecovered")
    assert story.ledger().unrecovered == 2


def late_evidence_changes_nothing(lab: Lab) -> None:
    story = Story(lab).question().reach("q1", "a1", "accepted")
    before = story.ledger().snapshot()
    assert story.add("late", None, "a1", what="accepted").ledger().snapshot() == before


# -- the log itself ----------------------------------------------------------------------------------------------


def order_and_repeats_do_not_matter(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").reach("q1", "a1").hold("q2", "a2", response="r2")
    shuffled = [*reversed(story.events), *story.events]
    assert lab.fold.fold(shuffled).snapshot() == story.ledger().snapshot()


def two_events_cannot_share_a_number(lab: Lab) -> None:
    event = lab.events.LedgerEvent
    with pytest.raises(LedgerError, match="two different ledger events with seq 1"):
        lab.fold.fold([event(1, 0, "unrecovered", None), event(1, 5, "unrecovered", None)])


def numbers_rise(lab: Lab) -> None:
    ledger = Story(lab).question().question("q2").ledger()
    with pytest.raises(LedgerError, match="seq must rise"):
        ledger.append(lab.events.LedgerEvent(2, 9_000, "unrecovered", None))


def an_event_without_effect_stays_on_record(lab: Lab) -> None:
    ledger = Story(lab).question().ledger()
    event = lab.events.LedgerEvent(7, 9_000, "delivered", "q1", "a9")
    assert ledger.append(event) == "no such attempt"
    assert ledger.events[-1] == event
    assert ledger.anomalies == [(7, "no such attempt")]


def odd_evidence_proves_nothing(lab: Lab) -> None:
    story = Story(lab).question(priority="urgent").reach("q1", "a1", "generated")
    story.stage("delivered", played_ms="all of it", end_ms="the end").add("reconstructed", "q1", score="high")
    assert story.status() == "pending"
    question = story.ledger().questions["q1"]
    assert (question.priority, question.effective_priority) == (3, 3)


# -- views -------------------------------------------------------------------------------------------------------


def delivered_pending_and_available_are_apart(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").question("q3").reach("q1", "a1").stage("selected", "q2", "a2")
    assert story.ids("delivered") == ["q1"]
    assert story.ids("pending") == ["q2"]
    assert story.ids("available") == ["q3"]


def available_goes_by_priority_then_plan(lab: Lab) -> None:
    story = Story(lab).question("q1", 3).question("q2", 1).question("q3", 2).question("q4", 1)
    assert story.ids("available") == ["q2", "q4", "q3", "q1"]


def held_questions_come_last(lab: Lab) -> None:
    story = Story(lab).question("q1", 1).question("q2", 3).hold("q1", "a1")
    assert story.ids("available") == ["q2", "q1"]


def a_held_question_returns_twice(lab: Lab) -> None:
    story = Story(lab).question("q1")
    listed = []
    for number in range(1, 4):
        story.hold("q1", f"a{number}", response=f"r{number}")
        listed.append(story.ids("available"))
    assert listed == [["q1"], ["q1"], []]
    assert Story(lab).question("q1").hold("q1", "a1").ids("available", 0) == []


def a_held_question_outside_the_plan_does_not_return(lab: Lab) -> None:
    ledger = Story(lab).question("q1").question("u1", planned=False).hold("q1", "a1").hold("u1", "a2").ledger()
    assert [q.id for q in ledger.questions.values() if lab.views.selectable(q, 2)] == ["q1"]


def a_volunteered_answer_lowers_priority_by_one(lab: Lab) -> None:
    story = Story(lab).question("q1", 1).question("q2", 1).question("q3", 3)
    story.add("answered", "q1", turn="t2", volunteered=True)
    assert story.ledger().questions["q1"].effective_priority == 2
    assert story.ids("available") == ["q2", "q1", "q3"]


def a_question_answered_when_asked_is_done(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").add("answered", "q1", turn="t2", volunteered=False)
    assert story.ids("available") == ["q2"]


def a_held_question_that_was_answered_does_not_return(lab: Lab) -> None:
    story = Story(lab).question("q1").hold("q1", "a1").add("answered", "q1", turn="t2", volunteered=True)
    assert story.ids("available") == []


def reconstruction_lowers_by_its_score_and_never_bans(lab: Lab) -> None:
    story = Story(lab).question("q1", 2).question("q2", 2).question("q3", 3)
    story.add("reconstructed", "q1", score=0.6, clue="what you said about it")
    assert story.ledger().questions["q1"].effective_priority == pytest.approx(2.6)
    assert story.ids("available") == ["q2", "q1", "q3"]


def what_an_earlier_call_delivered_stays_delivered(lab: Lab) -> None:
    story = Story(lab).question("q1").question("q2").add("carried", "q1", status="delivered", call="c-1")
    assert (story.status(), story.ids("available")) == ("delivered", ["q2"])
    assert story.ledger().questions["q1"].attempts == []
    assert story.reach("q1", "a1", "started").status() == "delivered"


def what_an_earlier_call_held_comes_last_and_not_for_ever(lab: Lab) -> None:
    story = Story(lab).question("q1", 1).question("q2", 3).add("carried", "q1", status="held", holds=2, call="c-1")
    assert (story.status(), story.ids("available")) == ("held", ["q2", "q1"])
    # Two holds of old and one of now are more than the two returns there are.
    assert story.hold("q1", "a1").ids("available") == ["q2"]


def a_standing_is_carried_once_before_any_attempt_and_known(lab: Lab) -> None:
    story = Story(lab).question("q1").add("carried", "q1", status="held").add("carried", "q1", status="delivered")
    assert (story.status(), len(story.ledger().anomalies)) == ("held", 1)
    story = Story(lab).question("q1").add("carried", "q1", status="pending").add("carried", "q9", status="held")
    assert (story.status(), len(story.ledger().anomalies)) == ("available", 2)
    story = Story(lab).question("q1").reach("q1", "a1", "started").release().add("carried", "q1", status="delivered")
    assert (story.status(), len(story.ledger().anomalies)) == ("available", 1)


def what_was_heard_before_is_remembered_apart(lab: Lab) -> None:
    story = Story(lab).add("remembered", "q1", text="How?", call="c-1").add("remembered", None, text="How?", call="c-1")
    ledger = story.add("heard", "q2", text="Why?", response_id="r1").ledger()
    assert [heard.text for heard in ledger.remembered] == ["How?", "How?"]
    assert [heard.text for heard in ledger.heard] == ["Why?"]
    assert ledger.anomalies == []


def covered_declined_and_claimed_are_not_asked(lab: Lab) -> None:
    for mark in ("covered", "declined", "claimed"):
        story = Story(lab).question("q1").question("q2").add(mark, "q1", turn="t2")
        assert story.ids("available") == ["q2"], mark
        assert story.ids("delivered") == [], mark


def questions_outside_the_plan_are_kept_apart(lab: Lab) -> None:
    story = Story(lab).question("q1").question("u1", 1, planned=False)
    assert story.ids("available") == ["q1"]
    assert story.reach("u1", "a1").ids("delivered") == ["u1"]


RULES: tuple[Rule, ...] = (
    five_stages_in_order_deliver,
    selection_is_not_delivery,
    no_stage_can_be_left_out,
    stages_do_not_swap,
    a_stage_counts_once,
    a_response_must_have_an_id,
    another_response_generates_nothing,
    another_response_delivers_nothing,
    only_a_completed_response_delivers,
    delivery_needs_the_end_of_the_question_played,
    a_short_question_is_not_delivered_by_its_tolerance,
    delivery_needs_a_known_end,
    shown_text_stands_in_for_played_audio,
    an_attempt_belongs_to_its_question,
    every_release_makes_the_question_available,
    a_release_names_a_known_reason,
    holding_names_a_known_reason,
    nothing_is_held_before_a_response_ran,
    a_closed_attempt_never_opens_again,
    a_delivered_attempt_cannot_be_taken_back,
    delivered_once_is_delivered_for_good,
    a_released_question_can_be_delivered_by_another_attempt,
    once_held_a_released_return_leaves_it_held,
    a_new_selection_supersedes_the_next,
    a_new_selection_leaves_the_current_alone,
    only_one_attempt_is_current,
    a_pending_question_is_not_selected_again,
    an_attempt_id_is_used_once,
    only_registered_questions_are_selected,
    a_question_is_registered_once,
    a_question_needs_an_id,
    memory_is_not_credit,
    the_same_sentence_is_heard_once,
    a_mark_stays_as_first_set,
    failed_recoveries_are_counted,
    late_evidence_changes_nothing,
    order_and_repeats_do_not_matter,
    two_events_cannot_share_a_number,
    numbers_rise,
    an_event_without_effect_stays_on_record,
    odd_evidence_proves_nothing,
    delivered_pending_and_available_are_apart,
    available_goes_by_priority_then_plan,
    held_questions_come_last,
    a_held_question_returns_twice,
    a_held_question_outside_the_plan_does_not_return,
    a_volunteered_answer_lowers_priority_by_one,
    a_question_answered_when_asked_is_done,
    a_held_question_that_was_answered_does_not_return,
    reconstruction_lowers_by_its_score_and_never_bans,
    what_an_earlier_call_delivered_stays_delivered,
    what_an_earlier_call_held_comes_last_and_not_for_ever,
    a_standing_is_carried_once_before_any_attempt_and_known,
    what_was_heard_before_is_remembered_apart,
    covered_declined_and_claimed_are_not_asked,
    questions_outside_the_plan_are_kept_apart,
)
