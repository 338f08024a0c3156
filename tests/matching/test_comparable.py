"""What of a proposal is held against what was heard."""

import pytest

from interviewer.matching.comparable import comparable, of_one_kind


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What did the bridge cost?", ("What did the bridge cost?",)),
        ("Why is that?", ()),  # points to what is not there
        ("Bridges fail in spring. Why is that?", ("Bridges fail in spring. Why is that?",)),
        (
            "Now to the old canal. What was your way in?",
            ("What was your way in?", "Now to the old canal. What was your way in?"),
        ),
        ("Mm. " + "and so on " * 30 + ". What froze?", ("What froze?",)),  # too long to be one question
    ],
)
def test_sentences_that_ask_and_the_whole_of_a_short_text_of_several(text: str, parts: tuple[str, ...]) -> None:
    assert comparable(text) == parts


def test_what_closes_a_talk_is_compared_with_its_like_alone() -> None:
    assert not of_one_kind("Is there anything else about the bridge?", "What did the bridge cost?")
    assert of_one_kind("Is there anything else about the bridge?", "Anything else you'd like to add?")
