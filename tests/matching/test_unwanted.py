from pathlib import Path

import numpy as np
import pytest

from interviewer.errors import MatchError
from interviewer.matching.pairs import Pair, context
from interviewer.matching.scorer import scorer
from interviewer.matching.unwanted import Coefficients, Unwanted

ASKED = "How did you fix the bridge?"
TALK = [
    ("interviewer", ASKED),
    ("interviewee", "We cut out the old cable, hung a new one from the tower, and tested it with three lorries."),
    ("interviewer", "Who paid for it?"),
    ("interviewee", "The county did, after a long fight."),
    ("interviewer", "How many people worked there?"),
    ("interviewee", "About forty."),
]


def probability(question: str, after: int = len(TALK), first: str = ASKED) -> float:
    told = [("interviewer", first), *TALK[1:after], ("interviewer", question)]
    return float(Unwanted().pairs([Pair(first, question, context(told, 0, first, len(told) - 1, question))])[0])


def test_again_after_a_full_answer_and_other_questions_is_the_most_unwanted() -> None:
    plainly = probability("What did you do to repair the bridge?")
    assert plainly > 2 * probability("You mentioned the bridge. What did you do to repair it?")
    assert plainly > 2 * probability("Which cable exactly did you cut?", after=2)


def test_a_standing_closing_question_is_no_repeat() -> None:
    first, second = "Anything else about the bridge?", "Is there anything else?"
    assert probability(second, first=first) < 0.05


def test_without_context_it_cannot_tell() -> None:
    chosen = scorer("unwanted")
    assert isinstance(chosen, Unwanted)
    assert np.isnan(chosen.matrix([ASKED], [ASKED, "Why?"])).all()
    assert np.isnan(chosen.pairs([Pair(ASKED, ASKED)])).all()
    assert chosen.pairs([]).shape == (0,)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "u.json").write_text("{}", encoding="utf-8")
    with pytest.raises(MatchError, match=r"u\.json"):
        Coefficients.load(tmp_path / "u.json")
