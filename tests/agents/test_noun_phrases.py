import pytest

from interviewer.agents.clauses import whole_clause
from interviewer.agents.essay import printed
from interviewer.agents.noun_phrases import is_clause, noun_phrases
from interviewer.agents.passages import Sentence
from interviewer.agents.phrases import telling


def bare(text: str) -> list[str]:
    return [phrase.text for _, phrase in noun_phrases(text)]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("It was a gnarly deadline, and we met it.", "gnarly deadline"),
        ("My uncle lent me an iron hand press for the winter.", "iron hand press"),
        ("I kept the old accounting system in a drawer.", "old accounting system"),
        ("We had strange weather in June.", "strange weather"),
    ],
)
def test_a_noun_phrase_is_found(text: str, phrase: str) -> None:
    assert phrase in bare(text)


@pytest.mark.parametrize(
    "text",
    [
        "What the people hear is music.",
        "I do what the teacher wants me to do.",
        "I felt the energy around the room.",
        "A friend eventually say it.",
        "I had an Excel Workbooks.",
        "Oh my God.",
        "I got the content right.",
        "That was a couple years ago.",
        "The whole week before.",
    ],
)
def test_scraps_are_no_noun_phrases(text: str) -> None:
    assert bare(text) == []
    sentence = Sentence(text, "t1", 0, 0, True)
    assert telling([sentence], lambda _: 5.0) == []


@pytest.mark.parametrize("text", ["I never trusted the pump", "the mast broke in March", "nobody wanted it"])
def test_a_clause_has_a_subject_and_a_verb(text: str) -> None:
    assert is_clause(text)


@pytest.mark.parametrize("text", ["cheat by looking me up", "I'll do a thing called", "and we left", "at the time of"])
def test_half_a_clause_is_none(text: str) -> None:
    assert not is_clause(text)


def test_a_clause_goes_from_border_to_border() -> None:
    text = "But again, we decided to sell the boat, which hurt."
    found = whole_clause(text, text.index("decided"), text.index("decided") + 7)
    assert found is not None
    assert found.text == "we decided to sell the boat"


def test_a_stop_that_was_not_written_down_is_put_in() -> None:
    assert printed("I was charging $599 Very specific.") == r"I was charging \$599. Very specific."
    assert printed("We sailed 40 Very Large Boats.") == "We sailed 40 Very Large Boats."
