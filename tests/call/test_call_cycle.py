"""The live agent cycle."""

from typing import Any

import pytest

from interviewer.call.actions import CancelJob, StartJob
from interviewer.memory.earlier import Asked, Earlier
from interviewer.model.decision import Decision, Research, ResearchItem
from interviewer.model.notes import Answered, Contradiction, Coverage, Gap, Notes
from tests.call.bench import Q1, Q2, Q3, Bench, ask, opened, silence

QUIET = {"nudge_after_ms": 3_000_000, "silence_ends_ms": 3_600_000}
RIVER = "I grew up beside a river, and the ropes broke."


def manual(**options: Any) -> Bench:
    """A quiet opened call whose agents answer by hand from now on."""
    bench = opened(call=QUIET, **options)
    bench.agents = False
    return bench


def speak(bench: Bench, text: str = RIVER) -> None:
    item = bench.starts()
    bench.stops(item)
    bench.transcribed(item, text)


# -- when it runs ------------------------------------------------------------------------------------------------


def test_a_guest_turn_starts_note_taker_and_researcher_side_by_side_and_then_the_orchestrator() -> None:
    bench = manual()
    speak(bench)
    assert bench.running() == ["note_taker", "researcher"]
    bench.answer("researcher", Research())
    assert bench.running() == ["note_taker"]
    bench.answer("note_taker", Notes())
    assert bench.running() == ["orchestrator"]


def test_a_cycle_runs_every_ten_seconds() -> None:
    bench = manual()
    speak(bench)
    bench.decide(silence())
    started = bench.now
    bench.frame("conversation.item.input_audio_transcription.delta", item_id="guest_9", delta="And")
    bench.until(started + 9_999)
    assert bench.running() == []
    bench.reply("A river!", 0)
    bench.until(started + 10_000)
    assert bench.running() == ["note_taker", "researcher"]


def test_two_cycles_never_run_at_once() -> None:
    bench = manual()
    speak(bench)
    speak(bench, "That was in the war.")
    bench.wait(500)
    assert bench.running() == ["note_taker", "researcher"]
    bench.decide(silence())
    # The second turn waited for its cycle; it starts as the first one ends.
    assert bench.running() == ["note_taker", "researcher"]
    assert "That was in the war." in bench.open_job("note_taker").data.turns[-1].text  # type: ignore[attr-defined]


def test_words_that_are_not_final_start_nothing() -> None:
    bench = opened(call=QUIET)
    bench.until(10_000)
    bench.agents = False
    item = bench.starts()
    for word in ("I ", "grew ", "up "):
        bench.frame("conversation.item.input_audio_transcription.delta", item_id=item, delta=word)
    bench.until(30_000)
    assert bench.running() == []


def test_without_new_content_only_the_orchestrator_runs_and_only_after_30_seconds() -> None:
    bench = opened(call=QUIET)
    bench.until(10_000)
    bench.agents = False
    # The cycle at 10 s has read all there is and decided at once.
    bench.until(39_999)
    assert bench.running() == []
    bench.until(40_000)
    assert bench.running() == ["orchestrator"]


# -- what the agents read ----------------------------------------------------------------------------------------


def test_trap_15_the_person_s_context_reaches_every_agent() -> None:
    bench = manual(context="I dislike heights.")
    speak(bench)
    bench.decide(silence())
    bench.agents = True
    bench.command("end")
    bench.wait(3_000)
    contexts: dict[str, set[str]] = {}
    for job in bench.of(StartJob):
        contexts.setdefault(job.agent, set()).add(job.data.context)
        assert (job.data.topic, job.data.language) == ("Bridges", "en")
    agents = ("note_taker", "researcher", "orchestrator", "analyst", "follow_up", "writer")
    assert contexts == {agent: {"I dislike heights."} for agent in agents}


def test_windows_are_20_20_and_30_turns() -> None:
    bench = manual()
    bench.agents = True
    for number in range(20):
        bench.guest(f"Answer number {number}.", 100)
        bench.wait(300)
        bench.reply(f"Remark number {number}.", 100)
    bench.agents = False
    speak(bench, "The last answer.")
    note_taker, researcher = bench.open_job("note_taker").data, bench.open_job("researcher").data
    bench.listened()
    orchestrator = bench.open_job("orchestrator").data
    lengths = [len(data.turns) for data in (note_taker, researcher, orchestrator)]  # type: ignore[attr-defined]
    assert lengths == [20, 20, 30]
    for data in (note_taker, researcher, orchestrator):
        assert data.turns[-1].text == "The last answer."  # type: ignore[attr-defined]


