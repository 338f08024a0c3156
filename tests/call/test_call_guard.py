"""A question that was heard is not asked again by accident: before it is attempted, and after it was spoken."""

from collections.abc import Callable
from typing import Any

import pytest

from interviewer.call.actions import Append, Compare
from interviewer.call.core import Core
from interviewer.call.inputs import Compared
from interviewer.ledger.events import LedgerEvent
from interviewer.ledger.views import why
from tests.call.bench import Q1, Q2, Bench, ask, opened

# Of the content words of Q1 (come, build, bridges) and this one's (made, come, build, bridges) 3 in 4 are shared.
AGAIN = "What made you come to build bridges?"
REWORDED = "Which path led you into this trade?"  # shares no word with Q1
RIVER = "I grew up beside a river."
BY_VECTORS: dict[str, Any] = {"scorer": "mine", "version": "7", "value": 0.7}


def proposing(*decisions: Any, **options: Any) -> Bench:
    bench = opened(**options)
    bench.decisions.extend(decisions)
    bench.guest(RIVER)
    return bench


def told(bench: Bench) -> list[tuple[Any, Any]]:
    return [(e.evidence["text"], e.evidence["decision"]) for e in bench.events("guarded")]


def scored(bench: Bench, score: Callable[[str, str], float | None], scorer: str = "mine/7") -> None:
    """Answer the newest comparison."""
    asked = bench.of(Compare)[-1]
    rows = tuple(tuple(score(row, column) for column in asked.columns) for row in asked.rows)
    bench.step(Compared(bench.now, asked.number, scorer, rows))


# -- before it is attempted --------------------------------------------------------------------------------------


def test_a_repeat_is_refused_with_its_reason_and_the_plans_next_is_asked() -> None:
    bench = proposing(ask(AGAIN, source="gap"))
    refused, instead = bench.records("decision")[-2:]
    assert (refused["outcome"], refused["reason"]) == ("refused", f"it repeats what was heard: {Q1}")
    assert (instead["outcome"], instead["text"], instead["question_id"]) == ("selected", Q2, "q2")
    event = bench.events("guarded")[0]
    assert event.evidence["score"] == 0.75
    assert (event.evidence["threshold"], event.evidence["scorer"]) == (0.35, "jaccard/1")
    assert (event.evidence["like"], event.evidence["like_id"]) == (Q1, "q1")
    bench.reply(Q2)
    assert bench.status("q2") == "delivered"
    assert "the guard refused it" in why(bench.core.ledger, "u1")


def test_what_was_refused_is_not_offered_again() -> None:
    bench = proposing(ask(AGAIN, source="gap"))
    assert [view.selectable for view in bench.core._cycles.questions() if view.id == "u1"] == [False]


def test_it_costs_the_guest_no_time() -> None:
    refused, free = proposing(ask(AGAIN, source="gap")), proposing(ask(Q2, "q2"))
    assert refused.requests == free.requests == ["opening", "question"]
    assert refused.now == free.now


def test_a_question_of_the_chain_counts_as_heard() -> None:
    from interviewer.memory.earlier import Asked, Earlier

    earlier = Earlier(heard=(Asked(text="Which winter froze the old canal?"),))
    bench = proposing(ask("Which winter froze your canal?", source="gap"), earlier=earlier)
    assert told(bench)[0] == ("Which winter froze your canal?", "refused")


def test_warn_lets_it_pass_and_says_so_and_off_says_nothing() -> None:
    warned = proposing(ask(AGAIN, source="gap"), guard={"mode": "warn"})
    assert told(warned) == [(AGAIN, "warned")]
    assert warned.records("decision")[-1]["outcome"] == "selected"
    off = proposing(ask(AGAIN, source="gap"), guard={"mode": "off"})
    off.reply(AGAIN)
    assert (off.events("guarded"), off.events("repeated"), off.records("guard")) == ([], [], [])


def test_a_deliberate_return_passes_when_it_says_why() -> None:
    # Q1 is another question's, so what comes back is new to the ledger: only the guard knows.
    reason = "they broke off when the river came up"
    bench = opened(call={"return_after": 0})
    bench.decisions.append(ask(AGAIN, source="gap", returning=True, why=reason))
    bench.guest(RIVER)
    assert told(bench) == [(AGAIN, "returned")]
    assert bench.events("guarded")[0].evidence["reason"] == reason
    assert 'returning="yes"' in bench.guidance


