"""Whether a text is about a theme."""

import pytest

from interviewer.matching.touching import touches


@pytest.mark.parametrize(
    ("theme", "text", "is_about"),
    [
        ("win", "Who were you following?", False),  # trap 5: "following" contains "win"
        ("win", "Did you ever win one?", True),
        ("old bridges", "What did the old bridge cost?", True),
        ("old bridges", "What did the bridge cost?", False),  # every word of the theme
        ("AI", "Where does AI come in?", True),  # two letters are a word
        ("AI", "Who said it?", False),
        ("the", "What did the bridge cost?", False),  # a theme of stop words says nothing
        ("", "What did the bridge cost?", False),
    ],
)
def test_a_theme_is_touched_by_whole_words_in_any_form(theme: str, text: str, is_about: bool) -> None:
    assert touches(theme, text) is is_about
