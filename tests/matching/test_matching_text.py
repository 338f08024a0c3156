import pytest

from interviewer.matching.text import asks, content_words, plain, questions, sentences, words


def texts(whole: str) -> list[str]:
    return [span.text for span in sentences(whole)]


def test_plain_text_has_straight_apostrophes_and_no_case() -> None:
    assert plain("That’s ‘ALL’ the time") == "that's 'all' the time"
    assert plain("Straße ﬁne") == "strasse fine"


def test_words_are_lower_case_without_punctuation() -> None:
    assert words("Well—how, exactly, did it (really) start?") == (
        "well",
        "how",
        "exactly",
        "did",
        "it",
        "really",
        "start",
    )


def test_an_apostrophe_stays_inside_its_word() -> None:
    assert words("Don't; it’s the boss' idea") == ("don't", "it's", "the", "boss", "idea")


def test_trap_17_words_of_one_or_two_letters_are_kept() -> None:
    assert content_words("What do AI, UX and ML mean to you in R or C?") >= {"ai", "ux", "ml", "r", "c"}


def test_stop_words_are_off() -> None:
    assert content_words("What is it that you would like to do about the bridge?") == {"bridge"}
    assert content_words("Why, and how so?") == frozenset()


def test_curly_apostrophes_do_not_hide_stop_words() -> None:
    assert content_words("What’s the plan you’ve made?") == {"plan", "made"}


def test_numbers_are_content() -> None:
    assert content_words("In 1987 or 88?") == {"1987", "88"}


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("So… then it broke. \n\n Why?", ["So…", "then it broke.", "Why?"]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("Dr. Smith and J. Doe met Mr. Lee. They spoke.", ["Dr. Smith and J. Doe met Mr. Lee.", "They spoke."]),
        ("Version 3.5 is out, e.g. for you.", ["Version 3.5 is out, e.g. for you."]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("no end", ["no end"]),
        ("  ", []),
        ("", []),
    ],
)
def test_a_text_is_cut_into_sentences(whole: str, parts: list[str]) -> None:
    assert texts(whole) == parts


def test_a_sentence_knows_its_place() -> None:
    whole = "  Oh, I see.  What broke first?  "
    assert [(span.start, span.end) for span in sentences(whole)] == [(2, 12), (14, 31)]
    assert all(whole[span.start : span.end] == span.text for span in sentences(whole))


@pytest.mark.parametrize(
    "sentence",
    [
        "What broke first?",
        'And he asked, "why?"',
        "Tell me about the night it broke.",
        "Walk me through that morning.",
        "I'd love to hear how that felt.",
        "I’m curious how you found out.",
        "Take me back to the first day.",
        "Could you say more",
    ],
)
def test_a_question_or_a_request_asks(sentence: str) -> None:
    assert asks(sentence)


@pytest.mark.parametrize("sentence", ["That must have been hard.", "I see.", "Thanks for telling me.", ""])
def test_a_remark_asks_nothing(sentence: str) -> None:
    assert not asks(sentence)


def test_the_questions_of_a_text_are_those_sentences_that_ask() -> None:
    whole = "That sounds hard. What broke first? I see. Tell me about the night."
    assert [span.text for span in questions(whole)] == ["What broke first?", "Tell me about the night."]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("أهلا بك. كيف بدأت؟ حدثني.", ["كيف بدأت؟"]),
        ("\u202bאיך התחלת?\u202c", ["\u202bאיך התחלת?\u202c"]),
        ("こんにちは。どう始めましたか？パン屋ですね。", ["どう始めましたか？"]),  # no spaces between sentences
        ("そうですか。「なぜですか？」", ["「なぜですか？」"]),
    ],
)
def test_questions_of_other_scripts_are_found(text: str, asked: list[str]) -> None:
    assert [span.text for span in questions(text)] == asked
    assert all(text[span.start : span.end] == span.text for span in sentences(text))
