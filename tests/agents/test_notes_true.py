"""Notes stay true: near quotes, used contradictions, names put right."""

from hypothesis import given
from hypothesis import strategies as st

from interviewer.agents.grounding import ground
from interviewer.agents.notes_merge import merge
from interviewer.agents.quotes import check_analysis
from interviewer.model.corrections import Corrections
from interviewer.model.notes import Answered, Contradiction, Gap, Idea, Line, Notes
from interviewer.model.outcome import Analysis, Quote, Theme
from interviewer.model.turn import Said
from tests.agents.talk import said

TURNS = said(
    "Q: How did it start?",
    "We never told the board about the second server, and Marten paid for it himself.",
    "Later the board knew about the second server from the first day.",
)
CLASH = Contradiction(
    id="",
    text="did the board know?",
    first_quote="We never told the board about the second server",
    first_turn="t2",
    second_quote="the board knew about the second server from the first day",
    second_turn="t3",
    question="Did the board know about the second server or was it never told?",
)


def test_a_near_quote_becomes_what_was_said_and_keeps_its_distance() -> None:
    loose = "we never told the boss about the second server"
    (idea,) = merge(Notes(), Notes(ideas=(Idea(id="", text="kept quiet", quote=loose, turn="t2"),)), TURNS).ideas
    assert (idea.quote, idea.distance) == ("We never told the board about the second server", 1)


def test_an_exact_quote_has_no_distance() -> None:
    (line,) = merge(Notes(), Notes(lines=(Line(quote="marten paid for it himself", turn="t2"),)), TURNS).lines
    assert (line.quote, line.turn, line.distance) == ("Marten paid for it himself", "t2", 0)


def test_words_left_out_of_a_quote_are_put_back() -> None:
    near = ground("told the board about the server and Marten paid for it himself", "t2", TURNS)
    assert near is not None
    assert near.quote == "told the board about the second server, and Marten paid for it himself"
    assert near.distance == 1


def test_the_distance_of_a_contradiction_is_that_of_both_its_quotes() -> None:
    near = CLASH.model_copy(
        update={
            "first_quote": "We never told the bosses about the second server",
            "second_quote": "the boss knew about the second server from the very first day",
        }
    )
    (kept,) = merge(Notes(), Notes(contradictions=(near,)), TURNS).contradictions
    assert kept.distance == 3
    assert (kept.first_quote, kept.second_quote) == (CLASH.first_quote, CLASH.second_quote)


def test_a_quote_the_analyst_bent_is_set_straight() -> None:
    bent = Quote(text="we never told the boss about the second server", turn="t9")
    analysis = Analysis(
        goal_met="no",
        assessment="",
        claims=(),
        themes=(Theme(name="server", summary="", turns=("t2", "t77")),),
        tensions=(),
        quotes=(bent,),
        title="",
        subtitle="",
    )
    checked = check_analysis(analysis, TURNS)
    assert checked.quotes == (
        Quote(text="We never told the board about the second server", turn="t2", found=True, distance=1),
    )
    assert checked.themes[0].turns == ("t2",)


def test_a_contradiction_stays_until_it_was_asked_about() -> None:
    noted = merge(Notes(), Notes(contradictions=(CLASH,)), TURNS)
    assert [x.id for x in merge(noted, Notes(), TURNS).contradictions] == ["x1"]
    later = (*TURNS, Said("t4", "interviewer", "So did the board know about the second server, or was it never told?"))
    used = merge(noted, Notes(), later)
    assert used.contradictions == ()
    assert used.resolved == ("x1",)
    assert merge(used, Notes(contradictions=(CLASH,)), later).contradictions == ()


def test_a_contradiction_that_was_put_in_other_words_retires_by_its_question() -> None:
    noted = merge(Notes(), Notes(contradictions=(CLASH,)), TURNS)
    assert merge(noted, Notes(), TURNS, asked=(CLASH.question,)).contradictions == ()


