"""From a decision to a delivered question, and the ways it falls short before a response runs."""

from tests.call.bench import Q1, Q2, Q3, Bench, ask, opened


def stages(bench: Bench, question_id: str) -> list[str]:
    return [e.kind for e in bench.core.ledger.events if e.question_id == question_id and e.attempt_id]


def chosen(**options: object) -> Bench:
    """q2 was chosen while the guest spoke; its update is on its way."""
    bench = opened(**options)
    bench.acks = False
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    return bench


def test_the_opening_takes_the_plan_s_first_question_through_all_stages() -> None:
    bench = opened()
    assert bench.requests == ["opening"]
    assert stages(bench, "q1") == ["selected", "accepted", "started", "generated", "heard", "delivered"]
    assert bench.status("q1") == "delivered"


def test_trap_2_selection_is_not_delivery() -> None:
    bench = chosen()
    assert stages(bench, "q2") == ["selected"]
    assert bench.status("q2") == "pending"
    bench.ack()
    bench.say(f"A river. {Q2}")
    assert bench.status("q2") == "pending"
    bench.hear(4_000)
    assert bench.status("q2") == "delivered"


def test_trap_2_a_chosen_question_that_is_not_spoken_is_available_again() -> None:
    bench = chosen()
    bench.ack()
    bench.reply("That sounds like a good place to be a child.")
    assert bench.endings() == [("q2", "wandered")]
    assert bench.status("q2") == "available"


def test_the_request_is_bound_to_the_attempt_and_carries_the_accepted_text() -> None:
    bench = chosen()
    bench.ack()
    request = bench.sent("response.create")[-1]
    accepted = bench.events("accepted")[-1]
    assert request["response"]["metadata"] == {
        "reply": "2",
        "kind": "question",
        "epoch": "1",
        "revision": str(accepted.evidence["revision"]),
        "attempt": "a2",
        "question": "q2",
    }
    assert request["event_id"]
    assert request["response"]["instructions"] == bench.guidance


def test_only_one_update_is_in_flight() -> None:
    bench = opened()
    bench.acks = False
    before = len(bench.sent("session.update"))
    bench.command("ask", "What colour was it?")
    bench.command("ask", "Who paid for it?")
    bench.command("ask", "How long did it stand?")
    assert len(bench.sent("session.update")) == before + 1
    bench.ack()
    assert len(bench.sent("session.update")) == before + 2
    assert "How long did it stand?" in bench.guidance


def test_an_acknowledgement_must_echo_the_very_text() -> None:
    bench = chosen()
    bench.ack(instructions="something else")
    assert stages(bench, "q2") == ["selected"]
    bench.ack()
    assert stages(bench, "q2") == ["selected", "accepted"]


def test_a_doubled_acknowledgement_counts_once() -> None:
    bench = chosen()
    bench.ack()
    bench.ack()
    assert stages(bench, "q2") == ["selected", "accepted"]


def test_a_lost_acknowledgement_releases_after_3_seconds_and_the_call_goes_on() -> None:
    bench = opened()
    bench.acks = False
    bench.decisions.append(ask(Q2, "q2"))
    item = bench.starts()
    bench.stops(item)
    bench.transcribed(item, "I grew up beside a river.")
    # The guest goes on at once, so nothing but the 3 s decides.
    bench.starts()
    sent = bench.now
    bench.until(sent + 2_999)
    assert bench.status("q2") == "pending"
    bench.until(sent + 3_000)
    assert bench.endings() == [("q2", "timed_out")]
    assert bench.status("q2") == "available"
    assert bench.end is None


def test_at_the_end_of_a_guest_turn_an_acknowledgement_is_waited_for_1500_ms_then_the_reply_is_free() -> None:
    bench = chosen()
    committed = bench.now
    bench.until(committed + 1_499)
    assert bench.requests == ["opening"]
    bench.until(committed + 1_500)
    assert bench.endings() == [("q2", "timed_out")]
    assert bench.requests == ["opening", "free"]
    assert Q2 not in bench.asked_under


def test_a_late_acknowledgement_does_not_revive_the_attempt() -> None:
    bench = chosen()
    bench.wait(1_500)
    bench.ack()
    assert stages(bench, "q2") == ["selected", "released"]
    assert bench.status("q2") == "available"
    assert bench.core.ledger.anomalies == []


def test_a_refused_update_releases_the_attempt() -> None:
    bench = chosen()
    bench.refuse(bench.sent("session.update")[-1]["event_id"])
    assert bench.endings() == [("q2", "refused")]
    bench.wait(300)
    assert bench.requests == ["opening", "free"]


def test_without_a_proposal_the_reply_is_free_after_300_ms() -> None:
    bench = opened()
    bench.guest("I grew up beside a river.")
    bench.until(bench.now + 299)
    assert bench.requests == ["opening"]
    bench.wait(1)
    assert bench.requests == ["opening", "free"]
    metadata = bench.sent("response.create")[-1]["response"]["metadata"]
    assert "attempt" not in metadata
    assert metadata["kind"] == "free"
    assert f"- {Q1}" in bench.asked_under


