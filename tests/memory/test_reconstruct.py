"""Coverage out of a transcript: scores, turns, and what hinders."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.memory.reconstruct import reconstruct
from interviewer.model.plan import Plan, Question, Section
from interviewer.model.turn import Said
from interviewer.settings import MatchSettings

QUESTIONS = (
    Question(id="q1", text="What broke on your first river crossing?"),
    Question(id="q2", text="Who taught you to trust concrete?"),
)
PLAN = Plan(topic="Bridges", goal="", sections=(Section(id="s1", title="All", questions=QUESTIONS),))
TURNS = (
    Said("c2.t1", "interviewer", "Good to see you. So what broke when you first crossed a river?"),
    Said("c2.t2", "guest", "What broke on my first river crossing was the rope."),
    Said("c2.t3", "interviewer", "And what did your father say about that?"),
)


def test_a_question_that_was_asked_in_other_words_is_found_with_turn_score_and_scorer() -> None:
    found = reconstruct(TURNS, PLAN, MatchSettings(), call=2)
    (touched,) = found.touched
    assert (touched.question_id, touched.call, touched.turn) == ("q1", 2, "c2.t1")
    assert touched.scorer.startswith("contains/")
    assert 1 >= touched.score > touched.threshold == MatchSettings().reconstruction_contains
    assert [asked.turn for asked in found.heard] == ["c2.t1", "c2.t3"]
    assert found.problems == ()


def test_the_baseline_goes_by_shared_words_of_turns_or_of_sentences() -> None:
    # Content words of q1: broke, first, river, crossing. The sentence has broke, first, crossed, river besides: 3 of 5
    # are shared. The whole turn has good and see too: 3 of 7.
    sentences = MatchSettings(reconstruction_scorer="jaccard", reconstruction_unit="sentences")
    turns = MatchSettings(reconstruction_scorer="jaccard", reconstruction_unit="turns")
    (one,), (other,) = reconstruct(TURNS, PLAN, sentences).touched, reconstruct(TURNS, PLAN, turns).touched
    assert (one.question_id, other.question_id, one.threshold, other.threshold) == ("q1", "q1", 0.40, 0.40)
    assert one.score == pytest.approx(3 / 5)
    assert other.score == pytest.approx(3 / 7, abs=1e-6)
    assert reconstruct(TURNS, PLAN, turns.model_copy(update={"reconstruction": 0.43})).touched == ()


def test_what_the_guest_says_covers_nothing() -> None:
    asked_back = (Said("t1", "guest", QUESTIONS[0].text), Said("t2", "interviewer", "Is it cold there?"))
    assert reconstruct(asked_back, PLAN, MatchSettings()).touched == ()


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ((), "nothing was said in it"),
        ((Said("t1", "guest", "I was alone."),), "one person speaks in it and nobody asks"),
        ((Said("t1", "interviewer", "I see."), Said("t2", "guest", "Yes.")), "nothing in it is a question"),
        ((Said("t1", "interviewer", "so what broke on your first river crossing"),), "there are no question marks"),
        (
            (
                Said("t1", "interviewer", "Was ging bei deiner ersten Flussquerung denn alles zu Bruch?"),
                Said("t2", "guest", "Das Seil."),
                Said("t3", "interviewer", "Und wer hat dir beigebracht, dem Beton zu vertrauen?"),
            ),
            "another language than English",
        ),
    ],
)
def test_what_hinders_is_said(turns: tuple[Said, ...], said: str) -> None:
    found = reconstruct(turns, PLAN, MatchSettings())
    assert said in " ".join(found.problems)


@pytest.mark.parametrize("by", ["contains", "jaccard"])
def test_a_transcript_in_another_language_is_named_whatever_the_scorer(by: str) -> None:
    turns = (Said("t1", "interviewer", "Was war der schwierigste Moment?"), Said("t2", "guest", "Der Winter."))
    match = MatchSettings(reconstruction_scorer=by)
    (problem,) = reconstruct(turns, PLAN, match, language="de", planned_in="en").problems
    assert "it is in “de”" in problem
    assert reconstruct(TURNS, PLAN, match, language="en", planned_in="en-GB").problems == ()


def test_without_question_marks_it_is_found_all_the_same() -> None:
    found = reconstruct(
        (Said("t1", "interviewer", "so what broke on your first river crossing"),), PLAN, MatchSettings()
    )
    assert [touched.question_id for touched in found.touched] == ["q1"]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["interviewer", "guest"]), st.text(max_size=40)), max_size=4))
def test_any_transcript_gives_scores_above_the_threshold_in_turns_that_are_there(
    given_turns: list[tuple[str, str]],
) -> None:
    turns = [Said(f"t{n}", who, text) for n, (who, text) in enumerate(given_turns)]  # type: ignore[arg-type]
    found = reconstruct(turns, PLAN, MatchSettings())
    asking = {turn.id for turn in turns if turn.speaker == "interviewer"}
    assert {touched.turn for touched in found.touched} <= asking
    assert all(touched.threshold < touched.score <= 1 for touched in found.touched)
