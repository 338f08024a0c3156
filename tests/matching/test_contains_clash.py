"""Nearly the planned words and yet another question: never a yes, and the reason is said."""

import re
import time

import pytest

from interviewer.matching.contains import Judgement

TIME = "it may ask of another time, or of what would or should be"
ROLES = "who acts on whom may be the other way round"
ASIDE = "it may speak of the question instead of asking it"
BACK = "it may be taken back at once"
SIGN = "a sign or emoji differs"
ROOF = "How did you mend the roof?"


@pytest.fixture(scope="module")
def judgement() -> Judgement:
    return Judgement.stored()


@pytest.mark.parametrize(
    ("planned", "utterance", "reason"),
    [
        (ROOF, "How would you mend the roof?", TIME),
        (ROOF, "How do you mend the roof?", TIME),
        ("What made you sell the mill?", "What could make you sell the mill?", TIME),
        ("Which firm bought yours?", "Which firm did yours buy?", ROLES),
        ("What shaped your taste?", "What did your taste shape?", ROLES),
        ("What do you do before and after a race?", "What do you do before a race?", "a part .* may be missing: after"),
        (ROOF, "Should I ask how you mended the roof, or shall we stop?", ASIDE),
        (ROOF, "Neighbours ask, how did you mend the roof? What do you tell them?", ASIDE),
        (ROOF, f"{ROOF} Scratch that. Who built it?", BACK),
        ("Why do you teach C++?", "Why do you teach C#?", SIGN),
        ("Why did you take 7 %?", "Why did you take 7 $?", SIGN),
        ("What does 🌵 stand for?", "What does 🌻 stand for?", SIGN),
        ("Why do you live there?", "Why do you still live there?", "a word may change what is asked: still"),
    ],
)
def test_what_clashes_is_unconfirmed(judgement: Judgement, planned: str, utterance: str, reason: str) -> None:
    found = judgement.find(planned, utterance)
    assert found.score > judgement.yes  # by its words alone it would be the question
    assert found.verdict == "unconfirmed"
    assert re.fullmatch(reason, found.reason)


@pytest.mark.parametrize(
    ("planned", "utterance"),
    [
        (ROOF, "Would you tell me how you mended the roof?"),
        (ROOF, f"How would you like to begin? {ROOF}"),
        (ROOF, f"Forget the barn. {ROOF}"),
        (ROOF, f"{ROOF} And is that easy to say?"),
        (ROOF, "May I ask how you mended the roof?"),
        ("Who fed you in the camp?", "Who was it that fed you in the camp?"),
        ("What do you do before and after a race?", "What do you do after and before a race?"),
        ("Why do you teach C++?", "And why do you teach C++? 🙂"),
    ],
)
def test_what_only_carries_the_question_does_not_clash(judgement: Judgement, planned: str, utterance: str) -> None:
    assert judgement.find(planned, utterance).verdict == "yes"


def test_asked_properly_beside_what_clashes_it_is_asked(judgement: Judgement) -> None:
    found = judgement.find(ROOF, f"How will you mend the roof? I mean something else. {ROOF}")
    assert (found.verdict, found.sentence) == ("yes", 2)


def test_a_planned_text_without_end_is_compared_in_part_and_that_is_said(judgement: Judgement) -> None:
    long = " ".join(f"word{n % 700} place{n}" for n in range(5_000))
    began = time.perf_counter()
    found = judgement.find(f"{long}?", f"{long}?")
    assert judgement.find(f"{long}. {ROOF}", ROOF).verdict == "yes"
    assert time.perf_counter() - began < 4  # at the square of the words it took minutes
    assert "longer than 150 words" in found.reason
