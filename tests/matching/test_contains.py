"""Does an utterance contain the planned question: what is asked counts, not how many words are the same."""

import math
import time
from pathlib import Path

import pytest

from interviewer.errors import MatchError, SettingsError
from interviewer.matching import thresholds
from interviewer.matching.contains import BAND, Coefficients, Judgement, contains, split
from interviewer.matching.contains_units import alike, units

WELD = "How do you teach a beginner to weld?"
QUOTED = 'You said "the dough tells me": what made the difference?'


@pytest.fixture(scope="module")
def judgement() -> Judgement:
    return Judgement.stored()


@pytest.mark.parametrize(
    ("planned", "utterance"),
    [
        (WELD, "How do you teach a beginner to weld?"),
        (WELD, "I'd love to hear how you teach a beginner to weld."),
        (WELD, "Is it a big shop? And how do you teach a beginner to weld?"),
        (WELD, "So the torch is heavy and hot. That takes courage. How do you teach a beginner to weld?"),
        ("What do you regret about the sale?", "There must be something you regret about the sale. What is it?"),
        ("What surprised you most in the archive?", "What did you not see coming in the archive?"),
        ("How did you get into beekeeping?", "Let's turn to beekeeping. How did that begin for you?"),
        (QUOTED, 'You said "the dough tells me" a while ago. What made the difference?'),
    ],
)
def test_a_question_is_found_whatever_carries_it(judgement: Judgement, planned: str, utterance: str) -> None:
    assert judgement.find(planned, utterance).verdict == "yes"


@pytest.mark.parametrize(
    ("planned", "utterance"),
    [
        (WELD, "How did a beginner teach you to weld?"),  # roles
        (WELD, "Why do you teach a beginner to weld?"),  # reason for manner
        (WELD, "How do you teach a beginner to paint?"),  # another skill
        (WELD, "So you teach beginners to weld by letting them watch for a week."),  # sums up
        (WELD, "People often ask me how you teach a beginner to weld."),  # tells of a question
        (WELD, "So how do you teach a"),  # breaks off
        (WELD, "And what happened next?"),
        ("What was your best year at the mill?", "What was your worst year at the mill?"),  # opposite
        ("What was your best year at the mill?", "What was your brother's best year at the mill?"),  # another person
        ("What did the mayor not tell you?", "What did the mayor tell you?"),  # denied
        ("How do you price a cake, and who pays for it?", "How do you price a cake?"),  # one part
        (QUOTED, 'You said "we never measure". What made the difference?'),  # another quote
    ],
)
def test_what_only_looks_like_the_question_is_never_a_yes(judgement: Judgement, planned: str, utterance: str) -> None:
    assert judgement.find(planned, utterance).verdict != "yes"


@pytest.mark.parametrize(
    ("planned", "utterance", "reason"),
    [
        (WELD, "Somebody has never held a torch. What comes on day one for that apprentice?", "sure"),
        (WELD, "", "the utterance is empty"),
        ("  ", "How?", "the planned question is empty"),
        (WELD, "🙂 🙂", "the utterance holds no words"),
        ("Why?", "Why did you leave?", "the planned question is one word"),
        (WELD, "Как вы учите новичка варить?", "another script"),
        ("どうやって始めましたか", "How did you start welding?", "another script"),
        (WELD, "Wie bringst du Anfängern Schweißen bei?", "not to be English"),
        (WELD, "So tell me, как вы учите новичка варить?", "another script"),
    ],
)
def test_where_it_cannot_tell_it_says_why(judgement: Judgement, planned: str, utterance: str, reason: str) -> None:
    found = judgement.find(planned, utterance)
    assert found.verdict == "unconfirmed"
    assert reason in found.reason


def test_a_statement_and_a_near_wording_that_asks_something_else_are_a_no(judgement: Judgement) -> None:
    said = judgement.find(WELD, "Welding is what beginners fear most here.")
    assert (said.verdict, said.reason) == ("no", "it asks nothing")


def test_the_sentence_that_asks_is_named(judgement: Judgement) -> None:
    assert judgement.find(WELD, f"A torch. Hot work. {WELD} And is that easy to say?").sentence == 2


def test_ten_thousand_words_take_a_bounded_time(judgement: Judgement) -> None:
    long = " ".join(f"We went to the shop on day {n} and the torch was hot." for n in range(1_000))
    began = time.perf_counter()
    assert judgement.find(WELD, f"{long} {WELD}").verdict == "yes"
    assert judgement.find(WELD, "and then " * 5_000).verdict != "yes"
    assert time.perf_counter() - began < 5


def test_scores_are_unknown_without_words_and_otherwise_probabilities() -> None:
    scores = contains().matrix([WELD, "?!"], [WELD, "Nice one."])
    assert math.isnan(scores[1, 0])
    assert 0 <= scores[0, 1] < 0.1 < 0.9 < scores[0, 0] <= 1


def test_words_of_one_meaning_are_alike() -> None:
    began, caught = units("How did it begin?")[-1], units("It caught you off guard")[-1]
    assert alike(began, units("the origin")[-1]) == 0.9
    assert alike(caught, units("a surprise")[-1]) == 0.9
    assert alike(began, caught) == 0.0


def test_a_grey_band_of_another_scorer_is_refused(tmp_path: Path) -> None:
    band = thresholds.load(BAND)
    thresholds.save(band.model_copy(update={"version": "0"}), tmp_path)
    with pytest.raises(SettingsError, match=r"contains/0.*contains/1"):
        Judgement.stored(BAND, tmp_path)


def test_coefficients_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "contains.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(MatchError, match=r"contains\.json"):
        Coefficients.load(path)


def test_an_utterance_is_cut_into_its_sentences() -> None:
    assert split("Well. How so?") == ("Well.", "How so?")