def test_a_return_that_does_not_say_why_or_comes_too_soon_is_refused() -> None:
    silent = proposing(ask(AGAIN, source="gap", returning=True))
    assert told(silent)[0] == (AGAIN, "refused")
    soon = proposing(ask(AGAIN, source="gap", returning=True, why="I liked it"))
    assert (
        soon.events("guarded")[0].evidence["reason"] == "no return to it: only 0 of 3 other questions were heard since"
    )


def test_a_second_deliberate_return_in_yet_other_words_is_refused() -> None:
    bench = opened(call={"return_after": 0})
    for text in (AGAIN, "What made you come and build bridges?"):
        bench.decisions.append(ask(text, source="gap", returning=True, why="there was more to it"))
        bench.guest(RIVER)
        bench.reply(text)
    said = [(e.evidence["decision"], e.evidence["reason"]) for e in bench.events("guarded")]
    assert said[:2] == [
        ("returned", "there was more to it"),
        ("refused", "no return to it: asked and heard 2 times in this call"),
    ]


def test_a_question_that_the_guest_declined_is_not_returned_to_in_other_words() -> None:
    bench = opened(guard=BY_VECTORS, call={"return_after": 0})
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest(RIVER)
    scored(bench, lambda *_: 0.1)
    bench.say(f"A river. {Q2}", status="cancelled")
    bench.hear(4_000)
    bench.core._hub.log("declined", "q2", known="matched", basis="inferred", text="rather not")
    bench.decisions.append(ask(REWORDED, source="gap", returning=True, why="I am curious"))
    bench.guest("I would rather not.")
    scored(bench, lambda row, _: 0.9 if row == Q2 else 0.1)
    refused = next(e for e in bench.events("guarded") if e.evidence["text"] == REWORDED)
    assert refused.evidence["reason"] == "no return to it: the guest does not want it again"


def test_a_person_at_the_screen_is_warned_not_stopped() -> None:
    bench = proposing(ask(AGAIN, source="gap"))
    bench.reply(Q2)
    bench.command("ask", AGAIN)
    assert told(bench)[-1] == (AGAIN, "warned")
    assert bench.records("decision")[-1]["outcome"] == "selected"


def test_a_question_that_only_points_passes() -> None:
    bench = proposing(ask("Why is that?", source="gap"))
    assert told(bench) == [("Why is that?", "passed")]
    assert bench.events("guarded")[0].evidence["score"] is None


def test_a_closing_question_repeats_no_question_about_the_same_thing() -> None:
    text = "Is there anything else about how you come to build bridges?"
    assert told(proposing(ask(text, source="gap"))) == [(text, "passed")]


def test_if_all_that_comes_next_repeats_too_the_reply_is_free() -> None:
    bench = proposing(ask(AGAIN, source="gap"), guard={"instead": 0})
    bench.wait(300)
    assert bench.requests == ["opening", "free"]


# -- scores of a driver ------------------------------------------------------------------------------------------


def test_scores_of_the_driver_decide_where_words_see_nothing() -> None:
    bench = proposing(ask(REWORDED, source="gap"), guard=BY_VECTORS)
    assert bench.of(Compare)[-1].columns == (REWORDED,)
    assert told(bench) == []
    scored(bench, lambda row, _: 0.9 if row == Q1 else 0.1)
    assert told(bench)[0] == (REWORDED, "refused")
    scored(bench, lambda *_: 0.1)  # the plan's next
    assert bench.records("decision")[-1]["text"] == Q2
    assert bench.events("guarded")[0].evidence["scorer"] == "mine/7"


def test_a_pair_is_compared_once() -> None:
    bench = proposing(ask(REWORDED, source="gap"), guard=BY_VECTORS)
    scored(bench, lambda *_: 0.1)
    asked = len(bench.of(Compare))
    bench.reply(REWORDED)
    assert len(bench.of(Compare)) == asked


def test_without_scores_in_time_words_decide_and_that_is_said() -> None:
    bench = proposing(ask(AGAIN, source="gap"), guard=BY_VECTORS | {"wait_ms": 200})
    bench.wait(500)
    assert told(bench)[0] == (AGAIN, "refused")
    assert bench.events("guarded")[0].evidence["scorer"] == "jaccard/1"
    assert bench.records("guard")[-1] == {"problem": "no scores in time", "by": "jaccard/1"}
    scored(bench, lambda *_: 0.0)  # late, and for nobody
    assert [r["what"] for r in bench.records("ignored")][-1] == "late comparison"