def test_the_orchestrator_sees_delivered_pending_and_available_apart() -> None:
    bench = manual()
    speak(bench)
    bench.decide(ask(Q2, "q2"))
    speak(bench, "That was in the war.")
    bench.listened()
    seen = {q.id: (q.status, q.selectable) for q in bench.open_job("orchestrator").data.questions}  # type: ignore[attr-defined]
    assert seen == {
        "q1": ("delivered", False),
        "q2": ("pending", False),
        "q3": ("available", True),
        "q4": ("available", True),
    }


def test_the_orchestrator_sees_heard_questions_of_the_chain_and_its_last_ten_proposals_whole() -> None:
    bench = manual(earlier=Earlier(heard=(Asked(text="An earlier question?"),)))
    long = "What about the very long story of number {} and of everything that came after it in those years?"
    for number in range(12):
        speak(bench, f"Answer number {number}.")
        bench.decide(ask(long.format(number), None, "gap"))
        bench.wait(3_000)
    speak(bench, "The last answer.")
    bench.listened()
    data: Any = bench.open_job("orchestrator").data
    assert data.heard[:2] == ("An earlier question?", Q1)
    assert data.proposals == tuple(long.format(number) for number in range(2, 12))


def test_the_orchestrator_sees_the_clock_and_the_guest_s_requests() -> None:
    bench = manual()
    speak(bench, "Can we skip that one?")
    bench.listened()
    data: Any = bench.open_job("orchestrator").data
    assert (data.phase, data.elapsed_ms, data.target_ms) == ("opening", bench.now, 840_000)
    assert data.requests == ("skip: q1",)


THEMES = ("win", "war", "old followers")


def themes_after(ms: int) -> Any:
    """What the Orchestrator is shown this long after a question was heard that was proposed with THEMES."""
    bench = manual()
    speak(bench)
    bench.decide(ask("Who were you following, old follower?", None, "gap", themes=THEMES))
    bench.reply("So who were you following, old follower?")
    bench.run(ms)
    speak(bench, "My father.")
    bench.listened()
    return bench.open_job("orchestrator").data


def test_trap_5_a_theme_is_covered_by_whole_words_that_were_heard_apart_from_proposed_ones() -> None:
    data = themes_after(0)
    assert data.themes_covered == ("old followers",)  # "win" is only a part of "following"
    assert data.themes_proposed == THEMES


def test_themes_fade_with_time() -> None:
    # Half after five minutes, gone after ten.
    assert themes_after(540_000).themes_covered == ("old followers",)
    later = themes_after(660_000)
    assert later.themes_covered == ()
    assert set(THEMES).isdisjoint(later.themes_proposed)


def test_a_theme_that_is_proposed_again_is_not_told_as_open_though_it_was_heard_long_ago() -> None:
    bench = manual()
    speak(bench)
    bench.decide(ask("Who were you following, old follower?", None, "gap", themes=THEMES))
    bench.reply("So who were you following, old follower?")
    bench.run(540_000)
    speak(bench, "My father.")
    bench.listened()
    bench.decide(ask("What did the old followers say?", None, "gap", themes=("old followers",)))
    bench.run(120_000)
    speak(bench, "Hm.")
    bench.listened()
    data: Any = bench.open_job("orchestrator").data
    assert "old followers" in data.themes_proposed
    assert "old followers" in data.themes_covered
    assert {"win", "war"}.isdisjoint(data.themes_proposed)  # these were not proposed again


def test_notes_start_from_an_earlier_call_s() -> None:
    notes = Notes(coverage=(Coverage(section_id="s1", depth="deep"),))
    bench = manual(earlier=Earlier(notes=notes))
    speak(bench)
    assert bench.open_job("note_taker").data.notes == notes  # type: ignore[attr-defined]


# -- what becomes of it ------------------------------------------------------------------------------------------

CLASH = Contradiction(
    id="",
    text="old against new",
    first_quote="I grew up beside a river",
    first_turn="t2",
    second_quote="the ropes broke",
    second_turn="t2",
    question="How do the river and the ropes go together?",
)
GAP = Gap(id="", text="the ropes", question="Why did the ropes break?", quote="the ropes broke", turn="t2")


