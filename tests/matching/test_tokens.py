import pytest

from interviewer.matching.tokens import content, stem, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What’s the plan?", ("what", "is", "the", "plan")),
        ("Don't; you've won't, I'd.", ("do", "not", "you", "hav", "wil", "not", "i", "would")),
        ("the founder's dog", ("the", "founder", "dog")),
        ("AI, UX and R?", ("ai", "ux", "and", "r")),
        ("今日は", ("今日", "日は")),
        ("字", ("字",)),
        ("AIは何", ("ai", "は何")),
        ("क्या आपको", ("क्या", "आपको")),
        ("Ποια πόλη;", ("ποια", "πόλη")),
        ("😀👍🏽!", ()),
        ("", ()),
    ],
)
def test_words_come_in_normal_form(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    "forms",
    [
        ("plan", "plans", "planned", "planning"),
        ("move", "moves", "moved", "moving"),
        ("company", "companies"),
        ("use", "uses", "used", "using"),
        ("class", "classes"),
        ("call", "calls", "called", "calling"),
    ],
)
def test_forms_of_one_word_are_alike(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["thing", "bring", "need", "ai", "2019", "bus", "this"])
def test_what_only_looks_like_an_ending_stays(word: str) -> None:
    assert stem(word) == word


def test_grammar_is_no_content_but_question_words_are() -> None:
    assert content("What did you do about the bridge?") == {"what", "about", "bridg"}
    assert content("And you?") == frozenset()