def test_a_proposal_accepted_before_the_answer_is_asked_at_once_and_its_staleness_recorded() -> None:
    bench = opened()
    bench.decisions.append(ask(Q2, "q2"))
    bench.wait(6_000)
    assert bench.status("q2") == "pending"
    chosen_ms = bench.events("selected")[-1].t_ms
    bench.guest("I grew up beside a river.", 3_000)
    assert bench.requests == ["opening", "question"]
    bench.created()
    assert bench.events("started")[-1].evidence["stale_ms"] == bench.now - chosen_ms


def test_a_new_proposal_supersedes_the_one_that_waits() -> None:
    bench = opened(call={"nudge_after_ms": 100_000})
    bench.decisions.append(ask(Q2, "q2"))
    bench.wait(6_000)
    bench.decisions.append(ask(Q3, "q3"))
    bench.wait(30_000)
    assert bench.endings() == [("q2", "superseded")]
    bench.guest("I grew up beside a river.")
    assert f"<ask>{Q3}</ask>" in bench.asked_under


def test_the_same_proposal_again_leaves_the_attempt_alone() -> None:
    bench = opened(call={"nudge_after_ms": 100_000})
    bench.decisions += [ask(Q2, "q2"), ask(Q2, "q2")]
    bench.wait(50_000)
    assert stages(bench, "q2") == ["selected", "accepted"]
    assert [r["outcome"] for r in bench.records("decision")][:2] == ["selected", "kept"]


def test_a_proposal_never_supersedes_what_is_being_said() -> None:
    bench = chosen()
    bench.ack()
    bench.created()
    bench.acks = True
    bench.command("ask", "What colour was it?")
    assert bench.core.ledger.current is not None
    assert bench.core.ledger.current.question_id == "q2"
    bench.audio(4_000)
    bench.words(Q2)
    bench.done()
    bench.hear(4_000)
    assert bench.status("q2") == "delivered"


def test_a_delivered_question_is_not_chosen_again() -> None:
    bench = opened()
    bench.decisions.append(ask(Q1, "q1"))
    bench.guest("I grew up beside a river.")
    assert bench.records("decision")[-1]["outcome"] == "refused"
    bench.wait(300)
    assert bench.requests[-1] == "free"


OTHERS = ("What did the mill cost?", "Who taught you to weave?", "Which winter froze the canal?")
RETURN = ask(Q1, "q1", returning=True, why="they broke off when the river came up")


def further() -> Bench:
    """q1 was delivered, and three other questions were heard since."""
    bench = opened()
    for text in OTHERS:
        bench.decisions.append(ask(text, source="gap"))
        bench.guest("I grew up beside a river and a mill.")
        bench.reply(text)
    return bench


def refusals(bench: Bench) -> list[str]:
    return [record["reason"] for record in bench.records("decision") if record["outcome"] == "refused"]


def test_a_delivered_question_may_be_returned_to_deliberately() -> None:
    bench = further()
    bench.decisions.append(RETURN)
    bench.guest("I grew up beside a river.")
    assert f'<ask returning="yes">{Q1}</ask>' in bench.asked_under
    assert bench.status("q1") == "delivered"


def test_a_call_returns_once_to_a_delivered_question_whatever_the_model_says() -> None:
    bench = opened()
    for text in (*OTHERS, "") * 4:
        bench.decisions.append(ask(text, source="gap") if text else RETURN)
        bench.guest("I grew up beside a river and a mill.")
        bench.reply(Q1 if f'<ask returning="yes">{Q1}</ask>' in bench.asked_under else text or "Do go on.")
    assert [event.question_id for event in bench.events("heard")].count("q1") == 2
    assert "no return to it: asked and heard 2 times in this call" in refusals(bench)


def test_a_return_needs_other_questions_in_between() -> None:
    bench = opened()
    bench.decisions.append(RETURN)
    bench.guest("I grew up beside a river.")
    assert refusals(bench) == ["no return to it: only 0 of 3 other questions were heard since"]
    bench.wait(300)
    assert bench.requests[-1] == "free"


def test_a_return_needs_a_reason() -> None:
    bench = further()
    bench.decisions.append(ask(Q1, "q1", returning=True, why=" "))
    bench.guest("I grew up beside a river.")
    assert refusals(bench) == ["no return to it: no reason was given"]


def test_a_service_that_echoes_nothing_at_all_accepts_by_order_and_the_ledger_says_inferred() -> None:
    bench = Bench(acks=False, echo=False).begin()
    bench.frame("session.updated", session={"type": "realtime"})
    bench.reply(f"Welcome. {Q1}")
    (accepted,) = bench.events("accepted")
    assert (accepted.evidence["by"], accepted.basis) == ("order", "inferred")
    assert bench.status("q1") == "delivered"


def test_an_acknowledgement_without_its_text_is_none_from_a_service_that_echoes() -> None:
    bench = opened(acks=True)
    bench.acks = False
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.frame("session.updated", session={"type": "realtime"})
    bench.wait(1_600)
    assert bench.requests[-1] == "free"
    assert ("q2", "timed_out") in bench.endings()
