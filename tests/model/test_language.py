"""Codes of languages."""

import pytest

from interviewer.model.language import is_english, same_language


@pytest.mark.parametrize(
    ("code", "english"), [("en", True), ("EN", True), ("en-GB", True), ("de", False), ("enm", False)]
)
def test_english_in_whatever_letters(code: str, english: bool) -> None:
    assert is_english(code) is english


def test_where_a_language_is_spoken_makes_no_other_of_it() -> None:
    assert same_language("de", "de-AT")
    assert same_language("EN_us", "en")
    assert not same_language("de", "en")
