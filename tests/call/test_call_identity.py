"""Which question a proposal means."""

from typing import Any

import pytest

from tests.call.bench import Q2, Bench, ask, opened

CLOSE_TO_Q2 = "So what broke on that first crossing of the river?"  # {broke, first, crossing, river}: 4 / 4
NEW = "What did the mayor say?"


def proposed(text: str, question_id: str | None, source: Any = "plan", **more: Any) -> Bench:
    bench = opened()
    bench.decisions.append(ask(text, question_id, source, **more))
    bench.guest("I grew up beside a river.")
    return bench


def chosen(bench: Bench) -> str | None:
    return bench.events("selected")[-1].question_id


def test_a_valid_id_is_the_question() -> None:
    assert chosen(proposed("Anything else?", "q3")) == "q3"


@pytest.mark.parametrize("source", ["plan", "gap", "contradiction", "research", "closing"])
@pytest.mark.parametrize("given", [None, "q99", ""])
def test_trap_3_an_id_that_is_missing_or_not_in_the_plan_is_recovered_by_text(source: Any, given: str | None) -> None:
    bench = proposed(CLOSE_TO_Q2, given, source)
    assert chosen(bench) == "q2"
    evidence = bench.events("recovered")[-1].evidence
    assert (evidence["score"], evidence["threshold"], evidence["scorer"]) == (1.0, 0.35, "jaccard/1")
    assert evidence["given"] == given
    assert bench.events("recovered")[-1].known == "matched"


def test_a_score_at_the_threshold_is_not_above_it() -> None:
    # {first, river, war} against {broke, first, river, crossing}: 2 / 5 = 0.4, and {first, war, ended}: 1 / 6.
    assert chosen(proposed("Your first river war?", None)) == "q2"
    assert chosen(proposed("How the first war ended?", None)) == "u1"
    bench = opened(match={"recovery": 0.4})
    bench.decisions.append(ask("Your first river war?", None))
    bench.guest("I grew up beside a river.")
    assert chosen(bench) == "u1"


def test_a_failed_recovery_is_an_event_and_counted() -> None:
    bench = proposed(NEW, "q99")
    assert bench.core.ledger.unrecovered == 1
    assert bench.events("unrecovered")[-1].evidence["given"] == "q99"


def test_a_question_that_never_claimed_an_id_is_no_failed_recovery() -> None:
    assert proposed(NEW, None, "gap").core.ledger.unrecovered == 0


def test_an_unplanned_question_gets_an_id_of_its_own_apart_from_the_plan() -> None:
    bench = proposed(NEW, None, "gap")
    question = bench.core.ledger.questions["u1"]
    assert (question.text, question.planned, question.source) == (NEW, False, "gap")
    bench.reply(f"A river. {NEW}")
    assert bench.status("u1") == "delivered"


def test_an_unplanned_question_keeps_its_id_when_it_is_proposed_again() -> None:
    bench = proposed(NEW, None, "gap")
    bench.reply("Oh.")
    bench.decisions.append(ask(NEW, None, "gap"))
    bench.guest("That is all.")
    assert chosen(bench) == "u1"
    assert "u2" not in bench.core.ledger.questions


def test_the_voice_s_own_questions_are_recorded_as_unplanned() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.reply("Which fish did you catch there?")
    question = bench.core.ledger.questions["v1"]
    assert (question.text, question.planned, question.source) == ("Which fish did you catch there?", False, "voice")
    heard = bench.core.ledger.heard[-1]
    assert (heard.text, heard.question_id) == ("Which fish did you catch there?", "v1")
    bench.guest("Trout, mostly.")
    bench.wait(300)
    assert "- Which fish did you catch there?" in bench.asked_under


def test_a_planned_question_asked_freely_is_covered() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.wait(300)
    bench.reply(CLOSE_TO_Q2)
    assert bench.core.ledger.questions["q2"].covered is not None
    assert bench.status("q2") == "available"
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("The ropes broke.")
    assert bench.records("decision")[-1]["outcome"] == "refused"


def test_a_question_by_the_person_at_the_screen_is_asked() -> None:
    bench = opened()
    bench.command("ask", NEW)
    bench.guest("I grew up beside a river.")
    assert f"<ask>{NEW}</ask>" in bench.asked_under
