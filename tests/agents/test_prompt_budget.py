"""Prompts stay within their budget, and say what they left out."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from interviewer.agents.note_taker import NOTE_TAKER, NoteTakerInput
from interviewer.agents.orchestrator import ORCHESTRATOR, QuestionView
from interviewer.agents.prompts import Part, by_rank, clipped, fitted, newest, tokens
from interviewer.agents.wording import notes as notes_part
from interviewer.agents.writer import WRITER, WriterInput
from interviewer.model.notes import Contradiction, Gap, Idea, Notes
from interviewer.model.outcome import Analysis
from interviewer.model.turn import Said
from tests.agents.talk import a_plan
from tests.agents.test_prompts import INPUTS

NOTHING = Analysis(goal_met="no", assessment="", claims=(), themes=(), tensions=(), quotes=(), title="T", subtitle="")


def test_four_bytes_are_a_token_rounded_up() -> None:
    assert [tokens(text) for text in ("", "a", "abcd", "abcde", "日本")] == [0, 1, 1, 2, 2]


def test_what_fits_is_whole() -> None:
    prompt = fitted("Do it.", [newest("heard", ["one", "two"]), "Now."], 200)
    assert prompt.text == "Do it.\n\n<heard>\none\ntwo\n</heard>\nNow."
    assert (prompt.tokens, prompt.cut) == (tokens(prompt.text), {})


def test_the_oldest_lines_go_first_and_are_counted() -> None:
    lines = [f"question number {n} about something" for n in range(50)]
    prompt = fitted("Do it.", [newest("heard", lines)], 60)
    shown = prompt.text.splitlines()[3:-1]
    assert shown == lines[-len(shown) :]
    assert prompt.cut == {"heard": 50 - len(shown)}
    assert 40 < prompt.tokens <= 60


def test_a_short_part_leaves_its_room_to_the_long_one() -> None:
    lines = [f"line {n} with some words in it" for n in range(40)]
    alone = fitted("", [newest("long", lines), newest("short", ["tiny"])], 150)
    assert "tiny" in alone.text
    assert alone.tokens > 120
    assert set(alone.cut) == {"long"}


def test_a_single_long_line_keeps_its_beginning_and_its_end() -> None:
    text = f"first {'middle ' * 500}last"
    assert clipped(text, 40).startswith("first middle")
    assert clipped(text, 40).endswith("middle last")
    prompt = fitted("", [newest("context", [text])], 100)
    assert prompt.cut == {"context": 1}
    assert prompt.tokens <= 100


@given(
    st.lists(
        st.tuples(st.lists(st.text(max_size=300), max_size=12), st.sampled_from([0.5, 1.0, 4.0])),
        min_size=1,
        max_size=5,
    ),
    st.integers(120, 900),
)
def test_no_prompt_is_larger_than_its_budget(given_parts: list[tuple[list[str], float]], budget: int) -> None:
    parts: list[Part] = [newest(f"p{n}", texts, weight=weight) for n, (texts, weight) in enumerate(given_parts)]
    assert fitted("Rules.", parts, budget).tokens <= budget


@given(st.lists(st.tuples(st.text("ab ", min_size=1, max_size=80), st.integers(0, 9)), min_size=1, max_size=20))
def test_nothing_is_left_out_that_ranks_above_what_stays(ranked: list[tuple[str, int]]) -> None:
    lines = [(f"{n}. {text}", float(rank)) for n, (text, rank) in enumerate(ranked)]
    shown = set(fitted("", [by_rank("notes", lines)], 60).text.splitlines())
    kept = [rank for (text, rank) in lines if " ".join(text.split()) in shown]
    gone = [rank for (text, rank) in lines if " ".join(text.split()) not in shown]
    assert not kept or not gone or max(gone) <= min(kept)


def test_open_gaps_and_contradictions_stay_longer_than_old_ideas() -> None:
    ideas = tuple(
        Idea(id=f"i{n}", text=f"a plain thought number {n}", quote=f"plain {n}", turn=f"t{n}") for n in range(60)
    )
    gap = Gap(id="g1", text="reasons kept back", question="Which?", quote="for various reasons", turn="t59")
    clash = Contradiction(
        id="x1",
        text="a / b",
        first_quote="a",
        first_turn="t1",
        second_quote="b",
        second_turn="t60",
        question="How do both fit?",
    )
    prompt = fitted("", [notes_part(Notes(ideas=ideas, gaps=(gap,), contradictions=(clash,)))], 150)
    assert "[g1]" in prompt.text
    assert "[x1]" in prompt.text
    assert "[i59]" in prompt.text
    assert "[i0]" not in prompt.text
    assert prompt.cut["notes"] > 40


def test_questions_that_may_be_proposed_stay_longest() -> None:
    view = QuestionView(
        id="q1",
        text="What happened on the first night of the move, and who was there?",
        section_id="s1",
        role="backbone",
        priority=1,
        status="available",
        reason="",
        selectable=True,
        answered=False,
        volunteered=False,
    )
    asked = tuple(
        view.model_copy(update={"id": f"u{n}", "section_id": None, "status": "delivered", "selectable": False})
        for n in range(2_000)
    )
    data: Any = INPUTS["orchestrator"].model_copy(update={"questions": (view, *asked)})
    prompt = ORCHESTRATOR.ask(data)
    assert prompt.tokens <= ORCHESTRATOR.budget
    assert "[q1]" in prompt.text
    assert "[u1999]" in prompt.text
    assert "[u0]" not in prompt.text
    assert prompt.cut["questions"] > 1_500


def test_a_monologue_of_an_hour_does_not_break_the_note_takers_budget() -> None:
    turns = (Said("t1", "interviewer", "Well?"), Said("t2", "guest", "and then we went on " * 1_800))
    data = NoteTakerInput(topic="x", goal="y", sections=a_plan().sections, notes=Notes(), turns=turns)
    prompt = NOTE_TAKER.ask(data)
    assert prompt.tokens <= NOTE_TAKER.budget
    assert "[t2] guest: and then" in prompt.text
    assert all(f"[q{n}]" in prompt.text for n in (1, 2, 3, 4))
    assert prompt.cut == {"transcript": 2}


def test_the_writer_reads_an_hour_whole_and_a_day_not() -> None:
    hour = tuple(Said(f"t{n}", "guest", "one hundred and fifty words " * 30) for n in range(60))
    data = WriterInput(topic="x", turns=hour, analysis=NOTHING, notes=Notes())
    assert WRITER.ask(data).cut == {}
    day = WRITER.ask(data.model_copy(update={"turns": hour * 10}))
    assert day.tokens <= WRITER.budget
    assert day.cut["transcript"] > 400