def test_trap_6_contradictions_do_not_enter_the_guidance_by_themselves() -> None:
    bench = manual()
    speak(bench)
    bench.answer("researcher", Research())
    bench.answer("note_taker", Notes(contradictions=(CLASH,)))
    bench.answer("orchestrator", silence())
    assert len(bench.core.notes.contradictions) == 1
    bench.wait(300)
    assert "go together" not in bench.guidance + bench.asked_under


def test_trap_6_a_resolved_gap_does_not_come_back() -> None:
    bench = manual()
    speak(bench)
    bench.answer("researcher", Research())
    bench.answer("note_taker", Notes(gaps=(GAP,)))
    bench.answer("orchestrator", silence())
    (gap,) = bench.core.notes.gaps
    for update in (Notes(resolved=(gap.id,)), Notes(gaps=(GAP,))):
        speak(bench, "They were old.")
        bench.answer("researcher", Research())
        bench.answer("note_taker", update)
        bench.answer("orchestrator", silence())
        assert bench.core.notes.gaps == ()


def test_trap_6_coverage_never_falls() -> None:
    bench = manual()
    depths = []
    for depth in ("deep", "none"):
        speak(bench)
        bench.answer("researcher", Research())
        bench.answer("note_taker", Notes(coverage=(Coverage(section_id="s1", depth=depth),)))
        bench.answer("orchestrator", silence())
        depths.append([c.depth for c in bench.core.notes.coverage])
    assert depths == [["deep"], ["deep"]]


def test_an_answer_the_note_taker_found_is_in_the_ledger_as_matched() -> None:
    bench = manual()
    speak(bench)
    bench.answer("researcher", Research())
    bench.answer("note_taker", Notes(answered=(Answered(question_id="q3", turn="t2", volunteered=True),)))
    bench.answer("orchestrator", silence())
    event = bench.events("answered")[-1]
    assert (event.question_id, event.known, event.evidence["turn"]) == ("q3", "matched", "t2")
    assert bench.core.ledger.questions["q3"].effective_priority == 3
    assert bench.status("q3") == "available"


def test_research_reaches_the_orchestrator_two_items_a_pass_and_bans_what_was_tried() -> None:
    bench = manual()
    speak(bench, "We had a rope over the Danube, and later one over the Rhine.")
    items = tuple(
        ResearchItem(
            subject=name,
            said="a rope over the Danube, and later one over the Rhine",
            turn="t2",
            summary="",
            use="",
            verification="not_a_claim",
            sources=(),
        )
        for name in ("Rope", "Danube", "Rhine")
    )
    bench.answer("note_taker", Notes())
    bench.answer("researcher", Research(items=items, tried=("Rope", "Danube", "Rhine")))
    data: Any = bench.open_job("orchestrator").data
    assert [item.subject for item in data.research] == ["Rope", "Danube"]
    bench.answer("orchestrator", silence())
    speak(bench, "That was in the war.")
    banned = bench.open_job("researcher").data.banned  # type: ignore[attr-defined]
    assert banned == ("Bridges", "Rope", "Danube", "Rhine")


def test_a_tried_subject_is_free_again_after_five_minutes_if_new_words_name_it() -> None:
    bench = manual()
    speak(bench)
    bench.answer("note_taker", Notes())
    bench.answer("researcher", Research(tried=("Rope", "Danube")))
    bench.answer("orchestrator", silence())
    bench.agents = True
    bench.run(300_000, "Go on.")
    bench.agents = False
    speak(bench, "The rope again.")
    banned = bench.open_job("researcher").data.banned  # type: ignore[attr-defined]
    assert banned == ("Bridges", "Danube")


def test_the_researcher_rests_for_five_cycles_after_five_failures_and_says_so() -> None:
    bench = manual()
    ran = []
    for number in range(12):
        speak(bench, f"Answer number {number}.")
        ran.append("researcher" in bench.running())
        if ran[-1]:
            bench.answer("researcher", None, error="no network")
        bench.answer("note_taker", Notes())
        bench.answer("orchestrator", silence())
        bench.wait(1_000)
    assert ran == [True] * 5 + [False] * 5 + [True] * 2
    assert [r["reason"] for r in bench.records("fallback") if "resting" in r["reason"]] == [
        "too many failures: resting"
    ]


# -- when it fails -----------------------------------------------------------------------------------------------


