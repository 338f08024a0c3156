"""The grey band: where words cannot tell, a model is asked once, in time, and its answer is evidence."""

from typing import Any

import pytest

from interviewer.agents.judge import JUDGE, JudgeInput
from interviewer.call.core import Core
from interviewer.matching.judge import Judged
from tests.call.bench import Q2, Bench, ask, opened

PARAPHRASE = "Did anything give way while you spanned that stream?"  # shares no content word with q2
REPLY = f"A river. {PARAPHRASE}"
MODEL = {"backend": "compatible", "model": "m", "base_url": "http://127.0.0.1:9/v1"}


def in_doubt(model: dict[str, Any] | None = MODEL, **groups: Any) -> Bench:
    """q2 was asked in other words, and heard to its end."""
    bench = opened(model=model, **groups)
    bench.decisions.append(ask(Q2, "q2"))
    bench.guest("I grew up beside a river.")
    bench.agents = False
    bench.reply(REPLY)
    return bench


def judges(bench: Bench) -> list[str]:
    return [name for name in bench.running() if name == "judge"]


def test_without_a_model_it_stays_unconfirmed() -> None:
    bench = in_doubt(model=None)
    assert bench.endings() == [("q2", "unconfirmed")]
    assert not judges(bench)


def test_a_setting_keeps_the_judge_out() -> None:
    bench = in_doubt(match={"judge": False})
    assert bench.endings() == [("q2", "unconfirmed")]
    assert not judges(bench)


def test_the_judge_gets_the_two_texts_and_nothing_else_of_the_call() -> None:
    bench = in_doubt()
    assert bench.status("q2") == "pending"
    data = bench.open_job("judge").data
    assert data == JudgeInput(first=Q2, second=REPLY)
    prompt = JUDGE.prompt(data)
    assert Q2 in prompt
    assert PARAPHRASE in prompt
    assert "bridge" not in prompt.casefold()
    assert "beside" not in prompt


def test_a_judges_yes_delivers_with_its_basis_on_record() -> None:
    bench = in_doubt()
    bench.answer("judge", Judged(verdict="yes"))
    assert bench.status("q2") == "delivered"
    generated = bench.events("generated")[-1]
    assert (generated.basis, generated.evidence["judge"]) == ("judged", JUDGE.version)
    assert bench.core.ledger.anomalies == []


@pytest.mark.parametrize(
    ("verdict", "status", "ending"), [("no", "available", "wandered"), ("unsure", "held", "unconfirmed")]
)
def test_a_judges_no_frees_the_question_and_unsure_holds_it(verdict: Any, status: str, ending: str) -> None:
    bench = in_doubt()
    bench.answer("judge", Judged(verdict=verdict))
    assert bench.status("q2") == status
    assert bench.endings() == [("q2", ending)]
    assert (bench.events("held") + bench.events("released"))[-1].basis == "judged"


def test_an_answer_that_fits_nothing_is_no_answer() -> None:
    bench = in_doubt()
    bench.answer("judge", None, error="refused")
    assert bench.endings() == [("q2", "unconfirmed")]
    assert bench.events("held")[-1].basis == "inferred"


def test_a_late_judge_changes_nothing_any_more() -> None:
    bench = in_doubt(match={"judge_ms": 2_000})
    job = bench.open_job("judge")
    bench.wait(1_900)
    assert bench.status("q2") == "pending"
    bench.wait(200)
    assert bench.endings() == [("q2", "unconfirmed")]
    bench.answer("judge", Judged(verdict="yes"), job.job_id)
    assert bench.status("q2") == "held"
    assert not [event for event in bench.events("delivered") if event.question_id == "q2"]


def test_the_end_of_the_call_does_not_wait_for_the_judge() -> None:
    bench = in_doubt()
    bench.command("end")
    bench.wait(60_000)
    assert bench.endings() == [("q2", "unconfirmed")]
    assert bench.core.ledger.attempts[bench.events("held")[-1].attempt_id or ""].outcome == "held"


def test_the_same_inputs_give_the_same_ledger() -> None:
    bench = in_doubt()
    bench.answer("judge", Judged(verdict="yes"))
    again = Core(bench.setup)
    for record in bench.inputs:
        again.step(record)
    assert again.ledger.events == bench.core.ledger.events
