"""Who interviews: as it was said, as the file says, by name, or by who asks; with how sure that is."""

import pytest

from interviewer.errors import TranscriptError
from interviewer.importing.read import read_transcript, read_transcripts
from tests.importing.conftest import Written

PANEL = (
    "Nadia: Today we talk with Bo. What was first?\n"
    "Bo: First there was a roof, and on the roof there was a hive, and then there were two of them for many years.\n"
    "Mikeal: Were you afraid of them?\n"
    "Bo: Not of the bees, only of the ladder, which was old and had to be held by somebody at all times.\n"
    "Nadia: Who held it? Your uncle?\n"
    "Cleo: I did, and I did it gladly for all of those years, for the honey and for the view over the town.\n"
    "Mikeal: What did you see?\n"
    "Bo: A tram stop. Would you believe that it is the warmest place of the whole town, for people and for bees?\n"
)


def test_several_hosts_and_guests(written: Written) -> None:
    found = read_transcript(written(PANEL))
    assert (found.interviewers, found.guests) == (("Nadia", "Mikeal"), ("Bo", "Cleo"))
    assert [turn.role for turn in found.turns[:2]] == ["interviewer", "guest"]
    assert found.guess.by == "asking"
    assert found.guess.reason == "questions by words: Mikeal 2 in 9, Nadia 3 in 13, Bo 1 in 65, Cleo 0 in 22"


def test_whoever_said_next_to_nothing_does_not_make_it_less_sure(written: Written) -> None:
    sure = read_transcript(written(PANEL)).guess.certainty
    assert read_transcript(written(f"{PANEL}Break: Music.\n")).guess.certainty == sure > 0.9


def test_how_sure_it_is_grows_with_what_was_asked(written: Written) -> None:
    once = "Anna: Why?\nBo: It was so, and it stayed so for a long time.\n"
    less, more = (read_transcript(written(once * times)).guess.certainty for times in (1, 12))
    # One question in one word against none in eleven: z = ln((1.5 / 2) / (.5 / 12)) / sqrt(1 / 1.5 + 1 / .5) = 1.770,
    # whose normal probability .9616 is taken at .98 of its distance from one half.
    assert less == 0.95
    assert more == 0.99


@pytest.mark.parametrize(
    "text",
    ["سارة: كيف بدأت؟\nعمر: صدفة.\nسارة: ثم ماذا؟ ولماذا؟\n", "甲：怎么开始的？为什么？\n乙：偶然。\n甲：然后呢？\n"],
)
def test_other_scripts_ask_with_marks_of_their_own(written: Written, text: str) -> None:
    found = read_transcript(written(text))
    assert found.turns[0].role == "interviewer"
    assert " 3 in " in found.guess.reason
    assert " 0 in " in found.guess.reason


@pytest.mark.parametrize(("asks", "answers"), [("Host", "Ghost43"), ("Q", "A"), ("AI", "User"), ("I", "R")])
def test_names_that_tell(written: Written, asks: str, answers: str) -> None:
    found = read_transcript(written(f"{asks}: Go on.\n{answers}: Why? What for? Who says so?\n"))
    assert (found.interviewers, found.guess.by, found.guess.certainty) == ((asks,), "name", 0.95)


def test_it_can_be_said(written: Written) -> None:
    path = written(PANEL)
    found = read_transcript(path, speakers={"bo": "interviewer"})
    assert (found.interviewers, found.guests) == (("Bo",), ("Nadia", "Mikeal", "Cleo"))
    assert (found.guess.by, found.guess.certainty) == ("hand", 1.0)
    assert read_transcript(path, speakers={"Bo": "guest", "Cleo": "guest"}).interviewers == ("Nadia", "Mikeal")
    with pytest.raises(
        TranscriptError, match=r"talk\.txt: nobody is called 'Carl'; there are: Nadia, Bo, Mikeal, Cleo"
    ):
        read_transcript(path, speakers={"Carl": "interviewer"})
    with pytest.raises(TranscriptError, match="nobody answers in it"):
        read_transcript(written("Anna: Why?\nBo: So.\n"), speakers={"Anna": "interviewer", "Bo": "interviewer"})


def test_of_many_files_a_name_counts_where_it_is(written: Written) -> None:
    talks = [
        written("Anna: I see.\nBo: Why? How?\nAnna: Well.\n", "one.txt"),
        written("Carl: Why? How?\nDora: I see.\n", "two.txt"),
    ]
    found = read_transcripts(talks, speakers={"Anna": "interviewer"})
    assert [one.interviewers for one in found.good] == [("Anna",), ("Carl",)]
    assert [one.guess.by for one in found.good] == ["hand", "asking"]


def test_a_name_without_end_does_not_fill_an_error(written: Written) -> None:
    path = written(f"WEBVTT\n\n00:01.000 --> 00:02.000\n<v {'x' * 5_000}>Why?\n\n00:02.000 --> 00:03.000\n<v Bo>So.\n")
    with pytest.raises(TranscriptError) as error:
        read_transcript(path, speakers={"Carl": "guest"})
    assert len(str(error.value)) < 300
    assert len(read_transcript(path).guess.reason) < 300


def test_one_person_in_two_spellings_is_one(written: Written) -> None:
    found = read_transcript(written("ANNA: Why?\nBo: So.\nAnna: And how?\n"))
    assert (found.interviewers, found.guests) == (("ANNA",), ("Bo",))


def test_marks_of_direction_behind_a_question_do_not_hide_it(written: Written) -> None:
    asks, answers = "\u202bמה קרה אז?\u202c", "\u202bלא ידעתי מה לעשות עם הכוורת, והייתי שם כל החורף לבד.\u202c"
    turns = "".join(f"דנה: {asks}\nיוסי: {answers}\n" for _ in range(4))
    assert read_transcript(written(turns)).interviewers == ("דנה",)