def test_note_taker_and_researcher_have_8_seconds_and_the_orchestrator_6() -> None:
    bench = manual()
    speak(bench)
    started = bench.now
    bench.until(started + 7_999)
    assert bench.records("fallback") == []
    bench.until(started + 8_000)
    assert [r["agent"] for r in bench.records("fallback")] == ["note_taker", "researcher"]
    assert len(bench.of(CancelJob)) == 2
    bench.answer("orchestrator", silence())
    assert bench.records("decision")[-1]["outcome"] == "none"


def test_an_orchestrator_that_misses_its_deadline_is_stood_in_for_by_priority() -> None:
    bench = manual()
    speak(bench)
    bench.listened()
    bench.wait(6_000)
    assert bench.records("fallback")[-1] | {"job_id": ""} == {"agent": "orchestrator", "job_id": "", "reason": "late"}
    assert bench.events("selected")[-1].question_id == "q2"


def test_the_fallback_goes_by_priority_then_asks_one_closing_question_once() -> None:
    bench = manual()
    chosen = []
    for number in range(6):
        speak(bench, f"Answer number {number}.")
        bench.listened()
        bench.answer("orchestrator", None, error="no network")
        chosen.append(bench.records("decision")[-1])
        if chosen[-1]["outcome"] == "selected":
            bench.reply(str(chosen[-1]["text"]))
        else:
            bench.wait(300)
            bench.reply("Mm.", 1_000)
        while bench.running():
            bench.decide(silence())
    assert [r["question_id"] for r in chosen[:3]] == ["q2", "q3", "q4"]
    assert [r["source"] for r in chosen[3:]] == ["closing", None, None]


def test_an_output_that_does_not_fit_is_a_failure() -> None:
    bench = manual()
    speak(bench)
    bench.listened()
    job = bench.open_job("orchestrator")
    bench.answer("orchestrator", Notes())
    assert [r["outcome"] for r in bench.records("job") if r["job_id"] == job.job_id] == ["invalid"]
    assert bench.events("selected")[-1].question_id == "q2"


def test_trap_7_a_failed_cycle_is_tried_again() -> None:
    bench = manual()
    speak(bench)
    started = bench.now
    bench.answer("note_taker", None, error="no network")
    bench.answer("researcher", Research())
    bench.answer("orchestrator", silence())
    bench.wait(300)
    assert bench.running() == []
    bench.until(started + 10_000)
    assert "note_taker" in bench.running()
    assert bench.open_job("note_taker").data.turns[-1].text == RIVER  # type: ignore[attr-defined]


def test_trap_7_a_failed_decision_is_tried_again_without_waiting_for_new_content() -> None:
    bench = manual()
    speak(bench)
    started = bench.now
    bench.listened()
    bench.answer("orchestrator", None, error="no network")
    bench.until(started + 10_000)
    if "note_taker" in bench.running():
        bench.listened()
    assert bench.running() == ["orchestrator"]


def test_trap_8_an_answer_that_comes_late_changes_nothing() -> None:
    bench = manual()
    speak(bench)
    bench.listened()
    job = bench.open_job("orchestrator")
    bench.wait(6_000)
    before = len(bench.events("selected"))
    bench.jobs[job.job_id] = job
    bench.answer("orchestrator", ask(Q3, "q3"), job.job_id)
    assert len(bench.events("selected")) == before
    assert bench.records("ignored")[-1]["what"] == "late answer"


def test_trap_8_a_cycle_under_way_cannot_write_once_the_call_is_over() -> None:
    bench = manual()
    speak(bench)
    stale = [bench.open_job("note_taker"), bench.open_job("researcher")]
    bench.command("end")
    bench.drop("closed")
    cancelled = {action.job_id for action in bench.of(CancelJob)}
    assert {job.job_id for job in stale} <= cancelled
    notes = bench.core.notes
    bench.answer("note_taker", Notes(coverage=(Coverage(section_id="s1", depth="deep"),)), stale[0].job_id)
    assert bench.core.notes == notes


@pytest.mark.parametrize("output", [Decision(phase="opening", proposal=None, brief="Be brief.")])
def test_a_decision_without_a_proposal_lets_the_guest_go_on(output: Decision) -> None:
    bench = manual()
    speak(bench)
    bench.decide(output)
    bench.wait(300)
    assert bench.requests[-1] == "free"
    assert "<brief>Be brief.</brief>" in bench.asked_under