def test_a_scorer_that_is_silent_is_waited_for_once_and_not_for_each_candidate() -> None:
    bench = proposing(ask(AGAIN, source="gap"), guard=BY_VECTORS | {"wait_ms": 200})
    bench.wait(250)
    assert told(bench) == [(AGAIN, "refused"), (Q2, "passed")]
    assert bench.records("decision")[-1]["text"] == Q2


def test_scores_of_another_version_are_no_scores() -> None:
    bench = proposing(ask(AGAIN, source="gap"), guard=BY_VECTORS)
    scored(bench, lambda *_: 0.0, scorer="mine/8")
    assert told(bench)[0] == (AGAIN, "refused")
    assert "mine/8" in bench.records("guard")[-1]["problem"]


def test_scores_of_another_shape_are_named_as_such() -> None:
    bench = proposing(ask(AGAIN, source="gap"), guard=BY_VECTORS)
    asked = bench.of(Compare)[-1]
    bench.step(Compared(bench.now, asked.number, "mine/7", ()))
    assert bench.records("guard")[-1]["problem"] == (f"not {len(asked.rows)} rows of 1 scores each, as was asked for")
    assert told(bench)[0] == (AGAIN, "refused")


@pytest.mark.parametrize("score", [None, float("nan"), float("inf")])
def test_what_the_scorer_cannot_tell_goes_by_words(score: float | None) -> None:
    bench = proposing(ask(AGAIN, source="gap"), guard=BY_VECTORS)
    scored(bench, lambda *_: score)
    assert told(bench)[0] == (AGAIN, "refused")


def test_a_later_decision_takes_the_place_of_one_that_waits_for_scores() -> None:
    bench = proposing(ask(REWORDED, source="gap"), guard=BY_VECTORS)
    first = bench.of(Compare)[-1]
    bench.command("ask", "Which winter froze the canal?")
    scored(bench, lambda *_: 0.1)
    bench.step(Compared(bench.now, first.number, "mine/7", tuple((0.1,) for _ in first.rows)))
    assert [r["text"] for r in bench.records("decision")] == ["Which winter froze the canal?"]


def test_the_same_inputs_give_the_same_ledger_on_a_machine_without_the_scorer() -> None:
    bench = proposing(ask(REWORDED, source="gap"), guard=BY_VECTORS)
    scored(bench, lambda row, _: 0.9 if row == Q1 else 0.1)
    scored(bench, lambda *_: 0.1)
    bench.reply(Q2)
    core, again = Core(bench.setup), list[LedgerEvent]()
    for record in bench.inputs:
        again += [action.event for action in core.step(record) if isinstance(action, Append)]
    assert again == bench.core.ledger.events


# -- after it was spoken -----------------------------------------------------------------------------------------


def test_a_repeat_that_the_voice_makes_up_is_an_event_and_the_next_guidance_names_it() -> None:
    bench = opened()
    bench.guest(RIVER)
    bench.wait(400)
    bench.reply(f"A river. {AGAIN}")
    event = bench.events("repeated")[0]
    assert (event.evidence["text"], event.evidence["like"], event.evidence["deliberate"]) == (AGAIN, Q1, False)
    assert bench.core.ledger.repeats == [event]
    assert f"“{AGAIN}” asked it again, though nobody meant it" in why(bench.core.ledger, "q1")
    again = bench.guidance.partition("<again>")[2].partition("</again>")[0]
    assert again.strip() == f"- {Q1}"


def test_a_deliberate_return_is_no_repeat_to_blame() -> None:
    bench = opened(call={"return_after": 0})
    bench.decisions.append(ask(AGAIN, source="gap", returning=True, why="they broke off"))
    bench.guest(RIVER)
    bench.reply(AGAIN)
    assert [e.evidence["deliberate"] for e in bench.events("repeated")] == [True]
    assert "<again>" not in bench.guidance


def test_two_questions_of_one_reply_do_not_repeat_each_other() -> None:
    bench = opened()
    bench.guest(RIVER)
    bench.wait(400)
    bench.reply("What froze the canal in winter? What froze the old canal in winter?")
    assert bench.events("repeated") == []


def test_a_question_is_not_barred_by_its_own_earlier_attempt() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest(RIVER)
    bench.say(f"A river. {Q2}", status="cancelled")
    bench.hear(4_000)
    assert bench.status("q2") == "held"
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("Sorry?")
    assert told(bench) == [(Q2, "passed"), (Q2, "passed")]