def test_an_interviewer_who_asks_something_else_uses_no_contradiction() -> None:
    noted = merge(Notes(), Notes(contradictions=(CLASH,)), TURNS)
    other = (*TURNS, Said("t4", "interviewer", "What did Marten think of the price?"))
    assert [x.id for x in merge(noted, Notes(), other).contradictions] == ["x1"]


def test_closed_notes_keep_their_wordings_apart_from_their_ids() -> None:
    gap = Gap(id="", text="who paid", question="Why?", quote="Marten paid for it himself", turn="t2")
    noted = merge(Notes(), Notes(gaps=(gap,)), TURNS)
    closed = merge(noted, Notes(resolved=("g1",)), TURNS)
    assert closed.resolved == ("g1",)
    assert [(c.id, c.wordings) for c in closed.closed] == [("g1", ("Marten paid for it himself", "who paid"))]


def test_what_a_note_taker_says_is_closed_is_not_believed() -> None:
    gap = Gap(id="", text="who paid", question="Why?", quote="Marten paid for it himself", turn="t2")
    noted = merge(Notes(), Notes(gaps=(gap,)), TURNS)
    forged = merge(noted, Notes(resolved=("g1",)), TURNS).model_copy(update={"gaps": (), "resolved": ()})
    assert merge(noted, forged, TURNS) == noted


def test_a_name_is_put_right_everywhere_once() -> None:
    gap = Gap(id="g1", text="marten's money", question="Why did MARTEN pay?", quote="Marten paid", turn="t2")
    notes = Notes(
        gaps=(gap,),
        titles=("Marten pays",),
        answered=(Answered(question_id="Marten", turn="t2", volunteered=False),),
    )
    mended = Corrections().adding("Marten", "Maarten").model(notes)
    (found,) = mended.gaps
    assert (found.text, found.question, found.quote) == ("Maarten's money", "Why did Maarten pay?", "Maarten paid")
    assert mended.titles == ("Maarten pays",)
    assert mended.answered == notes.answered


def test_quotes_are_still_found_once_turns_and_notes_are_mended_alike() -> None:
    corrections = Corrections().adding("Marten", "Maarten Visser")
    update = Notes(ideas=(Idea(id="", text="money", quote="Marten paid for it himself", turn="t2"),))
    noted = corrections.model(merge(Notes(), update, TURNS))
    again = merge(noted, noted, corrections.turns(TURNS))
    assert [idea.quote for idea in again.ideas] == ["Maarten Visser paid for it himself"]


def test_two_names_can_be_exchanged_and_parts_of_words_stay() -> None:
    corrections = Corrections(pairs=(("Anna", "Hanna"), ("Hanna", "Anna"), ("mary ann", "Marianne")))
    assert (
        corrections.text("Anna met Hanna in Savannah; Mary\nAnn came.") == "Hanna met Anna in Savannah; Marianne came."
    )


def test_a_later_correction_of_the_same_name_counts() -> None:
    assert Corrections().adding("Jon", "John").adding("jon", "Joan").text("Jon") == "Joan"


def test_a_correction_can_be_corrected_and_taken_back() -> None:
    once = Corrections().adding("Jon", "John")
    assert once.adding("John", "Joan").text("Jon and John") == "Joan and Joan"
    assert once.adding("John", "Jon").text("Jon") == "Jon"


def test_a_name_that_holds_the_wrong_one_is_put_in_once() -> None:
    longer = Corrections().adding("Ann", "Mary Ann")
    assert longer.text(longer.text("Ann called Mary Ann.")) == "Mary Ann called Mary Ann."


LETTERS = st.text(st.characters(categories=["L"]), min_size=1, max_size=12)


@given(LETTERS, LETTERS)
def test_any_name_can_be_put_right(wrong: str, right: str) -> None:
    assert Corrections().adding(wrong, right).text(f"(1) {wrong}, 2") == f"(1) {right}, 2"
